/*
 * trace_compress: writes the call graphs of a trace to a file, and makes a trace of such a file again. Context of all
 * functions: tool.
 */
#ifndef FATHOM_TOOLS_TRACE_TRACE_COMPRESS_H
#define FATHOM_TOOLS_TRACE_TRACE_COMPRESS_H

#include "callgraphs/call_graph.h"

struct fathom_trace_compress {
	const char *source;		/* anchor file of the trace, or the file of call graphs to expand */
	const char *output;		/* the new file, or the directory of the new trace; must not exist */
	struct fathom_graph_bounds bounds;	/* when compressing: ticks and share; most becomes a result */
	/* Results. */
	uint64_t events, trace_bytes, file_bytes;
	uint64_t calls, nodes;		/* calls in the trace, and different ones; only when compressing */
	uint64_t left_out;		/* records of unknown kinds */
};

/* Do the work. 0, or -errno after an error message; then nothing is left behind. */
int fathom_trace_compress_run(struct fathom_trace_compress *compress);
int fathom_trace_expand_run(struct fathom_trace_compress *compress);

#endif
