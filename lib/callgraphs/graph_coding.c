/*
 * The order of the stream: bounds, texts, definitions, locations; of each location the contents of its root.
 *
 * The contents of a call are its items, each as a label, a gap, and for a call either the number of a node that has
 * been coded or its contents. Most labels are records: NEW_RECORD stands for one whose numbers follow, labels from
 * FIRST_RECORD on for records in the order in which they were coded. A list is coded like a call, but without a gap and
 * without a record. REPEAT says that the item in front of it is there more often. An item that is there less than
 * REPEATED_TIMES times is coded so often instead, which takes fewer bits. Labels and nodes are predicted: the coder
 * remembers which two followed last in the same context, and codes whether one of them follows again. Gaps have models
 * of their own for each context, and for the length of the previous gap there.
 */
#include "callgraphs/graph_coding.h"

#include <stdlib.h>

#include "callgraphs/coding_numbers.h"
#include "callgraphs/event_content.h"
#include "callgraphs/graph_builder.h"
#include "callgraphs/head_coding.h"
#include "otf2/memory.h"

enum { REPEATED_TIMES = 32 };

/* Labels. Those that are rare are large, so that the other ones take few bits. */
enum { END, NEW_RECORD, FIRST_RECORD };
#define REPEAT	(UINT32_MAX - 2)
#define LIST	(UINT32_MAX - 1)

/* Classes of items that are no records, for contexts. */
#define CLASS_OF_LIST	UINT64_MAX
#define CLASS_OF_REPEAT	(UINT64_MAX - 1)

struct coding {
	struct fathom_coder *coder;
	struct fathom_coding_numbers numbers;
	struct fathom_call_graph *graph;
	uint32_t *records, *nodes;		/* reader: by number in the file */
	uint32_t *record_numbers, *node_numbers;	/* writer: by number in the graph; 1 + number in the file */
	size_t record_room, node_room, record_count, node_count;
	struct fathom_graph_builder builder;	/* reader */
	bool is_wrong;				/* what was read makes no sense */
};

/* Codes a number whose context is given by its purpose and three numbers. */
static uint64_t code_number(struct coding *coding, enum fathom_coding_purpose purpose, uint64_t a, uint64_t b,
			    uint64_t c, uint64_t number)
{
	return fathom_coding_number(&coding->numbers, fathom_coding_context(purpose, a, b, c), number);
}

/* --- records --------------------------------------------------------------------------------------------- */

/* Returns what a record is, for contexts. */
static uint64_t class_of(const struct coding *coding, uint32_t record)
{
	if (!record)
		return 0;
	return 1 + fathom_graph_record_kind(coding->graph, record) +
	       256 * fathom_graph_record_ref(coding->graph, record);
}

/* Codes the numbers of a new record, and returns its number in the graph. */
static uint32_t code_new_record(struct coding *coding, uint64_t parent, uint64_t before, uint32_t record)
{
	const struct fathom_call_graph *graph = coding->graph;
	bool is_reading = coding->coder->is_reading;
	const uint64_t *numbers = graph->numbers + graph->records[record].first;
	uint64_t first = code_number(coding, FATHOM_CODING_RECORD, parent, before, 0, is_reading ? 0 : numbers[0]);
	uint32_t count = fathom_content_count(first);
	uint64_t *copy;

	copy = fathom_otf2_memory_alloc(count, sizeof(*copy));
	copy[0] = first;
	for (uint32_t i = 1; i < count && !coding->coder->is_broken; i++)
		copy[i] = code_number(coding, FATHOM_CODING_RECORD, 1, first, i, is_reading ? 0 : numbers[i]);
	if (is_reading)
		record = fathom_call_graph_record(coding->graph, copy, count);
	free(copy);
	if (!is_reading) {
		coding->record_numbers[record] = (uint32_t)++coding->record_count;
		return record;
	}
	coding->records = fathom_otf2_memory_grow(coding->records, coding->record_count, &coding->record_room,
						  sizeof(uint32_t));
	coding->records[coding->record_count++] = record;
	return record;
}

/* Codes a label that follows in a context. */
static uint32_t code_label(struct coding *coding, const uint64_t contexts[2], uint64_t parent, uint32_t label)
{
	if (!fathom_coding_predicted(&coding->numbers, contexts, &label))
		label = (uint32_t)code_number(coding, FATHOM_CODING_LABEL, parent, 0, 0, label);
	fathom_coding_learn(&coding->numbers, contexts, label);
	return label;
}

