/*
 * message_pairs: the messages of a run by sender and receiver, put together from the records of both.
 *
 * The sender's numbers count: it knows the messages that were not received. Where the sender has no record of the pair,
 * because its process was killed or had too many partners, those of the receiver count.
 */
#ifndef FATHOM_TOOLS_COMMON_MESSAGE_PAIRS_H
#define FATHOM_TOOLS_COMMON_MESSAGE_PAIRS_H

#include "tools/common/messages/message_records.h"

struct fathom_message_pair {
	uint32_t from, to;
	uint64_t messages, bytes;
	double sender_waited, receiver_waited;	/* seconds that one rank waited for the other with such messages */
};

struct fathom_message_pairs {
	struct fathom_message_pair *list;	/* those with messages, most bytes first, then most messages */
	size_t count;
	size_t partial;			/* number of pairs of which some messages may be in others */
	uint64_t others_messages, others_bytes;	/* that were sent, and whose pairs are not listed */
	uint64_t unknown_messages, unknown_bytes;	/* that were sent to processes outside of MPI_COMM_WORLD */
	bool has_waiting;
};

/* Fills in the pairs of all ranks, or of one; rank -1: all. Context: tool. */
void fathom_message_pairs_init(struct fathom_message_pairs *pairs, const struct fathom_message_records *file,
			       int64_t rank);
void fathom_message_pairs_fini(struct fathom_message_pairs *pairs);

#endif
