/*
 * graph_events: the events of a location, from its call graph. Context of all functions: tool.
 */
#ifndef FATHOM_CALLGRAPHS_GRAPH_EVENTS_H
#define FATHOM_CALLGRAPHS_GRAPH_EVENTS_H

#include "callgraphs/call_graph.h"
#include "callgraphs/event_content.h"

/* Calls take with each event of the location with that index, in their order. 0; -ECANCELED if take returned false;
 * -EINVAL if the graph holds something that is no event. */
int fathom_graph_events(const struct fathom_call_graph *graph, uint32_t location, fathom_otf2_take *take, void *taker);

#endif