/* Writer: returns the label of a record, 0 for none. */
static uint32_t label_of(const struct coding *coding, uint32_t record)
{
	uint32_t number = record ? coding->record_numbers[record] : 0;

	return !record ? END : number ? FIRST_RECORD + number - 1 : NEW_RECORD;
}

/* Returns the record with that label, or codes the numbers of a new one. The writer gives the record. */
static uint32_t code_record(struct coding *coding, uint32_t label, uint64_t parent, uint64_t before, uint32_t record)
{
	if (label == NEW_RECORD)
		return code_new_record(coding, parent, before, record);
	if (!coding->coder->is_reading || label == END)
		return record;
	if (label < FIRST_RECORD || label - FIRST_RECORD >= coding->record_count) {
		coding->is_wrong = true;
		return 0;
	}
	return coding->records[label - FIRST_RECORD];
}

/* --- calls ----------------------------------------------------------------------------------------------- */

struct call {			/* a call or list whose contents are being coded */
	uint32_t node, item;	/* writer: the node, and its next item */
	uint32_t done;		/* writer: how often this item has been coded */
	uint32_t repeats;	/* writer: how often the last item is to be repeated */
	uint64_t rest;		/* writer: ticks from the last item to the leave */
	uint32_t enter;		/* of the call, or of the call around the list */
	bool is_list;
	uint64_t before[3];	/* classes of the last items, the latest first */
	uint32_t last_node;	/* 1 + number in the file of the last call; 0: it has none */
};

struct calls {
	struct call *calls;
	size_t count, room;
};

static void push(struct calls *calls, const struct coding *coding, uint32_t node, uint32_t enter, bool is_list)
{
	calls->calls = fathom_otf2_memory_grow(calls->calls, calls->count, &calls->room, sizeof(*calls->calls));
	calls->calls[calls->count++] = (struct call){ .node = node, .enter = enter, .is_list = is_list,
						      .rest = coding->coder->is_reading ? 0 :
							      coding->graph->nodes[node].duration };
}

/* Gives a number to a node that has items: it can be named from now on. Returns 1 + the number, or 0. */
static uint32_t number_node(struct coding *coding, uint32_t node)
{
	if (!coding->graph->nodes[node].count)
		return 0;
	if (!coding->coder->is_reading) {
		coding->node_numbers[node] = (uint32_t)++coding->node_count;
		return coding->node_numbers[node];
	}
	coding->nodes = fathom_otf2_memory_grow(coding->nodes, coding->node_count, &coding->node_room,
						sizeof(uint32_t));
	coding->nodes[coding->node_count++] = node;
	return (uint32_t)coding->node_count;
}

/* Codes whether a call is a node that has a number, and which one. Returns the node, and sets *last to 1 + its number;
 * 0: its contents follow. */
static uint32_t code_known(struct coding *coding, const struct call *call, uint64_t class, uint32_t node,
			   uint32_t *last)
{
	uint64_t parent = class_of(coding, call->enter);
	uint64_t before = fathom_coding_context(FATHOM_CODING_KNOWN, class, call->before[0], 0);
	const uint64_t contexts[2] = { fathom_coding_context(FATHOM_CODING_NODE, class, call->last_node, parent),
				       fathom_coding_context(FATHOM_CODING_NODE, class, call->before[0], 1) };
	bool is_reading = coding->coder->is_reading;
	uint32_t number = is_reading || !coding->node_numbers[node] ? 0 : coding->node_numbers[node] - 1;
	bool is_known = !is_reading && coding->node_numbers[node];

	is_known = fathom_coding_bit(&coding->numbers, before, is_known);
	if (!is_known)
		return 0;
	if (!fathom_coding_predicted(&coding->numbers, contexts, &number))
		number = (uint32_t)(coding->node_count - 1 -
				    code_number(coding, FATHOM_CODING_NODE, class, 2, 0,
						coding->node_count - 1 - number));
	fathom_coding_learn(&coding->numbers, contexts, number);
	*last = number + 1;
	if (!is_reading)
		return node;
	if (number >= coding->node_count) {
		coding->is_wrong = true;
		return 0;
	}
	return coding->nodes[number];
}

/* Ends the innermost call: codes the record that leaves it; a list has none. Returns its node, and sets *last to 1 +
 * its number, or 0. */
