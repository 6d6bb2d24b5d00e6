/*
 * trace_options: the command line of fathom trace.
 */
#ifndef FATHOM_TOOLS_TRACE_TRACE_OPTIONS_H
#define FATHOM_TOOLS_TRACE_TRACE_OPTIONS_H

#include <stdbool.h>

#include "otf2/archive_reader.h"
#include "tools/trace/copy_plan.h"

struct fathom_trace_options {
	const char *target;		/* NULL: the newest trace. Of a directory with call graphs only: their file */
	char **targets;			/* all of them, for --merge */
	size_t target_count;
	bool is_graphs;			/* target is a file of call graphs, or a directory that has no other trace */
	bool info, sort_check, iterations, correct_clocks, merge, index, compress, expand, json;
	uint64_t deviation_ticks;	/* 0: none */
	double deviation_share;		/* 0: none */
	const char *cut, *ranks, *filter, *output;	/* NULL: not given */
	double host_latency_ns, node_latency_ns;	/* least time of a message within a host and between hosts */
};

/* Reads the command line. Ends the program for a wrong one. Context: tool. */
void fathom_trace_options_parse(struct fathom_trace_options *options, int argc, char **argv);

/* Returns the window of the option --cut in ticks of the trace, whose definitions are read but not its events;
 * *window is all of the trace if the option is NULL. 0, or -errno after an error message. Context: tool. */
int fathom_trace_options_window(struct fathom_time_window *window, const char *cut, struct fathom_otf2_archive *trace);

#endif
