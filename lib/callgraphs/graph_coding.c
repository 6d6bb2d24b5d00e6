/*
 * The order of the stream: bounds, texts, definitions, locations; of each location the contents of its root.
 *
 * The contents of a call are its items, each as a label, a gap, and for a call either the number of a node that has
 * been coded or its contents. A label is a record: 0 ends the call, 1 stands for a new record, whose numbers follow,
 * and others for records in the order in which they were coded. Labels and nodes are predicted: the coder remembers
 * which two followed last in the same context, and codes whether one of them follows again. Gaps have models of
 * their own for each context, and for the length of the previous gap there. Contexts are hashed into tables of a
 * fixed size; if two share a place, the file becomes larger but stays right.
 */
#include "callgraphs/graph_coding.h"

#include <stdlib.h>
#include <string.h>

#include "callgraphs/event_content.h"
#include "callgraphs/graph_builder.h"
#include "otf2/memory.h"

enum {
	NUMBER_BITS = 13,	/* binary logarithm of the number of number models */
	CONTEXT_BITS = 16,	/* and of the other tables */
	END = 0, NEW_RECORD = 1, FIRST_RECORD = 2,
};

/* What a number is; the first part of its context. */
enum purpose {
	OF_HEAD = 1, OF_TEXT, OF_DEFINITION, OF_LOCATION, OF_LABEL, OF_RECORD, OF_GAP, OF_NODE, OF_LEAVE, OF_KNOWN
};

struct prediction {		/* the last two numbers in a context; the later one is the first */
	uint32_t first, second;	/* 1 + number; 0: none yet */
	struct fathom_bit_model is_first, is_second;
};

struct coding {
	struct fathom_coder *coder;
	struct fathom_call_graph *graph;
	struct fathom_number_model *numbers;
	struct prediction *predictions;
	struct fathom_bit_model *bits;
	struct fathom_bit_model *text;		/* [byte before][tree of the byte] */
	uint8_t *lengths;			/* of the last gap in a context */
	uint32_t *records, *nodes;		/* reader: by number in the file */
	uint32_t *record_numbers, *node_numbers;	/* writer: by number in the graph; 1 + number in the file */
	size_t record_room, node_room, record_count, node_count;
	struct fathom_graph_builder builder;	/* reader */
	bool is_wrong;				/* what was read makes no sense */
};

static uint64_t context(enum purpose purpose, uint64_t a, uint64_t b, uint64_t c)
{
	uint64_t hash = purpose;

	hash = (hash ^ a) * 0x9e3779b97f4a7c15u;
	hash = ((hash ^ hash >> 32) ^ b) * 0xc2b2ae3d27d4eb4fu;
	hash = ((hash ^ hash >> 29) ^ c) * 0x165667b19e3779f9u;
	return hash ^ hash >> 32;
}

/* --- numbers and texts ---------------------------------------------------------------------------------- */

static uint64_t code_number(struct coding *coding, uint64_t context, uint64_t number)
{
	return fathom_code_number(coding->coder, &coding->numbers[context & ((1u << NUMBER_BITS) - 1)], number);
}

static bool code_bit(struct coding *coding, uint64_t context, bool bit)
{
	return fathom_code_bit(coding->coder, &coding->bits[context & ((1u << CONTEXT_BITS) - 1)], bit);
}

static uint64_t fold(uint64_t difference)
{
	return difference << 1 ^ (uint64_t)((int64_t)difference >> 63);
}

static uint64_t unfold(uint64_t number)
{
	return number >> 1 ^ (0 - (number & 1));
}

/* Codes a text; the caller frees the one that was read. */
static char *code_text(struct coding *coding, const char *text)
{
	size_t length = code_number(coding, context(OF_TEXT, 0, 0, 0), text ? strlen(text) : 0), room = 0, i;
	char *result = NULL;
	uint8_t before = 0;

	for (i = 0; i < length && !coding->coder->is_broken; i++) {
		unsigned node = 1, byte = text ? (unsigned char)text[i] : 0, bit;

		for (bit = 8; bit-- > 0;)
			node = node << 1 | fathom_code_bit(coding->coder, &coding->text[before << 8 | node],
							   byte >> bit & 1);
		before = (uint8_t)node;
		if (coding->coder->is_reading) {
			result = fathom_otf2_memory_grow(result, i + 1, &room, 1);
			result[i] = (char)before;
		}
	}
	if (!coding->coder->is_reading)
		return NULL;
	result = fathom_otf2_memory_grow(result, i + 1, &room, 1);
	result[i] = '\0';
	return result;
}

