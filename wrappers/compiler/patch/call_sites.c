/*
 * The code is decoded from its beginning to its end, one instruction after the other. Compilers put only instructions
 * there; jump tables are elsewhere.
 *
 * Functions that were inlined into the code call the hooks, too, with their own addresses, and their regions may be
 * enabled. The first argument of a call says which function the call is for, so its value must be known. Therefore the
 * search follows constants through registers: along a straight line of code, up to the target of any jump; and in
 * registers that calls preserve, through all of the code if no other value is ever put there.
 *
 * The constants that hold everywhere and the targets of jumps are known only when all the code has been decoded. The
 * first pass notes the effect of each instruction, so that the second pass decodes only calls: decoding takes most of
 * the time.
 */
#include "compiler/patch/call_sites.h"

#include <Zydis/Zydis.h>
#include <dlfcn.h>
#include <errno.h>
#include <string.h>

#include "compiler/patch/sleds.h"

/* --- where a function ends ------------------------------------------------------------------------ */

/* The header in .eh_frame_hdr before the table of functions, as the LSB describes it. */
struct frame_header {
	uint8_t version;
	uint8_t frame_encoding;
	uint8_t count_encoding;
	uint8_t table_encoding;
	int32_t frame;		/* offset of .eh_frame */
	uint32_t count;
};

struct frame_entry {		/* both are offsets from the header */
	int32_t begin;
	int32_t description;
};

enum {
	ENCODING_PCREL_SDATA4 = 0x1b,
	ENCODING_UDATA4 = 0x03,
	ENCODING_DATAREL_SDATA4 = 0x3b,
};

static int32_t read_i32(const uint8_t *at)
{
	int32_t value;

	memcpy(&value, at, sizeof(value));
	return value;
}

static const uint8_t *skip_leb128(const uint8_t *at)
{
	while (*at & 0x80)
		at++;
	return at + 1;
}

/* Returns the size of an address with this encoding, in bytes; 0: the size varies. */
static int encoded_bytes(uint8_t encoding)
{
	switch (encoding & 0x0f) {
	case 0x02: case 0x0a: return 2;
	case 0x03: case 0x0b: return 4;
	case 0x00: case 0x04: case 0x0c: return 8;
	default: return 0;
	}
}

/* Returns whether addresses of functions are 4 bytes relative to their own place, as compilers write them. common: the
 * entry (CIE) to which the entries of functions refer. */
static bool has_usual_addresses(const uint8_t *common)
{
	const char *letters = (const char *)common + 9;
	const uint8_t *at = common + 9 + strlen(letters) + 1;

	if (common[8] != 1 || letters[0] != 'z')
		return false;
	at = skip_leb128(skip_leb128(at)) + 1;	/* alignment factors of code and data, register of the return address */
	at = skip_leb128(at);			/* length of the data that follow */
	for (letters++; *letters; letters++) {
		if (*letters == 'R')
			return *at == ENCODING_PCREL_SDATA4;
		if (*letters == 'L')
			at++;
		else if (*letters == 'P' && encoded_bytes(*at))
			at += 1 + encoded_bytes(*at);
		else if (*letters != 'S' && *letters != 'B')
			return false;
	}
	return false;
}

/* Finds the code that this entry of .eh_frame describes. Returns false if it is not known. */
static bool read_description(const uint8_t *entry, struct fathom_code *code)
{
	const uint8_t *link = entry + 4, *begin = entry + 8;

	if (read_i32(entry) == -1 || read_i32(link) == 0)
		return false;
	if (!has_usual_addresses(link - read_i32(link)))
		return false;
	code->begin = begin + read_i32(begin);
	code->end = code->begin + (uint32_t)read_i32(begin + 4);
	return true;
}

