#include "callgraphs/graph_events.h"

#include <errno.h>

#include "callgraphs/graph_cursor.h"

int fathom_graph_events(const struct fathom_call_graph *graph, uint32_t location, fathom_otf2_take *take, void *taker)
{
	struct fathom_graph_cursor cursor;
	int result;

	fathom_graph_cursor_open(&cursor, graph, location);
	while ((result = fathom_graph_cursor_next(&cursor)) > 0)
		if (!take(taker, &cursor.event.event)) {
			result = -ECANCELED;
			break;
		}
	fathom_graph_cursor_close(&cursor);
	return result;
}
