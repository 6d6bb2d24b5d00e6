#include "sample/frame_guess.h"

#include <stddef.h>
#include <string.h>
#include <ucontext.h>

#include "sample/frame_tables.h"

#if defined(__x86_64__) && defined(__LP64__)

/* CALL_BYTES: the longest call instruction that is recognised. STUB_BYTES: of an entry of the procedure linkage table,
 * as far as it is read. FRAME_BYTES: the largest frame that a frame pointer is believed to have. SCANNED_WORDS: how far
 * up the stack a return address is searched for. CODE_BYTES: how many bytes of the next instructions are read. */
enum { CALL_BYTES = 7, STUB_BYTES = 12, FRAME_BYTES = 1 << 20, SCANNED_WORDS = 128, CODE_BYTES = 32 };

/* How likely an address is the return address of a frame: POSSIBLE: a call is in front of it. LIKELY: the call leads to
 * code without call-frame information. CERTAIN: it leads to such code in front of the frame's instruction, with no code
 * of another kind between the two. */
enum likelihood { IMPOSSIBLE, POSSIBLE, LIKELY, CERTAIN };

/* A frame whose caller is wanted. */
struct frame {
	struct fathom_registers *registers;
	struct fathom_readable_memory *memory;
	uintptr_t pc;
	uintptr_t lowest;	/* where its function can begin at the lowest */
	uintptr_t function;	/* where it begins; 0: not known */
};

__attribute__((no_sanitize("address", "thread")))
static bool read_code(struct fathom_readable_memory *memory, uintptr_t address, unsigned char *code, size_t count)
{
	size_t i;

	if (!address || !count || !fathom_readable_check(memory, address, count))
		return false;
	for (i = 0; i < count; i++)
		code[i] = ((const volatile unsigned char *)address)[i];
	return true;
}

/* Returns the number of bytes of the call through a register or memory (ff /2) that ends at end; 0: there is none. */
static unsigned indirect_call(const unsigned char *end)
{
	unsigned bytes;

	for (bytes = 2; bytes <= CALL_BYTES; bytes++) {
		const unsigned char *code = end - bytes;
		unsigned mode = code[1] >> 6, base = code[1] & 7, length = 2;

		if (code[0] != 0xff || (code[1] >> 3 & 7) != 2)
			continue;
		if (mode != 3 && base == 4)
			length++;
		if (mode == 1)
			length++;
		else if (mode == 2 || (mode == 0 && base == 5) ||
			 (mode == 0 && base == 4 && bytes > 2 && (code[2] & 7) == 5))
			length += 4;
		if (length == bytes)
			return bytes;
	}
	return 0;
}

/* Reads the address that an instruction has at a distance of four bytes from its own end. */
static uintptr_t relative_address(const unsigned char *distance, uintptr_t end)
{
	int32_t value;

	memcpy(&value, distance, sizeof(value));
	return end + (uintptr_t)value;
}

/* Returns where a jump at target leads to, if there is one of the procedure linkage table; otherwise target. */
static uintptr_t skip_stub(struct fathom_readable_memory *memory, uintptr_t target)
{
	unsigned char code[STUB_BYTES];
	unsigned i = 0;
	uint64_t word;

	if (!read_code(memory, target, code, STUB_BYTES))
		return target;
	if (code[0] == 0xf3 && code[1] == 0x0f && code[2] == 0x1e && code[3] == 0xfa)
		i = 4;		/* endbr64 */
	if (code[i] == 0xf2)
		i++;		/* bnd */
	if (code[i] != 0xff || code[i + 1] != 0x25 ||
	    !fathom_readable_word(memory, relative_address(code + i + 2, target + i + 6), &word))
		return target;
	return word;
}

