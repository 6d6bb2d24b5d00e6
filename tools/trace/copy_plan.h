/*
 * copy_plan: finds out which operations a copy of a part of a trace cannot have whole.
 *
 * A message is left out if only one of its ends is in the copy, a collective operation if it is not inside the window
 * of time at all members. The plan is made before the copy, in one reading of the trace up to the end of the window. It
 * marks the first event of each operation that is left out: a send, a request, the begin of a collective operation, the
 * creation of a task or thread that does not begin any more. Marks take one bit for each event, and memory only around
 * marked events. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_TRACE_COPY_PLAN_H
#define FATHOM_TOOLS_TRACE_COPY_PLAN_H

#include "otf2/archive_reader.h"
#include "otf2/selection.h"

struct fathom_time_window {	/* the part of the time that is copied; both ends belong to it */
	uint64_t from, to;
	bool is_cut;		/* false: all of the trace */
};

struct fathom_copy_marks {	/* of a location */
	uint64_t **pages;	/* of PAGE_BITS bits, NULL: no event in it is marked */
	size_t count;
};

struct fathom_copy_plan {
	struct fathom_copy_marks *locations;
	size_t location_count;
	uint64_t left_out;	/* operations that are partly in the window and are left out */
};

/* Reads the trace, whose definitions are read, and makes the plan. 0, or -errno after an error message. */
int fathom_copy_plan_make(struct fathom_copy_plan *plan, struct fathom_otf2_archive *trace,
			  struct fathom_otf2_selection *selection, const struct fathom_time_window *window);
void fathom_copy_plan_fini(struct fathom_copy_plan *plan);

/* Returns whether the event with that number (from 0) of a location is marked. */
bool fathom_copy_plan_has(const struct fathom_copy_plan *plan, uint32_t location, uint64_t number);

#endif
