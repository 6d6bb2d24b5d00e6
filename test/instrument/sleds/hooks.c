/*
 * What a measurement would do with sleds, as strictly as can be: every exit must be that of the
 * function entered last on this stack, but for what an exception or longjmp has left behind.
 * The last lines are counted into the file SLEDS_LOG; SLEDS_DEEP=1 also unwinds from each.
 *
 * Every register is kept but the flags, which are changed.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unwind.h>

#define DEPTH 4096

struct frame {
	uintptr_t sled;		/* address of the call at the entry */
	uintptr_t stack;	/* where the return address is */
};

static __thread struct {
	struct frame frames[DEPTH];
	unsigned depth;
} thread __attribute__((tls_model("initial-exec")));

static struct {
	unsigned long enters, exits, tails, left, wrong, unwound;
} count;

/* Asked when the first function is entered: in a static program that is before any constructor here. */
static bool is_deep(void)
{
	static int deep = -1;

	if (deep < 0)
		deep = getenv("SLEDS_DEEP") != NULL;
	return deep;
}

/* 0xe7: x87, SSE, AVX and AVX-512, which fit into 4096 bytes. */
#define HOOK(name) \
	"	.globl	fathom_sled_" name "\n" \
	"	.type	fathom_sled_" name ", @function\n" \
	"fathom_sled_" name ":\n" \
	"	.cfi_startproc\n" \
	"	endbr64\n" \
	"	push	%rbp\n" \
	"	.cfi_def_cfa_offset 16\n" \
	"	.cfi_offset %rbp, -16\n" \
	"	mov	%rsp, %rbp\n" \
	"	.cfi_def_cfa_register %rbp\n" \
	"	push	%rax\n	push	%rcx\n	push	%rdx\n	push	%rbx\n	push	%rsi\n	push	%rdi\n" \
	"	push	%r8\n	push	%r9\n	push	%r10\n	push	%r11\n	push	%r12\n" \
	"	mov	%rsp, %r12\n" \
	"	sub	$4096, %rsp\n" \
	"	and	$-64, %rsp\n" \
	"	movq	$0, 512(%rsp)\n	movq	$0, 520(%rsp)\n	movq	$0, 528(%rsp)\n	movq	$0, 536(%rsp)\n" \
	"	movq	$0, 544(%rsp)\n	movq	$0, 552(%rsp)\n	movq	$0, 560(%rsp)\n	movq	$0, 568(%rsp)\n" \
	"	mov	$0xe7, %eax\n	mov	$0, %edx\n" \
	"	xsave64	(%rsp)\n" \
	"	mov	8(%rbp), %rdi\n" \
	"	lea	16(%rbp), %rsi\n" \
	"	call	see_" name "\n" \
	"	mov	$0xe7, %eax\n	mov	$0, %edx\n" \
	"	xrstor64 (%rsp)\n" \
	"	mov	%r12, %rsp\n" \
	"	pop	%r12\n	pop	%r11\n	pop	%r10\n	pop	%r9\n	pop	%r8\n" \
	"	pop	%rdi\n	pop	%rsi\n	pop	%rbx\n	pop	%rdx\n	pop	%rcx\n	pop	%rax\n" \
	"	pushq	$0x8d5\n" \
	"	popfq\n" \
	"	pop	%rbp\n" \
	"	.cfi_def_cfa %rsp, 8\n" \
	"	ret\n" \
	"	.cfi_endproc\n" \
	"	.size	fathom_sled_" name ", . - fathom_sled_" name "\n"

__asm__("	.text\n" HOOK("enter") HOOK("exit") HOOK("tail"));

__attribute__((used, visibility("hidden"))) void see_enter(uintptr_t from, uintptr_t stack);
__attribute__((used, visibility("hidden"))) void see_exit(uintptr_t from, uintptr_t stack);
__attribute__((used, visibility("hidden"))) void see_tail(uintptr_t from, uintptr_t stack);

static void add(unsigned long *counter)
{
	__atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
}

static void wrong(const char *what, uintptr_t from, uintptr_t stack)
{
	fprintf(stderr, "hooks: %s at %#lx, stack %#lx, depth %u\n", what, (unsigned long)from, (unsigned long)stack,
		thread.depth);
	add(&count.wrong);
}

/* Frames that lie deeper than the stack is now are gone; there was no exit. */
static void drop(uintptr_t stack)
{
	while (thread.depth && thread.frames[thread.depth - 1].stack < stack) {
		thread.depth--;
		add(&count.left);
	}
}

struct walk {
	uintptr_t from;
	unsigned depth;		/* this many of the functions entered are still to be met, from the last to the first */
	bool is_there;		/* at the function with the sled, at least */
};

static _Unwind_Reason_Code step(struct _Unwind_Context *context, void *data)
{
	struct walk *walk = data;
	uintptr_t address = _Unwind_GetIP(context);

	walk->is_there |= address == walk->from;
	/* Here the stack pointer is that of a caller just before its call. */
	if (walk->is_there && walk->depth && _Unwind_GetCFA(context) == thread.frames[walk->depth - 1].stack + 8 &&
	    address == *(const uintptr_t *)thread.frames[walk->depth - 1].stack)
		walk->depth--;
	return _URC_NO_REASON;
}

/* Unwinds to the very first: each function that was entered is met, in its place. */
static void look_back(uintptr_t from, uintptr_t stack)
{
	struct walk walk = { from, thread.depth, false };

	if (!is_deep())
		return;
	_Unwind_Backtrace(step, &walk);
	if (!walk.is_there || walk.depth)
		wrong("no way back", from, stack);
	add(&count.unwound);
}

void see_enter(uintptr_t from, uintptr_t stack)
{
	add(&count.enters);
	drop(stack + 1);
	if (thread.depth == DEPTH)
		wrong("too deep", from, stack);
	else
		thread.frames[thread.depth++] = (struct frame){ from - 5, stack };
	look_back(from, stack);
}

static void leave(uintptr_t from, uintptr_t stack)
{
	static const uint8_t code[3] = { 0x0f, 0x1f, 0x80 };
	uintptr_t at = from, sled;
	int32_t distance;

	if (*(const uint8_t *)from == 0xc3)	/* ret */
		at++;
	if (memcmp((const void *)at, code, sizeof(code)))
		wrong("no nopl", from, stack);
	memcpy(&distance, (const void *)(at + 3), sizeof(distance));
	sled = at + (uintptr_t)(intptr_t)distance;
	drop(stack);
	look_back(from, stack);
	if (!thread.depth || thread.frames[thread.depth - 1].sled != sled || thread.frames[thread.depth - 1].stack != stack)
		wrong("exit of what was not entered last", from, stack);
	else
		thread.depth--;
}

void see_exit(uintptr_t from, uintptr_t stack)
{
	add(&count.exits);
	leave(from, stack);
}

void see_tail(uintptr_t from, uintptr_t stack)
{
	add(&count.tails);
	leave(from, stack);
}

__attribute__((destructor)) static void end(void)
{
	const char *path = getenv("SLEDS_LOG");
	FILE *log = path ? fopen(path, "w") : NULL;

	if (!log)
		return;
	/* What is still open here: main where it called exit. */
	fprintf(log, "enters %lu exits %lu tails %lu left %lu open %u wrong %lu unwound %lu\n", count.enters, count.exits,
		count.tails, count.left, thread.depth, count.wrong, count.unwound);
	fclose(log);
}