/* Returns where the call in front of address leads to; 0: that is not known, 1: there is no call. */
static uintptr_t called_address(struct fathom_readable_memory *memory, uint64_t address)
{
	unsigned char code[CALL_BYTES];
	unsigned bytes;
	uint64_t word;

	if (address < 65536 || address >> 47 || (address >= memory->low && address < memory->high) ||
	    !read_code(memory, address - CALL_BYTES, code, CALL_BYTES))
		return 1;
	if (code[2] == 0xe8)
		return relative_address(code + 3, address);
	bytes = indirect_call(code + CALL_BYTES);
	if (!bytes)
		return 1;
	/* Through a word at a distance from the instruction. */
	if (bytes == 6 && code[2] == 0x15 && fathom_readable_word(memory, relative_address(code + 3, address), &word))
		return word;
	return 0;
}

static bool is_in_code_of(struct frame *frame, uintptr_t target)
{
	if (target < frame->lowest || target > frame->pc)
		return false;
	frame->function = target;
	return true;
}

/* Returns how likely address is the return address of the frame. Stores the frame's function if it is certain. */
static enum likelihood judge(struct frame *frame, uint64_t address)
{
	uintptr_t target = called_address(frame->memory, address), lowest;

	if (target <= 1)
		return target ? IMPOSSIBLE : POSSIBLE;
	if (is_in_code_of(frame, target))
		return CERTAIN;
	target = skip_stub(frame->memory, target);
	if (is_in_code_of(frame, target))
		return CERTAIN;
	return fathom_frame_table_covers(target, frame->memory, &lowest) ? POSSIBLE : LIKELY;
}

bool fathom_frame_guess_is_return(uintptr_t address, struct fathom_readable_memory *memory)
{
	return called_address(memory, address) != 1;
}

static void set(struct fathom_registers *registers, enum fathom_register number, uint64_t value)
{
	registers->value[number] = value;
	registers->known |= 1u << number;
}

/* Continues in the caller, whose return address is in the word below cfa. */
static void go_to_caller(struct fathom_registers *registers, uint64_t cfa, uint64_t address)
{
	const uint32_t kept = 1u << FATHOM_RBX | 1u << FATHOM_RBP | 0xf000u;

	registers->known &= kept;
	set(registers, FATHOM_RSP, cfa);
	set(registers, FATHOM_RIP, address);
}

/* Code that a signal handler returns to. The C library's has call-frame information, that of others may have none. */
static bool leave_handler(const struct frame *frame, const unsigned char *code)
{
	static const unsigned char sigreturn[] = { 0x48, 0xc7, 0xc0, 15, 0, 0, 0, 0x0f, 0x05 };
	static const unsigned char places[FATHOM_REGISTER_COUNT] = {
		REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_R8,
		REG_R9, REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP,
	};
	struct fathom_registers *registers = frame->registers;
	uintptr_t context = registers->value[FATHOM_RSP] + offsetof(ucontext_t, uc_mcontext.gregs);
	uint64_t values[FATHOM_REGISTER_COUNT];
	unsigned i;

	if (memcmp(code, sigreturn, sizeof(sigreturn)))
		return false;
	for (i = 0; i < FATHOM_REGISTER_COUNT; i++)
		if (!fathom_readable_word(frame->memory, context + places[i] * sizeof(uint64_t), &values[i]))
			return false;
	memcpy(registers->value, values, sizeof(values));
	registers->known = (1u << FATHOM_REGISTER_COUNT) - 1;
	return true;
}

/* Returns how many words a function has pushed if the next instructions are its first ones; -1: they are not. */
static int words_of_prologue(const unsigned char *code)
{
	if (code[0] == 0xf3 && code[1] == 0x0f && code[2] == 0x1e && code[3] == 0xfa)
		return 0;			/* endbr64 */
	if (code[0] == 0x55 && code[1] == 0x48 && (code[2] == 0x89 || code[2] == 0x8b))
		return 0;			/* push %rbp; mov %rsp,%rbp */
	if (code[0] == 0x48 && ((code[1] == 0x89 && code[2] == 0xe5) || (code[1] == 0x8b && code[2] == 0xec)))
		return 1;			/* mov %rsp,%rbp */
	if (code[0] == 0xff && code[1] == 0x25)
		return 0;			/* jmp *address: an entry of the procedure linkage table */
	if (code[0] == 0xf2 && code[1] == 0xff && code[2] == 0x25)
		return 0;			/* bnd jmp *address */
	if (code[0] == 0x68 && (code[5] == 0xe9 || (code[5] == 0xf2 && code[6] == 0xe9)))
		return 0;			/* push $number; jmp: such an entry, the first time */
	return -1;
}

