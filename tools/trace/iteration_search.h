/*
 * iteration_search: finds where a program iterates, how long an iteration is, and a few typical iterations.
 *
 * The signal that is searched is the number of threads that compute, over the time of the trace. Context of all
 * functions: tool.
 */
#ifndef FATHOM_TOOLS_TRACE_ITERATION_SEARCH_H
#define FATHOM_TOOLS_TRACE_ITERATION_SEARCH_H

#include "otf2/archive_reader.h"
#include "tools/trace/copy_plan.h"

enum { FATHOM_ITERATION_LEVELS = 3 };

struct fathom_iteration_level {		/* a periodic region; that of the next level is within the typical periods */
	uint64_t begin, end;		/* ticks */
	double period;			/* ticks */
	double correlation, likeness;	/* as in struct fathom_periodic_region */
	size_t count, typical;
};

struct fathom_iterations {
	struct fathom_iteration_level levels[FATHOM_ITERATION_LEVELS];
	uint32_t level_count;		/* 0: no part of the trace is periodic */
	struct fathom_time_window window;	/* of the typical iterations: it begins with a burst of each process,
						 * and ends with the same burst some iterations later */
	bool is_aligned;		/* false: no bursts mark the window; it is one of time only */
};

/* Searches the trace, whose definitions are read, for iterations, and for `wanted` consecutive typical ones. 0, or
 * -errno after an error message. */
int fathom_iteration_search(struct fathom_iterations *iterations, const struct fathom_otf2_archive *trace,
			    size_t wanted);

/* Sets the window to that of `--cut iterations:N`. 0, or -errno after an error message. */
int fathom_iteration_window_find(struct fathom_time_window *window, const char *cut,
				 const struct fathom_otf2_archive *trace);

/* Prints the iterations of a trace as text or JSON. 0, or -errno after an error message. */
int fathom_iterations_print(const struct fathom_otf2_archive *trace, bool json);

#endif
