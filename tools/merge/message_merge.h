/*
 * message_merge: puts the messages of several ranks together (rank-N.messages.txt, see doc/reference/files.md).
 */
#ifndef FATHOM_TOOLS_MERGE_MESSAGE_MERGE_H
#define FATHOM_TOOLS_MERGE_MESSAGE_MERGE_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

/* The file that is being written; all zero at first. */
struct fathom_merged_messages {
	FILE *file;		/* NULL: no rank had messages yet */
	bool exists;		/* there was such a file before, which is not replaced */
	char path[PATH_MAX];
};

/*
 * Adds the messages of a rank, which are in a file next to its profile, to messages.txt next to merged, the merged
 * profile. A rank without the file adds nothing; a file that cannot be read gets a message and is left out. 0, or
 * -errno after an error message. Context: tool, like fathom_messages_end.
 */
int fathom_messages_merge(struct fathom_merged_messages *messages, const char *profile, const char *merged);

/* Completes the file, or removes it if err is not 0. Returns err, or -errno after an error message. */
int fathom_messages_end(struct fathom_merged_messages *messages, int err);

#endif