/* Leaves a function whose first instructions are the next ones. */
static bool leave_prologue(struct frame *frame, const unsigned char *code)
{
	struct fathom_registers *registers = frame->registers;
	uintptr_t stack = registers->value[FATHOM_RSP];
	int words = words_of_prologue(code);
	uint64_t address, saved;

	if (words < 0 || !fathom_readable_word(frame->memory, stack + (unsigned)words * 8, &address) ||
	    judge(frame, address) == IMPOSSIBLE)
		return false;
	if (words && fathom_readable_word(frame->memory, stack, &saved))
		set(registers, FATHOM_RBP, saved);
	go_to_caller(registers, stack + (unsigned)words * 8 + 8, address);
	return true;
}

/* Executes the next instructions if they are the last ones of a function: add to the stack pointer, pop, leave, ret. */
static bool leave_epilogue(struct frame *frame, const unsigned char *code)
{
	/* By the number that an instruction has for the register. */
	static const unsigned char numbers[] = {
		FATHOM_RAX, FATHOM_RCX, FATHOM_RDX, FATHOM_RBX, FATHOM_RSP, FATHOM_RBP, FATHOM_RSI, FATHOM_RDI,
		FATHOM_R8, FATHOM_R9, FATHOM_R10, FATHOM_R11, FATHOM_R12, FATHOM_R13, FATHOM_R14, FATHOM_R15,
	};
	struct fathom_readable_memory *memory = frame->memory;
	struct fathom_registers caller = *frame->registers;
	uint64_t *stack = &caller.value[FATHOM_RSP], word;
	const unsigned char *end = code + CODE_BYTES - 7;
	int32_t bytes;

	while (code < end) {
		bool is_high = code[0] == 0x41;
		unsigned char operation = code[is_high];

		if (operation >= 0x58 && operation <= 0x5f) {			/* pop */
			unsigned char number = numbers[operation - 0x58 + is_high * 8];

			if (number == FATHOM_RSP || !fathom_readable_word(memory, *stack, &word))
				return false;
			set(&caller, number, word);
			*stack += 8;
			code += is_high + 1;
		} else if (code[0] == 0x48 && code[1] == 0x83 && code[2] == 0xc4) {	/* add $byte,%rsp */
			*stack += (uint64_t)(int64_t)(int8_t)code[3];
			code += 4;
		} else if (code[0] == 0x48 && code[1] == 0x81 && code[2] == 0xc4) {	/* add $bytes,%rsp */
			memcpy(&bytes, code + 3, sizeof(bytes));
			*stack += (uint64_t)(int64_t)bytes;
			code += 7;
		} else if (code[0] == 0xc9) {					/* leave */
			*stack = caller.value[FATHOM_RBP];
			if (!(caller.known & 1u << FATHOM_RBP) || !fathom_readable_word(memory, *stack, &word))
				return false;
			set(&caller, FATHOM_RBP, word);
			*stack += 8;
			code++;
		} else {
			if (code[0] == 0xf3 || code[0] == 0xf2)
				code++;
			if ((code[0] != 0xc3 && code[0] != 0xc2) || !fathom_readable_word(memory, *stack, &word) ||
			    *stack < frame->registers->value[FATHOM_RSP] || judge(frame, word) == IMPOSSIBLE)
				return false;
			go_to_caller(&caller, *stack + 8, word);
			*frame->registers = caller;
			return true;
		}
	}
	return false;
}

