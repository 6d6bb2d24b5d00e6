/*
 * message_times: whether messages seem to arrive before they were sent, once the times of all clocks are corrected.
 *
 * While the program runs, a location keeps times of some of its messages: of those of one communicator, sender,
 * receiver and tag the first ones, and when these become many each second, fourth, ... of all. Sender and receiver
 * count alike, so they keep the same ones without a word. After the run the times of sends go to the receivers, which
 * compare: each process talks to one other in each of log2 of all rounds, whatever the messages were.
 *
 * The n-th receive to complete is compared with the n-th send. Receives may complete in another order than messages
 * were sent, but n of them cannot be complete before n messages were sent: clocks that are right show no violation.
 */
#ifndef FATHOM_TRACE_MESSAGE_TIMES_H
#define FATHOM_TRACE_MESSAGE_TIMES_H

#include <stdbool.h>
#include <stdint.h>

#include "comm/comm.h"
#include "platform/arena.h"

struct fathom_arrivals;

/* Messages of one kind, as one process sees them. */
struct fathom_arrivals_key {
	uint32_t comm;
	int32_t peer;
	int32_t tag;
	uint32_t is_send;
};

/* A message was sent, or received, at ticks. *arrivals is NULL at first; what it becomes lives in arena. Where there is
 * no memory, or too many kinds, it is not looked at. Context: hook, birth where the kind is new. */
void fathom_arrivals_note(struct fathom_arrivals **arrivals, struct fathom_arena *arena,
			  const struct fathom_arrivals_key *key, uint64_t ticks);

/* What a key means to all: a name that its sends and receives have in common, and the peer's rank. False: that is not
 * known. */
typedef bool fathom_arrivals_meaning(void *context, const struct fathom_arrivals_key *key, uint64_t *name,
				     uint32_t *peer);

/* A time by the clock of rank 0. */
typedef uint64_t fathom_arrivals_correct(void *context, uint64_t ticks);

struct fathom_arrivals_source {
	const struct fathom_arrivals **all;	/* of the locations of this process */
	uint32_t count;
	fathom_arrivals_meaning *meaning;
	fathom_arrivals_correct *correct;
	void *context;
};

struct fathom_arrivals_result {
	uint64_t checked;		/* messages */
	uint64_t early;			/* of them, received before they were sent */
	uint64_t most_ticks;		/* by so much at most */
};

/* All processes of comm; the result is that of all at rank 0. 0 or -errno: comm is broken. Context: finish. */
int fathom_arrivals_check(struct fathom_comm *comm, const struct fathom_arrivals_source *source,
			  struct fathom_arrivals_result *result);

#endif
