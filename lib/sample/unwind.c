#include "sample/unwind.h"

#include "config.h"

#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

#include "event/location.h"
#include "platform/arena.h"
#include "platform/compiler.h"

#if defined(__x86_64__) && defined(__LP64__)

#include "sample/cfi.h"
#include "sample/frame_guess.h"
#include "sample/frame_tables.h"
#include "sample/readable_memory.h"

/* RULES: a power of two. MODULES: those that a thread's stack has at most in general. MOST_SWITCHES: how often the
 * frames of one sample may continue at a lower address, because the program switched stacks. */
enum { RULES = 1024, RULE_BITS = 10, MODULES = 16, MOST_SWITCHES = 8 };

/* The registers that a function keeps for its caller and that a rule knows, and the return address. */
static const uint8_t saved_registers[] = {
	FATHOM_RBX, FATHOM_RBP, FATHOM_R12, FATHOM_R13, FATHOM_R14, FATHOM_R15, FATHOM_RIP,
};
enum { SAVED = sizeof(saved_registers), UNCHANGED = INT16_MIN };

static const uint32_t all_registers = (1u << FATHOM_REGISTER_COUNT) - 1;

enum rule_kind {
	NO_RULE,	/* no call-frame information */
	RULE_OFFSET,	/* the CFA is register + offset; registers are at multiples of eight bytes from it */
	RULE_MEMORY,	/* the same, but the CFA is in memory at register + offset */
	RULE_ROW,	/* all else: the row has to be found again */
	RULE_OUTERMOST,	/* the frame has no caller */
};

/* What an instruction's row says, in a form that is quickly used. */
struct rule {
	uintptr_t pc;			/* the instruction; 0: none */
	uintptr_t function;		/* the first instruction of its function */
	const unsigned char *fde;
	uint32_t generation;		/* of the module; another one makes the rule invalid */
	int32_t cfa_offset;
	uint8_t kind;			/* enum rule_kind */
	uint8_t module;			/* index in modules */
	uint8_t cfa_register;
	uint8_t from_register;		/* bit i: saved[i] counts from the value of cfa_register, not from the CFA */
	int16_t saved[SAVED];		/* in words; UNCHANGED: the register is unchanged */
	bool is_signal;
} __attribute__((aligned(FATHOM_CACHE_LINE)));

struct module {
	struct fathom_frame_table table;
	uint64_t checked;		/* the last sample in which the table was found to be valid; 0: there is none */
	uint32_t generation;
};

struct fathom_unwinder {
	struct fathom_readable_memory memory;
	uint64_t sample;		/* number of the current sample, from 1 */
	uint32_t next_module;		/* index in modules that the next new module gets */
	struct module modules[MODULES];
	struct fathom_cfi_rows rows;
	struct fathom_cfi_row row;
	struct rule rules[RULES];	/* by a hash of the instruction */
};

/* --- rules ------------------------------------------------------------------------------------------------ */

/* Returns whether the module is the same as in earlier samples. If it is not, its rules are forgotten. */
static bool check_module(struct fathom_unwinder *unwinder, struct module *module)
{
	if (likely(module->checked == unwinder->sample))
		return true;
	if (module->checked && fathom_frame_table_is_valid(&module->table, &unwinder->memory)) {
		module->checked = unwinder->sample;
		return true;
	}
	module->checked = 0;
	module->generation++;
	return false;
}

/* Returns the module that has the instruction. NULL: none. */
static struct module *find_module(struct fathom_unwinder *unwinder, uintptr_t pc)
{
	struct fathom_frame_table table;
	struct module *module;
	size_t i;

	for (i = 0; i < MODULES; i++) {
		module = &unwinder->modules[i];
		if (module->checked && pc >= module->table.begin && pc < module->table.end &&
		    check_module(unwinder, module))
			return module;
	}
	if (!fathom_frame_table_find(pc, &unwinder->memory, &table))
		return NULL;
	module = &unwinder->modules[unwinder->next_module++ % MODULES];
	module->table = table;
	module->checked = unwinder->sample;
	module->generation++;
	return module;
}

/* Reads an expression of the form "register + offset", and whether its end takes the memory there. */
static bool is_register_and_offset(const unsigned char *expression, uint64_t *number, int64_t *offset, bool *is_memory)
{
	const unsigned char *place = expression;
	uint64_t length = fathom_cfi_unsigned(&place, expression + 10);
	const unsigned char *end = place + length;

	if (place >= end || *place < FATHOM_OP_BREG0 || *place >= FATHOM_OP_BREG0 + FATHOM_REGISTER_COUNT)
		return false;
	*number = *place++ - FATHOM_OP_BREG0;
	*offset = fathom_cfi_signed(&place, end);
	*is_memory = place + 1 == end && *place == FATHOM_OP_DEREF;
	return *is_memory || place == end;
}

