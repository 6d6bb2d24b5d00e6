/*
 * collectives: checks of collective operations on communicators, and of the creation and end of communicators.
 *
 * All members of a communicator begin its collective operations in the same order, but a trace names the communicator
 * only at the end of an operation. Each process therefore has a queue of operations in the order of their beginnings; a
 * complete operation at the head of the queue takes part in the next meeting of its communicator (meetings.h).
 */
#ifndef FATHOM_TOOLS_CHECK_COLLECTIVES_H
#define FATHOM_TOOLS_CHECK_COLLECTIVES_H

struct fathom_check;
struct fathom_otf2_event;
struct fathom_otf2_comm;

/* Prepares the data of this part. */
void fathom_check_collectives_init(struct fathom_check *check);

/* Checks an event of this part. Its definitions exist. */
void fathom_check_collectives_event(struct fathom_check *check, const struct fathom_otf2_event *event);

/* Reports operations that are still open at the end of the trace, and frees the data of this part. */
void fathom_check_collectives_finish(struct fathom_check *check);

/* Notes that the request of a collective operation was cancelled, so that the operation never takes place. post is the
 * pointer of its request. */
void fathom_check_collective_cancelled(void *post);

/* Checks that a communicator that a process uses at an event has been created and not been destroyed. */
void fathom_check_comm_used(struct fathom_check *check, const struct fathom_otf2_event *event,
			    const struct fathom_otf2_comm *comm);

#endif
