/*
 * posting_order: the order in which messages and collective operations match.
 *
 * MPI matches the messages of a *channel* (communicator, sender, receiver, tag) in the order in which they were begun,
 * and the collective operations of a communicator as well. A log tells the channel only when an operation is complete,
 * which may be in another order. First passes over the logs find the channels in which this is so, and sort their
 * operations by the times at which they were begun. In all other channels, the order of completion is right.
 */
#ifndef FATHOM_WAITS_POSTING_ORDER_H
#define FATHOM_WAITS_POSTING_ORDER_H

#include "waits/search_state.h"

/* What a channel is for; part of its key. */
enum fathom_waits_channel_kind {
	FATHOM_WAITS_CHANNEL_MESSAGES = 16,
	FATHOM_WAITS_CHANNEL_NEIGHBORS,
	FATHOM_WAITS_CHANNEL_COLLECTIVES,
	FATHOM_WAITS_CHANNEL_POST,	/* from MPI_Win_post to MPI_Win_start */
	FATHOM_WAITS_CHANNEL_COMPLETE,	/* from MPI_Win_complete to MPI_Win_wait */
};

struct fathom_waits_channel {
	uint64_t last_begun;		/* the begin, in ticks, of the operation that was completed last */
	uint64_t received;		/* number of operations that were given a place */
	uint64_t sent;			/* number of messages that arrived */
	uint64_t *begun;		/* of an unordered channel: the begins of all operations, sorted */
	uint8_t *is_taken;
	uint64_t begun_count, begun_room;
	uint32_t first_send, last_send;	/* messages without a receive: index in the pool, + 1 */
	uint32_t first_receive, last_receive;	/* receives without a message */
	bool is_unordered;
};

struct fathom_waits_channels {
	struct fathom_waits_key_table table;		/* index in channels */
	struct fathom_waits_channel *channels;
	uint32_t count, room;
	struct fathom_waits_key_table cancelled;	/* operations whose sends were cancelled: how many */
};

/* Returns the key of a channel. Any context. */
static inline uint64_t fathom_waits_channel_key(enum fathom_waits_channel_kind kind, uint64_t identity, uint32_t from,
						uint32_t to, int32_t tag)
{
	return fathom_waits_key(fathom_waits_key(kind, identity),
				((uint64_t)from << 32 | to) * UINT64_C(0x9e3779b97f4a7c15) ^ (uint32_t)tag);
}

/* Returns the channel with a key, made if it is new; valid until the next call. NULL: no memory. Context: finish. */
struct fathom_waits_channel *fathom_waits_channel_at(struct fathom_waits_channels *channels, uint64_t key);

/* Makes the first passes over the logs of all hosted processes. 0 or -errno. Context: finish. */
int fathom_waits_channels_order(struct fathom_waits_channels *channels, struct fathom_waits_state *state);

/* Returns the place of the next operation that is complete in a channel, and was begun at begun ticks. Context:
 * finish. */
uint64_t fathom_waits_channel_place(struct fathom_waits_channel *channel, uint64_t begun);

/* Frees the memory. Context: finish. */
void fathom_waits_channels_fini(struct fathom_waits_channels *channels);

/* Sets the channel of a part that completes something, as the receiver of it; returns its key. 0: the part completes
 * nothing that is matched. Context: finish. */
uint64_t fathom_waits_receive_key(const struct fathom_waits_process *process, const struct fathom_waits_part *part);

/*
 * Visits the operations of a process in the order of their begins: one location after the other, as far as the member
 * next of the locations and the operations of the other locations allow. Returns 0 after most records, or at the end of
 * all logs, or the error of a visit. Context: finish.
 */
typedef int fathom_waits_visit(void *context, struct fathom_waits_location_state *location, uint32_t record);
int fathom_waits_visit_process(struct fathom_waits_state *state, struct fathom_waits_process_state *process,
			       uint64_t most, fathom_waits_visit *visit, void *context);

#endif
