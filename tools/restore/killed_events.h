/*
 * killed_events: the events of a location of a killed process, from its file and from the copy of its memory.
 *
 * The file has complete chunks, and perhaps a part of the chunk that the process was writing; the copy has later
 * chunks. Chunks are joined by the numbers of their records. Events are taken up to the first one that refers to a
 * definition made after the copy. Regions that are still active then end at the time of the last event.
 */
#ifndef FATHOM_TOOLS_RESTORE_KILLED_EVENTS_H
#define FATHOM_TOOLS_RESTORE_KILLED_EVENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "copy.h"
#include "record_reader.h"
#include "trace/archive.h"

struct killed_events;

/* Reads the events of a location into trace, which is new and in the archive. old is the location's trace in the copy,
 * path its file. strict_metrics: the number of counters that are read before each enter and leave; they are the first
 * metrics. *err: 0, or -errno if the events could not be written. */
struct killed_events *killed_events_read(struct fathom_trace *trace, const struct fathom_trace *old, const char *path,
					 const struct copy *copy, const struct event_limits *limits,
					 uint32_t strict_metrics, int *err);

/* Returns whether a part that the file or the copy must have is missing or damaged. */
bool killed_events_are_damaged(const struct killed_events *events);

/* Ends the active regions in all locations of a process, count of them, closes their files and frees the list. 0 or
 * -errno. */
int killed_events_close(struct killed_events **list, size_t count);

#endif
