/*
 * call_graph: the complete call graphs of a trace, in which equal parts are stored once.
 *
 * A node is a call: the record that enters the region, the calls and other records in it with the times between
 * them, and the record that leaves it. Calls that are equal, with everything in them, are the same node. So a node
 * may be in many places of the call graphs, and has no absolute time. Nodes do not change, and a node has a larger
 * number than all nodes in it. The records of a node hold no numbers that grow during the run, such as those of
 * requests (event_content.h).
 *
 * Items of a call that follow one another and are equal are one item with a count. Items that repeat as a sequence,
 * such as those of a loop, are a node, too: a list, which has no record that enters or leaves it; an item names the
 * list and counts how often it is repeated. The region of a list is that of the call around it. Context of all
 * functions: tool.
 */
#ifndef FATHOM_CALLGRAPHS_CALL_GRAPH_H
#define FATHOM_CALLGRAPHS_CALL_GRAPH_H

#include <stdbool.h>

#include "otf2/definition_records.h"
#include "otf2/records.h"

struct fathom_graph_record {	/* a record of an event without its time */
	uint32_t count;
	uint32_t next;		/* in the list of records with that hash; 0: none */
	size_t first;		/* of its numbers, see event_content.h */
};

struct fathom_graph_item {	/* a call or a list in a call, or a record of another kind in it. It has no padding */
	uint64_t gap;		/* ticks from the end of the item in front of it, or from the enter. Of a list: 0 */
	uint32_t number : 31;	/* of the node or record */
	uint32_t is_call : 1;	/* number is that of a node */
	uint32_t count;		/* how often the item is there, each time with this gap in front; at least 1 */
};

struct fathom_graph_node {
	uint32_t enter, leave;	/* records; leave 0: the trace ends inside; enter 0: a list or the root of a location */
	uint32_t count;		/* of items */
	uint32_t next;		/* in the list of nodes with that hash; 0: none */
	size_t first;		/* item */
	uint64_t duration;	/* ticks from the enter to the leave, or to the last item */
};

struct fathom_graph_location {
	uint64_t id;
	uint64_t begin;		/* time of the first event */
	uint64_t events;
	uint32_t root;		/* node */
	bool has_clock_offsets;	/* the trace had them; times are corrected */
};

/* The largest deviation that was asked for, and the largest one that there is. 0: lossless. */
struct fathom_graph_bounds {
	uint64_t ticks;		/* of the time of each event */
	double share;		/* of the time between two events, from 0 to 1 */
	uint64_t most;		/* the largest deviation of the time of an event, in ticks */
};

struct fathom_call_graph {
	struct fathom_graph_record *records;	/* from 1 */
	struct fathom_graph_node *nodes;	/* from 1 */
	struct fathom_graph_item *items;
	uint64_t *numbers;
	struct fathom_graph_location *locations;
	size_t record_count, node_count, item_count, number_count, location_count;
	size_t call_count;			/* of the nodes that are calls: neither lists nor roots */
	size_t record_room, node_room, item_room, number_room, location_room;
	uint32_t *record_slots, *node_slots;	/* by hash: the first of the list; 0: none */
	size_t record_slot_count, node_slot_count;	/* powers of two */
	struct fathom_graph_bounds bounds;
	struct fathom_definition_list definitions;
	char *creator, *description;		/* of the trace; NULL until they are set; freed with the graph */
	char **properties;			/* names and values in turn; freed with the graph */
	size_t property_count, property_room;	/* of texts */
	uint64_t event_bytes;			/* size of the files of events of the trace */
};

/* Make an empty graph in the caller's storage, and free one. */
void fathom_call_graph_init(struct fathom_call_graph *graph);
void fathom_call_graph_free(struct fathom_call_graph *graph);

/* Returns the number of the record with these numbers. */
uint32_t fathom_call_graph_record(struct fathom_call_graph *graph, const uint64_t *numbers, uint32_t count);

/* Returns the number of the node that is equal to the given one and has these items. It may be an old one. */
uint32_t fathom_call_graph_node(struct fathom_call_graph *graph, const struct fathom_graph_node *node,
				const struct fathom_graph_item *items);

/* Returns the ticks that an item takes each time that it is there: its gap and, if it is a node, its duration. */
uint64_t fathom_graph_item_ticks(const struct fathom_call_graph *graph, const struct fathom_graph_item *item);

/* Return the kind of a record, and the id of the region, metric, ... that it refers to. */
enum fathom_record fathom_graph_record_kind(const struct fathom_call_graph *graph, uint32_t record);
uint64_t fathom_graph_record_ref(const struct fathom_call_graph *graph, uint32_t record);

/* Returns whether a record enters a region. */
bool fathom_graph_record_enters(const struct fathom_call_graph *graph, uint32_t record);

#endif
