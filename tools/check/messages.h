/*
 * messages: checks of messages and their requests.
 *
 * MPI delivers messages of one sender, receiver, communicator and tag in the order in which sends and receives were
 * posted. Only the completion of an operation contains the source of a receive, and shows that a send was not
 * cancelled. Each process therefore has a queue of its sends and one of its receives, in the order of posting. Complete
 * operations at the head of a queue are moved to their channel, where the n-th send meets the n-th receive. A request
 * that stays open for long delays the operations behind it; beyond a limit it is taken out of the queue, and lengths
 * and times of its message are not compared.
 */
#ifndef FATHOM_TOOLS_CHECK_MESSAGES_H
#define FATHOM_TOOLS_CHECK_MESSAGES_H

#include <stdbool.h>
#include <stdint.h>

struct fathom_check;
struct fathom_otf2_event;

/* Prepares the data of this part. */
void fathom_check_messages_init(struct fathom_check *check);

/* Checks an event of this part. Its definitions exist. */
void fathom_check_messages_event(struct fathom_check *check, const struct fathom_otf2_event *event);

/* Reports operations that are still open at the end of the trace, and frees the data of this part. */
void fathom_check_messages_finish(struct fathom_check *check);

#endif
