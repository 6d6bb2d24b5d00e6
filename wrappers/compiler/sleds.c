#include <stddef.h>
#include <string.h>

#include "sleds.h"

#include "event/event.h"

const void *fathom_sled_function(const void *address)
{
	static const uint8_t endbr[FATHOM_SLED_ENDBR] = { 0xf3, 0x0f, 0x1e, 0xfa };
	const uint8_t *sled = address;

	return (*sled == 0xe8 || *sled == 0xa9) && !memcmp(sled - sizeof(endbr), endbr, sizeof(endbr)) ?
		       sled - sizeof(endbr) : sled;
}

/* Until it is known that hooks leave the vector registers alone, these are kept. */
FATHOM_HIDDEN bool fathom_sleds_keep = true;

void fathom_sleds_start(void)
{
	fathom_sleds_keep = !fathom_event_keeps_vectors();
}

#if defined(__x86_64__) && defined(__LP64__)

#define PUSH(name) "\tpush %" #name "\n\t.cfi_adjust_cfa_offset 8\n"
#define POP(name) "\tpop %" #name "\n\t.cfi_adjust_cfa_offset -8\n"

/*
 * All registers that C may change, for GCC knows of functions that it has compiled which of them they change
 * (-fipa-ra). The stack is then aligned: at a sled it is 8 bytes off.
 */
#define THUNK(name, hook, arguments) \
	__asm__(".text\n" \
		"\t.globl " name "\n" \
		"\t.type " name ", @function\n" \
		"\t.p2align 5\n" \
		name ":\n" \
		"\t.cfi_startproc\n" \
		"\tendbr64\n" \
		PUSH(rdx) PUSH(rsi) PUSH(rdi) PUSH(rax) PUSH(rcx) PUSH(r8) PUSH(r9) PUSH(r10) PUSH(r11) \
		"\tsub $8, %rsp\n" \
		"\t.cfi_adjust_cfa_offset 8\n" \
		"\tmov 80(%rsp), %rdx\n" \
		"\tlea 88(%rsp), %rsi\n" \
		arguments \
		"\tcmpb $0, fathom_sleds_keep(%rip)\n" \
		"\tjne 2f\n" \
		"\tcall " hook "\n" \
		"1:\tadd $8, %rsp\n" \
		"\t.cfi_adjust_cfa_offset -8\n" \
		POP(r11) POP(r10) POP(r9) POP(r8) POP(rcx) POP(rax) POP(rdi) POP(rsi) POP(rdx) \
		"\tret\n" \
		"2:\n" \
		"\t.cfi_adjust_cfa_offset 80\n" \
		"\tcall " hook "_kept\n" \
		"\tjmp 1b\n" \
		"\t.cfi_endproc\n" \
		"\t.size " name ", . - " name "\n" \
		"\t.hidden " hook "\n")

THUNK("fathom_sled_enter", "fathom_hook_sled_enter", "\tlea -5(%rdx), %rdi\n");

/* The nopl is here, or behind a return. */
#define FIRST_SLED \
	"\txor %edi, %edi\n" \
	"\tcmpb $0xc3, (%rdx)\n" \
	"\tsete %dil\n" \
	"\tadd %rdx, %rdi\n" \
	"\tmovslq 3(%rdi), %rax\n" \
	"\tadd %rax, %rdi\n"

THUNK("fathom_sled_exit", "fathom_hook_sled_exit", FIRST_SLED);
THUNK("fathom_sled_tail", "fathom_hook_sled_exit", FIRST_SLED);

#else
/* No compiler puts calls of them anywhere. */
void fathom_sled_enter(void)
{
}

void fathom_sled_exit(void)
{
}

void fathom_sled_tail(void)
{
}
#endif
