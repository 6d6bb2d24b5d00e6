/*
 * inlined_calls: the calls in the source of a function in whose place the compiler put the code of the called function.
 *
 * These calls form a tree, because an inlined function can contain inlined calls, too. A call at one place of the
 * source appears once in it, even if the compiler copied its code.
 */
#ifndef FATHOM_SYMBOLS_INLINED_CALLS_H
#define FATHOM_SYMBOLS_INLINED_CALLS_H

#include <stddef.h>
#include <stdint.h>

#include "symbols/source_functions.h"

enum { FATHOM_NO_CALL = -1 };	/* the function itself, as opposed to an inlined one */

struct fathom_inlined_call {
	const char *name;		/* of the inlined function, as people write it; never freed */
	const char *source;		/* file of the inlined function; NULL: not known */
	uint32_t begin_line;		/* of the inlined function; 0: not known */
	uint32_t end_line;		/* the last of its lines that has code here */
	const char *call_source;	/* file of the call; NULL: not known */
	uint32_t call_line;		/* 0: not known */
	int32_t parent;			/* the call of the function that contains this one, or FATHOM_NO_CALL */
	uint64_t origin;		/* identifies the inlined function */
};

struct fathom_inlined_calls {
	struct fathom_inlined_call *list;	/* a parent comes before its children */
	uint32_t count, room;
	uint32_t end_line;			/* the last line of the function itself; 0: not known */
	struct fathom_inlined_code {
		uint64_t begin;			/* up to the begin of the next one */
		int32_t call;
	} *code;				/* by begin */
	size_t code_count;
};

/* Reads the calls of a function. 0, or -ENOMEM; then nothing is kept. Context: finish. */
int fathom_inlined_calls_init(struct fathom_inlined_calls *calls, const struct fathom_source_function *function);

/* Returns the innermost call that the code at an address belongs to, or FATHOM_NO_CALL. Context: finish. */
int32_t fathom_inlined_call_at(const struct fathom_inlined_calls *calls, uint64_t address);

/* Returns the innermost call that contains both calls, or FATHOM_NO_CALL. Context: finish. */
int32_t fathom_inlined_calls_common(const struct fathom_inlined_calls *calls, int32_t a, int32_t b);

/* Frees it, but not the texts. Context: finish. */
void fathom_inlined_calls_fini(struct fathom_inlined_calls *calls);

#endif
