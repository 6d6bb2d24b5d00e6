/*
 * message_records: the messages between the ranks of a run, which are in its file messages.txt
 * (doc/reference/files.md).
 */
#ifndef FATHOM_TOOLS_COMMON_MESSAGE_RECORDS_H
#define FATHOM_TOOLS_COMMON_MESSAGE_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/common/companion_file.h"

enum fathom_message_side { FATHOM_MESSAGES_SENT, FATHOM_MESSAGES_RECEIVED, FATHOM_MESSAGE_SIDES };

/* Values of the member partner. */
enum {
	FATHOM_MESSAGES_OTHERS = -1,	/* the ranks that have no record of their own */
	FATHOM_MESSAGES_UNKNOWN = -2,	/* processes outside of MPI_COMM_WORLD */
};

/* What one rank exchanged with a partner, as this rank counted it. */
struct fathom_message_record {
	uint32_t rank;
	int32_t partner;	/* rank, or a value from above */
	uint64_t messages[FATHOM_MESSAGE_SIDES];
	uint64_t bytes[FATHOM_MESSAGE_SIDES];
	/* Seconds that the rank waited for the partner, as the sender and as the receiver of messages. */
	double waited[FATHOM_MESSAGE_SIDES];
	uint64_t missed;	/* at most so many messages and bytes more are in the record of the others */
};

struct fathom_message_records {
	struct fathom_companion_file text;
	struct fathom_message_record *records;	/* in the order of the file */
	size_t count, room;
	uint32_t ranks;			/* number of ranks of the run; all ranks in records are smaller */
	bool has_waiting;		/* the members waited are known */
};

/* Reads the file next to a profile, result. 0; -ENOENT: there is none; other -errno: text.problem says what is wrong.
 * Context: tool, like all functions here. */
int fathom_message_records_try(struct fathom_message_records *file, const char *result);

/* Adds up the records of each rank, with all partners. sums has an element for each rank; its member partner has no
 * meaning. */
void fathom_message_records_sum(const struct fathom_message_records *file, struct fathom_message_record *sums);

void fathom_message_records_fini(struct fathom_message_records *file);

#endif
