#include "tools/common/trace/trace_details.h"

#include <stdlib.h>
#include <string.h>

#include "callgraphs/graph_trace.h"
#include "tools/common/command.h"

static bool take(void *taker, const struct fathom_otf2_event *event)
{
	struct fathom_trace_details *details = taker;
	int64_t row = details->rows[event->location];

	fathom_message_lines_take(&details->messages, &details->trace->defs, event, row);
	fathom_collective_lines_take(&details->collectives, &details->trace->defs, event, row);
	if (row >= 0) {
		fathom_metric_curves_take(&details->curves, &details->trace->defs, event, (uint32_t)row);
		fathom_kind_intervals_take(&details->kinds, &details->trace->defs, event, (uint32_t)row);
	}
	return true;
}

/* Finds the rows of locations, and makes empty curves. */
static void choose_rows(struct fathom_trace_details *details, const struct fathom_trace_picture *picture)
{
	size_t count = fathom_otf2_count(&details->trace->defs, FATHOM_OTF2_LOCATION);

	details->rows = fathom_tool_alloc(count + 1, sizeof(*details->rows));
	memset(details->rows, -1, count * sizeof(*details->rows));
	for (uint32_t r = 0; r < picture->row_count; r++)
		if (picture->locations[r] < count)
			details->rows[picture->locations[r]] = (int32_t)r;
	fathom_metric_curves_init(&details->curves, &details->trace->defs, picture->row_count);
}

void fathom_trace_details_begin(struct fathom_trace_details *details, struct fathom_otf2_archive *trace,
				const struct fathom_trace_picture *picture)
{
	memset(details, 0, sizeof(*details));
	details->trace = trace;
	choose_rows(details, picture);
}

/* Reads the open trace. False: its events cannot be read. */
static bool read_events(struct fathom_trace_details *details, const struct fathom_trace_picture *picture)
{
	choose_rows(details, picture);
	fathom_kind_intervals_init(&details->kinds, &details->trace->defs, picture->row_count);
	if (fathom_otf2_read_events(details->trace, NULL, take, details))
		return false;
	fathom_message_lines_match(&details->messages);
	fathom_collective_lines_sort(&details->collectives);
	return true;
}

void fathom_trace_details_read(struct fathom_trace_details *details, const char *anchor,
			       const struct fathom_trace_picture *picture, uint64_t most_events)
{
	memset(details, 0, sizeof(*details));
	details->trace = fathom_tool_alloc(1, sizeof(*details->trace));
	details->is_own = true;
	if (fathom_trace_open(details->trace, anchor)) {
		free(details->trace);
		memset(details, 0, sizeof(*details));
		return;
	}
	if (fathom_otf2_read_definitions(details->trace, NULL) == 0 &&
	    fathom_otf2_event_count(details->trace) <= most_events)
		details->is_known = read_events(details, picture);
	if (!details->is_known)
		fathom_trace_details_fini(details);
}

void fathom_trace_details_fini(struct fathom_trace_details *details)
{
	fathom_message_lines_fini(&details->messages);
	fathom_collective_lines_fini(&details->collectives);
	fathom_metric_curves_fini(&details->curves);
	fathom_kind_intervals_fini(&details->kinds);
	free(details->rows);
	if (details->is_own) {
		fathom_otf2_close(details->trace);
		free(details->trace);
	}
	memset(details, 0, sizeof(*details));
}
