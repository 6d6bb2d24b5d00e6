#include "callgraphs/call_graph.h"

#include <stdlib.h>
#include <string.h>

#include "callgraphs/event_content.h"
#include "otf2/memory.h"

enum { FIRST_SLOTS = 1 << 10 };

void fathom_call_graph_init(struct fathom_call_graph *graph)
{
	*graph = (struct fathom_call_graph){ .record_slot_count = FIRST_SLOTS, .node_slot_count = FIRST_SLOTS };
	graph->record_slots = fathom_otf2_memory_alloc(FIRST_SLOTS, sizeof(uint32_t));
	graph->node_slots = fathom_otf2_memory_alloc(FIRST_SLOTS, sizeof(uint32_t));
	/* Number 0 means that there is none. */
	graph->records = fathom_otf2_memory_grow(NULL, 0, &graph->record_room, sizeof(*graph->records));
	graph->nodes = fathom_otf2_memory_grow(NULL, 0, &graph->node_room, sizeof(*graph->nodes));
	graph->records[0] = (struct fathom_graph_record){ 0 };
	graph->nodes[0] = (struct fathom_graph_node){ 0 };
	graph->record_count = graph->node_count = 1;
}

void fathom_call_graph_free(struct fathom_call_graph *graph)
{
	for (size_t i = 0; i < graph->property_count; i++)
		free(graph->properties[i]);
	free(graph->properties);
	free(graph->creator);
	free(graph->description);
	free(graph->records);
	free(graph->nodes);
	free(graph->items);
	free(graph->numbers);
	free(graph->locations);
	free(graph->record_slots);
	free(graph->node_slots);
	fathom_definitions_free(&graph->definitions);
	*graph = (struct fathom_call_graph){ 0 };
}

static uint64_t mix(uint64_t hash, uint64_t number)
{
	hash = (hash ^ number) * 0x9e3779b97f4a7c15u;
	return hash ^ hash >> 29;
}

/* --- records ------------------------------------------------------------------------------------------ */

static uint64_t hash_numbers(const uint64_t *numbers, uint32_t count)
{
	uint64_t hash = count;

	for (uint32_t i = 0; i < count; i++)
		hash = mix(hash, numbers[i]);
	return hash;
}

static void widen_records(struct fathom_call_graph *graph)
{
	if (graph->record_count < graph->record_slot_count)
		return;
	free(graph->record_slots);
	graph->record_slot_count *= 4;
	graph->record_slots = fathom_otf2_memory_alloc(graph->record_slot_count, sizeof(uint32_t));
	for (uint32_t r = 1; r < graph->record_count; r++) {
		struct fathom_graph_record *record = &graph->records[r];
		uint64_t hash = hash_numbers(graph->numbers + record->first, record->count);
		uint32_t *slot = &graph->record_slots[hash & (graph->record_slot_count - 1)];

		record->next = *slot;
		*slot = r;
	}
}

uint32_t fathom_call_graph_record(struct fathom_call_graph *graph, const uint64_t *numbers, uint32_t count)
{
	uint64_t hash = hash_numbers(numbers, count);
	uint32_t *slot = &graph->record_slots[hash & (graph->record_slot_count - 1)], r;
	struct fathom_graph_record *record;

	for (r = *slot; r; r = record->next) {
		record = &graph->records[r];
		if (record->count == count &&
		    memcmp(graph->numbers + record->first, numbers, count * sizeof(*numbers)) == 0)
			return r;
	}
	graph->records = fathom_otf2_memory_grow(graph->records, graph->record_count, &graph->record_room,
						 sizeof(*graph->records));
	record = &graph->records[graph->record_count];
	*record = (struct fathom_graph_record){ .count = count, .next = *slot, .first = graph->number_count };
	*slot = (uint32_t)graph->record_count++;
	for (uint32_t i = 0; i < count; i++) {
		graph->numbers = fathom_otf2_memory_grow(graph->numbers, graph->number_count, &graph->number_room,
							 sizeof(uint64_t));
		graph->numbers[graph->number_count++] = numbers[i];
	}
	r = (uint32_t)graph->record_count - 1;
	widen_records(graph);
	return r;
}

