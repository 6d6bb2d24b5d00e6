/*
 * fibers: millions of ranks in one process and one thread, behind the table of comm/comm.h.
 *
 * Each rank is a fiber. All run on one stack: of a rank that waits, what it has on the stack is kept in as many
 * bytes as it is, a few hundred. (Under sanitizers each has a stack of its own.) A send never waits. Where all
 * wait for each other the run ends, and says so.
 */
#ifndef FATHOM_TEST_FIBERS_H
#define FATHOM_TEST_FIBERS_H

#include <stdint.h>

#include "comm/comm.h"

/* What a rank does. */
typedef void fiber_rank(struct fathom_comm *comm, void *context);

struct fiber_statistics {
	uint64_t messages;	/* with those that a split would take: two for each process */
	uint64_t bytes;
	uint64_t rounds;	/* messages on the longest way that one waited for another */
	uint64_t stack_bytes;	/* the most that a waiting rank had on its stack */
	uint64_t stuck;		/* ranks that waited for ever */
	uint64_t mismatches;	/* messages of another size than expected, and ranks that there are not */
	uint64_t left;		/* messages that nobody received */
};

/* The split that fails for want of memory, at all of its members: counted from 1; 0: none. */
extern long fibers_failing_split;

/* Run function on all ranks of a new world until all are done. */
struct fiber_statistics fibers_run(int size, fiber_rank *function, void *context);

#endif
