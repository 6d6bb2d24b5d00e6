/*
 * graph_recording: makes the call graph of a location from its events, exactly or with bounds on the deviation of
 * times.
 *
 * An absolute bound is kept by the time of each event, as seen from the first event of the location. An approximated
 * event is never later than the true one, so that each following event can be put at its true time, and its bound is
 * shared: a call may use half of what the calls in it leave. A relative bound is kept by each time between two
 * successive events of the location; so the duration of each call keeps it, too. What one such time is too long, the
 * next one is made shorter, as far as its bound allows. Among the times within the bounds, the one with the most
 * zeros at its end is taken: so calls that differ little become equal, and the numbers take few bits. Context of all
 * functions: tool.
 */
#ifndef FATHOM_CALLGRAPHS_GRAPH_RECORDING_H
#define FATHOM_CALLGRAPHS_GRAPH_RECORDING_H

#include "callgraphs/event_content.h"
#include "callgraphs/graph_builder.h"

struct fathom_graph_recording {	/* of a location */
	struct fathom_graph_builder builder;
	struct fathom_content_state state;
	struct fathom_content_numbers numbers;
	struct fathom_graph_location location;	/* the result */
	uint64_t time;			/* of the last event */
	uint64_t calls;			/* that have ended: nodes, if no two were one */
};

/* Begins the graph of a location, whose bounds are those of the graph. */
void fathom_graph_recording_begin(struct fathom_graph_recording *recording, struct fathom_call_graph *graph,
				  uint64_t location, bool has_clock_offsets);
void fathom_graph_recording_take(struct fathom_graph_recording *recording, const struct fathom_otf2_event *event);

/* Ends the graph, and adds the location to those of the call graph. */
void fathom_graph_recording_end(struct fathom_graph_recording *recording);

/* Returns the number in [low, high] with the most zeros at its end in binary; of two of them, the nearer one to
 * wanted. */
uint64_t fathom_graph_round_number(uint64_t low, uint64_t high, uint64_t wanted);

#endif
