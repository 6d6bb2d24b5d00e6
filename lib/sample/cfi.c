#include "sample/cfi.h"

#include <stddef.h>
#include <string.h>

/* Encodings of addresses: the low four bits say how they are stored, the next three what they are relative to. */
enum {
	PE_ABSPTR = 0x00, PE_ULEB128 = 0x01, PE_UDATA2 = 0x02, PE_UDATA4 = 0x03, PE_UDATA8 = 0x04,
	PE_SLEB128 = 0x09, PE_SDATA2 = 0x0a, PE_SDATA4 = 0x0b, PE_SDATA8 = 0x0c,
	PE_PCREL = 0x10, PE_DATAREL = 0x30, PE_RELATIVE = 0x70, PE_INDIRECT = 0x80, PE_OMIT = 0xff,
};

/* Instructions of call-frame programs. The first three have an operand in their low six bits. */
enum { OPCODE_BITS = 0xc0, OPERAND_BITS = 0x3f };
enum {
	CFA_ADVANCE_LOC = 0x40, CFA_OFFSET = 0x80, CFA_RESTORE = 0xc0,
	CFA_NOP = 0x00, CFA_SET_LOC = 0x01, CFA_ADVANCE_LOC1 = 0x02, CFA_ADVANCE_LOC2 = 0x03, CFA_ADVANCE_LOC4 = 0x04,
	CFA_OFFSET_EXTENDED = 0x05, CFA_RESTORE_EXTENDED = 0x06, CFA_UNDEFINED = 0x07, CFA_SAME_VALUE = 0x08,
	CFA_REGISTER = 0x09, CFA_REMEMBER_STATE = 0x0a, CFA_RESTORE_STATE = 0x0b, CFA_DEF_CFA = 0x0c,
	CFA_DEF_CFA_REGISTER = 0x0d, CFA_DEF_CFA_OFFSET = 0x0e, CFA_DEF_CFA_EXPRESSION = 0x0f, CFA_EXPRESSION = 0x10,
	CFA_OFFSET_EXTENDED_SF = 0x11, CFA_DEF_CFA_SF = 0x12, CFA_DEF_CFA_OFFSET_SF = 0x13, CFA_VAL_OFFSET = 0x14,
	CFA_VAL_OFFSET_SF = 0x15, CFA_VAL_EXPRESSION = 0x16, CFA_GNU_ARGS_SIZE = 0x2e,
	CFA_GNU_NEGATIVE_OFFSET_EXTENDED = 0x2f,
};

uint64_t fathom_cfi_unsigned(const unsigned char **place, const unsigned char *end)
{
	const unsigned char *byte = *place;
	unsigned shift = 0;
	uint64_t value = 0;

	while (byte < end) {
		if (shift < 64)
			value |= (uint64_t)(*byte & 0x7f) << shift;
		shift += 7;
		if (!(*byte++ & 0x80))
			break;
	}
	*place = byte;
	return value;
}

int64_t fathom_cfi_signed(const unsigned char **place, const unsigned char *end)
{
	const unsigned char *begin = *place;
	uint64_t value = fathom_cfi_unsigned(place, end);
	size_t bits = (size_t)(*place - begin) * 7;

	if (bits && bits < 64 && (*place)[-1] & 0x40)
		value |= ~(uint64_t)0 << bits;
	return (int64_t)value;
}

/* Reads bytes (1, 2, 4 or 8) as an unsigned number. Behind end: 0. */
static uint64_t read_fixed(const unsigned char **place, const unsigned char *end, unsigned bytes)
{
	uint64_t value = 0;

	if ((size_t)(end - *place) < bytes) {
		*place = end;
		return 0;
	}
	memcpy(&value, *place, bytes);
	*place += bytes;
	return value;
}

bool fathom_cfi_address(const unsigned char **place, const unsigned char *end, uint8_t encoding, uintptr_t base,
			uintptr_t *address)
{
	const unsigned char *here = *place;

	switch (encoding & 0x0f) {
	case PE_ABSPTR:
	case PE_UDATA8:
	case PE_SDATA8:
		*address = read_fixed(place, end, 8);
		break;
	case PE_UDATA4:
		*address = read_fixed(place, end, 4);
		break;
	case PE_SDATA4:
		*address = (uintptr_t)(int32_t)read_fixed(place, end, 4);
		break;
	case PE_UDATA2:
		*address = read_fixed(place, end, 2);
		break;
	case PE_SDATA2:
		*address = (uintptr_t)(int16_t)read_fixed(place, end, 2);
		break;
	case PE_ULEB128:
		*address = fathom_cfi_unsigned(place, end);
		break;
	case PE_SLEB128:
		*address = (uintptr_t)fathom_cfi_signed(place, end);
		break;
	default:
		return false;
	}
	switch (encoding & PE_RELATIVE) {
	case PE_ABSPTR:
		break;
	case PE_PCREL:
		*address += (uintptr_t)here;
		break;
	case PE_DATAREL:
		*address += base;
		break;
	default:
		return false;
	}
	return !(encoding & PE_INDIRECT);
}

