/*
 * killed_events: the events of a location of a killed process, from its file and from the copy of its memory.
 *
 * The file has whole chunks, and perhaps a part of one that was just being written; the copy has chunks that came
 * later. Chunks are put together by the numbers of their records. Events are taken up to the first one that refers to
 * anything that was defined after the copy was made. What is active then ends at the time of the last event.
 */
#ifndef FATHOM_TOOLS_RESTORE_KILLED_EVENTS_H
#define FATHOM_TOOLS_RESTORE_KILLED_EVENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "copy.h"
#include "record_reader.h"
#include "trace/archive.h"

struct killed_events;

/*
 * Reads the events of old, a location's trace in the copy, whose file is path, into trace, which is new and is in the
 * archive. strict_metrics: so many metrics, the first ones, are counters that are read before each enter and leave.
 * *err: 0, or -errno if they could not be written.
 */
struct killed_events *killed_events_read(struct fathom_trace *trace, const struct fathom_trace *old, const char *path,
					 const struct copy *copy, const struct event_limits *limits,
					 uint32_t strict_metrics, int *err);

/* Something that the file or the copy must have had is missing or damaged. */
bool killed_events_are_damaged(const struct killed_events *events);

/* Ends what is active in all locations of a process, count of them, and closes their files. 0 or -errno. Frees. */
int killed_events_close(struct killed_events **list, size_t count);

#endif