enum fathom_record fathom_graph_record_kind(const struct fathom_call_graph *graph, uint32_t record)
{
	return fathom_content_kind(graph->numbers + graph->records[record].first);
}

uint64_t fathom_graph_record_ref(const struct fathom_call_graph *graph, uint32_t record)
{
	return fathom_content_ref(graph->numbers + graph->records[record].first);
}

bool fathom_graph_record_enters(const struct fathom_call_graph *graph, uint32_t record)
{
	enum fathom_record kind = fathom_graph_record_kind(graph, record);

	return kind == FATHOM_RECORD_ENTER || kind == FATHOM_RECORD_CALLING_CONTEXT_ENTER;
}

/* --- nodes ---------------------------------------------------------------------------------------------- */

static uint64_t hash_node(const struct fathom_graph_node *node, const struct fathom_graph_item *items)
{
	uint64_t hash = mix(mix(node->enter, node->leave), node->duration);

	for (uint32_t i = 0; i < node->count; i++)
		hash = mix(mix(hash, items[i].gap), (uint64_t)items[i].count << 32 | (uint64_t)items[i].number << 1 |
						    items[i].is_call);
	return hash;
}

static bool is_equal(const struct fathom_call_graph *graph, const struct fathom_graph_node *a,
		     const struct fathom_graph_node *b, const struct fathom_graph_item *items)
{
	return a->enter == b->enter && a->leave == b->leave && a->duration == b->duration && a->count == b->count &&
	       (a->count == 0 || memcmp(graph->items + a->first, items, a->count * sizeof(*items)) == 0);
}

static void widen_nodes(struct fathom_call_graph *graph)
{
	if (graph->node_count < graph->node_slot_count)
		return;
	free(graph->node_slots);
	graph->node_slot_count *= 4;
	graph->node_slots = fathom_otf2_memory_alloc(graph->node_slot_count, sizeof(uint32_t));
	for (uint32_t n = 1; n < graph->node_count; n++) {
		struct fathom_graph_node *node = &graph->nodes[n];
		uint64_t hash = hash_node(node, graph->items + node->first);
		uint32_t *slot = &graph->node_slots[hash & (graph->node_slot_count - 1)];

		node->next = *slot;
		*slot = n;
	}
}

uint32_t fathom_call_graph_node(struct fathom_call_graph *graph, const struct fathom_graph_node *node,
				const struct fathom_graph_item *items)
{
	uint32_t *slot = &graph->node_slots[hash_node(node, items) & (graph->node_slot_count - 1)], n;
	struct fathom_graph_node *its;

	for (n = *slot; n; n = graph->nodes[n].next)
		if (is_equal(graph, &graph->nodes[n], node, items))
			return n;
	graph->nodes = fathom_otf2_memory_grow(graph->nodes, graph->node_count, &graph->node_room,
					       sizeof(*graph->nodes));
	its = &graph->nodes[graph->node_count];
	*its = *node;
	its->next = *slot;
	its->first = graph->item_count;
	n = *slot = (uint32_t)graph->node_count++;
	graph->call_count += node->enter != 0;
	for (uint32_t i = 0; i < node->count; i++) {
		graph->items = fathom_otf2_memory_grow(graph->items, graph->item_count, &graph->item_room,
						       sizeof(*graph->items));
		graph->items[graph->item_count++] = items[i];
	}
	widen_nodes(graph);
	return n;
}

uint64_t fathom_graph_item_ticks(const struct fathom_call_graph *graph, const struct fathom_graph_item *item)
{
	return item->gap + (item->is_call ? graph->nodes[item->number].duration : 0);
}
