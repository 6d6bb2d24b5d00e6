/*
 * graph_builder: makes nodes of calls, from the inside outwards. Context of all functions: tool.
 *
 * An item that is equal to the one in front of it becomes one item with it. With finds_lists, sequences of items that
 * repeat become lists (list_search.h) while the call is still open, so that the memory of an open call that repeats
 * itself does not grow with the number of its calls.
 */
#ifndef FATHOM_CALLGRAPHS_GRAPH_BUILDER_H
#define FATHOM_CALLGRAPHS_GRAPH_BUILDER_H

#include "callgraphs/call_graph.h"

struct fathom_graph_frame {	/* a call or list that is not complete yet */
	uint32_t enter;		/* record */
	size_t first;		/* of its items in the builder's items */
	size_t last_list;	/* 1 + index of its last list among its items; 0: it has none */
	uint64_t duration;	/* ticks from the enter to the end of the last item */
	uint64_t gap;		/* for the caller: in front of this call in the call around it */
	/* For the caller, where times are approximated: true times of the enter and of the end of the last item; the
	 * largest deviation of an event in the call, as seen from its enter. */
	uint64_t begin, end, deviation;
};

struct fathom_graph_builder {
	struct fathom_call_graph *graph;
	struct fathom_graph_frame *frames;	/* the last one is the innermost call */
	struct fathom_graph_item *items;	/* of all frames; those of the innermost call are the last ones */
	size_t frame_count, frame_room, item_count, item_room;
	bool finds_lists;
};

/* Return the innermost frame; frame_count must not be 0. */
struct fathom_graph_frame *fathom_graph_builder_top(struct fathom_graph_builder *builder);

/* Begins a call in the innermost call, or a list: enter is 0 then. */
struct fathom_graph_frame *fathom_graph_builder_open(struct fathom_graph_builder *builder, uint32_t enter);

/* Adds an item to the innermost call. duration: of the call, 0 for a record. */
void fathom_graph_builder_add(struct fathom_graph_builder *builder, uint64_t gap, uint32_t number, bool is_call,
			      uint64_t duration);

/* Adds the last item of the innermost call again, count times. False: it has no item, or too many then. */
bool fathom_graph_builder_repeat(struct fathom_graph_builder *builder, uint64_t count);

/* Ends the innermost call, gap ticks behind its last item, and returns its node, which the caller adds to the call
 * around it. */
uint32_t fathom_graph_builder_close(struct fathom_graph_builder *builder, uint32_t leave, uint64_t gap);
void fathom_graph_builder_free(struct fathom_graph_builder *builder);

#endif