bool fathom_code_find(const void *address, struct fathom_code *code)
{
	const struct frame_header *header;
	const struct frame_entry *table;
	const uint8_t *base;
	struct dl_find_object object;
	uint32_t low = 0, high;

	if (_dl_find_object((void *)(uintptr_t)address, &object) || !object.dlfo_eh_frame)
		return false;
	header = object.dlfo_eh_frame;
	base = object.dlfo_eh_frame;
	if (header->version != 1 || header->frame_encoding != ENCODING_PCREL_SDATA4 ||
	    header->count_encoding != ENCODING_UDATA4 || header->table_encoding != ENCODING_DATAREL_SDATA4)
		return false;
	table = (const struct frame_entry *)(header + 1);
	high = header->count;
	while (low < high) {	/* finds the first function that begins after address */
		uint32_t middle = low + (high - low) / 2;

		if (base + table[middle].begin <= (const uint8_t *)address)
			low = middle + 1;
		else
			high = middle;
	}
	return low && read_description(base + table[low - 1].description, code) &&
	       code->begin <= (const uint8_t *)address && (const uint8_t *)address < code->end &&
	       code->end <= (const uint8_t *)object.dlfo_map_end;
}

/* --- the target of a call ------------------------------------------------------------------------- */

enum { REGISTERS = 16, FIRST_ARGUMENT = 7 };	/* rdi has number 7 in the processor's encoding */

/* Longer functions keep their hooks, because decoding them takes too long. */
enum { MOST_CODE = 1 << 18, MOST_INSTRUCTIONS = 1 << 16 };

/* The effect of an instruction on the registers and on the flow of control. */
struct instruction_effect {
	const void *constant;	/* the constant that register to gets; NULL: not known */
	uint16_t written;	/* bits by number: registers that change */
	int8_t to;		/* register that gets a constant, or the value of register from; -1: none */
	int8_t from;		/* -1: none */
	uint8_t length;		/* bytes */
	bool is_call;
	bool ends_line;		/* a jump or return: the next instruction is reached only by jumps */
};

struct search {
	ZydisDecoder decoder;
	const struct fathom_patch_hooks *hooks;
	const uint8_t *map_begin, *map_end;	/* the program's or library's memory */
	const uint8_t *begin, *end;		/* the function */
	uint8_t *is_target;			/* bits by offset in bytes: a jump leads there */
	const void *holds[REGISTERS];		/* value before the present instruction; NULL: not known */
	const void *always[REGISTERS];		/* the last constant that any instruction puts there; NULL: not known */
	bool is_varied[REGISTERS];		/* the register does not always hold the same constant */
	struct instruction_effect *effects;	/* of all instructions of the function, in order */
};

static bool decode(const struct search *search, const uint8_t *at, const uint8_t *end, ZydisDecodedInstruction *into)
{
	return at < end && ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(&search->decoder, NULL, at, (size_t)(end - at),
								       into));
}

static bool is_through_slot(const ZydisDecodedInstruction *instruction)
{
	return instruction->opcode == 0xff && instruction->raw.modrm.mod == 0 && instruction->raw.modrm.rm == 5;
}

static void *const *slot_of(const struct search *search, const uint8_t *at, const ZydisDecodedInstruction *instruction)
{
	const uint8_t *slot = at + instruction->length + instruction->raw.disp.value;

	if (slot < search->map_begin || slot + sizeof(void *) > search->map_end)
		return NULL;
	return (void *const *)(uintptr_t)slot;
}

static const uint8_t *in_slot(void *const *slot)
{
	return slot ? __atomic_load_n(slot, __ATOMIC_RELAXED) : NULL;
}

/* Returns the target of a jump or call; NULL: not known. *slot: the slot that contains the target; NULL: the
 * instruction contains it. */
static const uint8_t *target_of(const struct search *search, const uint8_t *at,
				const ZydisDecodedInstruction *instruction, void *const **slot)
{
	*slot = NULL;
	if (instruction->raw.imm[0].is_relative && instruction->raw.imm[0].size == 32)
		return at + instruction->length + instruction->raw.imm[0].value.s;
	if (is_through_slot(instruction))
		*slot = slot_of(search, at, instruction);
	return in_slot(*slot);
}

static bool is_inside(const struct search *search, const void *target)
{
	return (const uint8_t *)target >= search->map_begin && (const uint8_t *)target < search->map_end;
}

