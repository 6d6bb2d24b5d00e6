/*
 * graph_cursor: walks through the call graph of a location, event by event.
 *
 * The memory of a cursor grows with the depth of calls, not with the number of events. Context of all functions: tool.
 */
#ifndef FATHOM_CALLGRAPHS_GRAPH_CURSOR_H
#define FATHOM_CALLGRAPHS_GRAPH_CURSOR_H

#include "callgraphs/call_graph.h"
#include "callgraphs/event_content.h"

struct fathom_graph_place {	/* in a call that has begun */
	const struct fathom_graph_node *node;
	uint32_t next;		/* item */
	uint32_t done;		/* how often this item was walked through already */
	uint64_t begin;		/* time of its enter */
};

struct fathom_graph_cursor {
	const struct fathom_call_graph *graph;
	uint32_t location;		/* index in the graph */
	struct fathom_content_event event;	/* the last one that was made; its location is that index, too */
	struct fathom_content_state state;
	struct fathom_graph_place *places;	/* the last one is the innermost call */
	size_t count, room;
	uint64_t time;			/* of the last step */
	uint64_t events;		/* made so far */
};

/* Begins at the first event of the location with that index; frees a cursor. */
void fathom_graph_cursor_open(struct fathom_graph_cursor *cursor, const struct fathom_call_graph *graph,
			      uint32_t location);
void fathom_graph_cursor_close(struct fathom_graph_cursor *cursor);

/* Makes the next event. 1; 0: there is none; -EINVAL: the graph holds something that is no event, or more events than
 * the location has. The event lives until the next call. */
int fathom_graph_cursor_next(struct fathom_graph_cursor *cursor);

#endif