static uint32_t code_end(struct coding *coding, struct calls *calls, uint64_t gap, uint32_t *last)
{
	const struct call *call = &calls->calls[calls->count - 1];
	uint64_t class = class_of(coding, call->enter);
	const uint64_t contexts[2] = { fathom_coding_context(FATHOM_CODING_LEAVE, class, 0, 0),
				       fathom_coding_context(FATHOM_CODING_LEAVE, class, call->before[0], 1) };
	uint32_t leave = coding->coder->is_reading ? 0 : coding->graph->nodes[call->node].leave;
	uint32_t node = call->node, label;

	if (!call->is_list) {
		label = code_label(coding, contexts, class, label_of(coding, leave));
		leave = code_record(coding, label, class, 1, leave);
	}
	if (coding->coder->is_reading)
		node = fathom_graph_builder_close(&coding->builder, leave, gap);
	/* A list without an item could be repeated without end and make no event. */
	if (call->is_list && !coding->graph->nodes[node].count)
		coding->is_wrong = true;
	*last = number_node(coding, node);
	calls->count--;
	return node;
}

static void add_to(struct call *call, uint64_t class, uint32_t last_node)
{
	call->before[2] = call->before[1];
	call->before[1] = call->before[0];
	call->before[0] = class;
	call->last_node = last_node;
}

struct next_item {		/* what is coded next in a call */
	uint32_t label, record, node;	/* record: an enter, too; 0: the call ends, or it is a list. node: of a call */
	uint64_t gap;
};

/* Writer: returns the next item of a call, or its end. */
static struct next_item next_of(const struct coding *coding, struct call *call)
{
	const struct fathom_call_graph *graph = coding->graph;
	const struct fathom_graph_node *node = &graph->nodes[call->node];
	const struct fathom_graph_item *item = &graph->items[node->first + call->item];
	struct next_item next = { .label = END, .gap = call->rest };

	if (call->repeats) {
		next.label = REPEAT;
		call->rest -= call->repeats * fathom_graph_item_ticks(graph, &item[-1]);
		return next;
	}
	if (call->item == node->count)
		return next;
	next.gap = item->gap;
	next.node = item->is_call ? item->number : 0;
	next.record = item->is_call ? graph->nodes[next.node].enter : item->number;
	next.label = next.record ? label_of(coding, next.record) : LIST;
	call->rest -= fathom_graph_item_ticks(graph, item);
	if (item->count >= REPEATED_TIMES)
		call->repeats = item->count - 1;
	if (item->count >= REPEATED_TIMES || ++call->done == item->count) {
		call->item++;
		call->done = 0;
	}
	return next;
}

/* Codes how often the last item of a call is repeated. */
static void code_repeat(struct coding *coding, struct call *call, uint64_t parent)
{
	uint64_t count = code_number(coding, FATHOM_CODING_REPEAT, parent, call->before[0], 0, call->repeats);

	call->repeats = 0;
	add_to(call, CLASS_OF_REPEAT, call->last_node);
	if (coding->coder->is_reading && !coding->coder->is_broken &&
	    !fathom_graph_builder_repeat(&coding->builder, count))
		coding->is_wrong = true;
}

/* Codes a call or list in the innermost call: the number of its node, or else it becomes the innermost one. enter: the
 * record that enters it; 0: a list. */
static void code_call(struct coding *coding, struct calls *calls, uint64_t class, uint32_t enter,
		      const struct next_item *next)
{
	struct call *call = &calls->calls[calls->count - 1];
	bool is_reading = coding->coder->is_reading;
	uint32_t last = 0, known = code_known(coding, call, class, next->node, &last);

	if (known) {
		if (is_reading)
			fathom_graph_builder_add(&coding->builder, next->gap, known, true,
						 coding->graph->nodes[known].duration);
		add_to(call, class, last);
		return;
	}
	if (is_reading)
		fathom_graph_builder_open(&coding->builder, enter)->gap = next->gap;
	push(calls, coding, next->node, enter ? enter : call->enter, !enter);
}

/* Ends the innermost call, and adds it to the call around it. Returns its node if it was the root of the location, else
 * 0. */
static uint32_t end_call(struct coding *coding, struct calls *calls, uint64_t gap)
{
	const struct call *call = &calls->calls[calls->count - 1];
	uint64_t class = call->is_list ? CLASS_OF_LIST : class_of(coding, call->enter);
	bool is_reading = coding->coder->is_reading;
	uint64_t gap_before = is_reading ? fathom_graph_builder_top(&coding->builder)->gap : 0;
	uint32_t last = 0, ended = code_end(coding, calls, gap, &last);

	if (!calls->count)
		return ended;
	if (is_reading)
		fathom_graph_builder_add(&coding->builder, gap_before, ended, true,
					 coding->graph->nodes[ended].duration);
	add_to(&calls->calls[calls->count - 1], class, last);
	return 0;
}

/* Codes the next item of the innermost call, or its end. Returns the node of the location when its root has ended, else
 * 0. */
