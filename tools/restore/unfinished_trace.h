/*
 * unfinished_trace: the part of a trace that a process had written when it was killed in the middle of that: the
 * directory traces, with some of the files of events, beside an anchor that has not its name yet. The files of events
 * are needed for the trace that is made of the run snapshot, and their place as well.
 */
#ifndef FATHOM_TOOLS_RESTORE_UNFINISHED_TRACE_H
#define FATHOM_TOOLS_RESTORE_UNFINISHED_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns whether there is a trace in directory that the process had finished. Context: tool. */
bool unfinished_trace_is_whole(const char *directory);

/*
 * Gives the directory traces in directory, if there is one, another name, and removes the other parts of an unfinished
 * trace there. If there is a directory with that name, an earlier fathom-restore was killed, and traces is what it had
 * written: then traces is removed. 0, or -errno after a message. Context: tool.
 */
int unfinished_trace_set_aside(const char *directory);

/* Writes to path where the file of events with that number of a rank is: in directory or in its directory rank-N. An
 * empty text: there is none. Context: tool. */
void unfinished_trace_find(char *path, size_t bytes, const char *directory, uint32_t rank, uint32_t id);

/* Removes what unfinished_trace_set_aside has set aside in directory. Context: tool. */
void unfinished_trace_remove(const char *directory);

#endif