/* Returns whether the frame pointer may point into the frame that the stack pointer is at, or a little further. */
static bool is_frame_pointer(const struct fathom_registers *registers)
{
	uintptr_t stack = registers->value[FATHOM_RSP], frame = registers->value[FATHOM_RBP];

	return registers->known & 1u << FATHOM_RBP && frame >= stack && frame - stack <= FRAME_BYTES && frame % 8 == 0;
}

/* The frame pointer leads to the caller's one and to a return address. */
static bool follow_frame_pointer(struct frame *frame, enum likelihood wanted)
{
	struct fathom_registers *registers = frame->registers;
	uintptr_t place = registers->value[FATHOM_RBP];
	uint64_t saved, address;

	if (!is_frame_pointer(registers) || !fathom_readable_word(frame->memory, place, &saved) ||
	    !fathom_readable_word(frame->memory, place + 8, &address) || judge(frame, address) < wanted)
		return false;
	go_to_caller(registers, place + 16, address);
	set(registers, FATHOM_RBP, saved);
	return true;
}

/* Looks for the caller's frame pointer among the words that a function has pushed, from the return address's place
 * down: a word that points to a word in front of another return address. */
static void find_saved_frame_pointer(struct fathom_registers *registers, struct fathom_readable_memory *memory,
				     uintptr_t low, uintptr_t high)
{
	uintptr_t cfa = registers->value[FATHOM_RSP];
	uint64_t frame, address;

	while (high > low) {
		high -= 8;
		if (fathom_readable_word(memory, high, &frame) && frame >= cfa && frame - cfa <= FRAME_BYTES &&
		    frame % 8 == 0 && fathom_readable_word(memory, frame + 8, &address) &&
		    fathom_frame_guess_is_return(address, memory)) {
			set(registers, FATHOM_RBP, frame);
			return;
		}
	}
	registers->known &= ~(1u << FATHOM_RBP);
}

/* A return address is on the stack, at its top or behind what the function has pushed. */
static bool scan(struct frame *frame, unsigned words, enum likelihood wanted)
{
	struct fathom_registers *registers = frame->registers;
	uintptr_t stack = registers->value[FATHOM_RSP];
	uint64_t address;
	unsigned i;

	for (i = 0; i < words; i++) {
		if (!fathom_readable_word(frame->memory, stack + i * 8, &address))
			return false;
		if (judge(frame, address) < wanted)
			continue;
		go_to_caller(registers, stack + i * 8 + 8, address);
		/* The function may have saved the frame pointer and changed it. */
		if (i && !is_frame_pointer(registers))
			find_saved_frame_pointer(registers, frame->memory, stack, stack + i * 8);
		return true;
	}
	return false;
}

static bool find_caller(struct frame *frame, bool is_interrupted)
{
	unsigned char code[CODE_BYTES] = { 0 };

	/* Behind the code, memory may not be readable. */
	if (!read_code(frame->memory, frame->pc, code, CODE_BYTES) &&
	    !read_code(frame->memory, frame->pc, code, -frame->pc % CODE_BYTES) && is_interrupted)
		return false;
	if (leave_handler(frame, code) || leave_epilogue(frame, code))
		return true;
	if (is_interrupted && (leave_prologue(frame, code) || scan(frame, 1, LIKELY)))
		return true;
	if (follow_frame_pointer(frame, CERTAIN) || scan(frame, SCANNED_WORDS, CERTAIN))
		return true;
	if (is_interrupted && scan(frame, 1, POSSIBLE))
		return true;
	return scan(frame, SCANNED_WORDS, LIKELY) || follow_frame_pointer(frame, POSSIBLE);
}

bool fathom_frame_guess(struct fathom_registers *registers, bool is_interrupted, struct fathom_readable_memory *memory,
			uintptr_t *function)
{
	struct frame frame = { .registers = registers, .memory = memory, .pc = registers->value[FATHOM_RIP] };

	if (!is_interrupted)
		frame.pc--;
	fathom_frame_table_covers(frame.pc, memory, &frame.lowest);
	if (!is_interrupted)
		frame.pc++;
	if (!find_caller(&frame, is_interrupted))
		return false;
	*function = frame.function;
	return true;
}

#endif