/* Codes the number that follows in a context, which is likely to be one of the last two. contexts: two of them, of
 * which the first one says more; number: less than UINT32_MAX. Returns false if the number is neither of them. */
static bool code_predicted(struct coding *coding, const uint64_t contexts[2], uint32_t *number)
{
	struct prediction *places[2];
	bool is_found = false;
	uint32_t wanted = *number + 1;

	for (int i = 0; i < 2; i++)
		places[i] = &coding->predictions[contexts[i] & ((1u << CONTEXT_BITS) - 1)];
	for (int i = 0; i < 2 && !is_found; i++) {
		struct prediction *place = places[i];

		if (i && place == places[0])
			break;
		if (place->first)
			is_found = fathom_code_bit(coding->coder, &place->is_first, place->first != wanted) == false;
		if (is_found) {
			wanted = place->first;
		} else if (place->second) {
			is_found = fathom_code_bit(coding->coder, &place->is_second, place->second != wanted) == false;
			if (is_found)
				wanted = place->second;
		}
	}
	if (is_found)
		*number = wanted - 1;
	return is_found;
}

static void learn(struct coding *coding, const uint64_t contexts[2], uint32_t number)
{
	for (int i = 0; i < 2; i++) {
		struct prediction *place = &coding->predictions[contexts[i] & ((1u << CONTEXT_BITS) - 1)];

		if (place->first == number + 1)
			continue;
		place->second = place->first;
		place->first = number + 1;
	}
}

/* --- head ------------------------------------------------------------------------------------------------ */

static uint64_t code_head_number(struct coding *coding, uint64_t which, uint64_t number)
{
	return code_number(coding, context(OF_HEAD, which, 0, 0), number);
}

static void code_head(struct coding *coding)
{
	struct fathom_call_graph *graph = coding->graph;
	struct fathom_graph_bounds *bounds = &graph->bounds;
	bool is_reading = coding->coder->is_reading;
	uint64_t share, count;
	char *text;

	memcpy(&share, &bounds->share, sizeof(share));
	bounds->ticks = code_head_number(coding, 0, bounds->ticks);
	share = code_head_number(coding, 1, share);
	memcpy(&bounds->share, &share, sizeof(share));
	bounds->most = code_head_number(coding, 2, bounds->most);
	graph->event_bytes = code_head_number(coding, 3, graph->event_bytes);
	text = code_text(coding, graph->creator);
	graph->creator = is_reading ? text : graph->creator;
	text = code_text(coding, graph->description);
	graph->description = is_reading ? text : graph->description;
	count = code_head_number(coding, 4, graph->property_count);
	for (uint64_t i = 0; i < count && !coding->coder->is_broken; i++) {
		text = code_text(coding, is_reading ? NULL : graph->properties[i]);
		if (!is_reading)
			continue;
		graph->properties = fathom_otf2_memory_grow(graph->properties, graph->property_count,
							    &graph->property_room, sizeof(char *));
		graph->properties[graph->property_count++] = text;
	}
	/* Names and values come in pairs. */
	coding->is_wrong = coding->is_wrong || count % 2 || count != graph->property_count;
}

