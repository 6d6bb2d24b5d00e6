#include "run/signals/signal_stack.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#include "platform/arena.h"
#include "platform/compiler.h"
#include "platform/lock.h"
#include "run/signals/signal_handlers.h"
#include "sample/sampling.h"

/* ROOM_BYTES: for handlers, in addition to the data that the kernel puts on the stack. A handler of the program that
 * asks for an alternate stack (SA_ONSTACK) but has not made one runs on this stack, too. PAGE_BYTES: at least one
 * page. */
enum { ROOM_BYTES = 128 << 10, PAGE_BYTES = 64 << 10 };

#ifndef AT_MINSIGSTKSZ
#define AT_MINSIGSTKSZ 51
#endif

/* The stacks of threads that have ended, for new threads. The first word of each stack is the address of the next
 * one. */
static struct {
	struct fathom_lock lock;	/* held while a stack is taken or put back; the lock of locations may be held
					 * when it is taken */
	void *first;
} spare_stacks;

static FATHOM_TLS void *given_stack;	/* the stack that the calling thread got from this file; NULL: none */

/* Returns the size of a stack. The kernel reports how much it puts on the stack; with wide vector registers this is a
 * lot. */
static size_t stack_bytes(void)
{
	return ROOM_BYTES + ((getauxval(AT_MINSIGSTKSZ) + PAGE_BYTES - 1) & ~(size_t)(PAGE_BYTES - 1));
}

/* Returns a new stack with inaccessible pages below it; NULL: no memory. */
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

	fathom_lock_take(&spare_stacks.lock);
	stack = spare_stacks.first;
	if (stack)
		spare_stacks.first = *(void **)stack;
	fathom_lock_give(&spare_stacks.lock);
	return stack;
}

static void put_back(void *stack)
{
	fathom_lock_take(&spare_stacks.lock);
	*(void **)stack = spare_stacks.first;
	spare_stacks.first = stack;
	fathom_lock_give(&spare_stacks.lock);
}

/* Returns whether fathom has handlers that may run on the stack. */
static bool has_handlers(void)
{
	return fathom_signal_handlers_are_on() || fathom_sampling_is_on();
}

void fathom_signal_stack_give(void)
{
	stack_t stack;
	int saved = errno;

	if (given_stack || !has_handlers() || sigaltstack(NULL, &stack) ||
	    !(stack.ss_flags & SS_DISABLE))
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
		given_stack = stack.ss_sp;
restore:
	errno = saved;
}

/* If the given stack is no longer the thread's alternate stack, the program or a sanitizer has replaced it and may have
 * unmapped it. It is not used again then. */
void fathom_signal_stack_take_back(void)
{
	const stack_t none = { .ss_flags = SS_DISABLE };
	stack_t stack;
	int saved = errno;

	if (given_stack && sigaltstack(NULL, &stack) == 0 && !(stack.ss_flags & SS_DISABLE) &&
	    stack.ss_sp == given_stack && sigaltstack(&none, NULL) == 0)
		put_back(given_stack);
	given_stack = NULL;
	errno = saved;
}
