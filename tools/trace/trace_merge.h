/*
 * trace_merge: makes one trace of several traces of one run: those of ranks that ended early, or parts of a trace.
 * Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_TRACE_TRACE_MERGE_H
#define FATHOM_TOOLS_TRACE_TRACE_MERGE_H

#include <stddef.h>
#include <stdint.h>

struct fathom_trace_merge {
	char **targets;			/* directories or anchor files; a directory may have traces in rank-N/ */
	size_t target_count;
	const char *directory;		/* of the new trace; must not exist */
	uint64_t events_written, traces, absent_processes;	/* results */
};

/* Makes the trace. 0, or -errno after an error message: the directory is removed then. */
int fathom_trace_merge_run(struct fathom_trace_merge *merge);

#endif
