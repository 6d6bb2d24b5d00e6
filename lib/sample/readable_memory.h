/*
 * readable_memory: reads the calling thread's memory without ever causing a fault.
 *
 * The pages of the thread's own stack that were found readable once stay so while the thread lives. All other pages
 * (coroutine stacks, alternate signal stacks, code made at run time) are checked anew in each sample, once for each
 * page.
 */
#ifndef FATHOM_SAMPLE_READABLE_MEMORY_H
#define FATHOM_SAMPLE_READABLE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/compiler.h"

enum { FATHOM_READABLE_PAGES = 16 };

struct fathom_readable_memory {
	uintptr_t low, high;	/* the known part of the thread's own stack; both 0: none */
	uintptr_t word_places;	/* number of addresses from low on at which a word is inside of that part */
	uintptr_t unreadable;	/* the end of an unreadable page below the known part; 0: none was found */
	uintptr_t stack_end;	/* an address near the outer end of the thread's own stack; 0: not known */
	uintptr_t pages[FATHOM_READABLE_PAGES];	/* by the low bits of the page number: a page that this sample found
						 * readable, or 0 */
};

/* Fills in what is known of the calling thread's stack. Context: birth. */
void fathom_readable_init(struct fathom_readable_memory *memory);

/* Begins a sample of a thread whose stack pointer is at stack. Context: signal. */
void fathom_readable_begin(struct fathom_readable_memory *memory, uintptr_t stack);

/* Returns whether count bytes at address, at most a page, are readable, by asking the kernel where it is not known.
 * Context: signal. */
bool fathom_readable_check(struct fathom_readable_memory *memory, uintptr_t address, size_t count);

/* A word anywhere in memory. */
struct fathom_any_word {
	uint64_t value;
} __attribute__((packed, may_alias));

/* Stores the word at address, which need not be aligned, in *value. False: it is not readable. Context: signal. */
__attribute__((no_sanitize("address", "thread")))
static inline bool fathom_readable_word(struct fathom_readable_memory *memory, uintptr_t address, uint64_t *value)
{
	if (unlikely(address - memory->low >= memory->word_places) &&
	    !fathom_readable_check(memory, address, sizeof(*value)))
		return false;
	*value = ((const volatile struct fathom_any_word *)address)->value;
	return true;
}

#endif