static uint32_t code_item(struct coding *coding, struct calls *calls)
{
	struct call *call = &calls->calls[calls->count - 1];
	bool is_reading = coding->coder->is_reading;
	uint64_t parent = class_of(coding, call->enter), class;
	const uint64_t contexts[2] = {
		fathom_coding_context(FATHOM_CODING_LABEL, parent, call->before[0] + call->before[1] * 3,
				      call->before[2] + call->is_list),
		fathom_coding_context(FATHOM_CODING_LABEL, parent, call->before[0], 1 + call->is_list)
	};
	struct next_item next = { 0 };

	if (!is_reading)
		next = next_of(coding, call);
	next.label = code_label(coding, contexts, parent, next.label);
	if (next.label == REPEAT) {
		code_repeat(coding, call, parent);
		return 0;
	}
	if (next.label == LIST) {
		code_call(coding, calls, CLASS_OF_LIST, 0, &next);
		return 0;
	}
	next.record = code_record(coding, next.label, parent, call->before[0], next.record);
	class = class_of(coding, next.record);
	if (next.record || !call->is_list)
		next.gap = fathom_coding_gap(&coding->numbers,
					     fathom_coding_context(FATHOM_CODING_GAP, parent, call->before[0], class),
					     next.gap);
	if (coding->is_wrong || coding->coder->is_broken)
		return 0;
	if (!next.record)
		return end_call(coding, calls, next.gap);
	if (fathom_graph_record_enters(coding->graph, next.record)) {
		code_call(coding, calls, class, next.record, &next);
		return 0;
	}
	add_to(call, class, 0);
	if (is_reading)
		fathom_graph_builder_add(&coding->builder, next.gap, next.record, false, 0);
	return 0;
}

static void code_location(struct coding *coding, size_t i)
{
	struct fathom_call_graph *graph = coding->graph;
	struct fathom_graph_location *location = &graph->locations[i];
	uint64_t id = i ? graph->locations[i - 1].id : 0, begin = i ? graph->locations[i - 1].begin : 0;
	struct calls calls = { NULL, 0, 0 };
	uint32_t root = 0;

	location->id = id + fathom_coding_unfold(code_number(coding, FATHOM_CODING_LOCATION, 0, 0, 0,
							     fathom_coding_fold(location->id - id)));
	location->begin = begin + fathom_coding_unfold(code_number(coding, FATHOM_CODING_LOCATION, 1, 0, 0,
						     fathom_coding_fold(location->begin - begin)));
	location->events = code_number(coding, FATHOM_CODING_LOCATION, 2, 0, 0, location->events);
	location->has_clock_offsets = fathom_coding_bit(&coding->numbers,
							fathom_coding_context(FATHOM_CODING_LOCATION, 3, 0, 0),
							location->has_clock_offsets);
	if (coding->coder->is_reading)
		fathom_graph_builder_open(&coding->builder, 0);
	push(&calls, coding, location->root, 0, false);
	while (!root && !coding->is_wrong && !coding->coder->is_broken)
		root = code_item(coding, &calls);
	location->root = root;
	free(calls.calls);
}

static void code_locations(struct coding *coding)
{
	struct fathom_call_graph *graph = coding->graph;
	uint64_t count = code_number(coding, FATHOM_CODING_HEAD, 6, 0, 0, graph->location_count);

	for (size_t i = 0; i < count && !coding->is_wrong && !coding->coder->is_broken; i++) {
		if (coding->coder->is_reading) {
			graph->locations = fathom_otf2_memory_grow(graph->locations, i, &graph->location_room,
								   sizeof(*graph->locations));
			graph->locations[i] = (struct fathom_graph_location){ 0 };
			graph->location_count = i + 1;
		}
		code_location(coding, i);
	}
}

bool fathom_graph_code(struct fathom_coder *coder, struct fathom_call_graph *graph)
{
	struct coding coding = { .coder = coder, .graph = graph, .builder = { .graph = graph } };

	fathom_coding_numbers_init(&coding.numbers, coder);
	if (!coder->is_reading) {
		coding.record_numbers = fathom_otf2_memory_alloc(graph->record_count, sizeof(uint32_t));
		coding.node_numbers = fathom_otf2_memory_alloc(graph->node_count, sizeof(uint32_t));
	}
	coding.is_wrong = !fathom_head_code(&coding.numbers, graph);
	if (!coding.is_wrong)
		code_locations(&coding);
	fathom_coding_numbers_free(&coding.numbers);
	free(coding.records);
	free(coding.nodes);
	free(coding.record_numbers);
	free(coding.node_numbers);
	fathom_graph_builder_free(&coding.builder);
	return !coding.is_wrong && !coder->is_broken;
}
