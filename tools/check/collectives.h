/*
 * collectives: checks of collective operations on communicators, and of the creation and end of communicators.
 *
 * All members of a communicator begin its collective operations in the same order, but a trace tells only at the end
 * of an operation which communicator it was on. Each process therefore has a queue in the order of beginnings; a
 * complete operation at the head of the queue takes part in the next meeting of its communicator (meetings.h).
 */
#ifndef FATHOM_TOOLS_CHECK_COLLECTIVES_H
#define FATHOM_TOOLS_CHECK_COLLECTIVES_H

struct fathom_check;
struct fathom_otf2_event;
struct fathom_otf2_comm;

/* Prepares what this part keeps. */
void fathom_check_collectives_init(struct fathom_check *check);

/* Looks at an event of this part, whose definitions exist. */
void fathom_check_collectives_event(struct fathom_check *check, const struct fathom_otf2_event *event);

/* Reports what is still open at the end of the trace, and frees what this part kept. */
void fathom_check_collectives_finish(struct fathom_check *check);

/* The request of a collective operation was cancelled: the operation never takes place. post is its request's. */
void fathom_check_collective_cancelled(void *post);

/* A process uses a communicator at an event: the communicator must have been created, and not destroyed yet. */
void fathom_check_comm_used(struct fathom_check *check, const struct fathom_otf2_event *event,
			    const struct fathom_otf2_comm *comm);

#endif
