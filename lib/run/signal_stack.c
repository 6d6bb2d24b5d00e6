#include "run/signal_stack.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#include "platform/arena.h"
#include "platform/compiler.h"
#include "platform/lock.h"
#include "run/signal_handlers.h"

/* Besides what the kernel puts there: a handler of the program that asks for an alternate stack (SA_ONSTACK) without
 * having made one runs on ours, and not on the thread's own stack. */
enum { ROOM_BYTES = 128 << 10, PAGE_BYTES = 64 << 10 };

#ifndef AT_MINSIGSTKSZ
#define AT_MINSIGSTKSZ 51
#endif

/* Stacks of threads that have ended, for those to come. The first word of each is the address of the next one. */
static struct {
	struct fathom_lock lock;	/* held to take a stack or to put it back; nests in the lock of locations */
	void *first;
} spare;

static FATHOM_TLS void *given;	/* the stack that this file gave to the calling thread */

/* The kernel says how much it puts on the stack: with wide vector registers a lot. */
static size_t stack_bytes(void)
{
	return ROOM_BYTES + ((getauxval(AT_MINSIGSTKSZ) + PAGE_BYTES - 1) & ~(size_t)(PAGE_BYTES - 1));
}

/* NULL: no memory. Below the stack are pages that nobody can use. */
static void *map(void)
{
	char *pages = fathom_arena_map(PAGE_BYTES + stack_bytes());

	if (!pages)
		return NULL;
	mprotect(pages, PAGE_BYTES, PROT_NONE);
	return pages + PAGE_BYTES;
}

static void *take_spare(void)
{
	void *stack;

	fathom_lock_take(&spare.lock);
	stack = spare.first;
	if (stack)
		spare.first = *(void **)stack;
	fathom_lock_give(&spare.lock);
	return stack;
}

static void put_back(void *stack)
{
	fathom_lock_take(&spare.lock);
	*(void **)stack = spare.first;
	spare.first = stack;
	fathom_lock_give(&spare.lock);
}

void fathom_signal_stack_give(void)
{
	stack_t stack;
	int saved = errno;

	if (given || !fathom_signal_handlers_are_on() || sigaltstack(NULL, &stack) || !(stack.ss_flags & SS_DISABLE))
		goto restore;
	stack.ss_sp = take_spare();
	if (!stack.ss_sp)
		stack.ss_sp = map();
	if (!stack.ss_sp)
		goto restore;
	stack.ss_size = stack_bytes();
	stack.ss_flags = 0;
	if (sigaltstack(&stack, NULL))
		put_back(stack.ss_sp);
	else
		given = stack.ss_sp;
restore:
	errno = saved;
}

/* A stack that is not the thread's any more was taken away by the program, or by a sanitizer, which may have unmapped
 * it: it is lost to us. */
void fathom_signal_stack_take_back(void)
{
	const stack_t none = { .ss_flags = SS_DISABLE };
	stack_t stack;
	int saved = errno;

	if (given && sigaltstack(NULL, &stack) == 0 && !(stack.ss_flags & SS_DISABLE) && stack.ss_sp == given &&
	    sigaltstack(&none, NULL) == 0)
		put_back(given);
	given = NULL;
	errno = saved;
}