/* Stores in rule where register i of saved_registers is. False: a rule cannot say it. */
static bool save(struct rule *rule, unsigned i, const struct fathom_cfi_rule *place)
{
	int64_t offset = place->offset;
	uint64_t number;
	bool is_memory;

	switch (place->kind) {
	case FATHOM_CFI_SAME:
		rule->saved[i] = UNCHANGED;
		return saved_registers[i] != FATHOM_RIP;
	case FATHOM_CFI_AT_OFFSET:
		break;
	case FATHOM_CFI_AT_EXPRESSION:
		if (!is_register_and_offset(place->expression, &number, &offset, &is_memory) || is_memory ||
		    number != rule->cfa_register)
			return false;
		rule->from_register |= (uint8_t)(1u << i);
		break;
	default:
		return false;
	}
	if (offset % 8 || offset / 8 <= INT16_MIN || offset / 8 > INT16_MAX)
		return false;
	rule->saved[i] = (int16_t)(offset / 8);
	return true;
}

/* Fills in rule from row. False: a rule cannot say it. */
static bool simplify(struct rule *rule, const struct fathom_cfi_row *row)
{
	uint64_t number = row->cfa_register;
	int64_t offset = row->cfa_offset;
	bool is_memory = false;
	unsigned i;

	if (row->cfa_expression &&
	    (!is_register_and_offset(row->cfa_expression, &number, &offset, &is_memory) || !is_memory))
		return false;
	if (offset != (int32_t)offset || row->rules[FATHOM_RSP].kind != FATHOM_CFI_OFFSET ||
	    row->rules[FATHOM_RSP].offset)
		return false;
	rule->kind = is_memory ? RULE_MEMORY : RULE_OFFSET;
	rule->cfa_register = (uint8_t)number;
	rule->cfa_offset = (int32_t)offset;
	for (i = 0; i < SAVED; i++)
		if (!save(rule, i, &row->rules[saved_registers[i]]))
			return false;
	return true;
}

/* Fills in the rule of the instruction at pc. */
static FATHOM_COLD void make_rule(struct fathom_unwinder *unwinder, struct rule *rule, uintptr_t pc)
{
	struct module *module = find_module(unwinder, pc);
	struct fathom_cfi_function function;
	const unsigned char *fde;

	memset(rule, 0, sizeof(*rule));
	if (!module)
		return;
	rule->pc = pc;
	rule->module = (uint8_t)(module - unwinder->modules);
	rule->generation = module->generation;
	fde = fathom_frame_table_entry(&module->table, pc);
	if (!fde || !fathom_cfi_parse(fde, &function) ||
	    !fathom_cfi_find_row(&function, pc, &unwinder->rows, &unwinder->row))
		return;
	rule->fde = fde;
	rule->function = function.begin;
	rule->is_signal = function.is_signal;
	if (unwinder->row.rules[function.return_column].kind == FATHOM_CFI_UNDEFINED) {
		rule->kind = RULE_OUTERMOST;
	} else if (function.is_signal || function.return_column != FATHOM_RIP || !simplify(rule, &unwinder->row)) {
		rule->kind = RULE_ROW;
	}
}

static struct rule *find_rule(struct fathom_unwinder *unwinder, uintptr_t pc)
{
	struct rule *rule = &unwinder->rules[pc * 0x9e3779b97f4a7c15u >> (64 - RULE_BITS)];
	struct module *module = &unwinder->modules[rule->module];

	if (unlikely(rule->pc != pc || rule->generation != module->generation || !check_module(unwinder, module)))
		make_rule(unwinder, rule, pc);
	return rule;
}

/* --- steps from a frame to its caller ------------------------------------------------------------------ */

/* Applies a rule of the kinds RULE_OFFSET and RULE_MEMORY. False: what it needs is not known or not readable. */
static inline bool apply_rule(const struct rule *rule, struct fathom_registers *registers,
			      struct fathom_readable_memory *memory)
{
	uint64_t base = registers->value[rule->cfa_register], cfa = base + (uint64_t)(int64_t)rule->cfa_offset;
	unsigned i;

	if (unlikely(!(registers->known >> rule->cfa_register & 1)))
		return false;
	if (rule->kind == RULE_MEMORY && !fathom_readable_word(memory, cfa, &cfa))
		return false;
	for (i = 0; i < SAVED; i++) {
		uint64_t from = rule->from_register >> i & 1 ? base : cfa;

		if (rule->saved[i] == UNCHANGED)
			continue;
		if (unlikely(!fathom_readable_word(memory, from + (uint64_t)(int64_t)rule->saved[i] * 8,
						   &registers->value[saved_registers[i]])))
			return false;
		registers->known |= 1u << saved_registers[i];
	}
	registers->value[FATHOM_RSP] = cfa;
	registers->known |= 1u << FATHOM_RSP | 1u << FATHOM_RIP;
	return true;
}

