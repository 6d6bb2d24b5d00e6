#include "profile/result/value_sender.h"

#include <errno.h>
#include <string.h>

#include "profile/budget/budget_estimates.h"
#include "profile/result/value_block.h"
#include "profile/process_tree/call_path_values.h"

/* Returns the largest number of this process's call paths in one block. */
static size_t most_in_a_block(const struct fathom_value_sender *sender, const uint32_t *numbers, uint32_t own)
{
	struct fathom_arena arena = { 0 };
	size_t blocks = sender->cnode_count / sender->block_cnodes + 1, most = 0;
	uint32_t *count = fathom_arena_alloc(&arena, blocks * sizeof(*count));

	for (uint32_t i = 0; count && i < own; i++) {
		uint32_t in_block = ++count[numbers[i] / sender->block_cnodes];

		if (in_block > most)
			most = in_block;
	}
	fathom_arena_fini(&arena);
	return count ? most : own;
}

int fathom_value_sender_init(struct fathom_value_sender *sender, const struct fathom_aggregate *aggregate,
			     const struct fathom_process_tree *process, const uint32_t *numbers,
			     const struct fathom_metric_map *metrics, uint32_t cnode_count, uint32_t block_cnodes)
{
	size_t thread_bytes = (size_t)process->value_count * (process->location_count + 1) * sizeof(uint64_t);
	size_t cell_bytes = fathom_aggregate_offset(aggregate, aggregate->value_count) * sizeof(uint64_t);
	size_t path_bytes = cell_bytes + sizeof(struct fathom_packed_cnode);
	uint32_t own = process->tree.count;

	memset(sender, 0, sizeof(*sender));
	sender->process = process;
	sender->aggregate = aggregate;
	sender->cnode_count = cnode_count;
	sender->block_cnodes = block_cnodes;
	sender->node_of = fathom_arena_alloc(&sender->arena, ((size_t)cnode_count + 1) * sizeof(*sender->node_of));
	sender->next_of = fathom_arena_alloc(&sender->arena, ((size_t)own + 1) * sizeof(*sender->next_of));
	sender->values = fathom_arena_alloc(&sender->arena, thread_bytes);
	sender->extra_values = fathom_arena_alloc(&sender->arena, thread_bytes);
	sender->cells = fathom_arena_alloc(&sender->arena, cell_bytes + sizeof(uint64_t));
	sender->data = fathom_arena_alloc(&sender->arena, most_in_a_block(sender, numbers, own) * path_bytes + 1);
	if (!sender->node_of || !sender->next_of || !sender->values || !sender->extra_values || !sender->cells ||
	    !sender->data) {
		fathom_arena_fini(&sender->arena);
		return -ENOMEM;
	}
	memset(&sender->own_metric, FATHOM_METRIC_NOT_KEPT, sizeof(sender->own_metric));
	for (uint32_t m = 0; m < FATHOM_METRIC_MOST; m++)
		if (metrics->ours[m] != FATHOM_METRIC_NOT_KEPT)
			sender->own_metric.ours[metrics->ours[m]] = (uint8_t)m;
	for (uint32_t i = 0; i < own; i++) {
		sender->next_of[i] = sender->node_of[numbers[i]];
		sender->node_of[numbers[i]] = i + 1;
	}
	return 0;
}

void fathom_value_sender_fini(struct fathom_value_sender *sender)
{
	fathom_arena_fini(&sender->arena);
}

/* Returns the number that a value of the union has in this process; value_count: it has none. */
static uint32_t own_value(const struct fathom_value_sender *sender, uint32_t value)
{
	uint8_t own;

	if (value < FATHOM_VALUE_METRICS)
		return value;
	own = sender->own_metric.ours[value - FATHOM_VALUE_METRICS];
	return own == FATHOM_METRIC_NOT_KEPT ? sender->aggregate->value_count : (uint32_t)FATHOM_VALUE_METRICS + own;
}

/* Sets values to those of a call path: the measured values, and the budget's estimates. */
static void find_values(const struct fathom_value_sender *sender, uint32_t path, uint64_t *values)
{
	fathom_process_tree_values(sender->process, path, values);
	fathom_budget_estimates_add(sender->process, path, values);
}

/* Packs the values of a call path. If several nodes are one call path in the file, their values are added up thread
 * by thread, before the threads become locations. */
static char *pack_cnode(const struct fathom_value_sender *sender, char *place, uint32_t cnode)
{
	const struct fathom_aggregate *aggregate = sender->aggregate;
	uint32_t own = sender->node_of[cnode];
	struct fathom_packed_cnode packed = { .cnode = cnode };
	char *head = place;
	fathom_presence present;

	find_values(sender, own - 1, sender->values);
	while ((own = sender->next_of[own - 1]) != 0) {
		find_values(sender, own - 1, sender->extra_values);
		fathom_aggregate_add(aggregate, sender->values, sender->extra_values);
	}
	present = fathom_aggregate_cells(aggregate, sender->values, sender->cells);
	place += sizeof(packed);
	for (uint32_t value = 0; value < FATHOM_VALUE_METRICS + FATHOM_METRIC_MOST; value++) {
		uint32_t v = own_value(sender, value);
		size_t first, bytes;

		if (v == aggregate->value_count || !(present >> v & 1))
			continue;
		first = fathom_aggregate_offset(aggregate, v);
		bytes = (fathom_aggregate_offset(aggregate, v + 1) - first) * sizeof(uint64_t);
		packed.present |= fathom_presence_of(value);
		memcpy(place, sender->cells + first, bytes);
		place += bytes;
	}
	memcpy(head, &packed, sizeof(packed));
	return place;
}

size_t fathom_value_sender_pack(struct fathom_value_sender *sender, uint32_t first)
{
	uint32_t end = sender->cnode_count - first < sender->block_cnodes ? sender->cnode_count :
									      first + sender->block_cnodes;
	char *place = sender->data;

	for (uint32_t cnode = first; cnode < end; cnode++)
		if (sender->node_of[cnode])
			place = pack_cnode(sender, place, cnode);
	return (size_t)(place - sender->data);
}