const unsigned char *fathom_cfi_entry(const unsigned char *entry, const unsigned char **content)
{
	uint32_t short_length;
	uint64_t length;

	memcpy(&short_length, entry, 4);
	entry += 4;
	length = short_length;
	if (short_length == UINT32_MAX) {
		memcpy(&length, entry, 8);
		entry += 8;
	}
	*content = entry;
	return length && length <= INT32_MAX ? entry + length : NULL;
}

/* Reads the CIE. is_augmented: the FDE has a field with the length of further data. */
static bool parse_common(const unsigned char *entry, struct fathom_cfi_function *function, bool *is_augmented)
{
	const unsigned char *place, *end = fathom_cfi_entry(entry, &place);
	const char *letters;
	uint64_t length;
	uint8_t version;

	if (!end || end - place < 9 || read_fixed(&place, end, 4) != 0)
		return false;
	version = *place++;
	if (version != 1 && version != 3 && version != 4)
		return false;
	letters = (const char *)place;
	place = memchr(place, 0, (size_t)(end - place));
	if (!place)
		return false;
	place++;
	if (version == 4)
		place += 2;	/* sizes of addresses and of segments */
	if (place >= end)
		return false;
	function->code_factor = fathom_cfi_unsigned(&place, end);
	function->data_factor = fathom_cfi_signed(&place, end);
	function->return_column = version == 1 ? read_fixed(&place, end, 1) : fathom_cfi_unsigned(&place, end);
	if (function->return_column >= FATHOM_REGISTER_COUNT)
		return false;
	function->encoding = PE_ABSPTR;
	function->is_signal = false;
	*is_augmented = *letters == 'z';
	function->common_end = end;
	function->common = place;
	if (!*is_augmented)
		return *letters == 0;
	length = fathom_cfi_unsigned(&place, end);
	if (length > (size_t)(end - place))
		return false;
	function->common = place + length;
	for (letters++; *letters; letters++) {
		uintptr_t personality;
		uint8_t encoding;

		switch (*letters) {
		case 'S':
			function->is_signal = true;
			break;
		case 'R':
			function->encoding = (uint8_t)read_fixed(&place, end, 1);
			break;
		case 'L':
			read_fixed(&place, end, 1);
			break;
		case 'P':
			encoding = (uint8_t)read_fixed(&place, end, 1);
			fathom_cfi_address(&place, end, encoding & 0x0f, 0, &personality);
			break;
		default:
			return true;	/* the length in front of the data says where the program is */
		}
	}
	return true;
}

bool fathom_cfi_parse(const unsigned char *fde, struct fathom_cfi_function *function)
{
	const unsigned char *place, *id, *end = fathom_cfi_entry(fde, &place);
	uintptr_t length;
	bool is_augmented;
	uint32_t distance;

	if (!end || end - place < 8)
		return false;
	id = place;
	distance = (uint32_t)read_fixed(&place, end, 4);
	if (!distance || !parse_common(id - distance, function, &is_augmented) ||
	    !fathom_cfi_address(&place, end, function->encoding, 0, &function->begin) ||
	    !fathom_cfi_address(&place, end, function->encoding & 0x0f, 0, &length))
		return false;
	function->end = function->begin + length;
	if (is_augmented) {
		uint64_t bytes = fathom_cfi_unsigned(&place, end);

		if (bytes > (size_t)(end - place))
			return false;
		place += bytes;
	}
	function->program = place;
	function->program_end = end;
	return true;
}

/* --- rows ---------------------------------------------------------------------------------------------- */

/* Sets the rule of a register. Those that have no room in a row (vector registers) are nowhere needed. */
static void set_rule(struct fathom_cfi_row *row, uint64_t number, enum fathom_cfi_kind kind, int64_t offset)
{
	if (number < FATHOM_REGISTER_COUNT) {
		row->rules[number].kind = kind;
		row->rules[number].offset = offset;
	}
}

