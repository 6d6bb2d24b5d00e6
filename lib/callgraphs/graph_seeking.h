/*
 * graph_seeking: the events of a location of a call graph from any of them on, by its number.
 *
 * Numbers in events, such as those of requests, depend on all events before. Therefore places that were passed are kept
 * with the state of the events: 128 of a location at most, at equal distances. To go back, the events from such a place
 * on are made again; to go on to an event for the first time, all events up to it. Context of all functions: tool.
 */
#ifndef FATHOM_CALLGRAPHS_GRAPH_SEEKING_H
#define FATHOM_CALLGRAPHS_GRAPH_SEEKING_H

#include "callgraphs/graph_cursor.h"

enum { FATHOM_GRAPH_STOPS = 128 };

struct fathom_graph_stop {	/* in front of an event */
	struct fathom_graph_place *places;
	size_t count;
	uint64_t time;		/* of the event before */
	struct fathom_content_copy state;
};

struct fathom_graph_seeking {
	struct fathom_graph_cursor cursor;	/* cursor.events: the number of the next event, from 0 */
	/* The one with index i is in front of event i * distance. */
	struct fathom_graph_stop stops[FATHOM_GRAPH_STOPS];
	uint32_t count;
	uint64_t distance;
};

/* Begins at the first event of the location with that index; frees what is kept. */
void fathom_graph_seeking_open(struct fathom_graph_seeking *seeking, const struct fathom_call_graph *graph,
			       uint32_t location);
void fathom_graph_seeking_close(struct fathom_graph_seeking *seeking);

/* Makes the next event, like fathom_graph_cursor_next. */
int fathom_graph_seeking_next(struct fathom_graph_seeking *seeking);

/* Stands in front of the event with that number, or behind the last one. 0 or -EINVAL, see fathom_graph_cursor_next. */
int fathom_graph_seeking_to(struct fathom_graph_seeking *seeking, uint64_t number);

#endif
