#include "config.h"

#include <stddef.h>
#include <string.h>

#include "compiler/patch/sleds.h"

#include "event/event.h"

const void *fathom_sled_function(const void *address)
{
	static const uint8_t endbr[FATHOM_SLED_ENDBR] = { 0xf3, 0x0f, 0x1e, 0xfa };
	const uint8_t *sled = address;

	return (*sled == 0xe8 || *sled == 0xa9) && !memcmp(sled - sizeof(endbr), endbr, sizeof(endbr)) ?
		       sled - sizeof(endbr) : sled;
}

/* What the code of sleds does: calls hooks that do not change vector registers, calls hooks that keep them, or returns
 * at once. Before fathom_sleds_start it is not known whether the hooks change vector registers. The assembler code
 * below contains these numbers. */
enum { CLEAN, KEEPING, NOTHING };
FATHOM_HIDDEN uint8_t fathom_sleds_state = KEEPING;

void fathom_sleds_start(bool measures)
{
	fathom_event_set_other_exit(fathom_hook_sled_exit);
	fathom_sleds_state = !measures ? NOTHING : fathom_event_keeps_vectors() ? CLEAN : KEEPING;
}

#if defined(__x86_64__) && defined(__LP64__)

#define PUSH(name) "\tpush %" #name "\n\t.cfi_adjust_cfa_offset 8\n"
#define POP(name) "\tpop %" #name "\n\t.cfi_adjust_cfa_offset -8\n"

/*
 * Saves all registers that C functions may change, because GCC knows which registers the functions that it has compiled
 * change (-fipa-ra). The stack need not be aligned for code without vector registers; rare code aligns it itself.
 */
#ifdef HAVE_FIXED_REGISTERS
#define PUSH_ALL PUSH(rdx) PUSH(rsi) PUSH(rdi) PUSH(rax) PUSH(rcx)
#define POP_ALL POP(rcx) POP(rax) POP(rdi) POP(rsi) POP(rdx)
#define PUSHED "40"
#else
#define PUSH_ALL PUSH(rdx) PUSH(rsi) PUSH(rdi) PUSH(rax) PUSH(rcx) PUSH(r11) PUSH(r8) PUSH(r9) PUSH(r10) PUSH(r10)
#define POP_ALL POP(r10) POP(r10) POP(r9) POP(r8) POP(r11) POP(rcx) POP(rax) POP(rdi) POP(rsi) POP(rdx)
#define PUSHED "80"
#endif

/* Calls function(first sled, stack pointer). first_sled: instructions that compute the first argument in rdi from the
 * return address in rdx. */
#define THUNK_CALL(function, first_sled) \
	PUSH_ALL \
	"\tmov " PUSHED "(%rsp), %rdx\n" \
	"\tlea 8+" PUSHED "(%rsp), %rsi\n" \
	first_sled \
	"\tcall " function "\n" \
	POP_ALL \
	"\tret\n"

#define THUNK(name, function, hook, first_sled) \
	__asm__(".text\n" \
		"\t.globl " name "\n" \
		"\t.hidden " hook "\n" \
		"\t.type " name ", @function\n" \
		"\t.p2align 5\n" \
		name ":\n" \
		"\t.cfi_startproc\n" \
		"\tendbr64\n" \
		"\tcmpb $0, fathom_sleds_state(%rip)\n" \
		"\tjne 1f\n" \
		THUNK_CALL(function, first_sled) \
		"1:\tcmpb $1, fathom_sleds_state(%rip)\n" \
		"\tje 2f\n" \
		"\tret\n" \
		"2:\n" \
		THUNK_CALL(hook "_kept", first_sled) \
		"\t.cfi_endproc\n" \
		"\t.size " name ", . - " name "\n")

THUNK("fathom_sled_enter", "fathom_hook_sled_enter", "fathom_hook_sled_enter", "\tlea -5(%rdx), %rdi\n");
/* Hooks that do not change vector registers read the processor's counter as their clock. */
#define EXIT "*fathom_event_exit_late_code@GOTPCREL(%rip)"
/* The nopl with the distance to the first sled follows the return instruction. */
THUNK("fathom_sled_exit", EXIT, "fathom_hook_sled_exit", "\tmovslq 4(%rdx), %rdi\n\tlea 1(%rdi,%rdx), %rdi\n");
/* The nopl follows the call directly. */
THUNK("fathom_sled_tail", EXIT, "fathom_hook_sled_exit", "\tmovslq 3(%rdx), %rdi\n\tadd %rdx, %rdi\n");

/* A function with sleds as the plugin makes it, together with the jumps that each object file has; cut into two halves,
 * each with a return. Its place in the table of hooks.c depends on its alignment. */
#define STAND_IN(name, sled) \
	"\t.globl " name "\n" \
	"\t.hidden " name "\n" \
	"\t.type " name ", @function\n" \
	name ":\n" \
	"\t.cfi_startproc\n" \
	"\tendbr64\n" \
	"\tcall 1f\n" \
	"\tret\n" \
	sled \
	"1:\tjmp *"

__asm__(".text\n"
	"\t.p2align 5\n"
	STAND_IN("fathom_sled_stand_in_enter", "")
	"fathom_sled_enter@GOTPCREL(%rip)\n"
	"\t.cfi_endproc\n"
	"\t.size fathom_sled_stand_in_enter, . - fathom_sled_stand_in_enter\n"
	STAND_IN("fathom_sled_stand_in_leave",
		 "2:\t.byte 0x0f, 0x1f, 0x80\n\t.long fathom_sled_stand_in_enter + 4 - 2b\n")
	"fathom_sled_exit@GOTPCREL(%rip)\n"
	"\t.cfi_endproc\n"
	"\t.size fathom_sled_stand_in_leave, . - fathom_sled_stand_in_leave\n");

const void *fathom_sled_stand_in(void)
{
	return (const char *)(uintptr_t)fathom_sled_stand_in_enter + FATHOM_SLED_ENDBR;
}

#else
/* For this processor the plugin puts no sleds into code, so these functions are never called. */
void fathom_sled_enter(void)
{
}

void fathom_sled_exit(void)
{
}

void fathom_sled_tail(void)
{
}

void fathom_sled_stand_in_enter(void)
{
}

void fathom_sled_stand_in_leave(void)
{
}

const void *fathom_sled_stand_in(void)
{
	return NULL;
}
#endif
