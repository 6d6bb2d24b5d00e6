/*
 * message_times: checks whether messages seem to arrive before they were sent, after the times of all clocks are
 * corrected.
 *
 * While the program runs, each location stores the times of some of its messages. A *kind* of messages has one
 * communicator, sender, receiver and tag. Of each kind the first messages are stored; when there are many, only every
 * second, fourth, ... of all. Sender and receiver count in the same way, so they store the same messages without
 * communication. After the run, the times of sends are sent to the receiving processes, which compare them. This
 * takes log2(processes) rounds, in each of which every process exchanges lists with one other process, independent of
 * the messages.
 *
 * The n-th receive that completes is compared with the n-th send. Receives may complete in another order than the
 * messages were sent in, but n receives cannot be complete before n messages were sent: clocks that are right never
 * show a violation.
 */
#ifndef FATHOM_TRACE_MESSAGE_TIMES_H
#define FATHOM_TRACE_MESSAGE_TIMES_H

#include <stdbool.h>
#include <stdint.h>

#include "comm/comm.h"
#include "platform/arena.h"

struct fathom_message_times;

/* A kind of messages, as one process sees it. */
struct fathom_message_kind {
	uint32_t comm;
	int32_t peer;
	int32_t tag;
	uint32_t is_send;
};

/* Counts a message that was sent or received at ticks, and stores its time if it is to be compared. *arrivals is NULL
 * at first; the object is made in arena, and only the calling thread uses it. Without memory, or with too many kinds,
 * the message is not compared. Context: hook; birth for the first message of a kind. */
void fathom_message_times_add(struct fathom_message_times **arrivals, struct fathom_arena *arena,
			      const struct fathom_message_kind *key, uint64_t ticks);

/* Finds the meaning of a kind for all processes: a name that is equal at sender and receiver, and the rank of the
 * peer in the world. False: it is not known, and the kind is not compared. */
typedef bool fathom_message_times_identify(void *context, const struct fathom_message_kind *key, uint64_t *name,
					   uint32_t *peer);

/* Converts a time of this process's clock to the clock of rank 0. */
typedef uint64_t fathom_message_times_correct(void *context, uint64_t ticks);

struct fathom_message_times_source {
	const struct fathom_message_times **all;	/* by location of this process; entries may be NULL */
	uint32_t count;
	fathom_message_times_identify *meaning;
	fathom_message_times_correct *correct;
	void *context;
};

struct fathom_message_times_result {
	uint64_t checked;		/* number of messages that were compared */
	uint64_t early;			/* number of these that were received before they were sent */
	uint64_t most_ticks;		/* the largest violation */
};

/* Called by all processes of comm; rank 0 gets the result of all processes in *result, other ranks the result of the
 * processes below them in the tree. 0 or -errno: comm is broken. Context: finish. */
int fathom_message_times_check(struct fathom_comm *comm, const struct fathom_message_times_source *source,
			       struct fathom_message_times_result *result);

#endif