/* Stores the caller's value of a register in caller. False: the memory is not readable, or the expression is wrong. */
static bool apply_place(const struct fathom_cfi_rule *place, unsigned number, uint64_t cfa,
			const struct fathom_registers *registers, struct fathom_readable_memory *memory,
			struct fathom_registers *caller)
{
	uint64_t *value = &caller->value[number];
	uint64_t address;
	bool is_known = true;

	switch (place->kind) {
	case FATHOM_CFI_SAME:
		*value = registers->value[number];
		is_known = registers->known >> number & 1;
		break;
	case FATHOM_CFI_UNDEFINED:
		is_known = false;
		break;
	case FATHOM_CFI_AT_OFFSET:
		if (!fathom_readable_word(memory, cfa + (uint64_t)place->offset, value))
			return false;
		break;
	case FATHOM_CFI_OFFSET:
		*value = cfa + (uint64_t)place->offset;
		break;
	case FATHOM_CFI_REGISTER:
		if ((uint64_t)place->offset >= FATHOM_REGISTER_COUNT)
			return false;
		*value = registers->value[place->offset];
		is_known = registers->known >> place->offset & 1;
		break;
	case FATHOM_CFI_AT_EXPRESSION:
		if (!fathom_cfi_evaluate(place->expression, registers, &cfa, memory, &address) ||
		    !fathom_readable_word(memory, address, value))
			return false;
		break;
	case FATHOM_CFI_EXPRESSION:
		if (!fathom_cfi_evaluate(place->expression, registers, &cfa, memory, value))
			return false;
		break;
	}
	if (is_known)
		caller->known |= 1u << number;
	return true;
}

/* Finds the row of the instruction at pc again and applies it. */
static FATHOM_COLD bool apply_row(struct fathom_unwinder *unwinder, const struct rule *rule, uintptr_t pc,
				  struct fathom_registers *registers)
{
	struct fathom_registers caller = { .known = 0 };
	struct fathom_cfi_row *row = &unwinder->row;
	struct fathom_cfi_function function;
	uint64_t cfa;
	unsigned i;

	if (!fathom_cfi_parse(rule->fde, &function) || !fathom_cfi_find_row(&function, pc, &unwinder->rows, row))
		return false;
	if (row->cfa_expression) {
		if (!fathom_cfi_evaluate(row->cfa_expression, registers, NULL, &unwinder->memory, &cfa))
			return false;
	} else {
		if (!(registers->known >> row->cfa_register & 1))
			return false;
		cfa = registers->value[row->cfa_register] + (uint64_t)row->cfa_offset;
	}
	for (i = 0; i < FATHOM_REGISTER_COUNT; i++)
		if (!apply_place(&row->rules[i], i, cfa, registers, &unwinder->memory, &caller))
			return false;
	if (function.return_column != FATHOM_RIP) {
		caller.value[FATHOM_RIP] = caller.value[function.return_column];
		caller.known &= ~(1u << FATHOM_RIP);
		caller.known |= (caller.known >> function.return_column & 1) << FATHOM_RIP;
	}
	*registers = caller;
	return caller.known >> FATHOM_RSP & caller.known >> FATHOM_RIP & 1;
}

/* --- frames --------------------------------------------------------------------------------------------- */

static void read_context(const ucontext_t *context, struct fathom_registers *registers)
{
	static const uint8_t places[FATHOM_REGISTER_COUNT] = {
		REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_R8,
		REG_R9, REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP,
	};
	unsigned i;

	for (i = 0; i < FATHOM_REGISTER_COUNT; i++)
		registers->value[i] = (uint64_t)context->uc_mcontext.gregs[places[i]];
	registers->known = all_registers;
}

/* How a list of frames ends. */
enum end { GOES_ON, AT_STOP, AT_OUTERMOST, AT_UNKNOWN };

/* A walk from the innermost frame outwards. */
struct walk {
	struct fathom_registers registers;
	uintptr_t stop;
	bool is_interrupted;		/* the instruction pointer is at the next instruction, no return address */
	unsigned switches;		/* frames that continued at a lower address so far */
	struct fathom_sample_frame *frames;
	uint32_t count;
};

/* Appends the current frame and goes on to its caller. */
static enum end step(struct fathom_unwinder *unwinder, struct walk *walk)
{
	struct fathom_registers *registers = &walk->registers;
	uintptr_t pc = registers->value[FATHOM_RIP], stack = registers->value[FATHOM_RSP];
	uintptr_t lookup = walk->is_interrupted ? pc : pc - 1;
	const struct rule *rule = find_rule(unwinder, lookup);
	struct fathom_sample_frame *frame = &walk->frames[walk->count];
	bool is_signal = rule->is_signal;

