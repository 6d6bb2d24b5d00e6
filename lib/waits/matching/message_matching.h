/*
 * message_matching: pairs the sends and receives of the program, and finds the times that senders and receivers need
 * of each other.
 *
 * A host sends the enter of each send to the host of the receiver. Both count the messages of each channel, so the
 * n-th message meets the n-th receive (posting_order.h). If the receive began later than the send, its time goes back
 * to the sender's host: only then can the receiver be late. Neighbourhood operations and the calls that begin and end
 * epochs of one-sided communication are matched in the same way.
 */
#ifndef FATHOM_WAITS_MESSAGE_MATCHING_H
#define FATHOM_WAITS_MESSAGE_MATCHING_H

#include "waits/matching/epoch_matching.h"
#include "waits/matching/posting_order.h"

struct fathom_waits_messages;

/* Creates the state of matching; channels and epochs belong to the caller. NULL: no memory. Context: finish. */
struct fathom_waits_messages *fathom_waits_messages_create(struct fathom_waits_state *state,
							   struct fathom_waits_channels *channels,
							   struct fathom_waits_epochs *epochs);

/* Counts what has no partner, and frees the state. Context: finish. */
void fathom_waits_messages_destroy(struct fathom_waits_messages *messages);

/* Takes a part of an operation that sends or receives; other parts are ignored. 0 or -errno. Context: finish. */
int fathom_waits_messages_visit(struct fathom_waits_messages *messages, struct fathom_waits_location_state *location,
				uint32_t record, const struct fathom_waits_part *part);

/* Take messages between hosts of the type FATHOM_WAITS_MAIL_SEND and FATHOM_WAITS_MAIL_REQUEST. 0 or -errno. Context:
 * finish. */
int fathom_waits_messages_take_send(struct fathom_waits_messages *messages, const void *data, size_t bytes);
int fathom_waits_messages_take_request(struct fathom_waits_messages *messages, const void *data, size_t bytes);

#endif
