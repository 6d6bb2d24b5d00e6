/*
 * answers: what fathom serve says of a trace, as JSON documents. All are drawn from the index of the trace, so the work
 * does not depend on the length of the trace, except for a search, which reads the events of its window.
 * Context of all functions: tool, one thread.
 */
#ifndef FATHOM_TOOLS_SERVE_ANSWERS_H
#define FATHOM_TOOLS_SERVE_ANSWERS_H

#include <jansson.h>

#include "tools/common/trace/trace_details.h"
#include "tools/common/trace/trace_frames.h"
#include "tools/common/trace/wait_intervals.h"
#include "tools/serve/workers.h"

struct fathom_served_trace {
	struct fathom_trace_frames frames;
	struct fathom_wait_intervals waits;
	struct fathom_trace_details details;
	struct fathom_trace_picture rows;	/* without cells */
	struct fathom_comm *comm;	/* of the processes that answer; the first one alone has waits and details */
};

/* Opens the trace with that anchor file. 0, or -errno after an error message. */
int fathom_served_trace_open(struct fathom_served_trace *trace, const char *anchor, struct fathom_comm *comm);
void fathom_served_trace_close(struct fathom_served_trace *trace);

/* Each function returns a document, which the caller frees, or NULL with the reason in *error, a text that needs not
 * be freed. Times are in seconds from the begin of the trace; nodes are numbers of call paths, -1: no region.
 *	trace		{name, begin, end, length, ticks, ticks_a_second, columns, threads, rows: [name],
 *			regions: {name, paradigm}, nodes: {region, parent}, cells: [[node, number of cells, ...]],
 *			marks, details}
 *	window		{begin, end, cells, marks, details}: the same rows and number of cells for a part of the time
 *	summary		{events, messages, bytes, collectives, regions: [{name, seconds}]}: of all threads, own
 *			times
 *	search		{visits: [{row, region: number, begin, end}]}: the 100 longest visits, in the part of the
 *			time, of regions whose name has a text
 *	messages	{count, messages: [{from, to: rows, send, receive, bytes}]}: the first 1000 messages that were
 *			sent in the part of the time, and their number
 *	matrix		{pairs: [{from, to: rows, messages, bytes}]}: their sums by sender and receiver */
json_t *fathom_answer_trace(struct fathom_served_trace *trace, const char **error);
json_t *fathom_answer_window(struct fathom_served_trace *trace, double from, double to, const char **error);
json_t *fathom_answer_summary(struct fathom_served_trace *trace, double from, double to, const char **error);
json_t *fathom_answer_search(struct fathom_served_trace *trace, double from, double to, const char *text,
			     const char **error);
json_t *fathom_answer_messages(struct fathom_served_trace *trace, double from, double to, const char **error);
json_t *fathom_answer_matrix(struct fathom_served_trace *trace, double from, double to, const char **error);

#endif
