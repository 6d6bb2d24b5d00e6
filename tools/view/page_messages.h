/*
 * page_messages: the messages between ranks, for a page (tools/common/messages/message_pairs.h).
 *
 * The member messages of the page's definitions is null if the experiment has no messages, else:
 *	ranks		number of ranks
 *	group		number of neighbouring ranks in a row of the matrix: 1 up to 64 ranks
 *	waiting		boolean: the seconds of waiting are known
 *	cells		[[row of senders, column of receivers, messages, bytes, seconds that the senders waited, seconds
 *			that the receivers waited]]
 *	pairs		[[from, to, messages, bytes, seconds, seconds]]: those with most bytes, 100 at most
 *	pair_count	how many pairs there are
 *	others, unknown	[messages, bytes] that were sent to ranks that are not listed, and outside of MPI_COMM_WORLD
 *	partial		number of pairs of which some messages may be in others
 */
#ifndef FATHOM_TOOLS_VIEW_PAGE_MESSAGES_H
#define FATHOM_TOOLS_VIEW_PAGE_MESSAGES_H

#include <jansson.h>

/* Returns the member for the profile with that path. NULL after an error message: the file cannot be read. Context:
 * tool. */
json_t *fathom_page_messages(const char *path);

#endif