static bool is_sled(const void *target, const struct fathom_patch_hooks *hooks)
{
	return target && (target == hooks->sled_enter || target == hooks->sled_exit || target == hooks->sled_tail);
}

static unsigned part_of(const void *target, const struct fathom_patch_hooks *hooks)
{
	if (target && target == hooks->sled_enter)
		return FATHOM_PATCH_ENTERS | FATHOM_PATCH_SLED_ENTERS;
	if (target == hooks->enter)
		return FATHOM_PATCH_ENTERS;
	return target == hooks->exit || is_sled(target, hooks) ? FATHOM_PATCH_EXITS : 0;
}

/* Returns the target like target_of, but if that is an entry of the procedure linkage table, or one of the COMDAT
 * functions of sleds, returns the target of the jump there. */
static const void *final_target(const struct search *search, const uint8_t *at,
				const ZydisDecodedInstruction *instruction, void *const **slot)
{
	enum { MOST = 3 };	/* endbr64, push, jump; or comparison of the slot, conditional jump, jump */
	const uint8_t *target = target_of(search, at, instruction, slot);
	ZydisDecodedInstruction next;

	if (part_of(target, search->hooks) || !is_inside(search, target))
		return target;
	for (int i = 0; i < MOST && decode(search, target, search->map_end, &next); i++) {
		if (next.mnemonic == ZYDIS_MNEMONIC_JMP) {
			*slot = is_through_slot(&next) ? slot_of(search, target, &next) : NULL;
			return in_slot(*slot);
		}
		if (next.mnemonic != ZYDIS_MNEMONIC_ENDBR64 && next.mnemonic != ZYDIS_MNEMONIC_PUSH &&
		    next.mnemonic != ZYDIS_MNEMONIC_CMP && next.mnemonic != ZYDIS_MNEMONIC_JZ)
			return NULL;
		target += next.length;
	}
	return NULL;
}

/* Returns the address of the operation code of a call: after prefixes, and before the distance or the ModRM byte. */
static uint8_t *operation_of(const uint8_t *at, const ZydisDecodedInstruction *instruction)
{
	size_t offset = is_through_slot(instruction) ? instruction->raw.modrm.offset : instruction->raw.imm[0].offset;

	return (uint8_t *)(uintptr_t)at + offset - 1;
}

/* Returns whether a call may turn out to be a call of a hook. Until the first call through a slot the slot leads back
 * into the linkage table; then the dynamic linker resolves it. Before that only the first argument, the begin of a
 * function, suggests that the call is of a hook. */
static bool may_become_known(const struct search *search, const struct fathom_site *site, const void *target)
{
	struct fathom_code function;

	return site->slot && is_inside(search, target) && fathom_code_find(site->function, &function) &&
	       function.begin == site->function;
}

void fathom_site_learn(struct fathom_site *site, const struct fathom_patch_hooks *hooks)
{
	if (!site->part)
		site->part = part_of(in_slot(site->slot), hooks);
}

/* Returns the function of the sled after which the code continues at from; NULL: there is no such sled. */
static const void *function_of_sled(const struct search *search, const uint8_t *from, unsigned part)
{
	if (part & FATHOM_PATCH_ENTERS)
		return from - FATHOM_SLED_CALL;
	return search->map_end - from >= FATHOM_SLED_END ? fathom_sled_first(from) : NULL;
}

/* Fills in the site of a call. Returns false if the instruction is no call of a hook, or of a form that cannot be
 * patched. */
static bool make_site(const struct search *search, const uint8_t *at, const ZydisDecodedInstruction *instruction,
		      struct fathom_site *site)
{
	bool is_call = instruction->mnemonic == ZYDIS_MNEMONIC_CALL;
	const void *target;

