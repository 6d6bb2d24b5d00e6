/*
 * message_merge: puts the messages of several ranks together (rank-N.messages.txt, see doc/reference/files.md).
 */
#ifndef FATHOM_TOOLS_MERGE_MESSAGE_MERGE_H
#define FATHOM_TOOLS_MERGE_MESSAGE_MERGE_H

#include <stddef.h>

/*
 * Puts the files of messages next to the profiles of ranks, those that there are, one behind the other, and writes
 * messages.txt next to merged, the merged profile; an existing file is not replaced. Files that cannot be read get a
 * message and are left out. 0, or -errno after an error message. Context: tool.
 */
int fathom_messages_merge(const char *const *profiles, size_t count, const char *merged);

#endif
