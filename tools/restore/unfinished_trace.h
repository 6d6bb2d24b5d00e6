/*
 * unfinished_trace: the incomplete trace of a process that was killed while it wrote the trace.
 *
 * It consists of the directory traces, which has some of the files of events, and of an anchor that does not have its
 * final name yet. The files of events are needed for the trace that is made of the run snapshot, which needs the name
 * traces, too.
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

/* Writes to path the name of the file of events with that number of a rank, which is in directory or in its directory
 * rank-N. An empty text: there is none. Context: tool. */
void unfinished_trace_find(char *path, size_t bytes, const char *directory, uint32_t rank, uint32_t id);

/* Removes the directory that unfinished_trace_set_aside has renamed in directory. Context: tool. */
void unfinished_trace_remove(const char *directory);

#endif