	frame->address = walk->is_interrupted && walk->count ? pc + 1 : pc;
	frame->function = rule->function;
	if (likely(!is_signal || !walk->count))
		walk->count++;
	switch (rule->kind) {
	case RULE_OFFSET:
	case RULE_MEMORY:
		if (!apply_rule(rule, registers, &unwinder->memory))
			return AT_UNKNOWN;
		break;
	case RULE_ROW:
		if (!apply_row(unwinder, rule, lookup, registers))
			return AT_UNKNOWN;
		break;
	case RULE_OUTERMOST:
		return AT_OUTERMOST;
	case NO_RULE:
		if (fathom_frame_tables_is_entry(pc))
			return AT_OUTERMOST;
		/* An address without a call in front of it is no frame. If it is the first instruction of a function,
		 * makecontext or the like put it on the stack, for the end of the stack's outermost function. */
		if (!walk->is_interrupted && !fathom_frame_guess_is_return(pc, &unwinder->memory)) {
			walk->count--;
			return find_rule(unwinder, pc)->function == pc ? AT_OUTERMOST : AT_UNKNOWN;
		}
		if (!fathom_frame_guess(registers, walk->is_interrupted, &unwinder->memory, &frame->function))
			return AT_UNKNOWN;
		/* Only a frame that the kernel made tells all registers. */
		is_signal = registers->known == all_registers;
		break;
	}
	walk->is_interrupted = is_signal;
	if (!is_signal && stack <= walk->stop && walk->stop < registers->value[FATHOM_RSP])
		return AT_STOP;
	if (!is_signal && registers->value[FATHOM_RSP] <= stack && ++walk->switches > MOST_SWITCHES)
		return AT_UNKNOWN;
	return registers->value[FATHOM_RIP] ? GOES_ON : AT_OUTERMOST;
}

static bool is_on_own_stack(const struct fathom_unwinder *unwinder, uintptr_t address)
{
	return address >= unwinder->memory.low && address < unwinder->memory.high;
}

uint32_t fathom_unwind(struct fathom_unwinder *unwinder, const ucontext_t *context, uintptr_t stop,
		       struct fathom_sample_frame *frames, uint32_t room, bool *is_partial, bool *has_own)
{
	struct walk walk = { .stop = stop, .is_interrupted = true, .frames = frames };
	enum end end = GOES_ON;

	read_context(context, &walk.registers);
	unwinder->sample++;
	fathom_readable_begin(&unwinder->memory, walk.registers.value[FATHOM_RSP]);
	while (end == GOES_ON && walk.count < room)
		end = step(unwinder, &walk);
	*has_own = end == AT_STOP || (end == AT_OUTERMOST && stop == FATHOM_STACK_HIGHEST);
	*is_partial = end == GOES_ON || end == AT_UNKNOWN ||
		      (end == AT_OUTERMOST && stop != FATHOM_STACK_HIGHEST &&
		       is_on_own_stack(unwinder, walk.registers.value[FATHOM_RSP]));
	return walk.count;
}

/* --- unwinders of threads ----------------------------------------------------------------------------------- */

int fathom_unwind_init(void)
{
	return fathom_frame_tables_init();
}

struct fathom_unwinder *fathom_unwinder_create(void)
{
	struct fathom_unwinder *unwinder = fathom_arena_map(sizeof(*unwinder));

	if (!unwinder)
		return NULL;
	fathom_unwinder_take_over(unwinder);
	return unwinder;
}

void fathom_unwinder_take_over(struct fathom_unwinder *unwinder)
{
	fathom_frame_tables_update();
	fathom_readable_init(&unwinder->memory);
}

#else

struct fathom_unwinder {
	char nothing;
};

int fathom_unwind_init(void)
{
	return 0;
}

struct fathom_unwinder *fathom_unwinder_create(void)
{
	return fathom_arena_map(sizeof(struct fathom_unwinder));
}

void fathom_unwinder_take_over(struct fathom_unwinder *unwinder)
{
	(void)unwinder;
}

uint32_t fathom_unwind(struct fathom_unwinder *unwinder, const ucontext_t *context, uintptr_t stop,
		       struct fathom_sample_frame *frames, uint32_t room, bool *is_partial, bool *has_own)
{
	(void)unwinder;
	(void)context;
	(void)stop;
	(void)frames;
	(void)room;
	*is_partial = *has_own = false;
	return 0;
}

#endif

void fathom_unwinder_destroy(struct fathom_unwinder *unwinder)
{
	if (unwinder)
		munmap(unwinder, sizeof(*unwinder));
}
