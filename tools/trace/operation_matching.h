/*
 * operation_matching: pairs the sends and receives of a trace, and brings together the parts that the members of a
 * communicator or window take in a collective operation, while the events are read in the order of time.
 *
 * Messages of one communicator, sender, receiver and tag are paired in the order in which sends and receives are
 * posted. The n-th collective operation that a member begins on a communicator is the n-th of all members. Memory
 * holds only operations that are incomplete. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_TRACE_OPERATION_MATCHING_H
#define FATHOM_TOOLS_TRACE_OPERATION_MATCHING_H

#include "otf2/selection.h"

/* The part of one location in an operation. first is the event that posts it: a send, a request, the begin of a
 * collective operation; last is the event that ends it. Both are the same for a send and a blocking receive. */
struct fathom_operation_part {
	uint32_t location, process;	/* of the first event */
	uint32_t last_location;	/* of the last event: another thread of the process may complete a request */
	uint64_t first_number, first_time;	/* numbers of events count from 0 in each location */
	uint64_t last_number, last_time;
	uint32_t op;		/* collective operation */
	bool has_sides;		/* it is on a window or an inter-communicator */
	bool has_sent, has_received;	/* at least a byte */
	int64_t member;		/* position in the communicator; -1: unknown */
	int64_t root;		/* index of the process that is the root; -1: none */
	bool is_ended;
};

struct fathom_operation_user {		/* the functions that get the operations; each may be NULL */
	void *data;
	void (*message)(void *data, const struct fathom_operation_part *send,
			const struct fathom_operation_part *receive);
	/* All members of a communicator that are kept took part; is_complete is false at the end of the trace. */
	void (*collective)(void *data, const struct fathom_operation_part *parts, uint32_t count, bool is_complete);
	/* An operation without partner: one that is left out since its partner or root is, or one at the end. */
	void (*lone)(void *data, const struct fathom_operation_part *part, bool is_left_out);
};

struct fathom_operation_matching;

struct fathom_operation_matching *fathom_operation_matching_create(struct fathom_otf2_selection *selection,
								   const struct fathom_operation_user *user);

/* Takes the event with that number in its location. is_left_out: its partner or root is not in the selection. */
void fathom_operation_matching_take(struct fathom_operation_matching *matching, const struct fathom_otf2_event *event,
				    uint64_t number, bool is_left_out);

/* Reports what is incomplete, and frees the matching. */
void fathom_operation_matching_destroy(struct fathom_operation_matching *matching);

#endif
