/* The stack machine of DWARF expressions, as far as call-frame information uses it. */
#include <string.h>

#include "sample/cfi.h"

enum {
	OP_ADDR = 0x03, OP_DEREF = FATHOM_OP_DEREF, OP_CONST1U = 0x08, OP_CONST1S = 0x09, OP_CONST2U = 0x0a,
	OP_CONST2S = 0x0b, OP_CONST4U = 0x0c, OP_CONST4S = 0x0d, OP_CONST8U = 0x0e, OP_CONST8S = 0x0f,
	OP_CONSTU = 0x10, OP_CONSTS = 0x11, OP_DUP = 0x12, OP_DROP = 0x13, OP_OVER = 0x14, OP_PICK = 0x15,
	OP_SWAP = 0x16, OP_ROT = 0x17, OP_ABS = 0x19, OP_AND = 0x1a, OP_DIV = 0x1b, OP_MINUS = 0x1c,
	OP_MOD = 0x1d, OP_MUL = 0x1e, OP_NEG = 0x1f, OP_NOT = 0x20, OP_OR = 0x21, OP_PLUS = 0x22,
	OP_PLUS_UCONST = 0x23, OP_SHL = 0x24, OP_SHR = 0x25, OP_SHRA = 0x26, OP_XOR = 0x27, OP_BRA = 0x28,
	OP_EQ = 0x29, OP_GE = 0x2a, OP_GT = 0x2b, OP_LE = 0x2c, OP_LT = 0x2d, OP_NE = 0x2e, OP_SKIP = 0x2f,
	OP_LIT0 = 0x30, OP_LIT31 = 0x4f, OP_BREG0 = FATHOM_OP_BREG0, OP_BREG31 = 0x8f, OP_BREGX = 0x92,
	OP_DEREF_SIZE = 0x94, OP_NOP = 0x96,
};

/* MOST_STEPS: an expression may have loops. */
enum { STACK_WORDS = 16, MOST_STEPS = 200 };

struct machine {
	const unsigned char *begin, *place, *end;
	const struct fathom_registers *registers;
	struct fathom_readable_memory *memory;
	uint64_t stack[STACK_WORDS];
	unsigned depth;
};

static bool push(struct machine *machine, uint64_t value)
{
	if (machine->depth == STACK_WORDS)
		return false;
	machine->stack[machine->depth++] = value;
	return true;
}

/* Pushes a number of that many bytes behind the operation. */
static bool push_constant(struct machine *machine, unsigned bytes, bool is_signed)
{
	uint64_t value = 0;

	if ((size_t)(machine->end - machine->place) < bytes)
		return false;
	memcpy(&value, machine->place, bytes);
	machine->place += bytes;
	if (is_signed && bytes < 8 && value >> (bytes * 8 - 1))
		value |= ~(uint64_t)0 << bytes * 8;
	return push(machine, value);
}

static bool push_register(struct machine *machine, uint64_t number)
{
	int64_t offset = fathom_cfi_signed(&machine->place, machine->end);

	return number < FATHOM_REGISTER_COUNT && machine->registers->known >> number & 1 &&
	       push(machine, machine->registers->value[number] + (uint64_t)offset);
}

static bool dereference(struct machine *machine, unsigned bytes)
{
	uint64_t *top;

	if (!machine->depth || !bytes || bytes > 8)
		return false;
	top = &machine->stack[machine->depth - 1];
	if (!fathom_readable_word(machine->memory, *top, top))
		return false;
	if (bytes < 8)
		*top &= ((uint64_t)1 << bytes * 8) - 1;
	return true;
}

static bool jump(struct machine *machine, bool is_taken)
{
	int16_t distance;

	if (machine->end - machine->place < 2)
		return false;
	memcpy(&distance, machine->place, 2);
	machine->place += 2;
	if (!is_taken)
		return true;
	if (distance > machine->end - machine->place || distance < machine->begin - machine->place)
		return false;
	machine->place += distance;
	return true;
}

/* Shifts to the right; the sign takes the place of what is shifted out. */
static uint64_t shift_signed(uint64_t value, uint64_t bits)
{
	uint64_t sign = value >> 63 ? UINT64_MAX : 0;

	return (bits < 64 ? (value ^ sign) >> bits : 0) ^ sign;
}