	if (!is_call && instruction->mnemonic != ZYDIS_MNEMONIC_JMP)
		return false;
	target = final_target(search, at, instruction, &site->slot);
	site->part = part_of(target, search->hooks);
	if (is_sled(target, search->hooks))
		site->function = function_of_sled(search, at + instruction->length, site->part);
	if (!site->function || (!site->part && !may_become_known(search, site, target)))
		return false;
	/* A jump becomes a return in its first byte, because a return may have no prefix; the bytes after it are never
	 * reached any more. */
	site->at = is_call ? operation_of(at, instruction) : (uint8_t *)(uintptr_t)at;
	site->was = *site->at;
	site->becomes = !is_call ? 0xc3 : site->was == 0xe8 ? 0xa9 : 0x85;
	/* A sled before a return becomes this return. */
	if (is_sled(target, search->hooks) && site->was == 0xe8 && at[instruction->length] == 0xc3)
		site->becomes = 0xc3;
	return !is_call || site->was == 0xe8 || site->was == 0xff;
}

/* --- the contents of the registers ---------------------------------------------------------------- */

static int number_of(ZydisRegister name)
{
	ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, name);

	return whole >= ZYDIS_REGISTER_RAX && whole <= ZYDIS_REGISTER_R15 ? (int)(whole - ZYDIS_REGISTER_RAX) : -1;
}

/* Returns whether calls preserve the register: rbx, rbp, r12 to r15. */
static bool is_preserved(int number)
{
	return number == 3 || number == 5 || number >= 12;
}

/* Returns the constant that an instruction with two operands puts into the first one; NULL: not known. */
static const void *constant_of(const struct search *search, const uint8_t *at,
			       const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *operands)
{
	const ZydisDecodedOperand *from = &operands[1];

	if (from->type == ZYDIS_OPERAND_TYPE_MEMORY && from->mem.base == ZYDIS_REGISTER_RIP) {
		if (instruction->mnemonic == ZYDIS_MNEMONIC_LEA)
			return at + instruction->length + from->mem.disp.value;
		return instruction->mnemonic == ZYDIS_MNEMONIC_MOV && from->size == 64 ?
			       in_slot(slot_of(search, at, instruction)) : NULL;
	}
	if (instruction->mnemonic == ZYDIS_MNEMONIC_MOV && from->type == ZYDIS_OPERAND_TYPE_IMMEDIATE)
		return (const void *)(uintptr_t)from->imm.value.u;
	return NULL;
}

/* Returns the register that an instruction with two operands copies into the first one; -1: none. */
static int source_of(const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *operands)
{
	const ZydisDecodedOperand *from = &operands[1];

	return instruction->mnemonic == ZYDIS_MNEMONIC_MOV && from->type == ZYDIS_OPERAND_TYPE_REGISTER &&
	       from->size == 64 ? number_of(from->reg.value) : -1;
}

static void forget_registers(struct search *search, bool preserved_too)
{
	for (int number = 0; number < REGISTERS; number++)
		if (preserved_too || !is_preserved(number))
			search->holds[number] = search->is_varied[number] ? NULL : search->always[number];
}

static void note_always(struct search *search, int number, const void *constant)
{
	if (!is_preserved(number) || !constant || (search->always[number] && search->always[number] != constant))
		search->is_varied[number] = true;
	search->always[number] = constant;
}

static void note_writes(struct instruction_effect *effect, const ZydisDecodedInstruction *instruction,
			const ZydisDecodedOperand *operands)
{
	for (int i = 0; i < instruction->operand_count; i++) {
		int number = operands[i].type == ZYDIS_OPERAND_TYPE_REGISTER ? number_of(operands[i].reg.value) : -1;

		if (number < 0 || !(operands[i].actions & ZYDIS_OPERAND_ACTION_MASK_WRITE))
			continue;
		effect->written |= (uint16_t)(1 << number);
		if (i == 0)
			effect->to = (int8_t)number;
	}
}

/* Decodes the instruction at at and fills in its effect. Also notes which registers always hold the same constant.
 * Returns false if it cannot be decoded. */
