/*
 * detail_json: the details of a time line (trace_details.h) in a part of the time, as JSON. Context of all functions:
 * tool.
 *
 * The object has the members
 *	begin, ticks	the part, in ticks from the begin of the trace
 *	messages	[row of the sender, row of the receiver, send, receive, bytes; ...], by the time of the send;
 *			null: there are too many, or they are not known
 *	collectives	[[row, begin, end; ...]]: operations with their members; null as above
 *	curves		[{name, unit, is_rate, rows: [[number or null] or null]}]: numbers of so many columns
 *	kinds		{columns: number of cells in a row, cells: [by row: [kind, number of neighbouring cells with
 *			it; ...]], names: [{kind, name, colour}]: those in cells, 60 at most}; null: the trace has no
 *			kinds of bursts, or they are not known. A cell has the kind with the most time in it; 0: none,
 *			negative: bursts of no kind
 * with times in ticks from the begin of the part; they may be negative.
 */
#ifndef FATHOM_TOOLS_COMMON_DETAIL_JSON_H
#define FATHOM_TOOLS_COMMON_DETAIL_JSON_H

#include <jansson.h>

#include "tools/common/trace/trace_details.h"

/* What an answer has at most. */
struct fathom_detail_limits {
	size_t messages, members;	/* members: of collective operations, in sum */
	uint32_t columns;		/* of each curve */
	uint32_t kind_columns;		/* of the kinds of bursts */
	size_t numbers;			/* of all curves: further ones are left out */
};

/* sums: a picture of the window, or of a longer time, whose lines say how many messages there were if there are too
 * many for single ones; NULL: not known. */
json_t *fathom_detail_json(const struct fathom_trace_details *details, const struct fathom_trace_picture *sums,
			   uint64_t from, uint64_t to, const struct fathom_detail_limits *limits);

#endif
