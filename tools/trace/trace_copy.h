/*
 * trace_copy: writes a new trace with a part of the events of another: a window of time, some processes, no regions
 * that a filter excludes, other times. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_TRACE_TRACE_COPY_H
#define FATHOM_TOOLS_TRACE_TRACE_COPY_H

#include "otf2/archive_reader.h"
#include "tools/trace/copy_plan.h"

struct fathom_trace_copy {
	const char *source;		/* anchor file */
	const char *directory;		/* of the copy; must not exist */
	struct fathom_time_window window;
	const bool *processes;		/* by index: kept; NULL: all */
	const char *filter;		/* file of rules; NULL: none */
	const char *note_name, *note;	/* a property that says how the copy was made; NULL: none */
	/* Returns the time of the event with that number (from 0) of a location in the copy; NULL: its own time. */
	uint64_t (*time_of)(void *data, uint32_t location, uint64_t number, uint64_t time);
	void *time_data;
	uint64_t events_read, events_written, left_out;	/* results; left_out: operations */
};

/* Makes the copy. 0, or -errno after an error message: the directory is removed then. */
int fathom_trace_copy_run(struct fathom_trace_copy *copy);

#endif
