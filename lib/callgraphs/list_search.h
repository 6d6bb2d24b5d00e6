/*
 * list_search: finds sequences of items that repeat at the end of an open call, and makes lists of them.
 *
 * A loop whose iterations take equal times makes such a sequence. A list is a node, so equal lists are stored once,
 * also those in different calls, and a list may contain lists, as loops contain loops. Context of all functions: tool.
 */
#ifndef FATHOM_CALLGRAPHS_LIST_SEARCH_H
#define FATHOM_CALLGRAPHS_LIST_SEARCH_H

#include "callgraphs/call_graph.h"

struct fathom_open_items {	/* of a call that is not complete yet */
	struct fathom_graph_item *items;	/* in the caller's storage */
	size_t count;
	size_t last_list;	/* 1 + index of the last list; 0: there is none */
};

/* Looks at the last items. There is at least one, and no copy will be added to the last one. Items that
 * repeat the last list are counted in that list; a sequence that is there often enough becomes a list, whose node is
 * added to the graph. */
void fathom_list_search(struct fathom_call_graph *graph, struct fathom_open_items *open);

#endif
