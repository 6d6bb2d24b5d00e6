/*
 * message_arrivals: messages on their way, of which the earliest to arrive is taken first; of equal times, the one that
 * was added first. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_IMPORT_MESSAGE_ARRIVALS_H
#define FATHOM_TOOLS_IMPORT_MESSAGE_ARRIVALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fathom_message_arrival {
	uint64_t time;
	uint64_t order;			/* set when it is added */
	uint32_t thread, sender;	/* indices of threads */
	uint64_t bytes, tag;
};

struct fathom_message_arrivals {	/* all zero: empty and ready */
	struct fathom_message_arrival *heap;
	size_t count, room;
	uint64_t orders;
};

void fathom_message_arrivals_add(struct fathom_message_arrivals *arrivals,
				 const struct fathom_message_arrival *arrival);

/* Takes the earliest message if it arrives at time or before. Returns whether there is one. */
bool fathom_message_arrivals_take(struct fathom_message_arrivals *arrivals, uint64_t time,
				  struct fathom_message_arrival *earliest);

void fathom_message_arrivals_fini(struct fathom_message_arrivals *arrivals);

#endif