static bool read_one(struct search *search, const uint8_t *at, ZydisDecodedInstruction *instruction,
		     struct instruction_effect *effect)
{
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];

	if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&search->decoder, at, (size_t)(search->end - at), instruction,
						 operands)))
		return false;
	*effect = (struct instruction_effect){ .to = -1, .from = -1, .length = instruction->length };
	note_writes(effect, instruction, operands);
	if (effect->to >= 0 && instruction->operand_count_visible == 2) {
		effect->constant = constant_of(search, at, instruction, operands);
		effect->from = (int8_t)source_of(instruction, operands);
	}
	effect->is_call = instruction->mnemonic == ZYDIS_MNEMONIC_CALL;
	effect->ends_line = instruction->mnemonic == ZYDIS_MNEMONIC_JMP || instruction->mnemonic == ZYDIS_MNEMONIC_RET;
	if (instruction->mnemonic == ZYDIS_MNEMONIC_POP)	/* a popped register gets its caller's value back */
		return true;
	for (unsigned left = effect->written; left; left &= left - 1) {
		int number = __builtin_ctz(left);

		note_always(search, number, number == effect->to ? effect->constant : NULL);
	}
	return true;
}

/* The first pass: notes the effects of all instructions, the targets of jumps, and which registers always hold the same
 * constant. Returns false if the code cannot be decoded or is too long. */
static bool read_ahead(struct search *search)
{
	ZydisDecodedInstruction instruction;
	struct instruction_effect *effect = search->effects;

	for (const uint8_t *at = search->begin; at < search->end; at += effect++->length) {
		const uint8_t *target;

		if (effect == search->effects + MOST_INSTRUCTIONS || !read_one(search, at, &instruction, effect))
			return false;
		if (!instruction.raw.imm[0].is_relative || effect->is_call)
			continue;
		target = at + instruction.length + instruction.raw.imm[0].value.s;
		if (target >= search->begin && target < search->end)
			search->is_target[(target - search->begin) / 8] |= (uint8_t)(1 << (target - search->begin) % 8);
	}
	forget_registers(search, true);
	return true;
}

/* Updates the contents of the registers after an instruction. */
static void follow(struct search *search, const struct instruction_effect *effect)
{
	const void *constant = effect->from >= 0 ? search->holds[effect->from] : effect->constant;

	for (unsigned left = effect->written; left; left &= left - 1) {
		int number = __builtin_ctz(left);

		search->holds[number] = number == effect->to ? constant : NULL;
	}
	if (effect->is_call || effect->ends_line)
		forget_registers(search, effect->ends_line);
}

static bool search_init(struct search *search, struct fathom_code code, const struct fathom_patch_hooks *hooks)
{
	static uint8_t is_target[MOST_CODE / 8 + 1];	/* both arrays are too large for a small stack */
	static struct instruction_effect effects[MOST_INSTRUCTIONS];
	struct dl_find_object object;

	memset(search, 0, sizeof(*search));
	if (_dl_find_object((void *)(uintptr_t)code.begin, &object))
		return false;
	search->hooks = hooks;
	search->map_begin = object.dlfo_map_start;
	search->map_end = object.dlfo_map_end;
	search->begin = code.begin;
	search->end = code.end;
	search->is_target = is_target;
	search->effects = effects;
	if (code.end - code.begin <= MOST_CODE)
		memset(is_target, 0, (size_t)(code.end - code.begin) / 8 + 1);
	return ZYAN_SUCCESS(ZydisDecoderInit(&search->decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64));
}

int fathom_sites_find(struct fathom_code code, const struct fathom_patch_hooks *hooks, fathom_site_taker *take)
{
	const struct instruction_effect *effect;
	struct search search;
	int err = 0;

	if (!search_init(&search, code, hooks))
		return -ENOENT;
	if (search.end - search.begin > MOST_CODE || !read_ahead(&search))
		return -EILSEQ;
	effect = search.effects;
	for (const uint8_t *at = search.begin; at < search.end && !err; at += effect++->length) {
		struct fathom_site site;
		ZydisDecodedInstruction instruction;

		if (search.is_target[(at - search.begin) / 8] & 1 << (at - search.begin) % 8)
			forget_registers(&search, true);
		site.function = search.holds[FIRST_ARGUMENT];
		if ((effect->is_call || (site.function && effect->ends_line)) &&
		    decode(&search, at, search.end, &instruction) && make_site(&search, at, &instruction, &site))
			err = take(&site);
		follow(&search, effect);
	}
	return err;
}