/* Sets the rule of a register to an expression at *place, and moves *place behind it. */
static void set_expression(struct fathom_cfi_row *row, enum fathom_cfi_kind kind, const unsigned char **place,
			   const unsigned char *end)
{
	uint64_t number = fathom_cfi_unsigned(place, end);
	const unsigned char *expression = *place;
	uint64_t length = fathom_cfi_unsigned(place, end);

	if (length > (size_t)(end - *place))
		length = (size_t)(end - *place);
	*place += length;
	if (number < FATHOM_REGISTER_COUNT) {
		row->rules[number].kind = kind;
		row->rules[number].expression = expression;
	}
}

static void restore_rule(struct fathom_cfi_row *row, uint64_t number, const struct fathom_cfi_row *first)
{
	if (number < FATHOM_REGISTER_COUNT)
		row->rules[number] = first->rules[number];
}

/* A call-frame program that is being executed. */
struct program {
	const struct fathom_cfi_function *function;
	const unsigned char *place, *end;	/* what is left of it */
	uintptr_t location;		/* the row is valid from this instruction on */
	struct fathom_cfi_rows *rows;
	struct fathom_cfi_row *row;
	unsigned depth;			/* number of remembered rows */
	bool is_damaged;
};

/* Read the operand of an instruction: a number, and an offset in units of the function's data factor. */
static uint64_t operand(struct program *program)
{
	return fathom_cfi_unsigned(&program->place, program->end);
}

static int64_t scaled(struct program *program)
{
	return (int64_t)(operand(program) * (uint64_t)program->function->data_factor);
}

static int64_t signed_scaled(struct program *program)
{
	return (int64_t)((uint64_t)fathom_cfi_signed(&program->place, program->end) *
			 (uint64_t)program->function->data_factor);
}

/* If the instruction ends the row, sets *next to where the next row begins. Returns false for other instructions. */
static bool ends_row(struct program *program, uint8_t instruction, uintptr_t *next)
{
	uint64_t distance;

	switch (instruction) {
	case CFA_SET_LOC:
		program->is_damaged = !fathom_cfi_address(&program->place, program->end, program->function->encoding, 0,
							  next);
		return true;
	case CFA_ADVANCE_LOC1:
		distance = read_fixed(&program->place, program->end, 1);
		break;
	case CFA_ADVANCE_LOC2:
		distance = read_fixed(&program->place, program->end, 2);
		break;
	case CFA_ADVANCE_LOC4:
		distance = read_fixed(&program->place, program->end, 4);
		break;
	default:
		if ((instruction & OPCODE_BITS) != CFA_ADVANCE_LOC)
			return false;
		distance = instruction & OPERAND_BITS;
	}
	*next = program->location + distance * program->function->code_factor;
	return true;
}

/* Executes an instruction that sets the rule of a register. Returns false for all other instructions. */
static bool changes_register(struct program *program, uint8_t instruction)
{
	struct fathom_cfi_row *row = program->row;
	uint64_t number;

	switch (instruction & OPCODE_BITS) {
	case CFA_OFFSET:
		set_rule(row, instruction & OPERAND_BITS, FATHOM_CFI_AT_OFFSET, scaled(program));
		return true;
	case CFA_RESTORE:
		restore_rule(row, instruction & OPERAND_BITS, &program->rows->first);
		return true;
	}
	switch (instruction) {
	case CFA_EXPRESSION:
		set_expression(row, FATHOM_CFI_AT_EXPRESSION, &program->place, program->end);
		return true;
	case CFA_VAL_EXPRESSION:
		set_expression(row, FATHOM_CFI_EXPRESSION, &program->place, program->end);
		return true;
	case CFA_OFFSET_EXTENDED:
		number = operand(program);
		set_rule(row, number, FATHOM_CFI_AT_OFFSET, scaled(program));
		return true;
	case CFA_OFFSET_EXTENDED_SF:
		number = operand(program);
		set_rule(row, number, FATHOM_CFI_AT_OFFSET, signed_scaled(program));
		return true;
	case CFA_GNU_NEGATIVE_OFFSET_EXTENDED:
		number = operand(program);
		set_rule(row, number, FATHOM_CFI_AT_OFFSET, (int64_t)(0 - (uint64_t)scaled(program)));
		return true;
	case CFA_VAL_OFFSET:
		number = operand(program);
		set_rule(row, number, FATHOM_CFI_OFFSET, scaled(program));
		return true;
	case CFA_VAL_OFFSET_SF:
		number = operand(program);
		set_rule(row, number, FATHOM_CFI_OFFSET, signed_scaled(program));
		return true;
	case CFA_RESTORE_EXTENDED:
		restore_rule(row, operand(program), &program->rows->first);
		return true;
	case CFA_UNDEFINED:
		set_rule(row, operand(program), FATHOM_CFI_UNDEFINED, 0);
		return true;
	case CFA_SAME_VALUE:
		set_rule(row, operand(program), FATHOM_CFI_SAME, 0);
		return true;
	case CFA_REGISTER:
		number = operand(program);
		set_rule(row, number, FATHOM_CFI_REGISTER, (int64_t)operand(program));
		return true;
	}
	return false;
}

