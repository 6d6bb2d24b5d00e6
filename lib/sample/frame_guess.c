#include "sample/frame_guess.h"

#include <stddef.h>
#include <string.h>
#include <ucontext.h>

#if defined(__x86_64__) && defined(__LP64__)

/* CALL_BYTES: the longest call instruction that is recognised. FUNCTION_BYTES: how far a function may reach behind its
 * first instruction. FRAME_BYTES: the largest frame that a frame pointer is believed to have. SCANNED_WORDS: how far up
 * the stack a trusted return address is searched for. */
enum { CALL_BYTES = 7, FUNCTION_BYTES = 1 << 20, FRAME_BYTES = 1 << 20, SCANNED_WORDS = 128, CODE_BYTES = 16 };

/* How likely a word is a return address into the caller of the frame. */
enum likelihood { IMPOSSIBLE, POSSIBLE, CERTAIN };

__attribute__((no_sanitize("address", "thread")))
static bool read_code(struct fathom_readable_memory *memory, uintptr_t address, unsigned char *code, size_t count)
{
	size_t i;

	if (!address || !fathom_readable_check(memory, address, count))
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

/* Returns how likely address is the return address of a frame at pc. Stores the called function if it is certain. */
static enum likelihood judge(struct fathom_readable_memory *memory, uint64_t address, uintptr_t pc, uintptr_t *function)
{
	unsigned char code[CALL_BYTES];
	uintptr_t target;
	int32_t distance;

	if (address < 65536 || address >> 47 || !read_code(memory, address - CALL_BYTES, code, CALL_BYTES))
		return IMPOSSIBLE;
	if (code[2] == 0xe8) {
		memcpy(&distance, code + 3, sizeof(distance));
		target = address + (uintptr_t)distance;
		if (target <= pc && pc - target < FUNCTION_BYTES) {
			*function = target;
			return CERTAIN;
		}
		return POSSIBLE;
	}
	return indirect_call(code + CALL_BYTES) ? POSSIBLE : IMPOSSIBLE;
}

bool fathom_frame_guess_is_return(uintptr_t address, struct fathom_readable_memory *memory)
{
	uintptr_t function;

	return judge(memory, address, address, &function) != IMPOSSIBLE;
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
static bool leave_handler(struct fathom_registers *registers, const unsigned char *code,
			  struct fathom_readable_memory *memory)
{
	static const unsigned char sigreturn[] = { 0x48, 0xc7, 0xc0, 15, 0, 0, 0, 0x0f, 0x05 };
	static const unsigned char places[FATHOM_REGISTER_COUNT] = {
		REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_R8,
		REG_R9, REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP,
	};
	uintptr_t context = registers->value[FATHOM_RSP] + offsetof(ucontext_t, uc_mcontext.gregs);
	uint64_t values[FATHOM_REGISTER_COUNT];
	unsigned i;

	if (memcmp(code, sigreturn, sizeof(sigreturn)))
		return false;
	for (i = 0; i < FATHOM_REGISTER_COUNT; i++)
		if (!fathom_readable_word(memory, context + places[i] * sizeof(uint64_t), &values[i]))
			return false;
	memcpy(registers->value, values, sizeof(values));
	registers->known = (1u << FATHOM_REGISTER_COUNT) - 1;
	return true;
}

/* Returns how many words are on the stack above the return address, if the first instructions of a function or its last
 * ones say so; -1: they do not. */
static int pushed_words(const unsigned char *code)
{
	if (code[0] == 0xf3 && code[1] == 0x0f && code[2] == 0x1e && code[3] == 0xfa)
		return 0;			/* endbr64 */
	if (code[0] == 0x55 && code[1] == 0x48 && (code[2] == 0x89 || code[2] == 0x8b))
		return 0;			/* push %rbp; mov %rsp,%rbp */
	if (code[0] == 0x48 && ((code[1] == 0x89 && code[2] == 0xe5) || (code[1] == 0x8b && code[2] == 0xec)))
		return 1;			/* mov %rsp,%rbp */
	if (code[0] == 0xc3 || code[0] == 0xc2 || (code[0] == 0xf3 && code[1] == 0xc3))
		return 0;			/* ret */
	if (code[0] == 0x5d && (code[1] == 0xc3 || (code[1] == 0xf3 && code[2] == 0xc3)))
		return 1;			/* pop %rbp; ret */
	return -1;
}

/* The instruction pointer is in the first or the last instructions of a function. */
static bool leave_edge(struct fathom_registers *registers, const unsigned char *code,
		       struct fathom_readable_memory *memory, uintptr_t *function)
{
	uintptr_t stack = registers->value[FATHOM_RSP];
	int words = pushed_words(code);
	uint64_t address, frame;

	if (words < 0 || !fathom_readable_word(memory, stack + (unsigned)words * 8, &address) ||
	    judge(memory, address, registers->value[FATHOM_RIP], function) == IMPOSSIBLE)
		return false;
	if (words && fathom_readable_word(memory, stack, &frame))
		set(registers, FATHOM_RBP, frame);
	go_to_caller(registers, stack + (unsigned)words * 8 + 8, address);
	return true;
}

/* Returns whether the frame pointer may point into the frame that the stack pointer is at, or a little further. */
static bool is_frame_pointer(const struct fathom_registers *registers)
{
	uintptr_t stack = registers->value[FATHOM_RSP], frame = registers->value[FATHOM_RBP];

	return registers->known & 1u << FATHOM_RBP && frame >= stack && frame - stack <= FRAME_BYTES && frame % 8 == 0;
}

/* The frame pointer leads to the caller's one and to a return address. */
static bool follow_frame_pointer(struct fathom_registers *registers, struct fathom_readable_memory *memory,
				 enum likelihood wanted, uintptr_t *function)
{
	uintptr_t frame = registers->value[FATHOM_RBP];
	uint64_t saved, address;

	if (!is_frame_pointer(registers) || !fathom_readable_word(memory, frame, &saved) ||
	    !fathom_readable_word(memory, frame + 8, &address) ||
	    judge(memory, address, registers->value[FATHOM_RIP], function) < wanted)
		return false;
	go_to_caller(registers, frame + 16, address);
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

/* A trusted return address is on the stack, at its top or behind what the function has pushed. */
static bool scan(struct fathom_registers *registers, struct fathom_readable_memory *memory, unsigned words,
		 enum likelihood wanted, uintptr_t *function)
{
	uintptr_t stack = registers->value[FATHOM_RSP];
	unsigned i;

	for (i = 0; i < words; i++) {
		uint64_t address;

		if (!fathom_readable_word(memory, stack + i * 8, &address))
			return false;
		if (judge(memory, address, registers->value[FATHOM_RIP], function) < wanted)
			continue;
		go_to_caller(registers, stack + i * 8 + 8, address);
		/* The function may have saved the frame pointer and changed it. */
		if (i && !is_frame_pointer(registers))
			find_saved_frame_pointer(registers, memory, stack, stack + i * 8);
		return true;
	}
	return false;
}

bool fathom_frame_guess(struct fathom_registers *registers, bool is_interrupted, struct fathom_readable_memory *memory,
			uintptr_t *function)
{
	unsigned char code[CODE_BYTES] = { 0 };

	*function = 0;
	/* Nearer than CODE_BYTES to the end of readable memory, code is not read. */
	if (!read_code(memory, registers->value[FATHOM_RIP], code, CODE_BYTES) && is_interrupted)
		return false;
	if (leave_handler(registers, code, memory))
		return true;
	if (is_interrupted && (leave_edge(registers, code, memory, function) ||
			       scan(registers, memory, 1, CERTAIN, function)))
		return true;
	if (follow_frame_pointer(registers, memory, CERTAIN, function))
		return true;
	if (scan(registers, memory, SCANNED_WORDS, CERTAIN, function))
		return true;
	if (is_interrupted && scan(registers, memory, 1, POSSIBLE, function))
		return true;
	return follow_frame_pointer(registers, memory, POSSIBLE, function);
}

#endif