/* Replaces the two values on top by a result. */
static bool compute(struct machine *machine, uint8_t operation)
{
	uint64_t right, *left;

	if (machine->depth < 2)
		return false;
	right = machine->stack[--machine->depth];
	left = &machine->stack[machine->depth - 1];
	switch (operation) {
	case OP_AND: *left &= right; return true;
	case OP_OR: *left |= right; return true;
	case OP_XOR: *left ^= right; return true;
	case OP_PLUS: *left += right; return true;
	case OP_MINUS: *left -= right; return true;
	case OP_MUL: *left *= right; return true;
	case OP_SHL: *left = right < 64 ? *left << right : 0; return true;
	case OP_SHR: *left = right < 64 ? *left >> right : 0; return true;
	case OP_SHRA: *left = shift_signed(*left, right); return true;
	case OP_EQ: *left = *left == right; return true;
	case OP_NE: *left = *left != right; return true;
	case OP_GE: *left = (int64_t)*left >= (int64_t)right; return true;
	case OP_GT: *left = (int64_t)*left > (int64_t)right; return true;
	case OP_LE: *left = (int64_t)*left <= (int64_t)right; return true;
	case OP_LT: *left = (int64_t)*left < (int64_t)right; return true;
	case OP_MOD:
		if (!right)
			return false;
		*left %= right;
		return true;
	case OP_DIV:
		if (!right || (*left == (uint64_t)INT64_MIN && right == UINT64_MAX))
			return false;
		*left = (uint64_t)((int64_t)*left / (int64_t)right);
		return true;
	}
	return false;
}

static bool step(struct machine *machine, uint8_t operation)
{
	uint64_t *stack = machine->stack, value;
	unsigned depth = machine->depth;

	if (operation >= OP_LIT0 && operation <= OP_LIT31)
		return push(machine, operation - OP_LIT0);
	if (operation >= OP_BREG0 && operation <= OP_BREG31)
		return push_register(machine, operation - OP_BREG0);
	switch (operation) {
	case OP_NOP:
		return true;
	case OP_CONST1U:
	case OP_CONST1S:
		return push_constant(machine, 1, operation == OP_CONST1S);
	case OP_CONST2U:
	case OP_CONST2S:
		return push_constant(machine, 2, operation == OP_CONST2S);
	case OP_CONST4U:
	case OP_CONST4S:
		return push_constant(machine, 4, operation == OP_CONST4S);
	case OP_ADDR:
	case OP_CONST8U:
	case OP_CONST8S:
		return push_constant(machine, 8, false);
	case OP_CONSTU:
		return push(machine, fathom_cfi_unsigned(&machine->place, machine->end));
	case OP_CONSTS:
		return push(machine, (uint64_t)fathom_cfi_signed(&machine->place, machine->end));
	case OP_BREGX:
		return push_register(machine, fathom_cfi_unsigned(&machine->place, machine->end));
	case OP_DEREF:
		return dereference(machine, 8);
	case OP_DEREF_SIZE:
		return machine->place < machine->end && dereference(machine, *machine->place++);
	case OP_DUP:
		return depth >= 1 && push(machine, stack[depth - 1]);
	case OP_OVER:
		return depth >= 2 && push(machine, stack[depth - 2]);
	case OP_PICK:
		if (machine->place == machine->end || *machine->place >= depth)
			return false;
		return push(machine, stack[depth - 1 - *machine->place++]);
	case OP_SKIP:
		return jump(machine, true);
	}
	if (operation >= OP_AND && operation <= OP_XOR && operation != OP_NEG && operation != OP_NOT &&
	    operation != OP_PLUS_UCONST)
		return compute(machine, operation);
	if (operation >= OP_EQ && operation <= OP_NE)
		return compute(machine, operation);
	if (!depth)
		return false;
	value = stack[depth - 1];
	switch (operation) {
	case OP_DROP:
		machine->depth--;
		return true;
	case OP_ABS:
		stack[depth - 1] = (int64_t)value < 0 ? 0 - value : value;
		return true;
	case OP_NEG:
		stack[depth - 1] = 0 - value;
		return true;
	case OP_NOT:
		stack[depth - 1] = ~value;
		return true;
	case OP_PLUS_UCONST:
		stack[depth - 1] += fathom_cfi_unsigned(&machine->place, machine->end);
		return true;
	case OP_BRA:
		machine->depth--;
		return jump(machine, value != 0);
	case OP_SWAP:
		if (depth < 2)
			return false;
		stack[depth - 1] = stack[depth - 2];
		stack[depth - 2] = value;
		return true;
	case OP_ROT:
		if (depth < 3)
			return false;
		stack[depth - 1] = stack[depth - 2];
		stack[depth - 2] = stack[depth - 3];
		stack[depth - 3] = value;
		return true;
	}
	return false;
}

bool fathom_cfi_evaluate(const unsigned char *expression, const struct fathom_registers *registers, const uint64_t *cfa,
			 struct fathom_readable_memory *memory, uint64_t *result)
{
	struct machine machine = { .place = expression, .registers = registers, .memory = memory };
	uint64_t length = fathom_cfi_unsigned(&machine.place, expression + 10);
	unsigned steps = 0;

	machine.begin = machine.place;
	machine.end = machine.place + length;
	if (cfa)
		push(&machine, *cfa);
	while (machine.place < machine.end)
		if (++steps > MOST_STEPS || !step(&machine, *machine.place++))
			return false;
	if (!machine.depth)
		return false;
	*result = machine.stack[machine.depth - 1];
	return true;
}