/* Codes the fields of a definition as differences from the previous one of its kind. */
static void code_definition(struct coding *coding, const struct fathom_definition **previous, size_t i)
{
	struct fathom_definition_list *list = &coding->graph->definitions;
	bool is_reading = coding->coder->is_reading;
	const struct fathom_definition *before;
	struct fathom_definition *record;
	uint64_t kind, count;
	char *text = NULL;

	kind = code_number(coding, context(OF_DEFINITION, 0, i ? list->records[i - 1].kind : 0, 0),
			   is_reading ? 0 : list->records[i].kind);
	if (kind >= FATHOM_DEFINITION_KINDS) {
		coding->is_wrong = true;
		return;
	}
	before = previous[kind];
	count = code_number(coding, context(OF_DEFINITION, 1, kind, 0), is_reading ? 0 : list->records[i].count);
	if (count > UINT32_MAX / 16) {
		coding->is_wrong = true;
		return;
	}
	if (kind == FATHOM_DEFINITION_STRING)
		text = code_text(coding, is_reading ? NULL : list->records[i].text);
	record = is_reading ? fathom_definition_add(list, (enum fathom_definition_kind)kind, (uint32_t)count, text) :
		 &list->records[i];
	free(text);
	for (uint32_t f = 0; f < count && !coding->coder->is_broken; f++) {
		uint64_t from = f >= FATHOM_GROUP_MEMBERS && kind == FATHOM_DEFINITION_GROUP ? record->fields[f - 1] :
				before && f < before->count ? before->fields[f] : 0;

		record->fields[f] = from + unfold(code_number(coding, context(OF_DEFINITION, 2, kind, f < 16 ? f : 16),
							      fold(record->fields[f] - from)));
	}
}

/* Returns whether a definition that was read has the fields that its kind has at least. */
static bool is_complete(const struct fathom_definition *record)
{
	const char *fields = fathom_definition_shapes[record->kind].fields, *repeated = strchr(fields, '*');
	size_t least = repeated ? (size_t)(repeated - fields) : strlen(fields);

	return repeated ? record->count >= least && (record->count - least) % strlen(repeated + 1) == 0 :
	       record->count == least;
}