/* Executes an instruction that says how the CFA is found. Returns false for all other instructions. */
static bool changes_cfa(struct program *program, uint8_t instruction)
{
	struct fathom_cfi_row *row = program->row;
	uint64_t length;

	switch (instruction) {
	case CFA_DEF_CFA:
		row->cfa_register = operand(program);
		row->cfa_offset = (int64_t)operand(program);
		row->cfa_expression = NULL;
		return true;
	case CFA_DEF_CFA_SF:
		row->cfa_register = operand(program);
		row->cfa_offset = signed_scaled(program);
		row->cfa_expression = NULL;
		return true;
	case CFA_DEF_CFA_REGISTER:
		row->cfa_register = operand(program);
		row->cfa_expression = NULL;
		return true;
	case CFA_DEF_CFA_OFFSET:
		row->cfa_offset = (int64_t)operand(program);
		return true;
	case CFA_DEF_CFA_OFFSET_SF:
		row->cfa_offset = signed_scaled(program);
		return true;
	case CFA_DEF_CFA_EXPRESSION:
		row->cfa_expression = program->place;
		length = operand(program);
		program->is_damaged = length > (size_t)(program->end - program->place);
		if (!program->is_damaged)
			program->place += length;
		return true;
	}
	return false;
}

/* Executes an instruction that keeps or brings back a whole row, or that changes nothing here. Returns false for all
 * other instructions. */
static bool keeps_row(struct program *program, uint8_t instruction)
{
	switch (instruction) {
	case CFA_NOP:
		return true;
	case CFA_GNU_ARGS_SIZE:
		operand(program);
		return true;
	case CFA_REMEMBER_STATE:
		program->is_damaged = program->depth == FATHOM_CFI_DEPTH;
		if (!program->is_damaged)
			program->rows->remembered[program->depth++] = *program->row;
		return true;
	case CFA_RESTORE_STATE:
		program->is_damaged = !program->depth;
		if (!program->is_damaged)
			*program->row = program->rows->remembered[--program->depth];
		return true;
	}
	return false;
}

/* Executes a program on row until it comes to an instruction behind pc, or to its end. False: it is damaged. */
static bool execute(const struct fathom_cfi_function *function, const unsigned char *place, const unsigned char *end,
		    uintptr_t pc, struct fathom_cfi_rows *rows, struct fathom_cfi_row *row)
{
	struct program program = {
		.function = function, .place = place, .end = end, .location = function->begin, .rows = rows, .row = row,
	};

	while (program.place < end) {
		uint8_t instruction = *program.place++;
		uintptr_t next;

		if (ends_row(&program, instruction, &next)) {
			if (program.is_damaged)
				return false;
			if (next > pc)
				return true;
			program.location = next;
		} else if ((!changes_register(&program, instruction) && !changes_cfa(&program, instruction) &&
			    !keeps_row(&program, instruction)) || program.is_damaged) {
			return false;
		}
	}
	return true;
}

bool fathom_cfi_find_row(const struct fathom_cfi_function *function, uintptr_t pc, struct fathom_cfi_rows *rows,
			 struct fathom_cfi_row *row)
{
	if (pc < function->begin || pc >= function->end)
		return false;
	memset(row, 0, sizeof(*row));
	row->cfa_register = FATHOM_REGISTER_COUNT;
	/* The stack pointer of the caller is the CFA, unless the program says something else. */
	row->rules[FATHOM_RSP].kind = FATHOM_CFI_OFFSET;
	rows->first = *row;
	if (!execute(function, function->common, function->common_end, UINTPTR_MAX, rows, row))
		return false;
	rows->first = *row;
	if (!execute(function, function->program, function->program_end, pc, rows, row))
		return false;
	return row->cfa_expression || row->cfa_register < FATHOM_REGISTER_COUNT;
}
