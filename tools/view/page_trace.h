/*
 * page_trace: a picture of a trace as a time line, for a page.
 *
 * A row is a thread: of more than 64 threads, 64 that are spread evenly. A column is a part of the time: a cell shows
 * the call path on which the thread was for most of it. Finer pictures let the reader of the page zoom: of a trace with
 * few events, its events. All are drawn from the index of the trace, so memory does not grow with the trace.
 *
 * The member trace of the page's definitions is null if the experiment has no trace, else:
 *	begin, end	of the picture, in seconds from the begin of the trace
 *	length		of the whole trace, in seconds
 *	columns		number of cells in a row
 *	threads		number of threads in the trace
 *	rows		[name]
 *	regions		{name: [], paradigm: []}
 *	nodes		{region: [], parent: [number, or -1]}: the call paths of the pictures
 *	cells		[by row: [call path, or -1; number of neighbouring cells with it; ...]]
 *	ticks_a_second	of the clock of the trace
 *	marks		wait states and the critical path, see mark_json.h; null if they are not known
 *	details		messages, collective operations and curves, see detail_json.h; null if they are not known
 *	finer		[{columns, cells}]: the same time in more columns, the coarsest first
 */
#ifndef FATHOM_TOOLS_VIEW_PAGE_TRACE_H
#define FATHOM_TOOLS_VIEW_PAGE_TRACE_H

#include <jansson.h>

/* Returns the member for the experiment of the profile with that path. last_seconds: only the newest part of the trace
 * is drawn; 0: all of it. NULL after an error message. Context: tool. */
json_t *fathom_page_trace(const char *profile, double last_seconds);

#endif