static void code_definitions(struct coding *coding)
{
	struct fathom_definition_list *list = &coding->graph->definitions;
	struct fathom_definition copies[FATHOM_DEFINITION_KINDS];
	const struct fathom_definition *previous[FATHOM_DEFINITION_KINDS] = { NULL };
	uint64_t count = code_head_number(coding, 5, list->count);

	for (size_t i = 0; i < count && !coding->is_wrong && !coding->coder->is_broken; i++) {
		enum fathom_definition_kind kind;

		code_definition(coding, previous, i);
		if (coding->is_wrong)
			return;
		coding->is_wrong = !is_complete(&list->records[i]);
		kind = list->records[i].kind;
		copies[kind] = list->records[i];	/* the list may move */
		previous[kind] = &copies[kind];
	}
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
	uint64_t first = code_number(coding, context(OF_RECORD, parent, before, 0), is_reading ? 0 : numbers[0]);
	uint32_t count = fathom_content_count(first);
	uint64_t *copy;

	copy = fathom_otf2_memory_alloc(count, sizeof(*copy));
	copy[0] = first;
	for (uint32_t i = 1; i < count && !coding->coder->is_broken; i++)
		copy[i] = code_number(coding, context(OF_RECORD, 1, first, i), is_reading ? 0 : numbers[i]);
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

/* Codes a record, 0 for none, that follows in a context. */
static uint32_t code_record(struct coding *coding, const uint64_t contexts[2], uint64_t parent, uint64_t before,
			    uint32_t record)
{
	bool is_reading = coding->coder->is_reading;
	uint32_t label = END;

	if (!is_reading && record)
		label = coding->record_numbers[record] ? FIRST_RECORD + coding->record_numbers[record] - 1 : NEW_RECORD;
	if (!code_predicted(coding, contexts, &label))
		label = (uint32_t)code_number(coding, context(OF_LABEL, parent, 0, 0), label);
	learn(coding, contexts, label);
	if (label == NEW_RECORD)
		return code_new_record(coding, parent, before, record);
	if (!is_reading || label == END)
		return record;
	if (label - FIRST_RECORD >= coding->record_count) {
		coding->is_wrong = true;
		return 0;
	}
	return coding->records[label - FIRST_RECORD];
}

/* --- calls ----------------------------------------------------------------------------------------------- */

struct call {			/* whose contents are being coded */
	uint32_t node, item;	/* writer: the node, and its next item */
	uint64_t rest;		/* writer: ticks from the last item to the leave */
	uint32_t enter;
	uint64_t before[3];	/* classes of the last items, the latest first */
	uint32_t last_node;	/* 1 + number in the file of the last call; 0: it has none */
};

struct calls {
	struct call *calls;
	size_t count, room;
};

static void push(struct calls *calls, const struct coding *coding, uint32_t node, uint32_t enter)
{
	calls->calls = fathom_otf2_memory_grow(calls->calls, calls->count, &calls->room, sizeof(*calls->calls));
	calls->calls[calls->count++] = (struct call){ .node = node, .enter = enter,
						      .rest = coding->coder->is_reading ? 0 :
							      coding->graph->nodes[node].duration };
}

static uint64_t code_gap(struct coding *coding, uint64_t parent, uint64_t before, uint64_t following, uint64_t gap)
{
	uint64_t where = context(OF_GAP, parent, before, following);
	uint8_t *length = &coding->lengths[where & ((1u << CONTEXT_BITS) - 1)];

	gap = code_number(coding, context(OF_GAP, where, *length, 0), gap);
	*length = gap ? (uint8_t)(64 - __builtin_clzll(gap)) : 0;
	return gap;
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
	const uint64_t contexts[2] = { context(OF_NODE, class, call->last_node, class_of(coding, call->enter)),
				       context(OF_NODE, class, call->before[0], 1) };
	bool is_reading = coding->coder->is_reading;
	uint32_t number = is_reading || !coding->node_numbers[node] ? 0 : coding->node_numbers[node] - 1;
	bool is_known = !is_reading && coding->node_numbers[node];

	is_known = code_bit(coding, context(OF_KNOWN, class, call->before[0], 0), is_known);
	if (!is_known)
		return 0;
	if (!code_predicted(coding, contexts, &number))
		number = (uint32_t)(coding->node_count - 1 -
				    code_number(coding, context(OF_NODE, class, 2, 0),
						coding->node_count - 1 - number));
	learn(coding, contexts, number);
	*last = number + 1;
	if (!is_reading)
		return node;
	if (number >= coding->node_count) {
		coding->is_wrong = true;
		return 0;
	}
	return coding->nodes[number];
}

/* Ends the innermost call: codes the record that leaves it. Returns its node, and sets *last to 1 + its number, or
 * 0. */
static uint32_t code_end(struct coding *coding, struct calls *calls, uint64_t gap, uint32_t *last)
{
	const struct call *call = &calls->calls[calls->count - 1];
	uint64_t class = class_of(coding, call->enter);
	const uint64_t contexts[2] = { context(OF_LEAVE, class, 0, 0), context(OF_LEAVE, class, call->before[0], 1) };
	uint32_t leave = coding->coder->is_reading ? 0 : coding->graph->nodes[call->node].leave;
	uint32_t node = call->node;

	leave = code_record(coding, contexts, class, 1, leave);
	if (coding->coder->is_reading)
		node = fathom_graph_builder_close(&coding->builder, leave, gap);
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

/* Codes the next item of the innermost call, or its end. Returns the node of the location when its root has ended, else
 * 0. */
static uint32_t code_item(struct coding *coding, struct calls *calls)
{
	struct call *call = &calls->calls[calls->count - 1];
	const struct fathom_call_graph *graph = coding->graph;
	bool is_reading = coding->coder->is_reading;
	uint64_t parent = class_of(coding, call->enter), class, gap = 0;
	const uint64_t contexts[2] = {
		context(OF_LABEL, parent, call->before[0] + call->before[1] * 3, call->before[2]),
		context(OF_LABEL, parent, call->before[0], 1)
	};
	uint32_t record = 0, node = 0, ended, last = 0;

	if (!is_reading && call->item < graph->nodes[call->node].count) {
		const struct fathom_graph_item *item = &graph->items[graph->nodes[call->node].first + call->item++];

		gap = item->gap;
		node = item->is_call ? item->number : 0;
		record = item->is_call ? graph->nodes[node].enter : item->number;
		call->rest -= gap + (node ? graph->nodes[node].duration : 0);
	} else {
		gap = call->rest;
	}
	record = code_record(coding, contexts, parent, call->before[0], record);
	class = class_of(coding, record);
	gap = code_gap(coding, parent, call->before[0], class, gap);
	if (coding->is_wrong || coding->coder->is_broken)
		return 0;
	if (record && !fathom_graph_record_enters(graph, record)) {
		add_to(call, class, 0);
		if (is_reading)
			fathom_graph_builder_add(&coding->builder, gap, record, false, 0);
		return 0;
	}
	if (record) {
		uint32_t known = code_known(coding, call, class, node, &last);

		if (known && is_reading)
			fathom_graph_builder_add(&coding->builder, gap, known, true, graph->nodes[known].duration);
		if (known) {
			add_to(call, class, last);
			return 0;
		}
		if (is_reading)
			fathom_graph_builder_open(&coding->builder, record)->gap = gap;
		push(calls, coding, node, record);
		return 0;
	}
	class = parent;
	if (is_reading)
		parent = fathom_graph_builder_top(&coding->builder)->gap;	/* in front of the call that ends */
	ended = code_end(coding, calls, gap, &last);
	if (!calls->count)
		return ended;
	if (is_reading)
		fathom_graph_builder_add(&coding->builder, parent, ended, true, graph->nodes[ended].duration);
	add_to(&calls->calls[calls->count - 1], class, last);
	return 0;
}

static void code_location(struct coding *coding, size_t i)
{
	struct fathom_call_graph *graph = coding->graph;
	struct fathom_graph_location *location = &graph->locations[i];
	uint64_t id = i ? graph->locations[i - 1].id : 0, begin = i ? graph->locations[i - 1].begin : 0;
	struct calls calls = { NULL, 0, 0 };
	uint32_t root = 0;

	location->id = id + unfold(code_number(coding, context(OF_LOCATION, 0, 0, 0), fold(location->id - id)));
	location->begin = begin + unfold(code_number(coding, context(OF_LOCATION, 1, 0, 0),
						     fold(location->begin - begin)));
	location->events = code_number(coding, context(OF_LOCATION, 2, 0, 0), location->events);
	location->has_clock_offsets = code_bit(coding, context(OF_LOCATION, 3, 0, 0), location->has_clock_offsets);
	if (coding->coder->is_reading)
		fathom_graph_builder_open(&coding->builder, 0);
	push(&calls, coding, location->root, 0);
	while (!root && !coding->is_wrong && !coding->coder->is_broken)
		root = code_item(coding, &calls);
	location->root = root;
	free(calls.calls);
}

static void code_locations(struct coding *coding)
{
	struct fathom_call_graph *graph = coding->graph;
	uint64_t count = code_head_number(coding, 6, graph->location_count);

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

	coding.numbers = fathom_number_models_create((size_t)1 << NUMBER_BITS);
	coding.bits = fathom_bit_models_create((size_t)1 << CONTEXT_BITS);
	coding.text = fathom_bit_models_create(1 << 16);
	coding.lengths = fathom_otf2_memory_alloc((size_t)1 << CONTEXT_BITS, 1);
	coding.predictions = fathom_otf2_memory_alloc((size_t)1 << CONTEXT_BITS, sizeof(*coding.predictions));
	for (size_t i = 0; i < (size_t)1 << CONTEXT_BITS; i++)
		coding.predictions[i].is_first = coding.predictions[i].is_second =
			(struct fathom_bit_model){ 1 << 15, 0 };
	if (!coder->is_reading) {
		coding.record_numbers = fathom_otf2_memory_alloc(graph->record_count, sizeof(uint32_t));
		coding.node_numbers = fathom_otf2_memory_alloc(graph->node_count, sizeof(uint32_t));
	}
	code_head(&coding);
	if (!coding.is_wrong)
		code_definitions(&coding);
	if (!coding.is_wrong)
		code_locations(&coding);
	free(coding.numbers);
	free(coding.bits);
	free(coding.text);
	free(coding.lengths);
	free(coding.predictions);
	free(coding.records);
	free(coding.nodes);
	free(coding.record_numbers);
	free(coding.node_numbers);
	fathom_graph_builder_free(&coding.builder);
	return !coding.is_wrong && !coder->is_broken;
}
