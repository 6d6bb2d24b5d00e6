#include "callgraphs/list_search.h"

#include <string.h>

enum {
	LONGEST = 64,		/* the longest sequence that is looked for, in items */
	LEAST_TIMES = 3,	/* a sequence becomes a list when it is there so often and makes up so many items */
	LEAST_ITEMS = 64,
};

/* Returns how often a sequence of that length must be there to become a list: so often that the list is shorter in the
 * file than the items, which are predicted from those in front of them. */
static uint32_t times_needed(size_t length)
{
	uint32_t times = (uint32_t)((LEAST_ITEMS + length - 1) / length);

	return times > LEAST_TIMES ? times : LEAST_TIMES;
}

static bool are_equal(const struct fathom_graph_item *a, const struct fathom_graph_item *b, size_t count)
{
	return memcmp(a, b, count * sizeof(*a)) == 0;
}

/* Counts the items behind the last list in that list, if they are its contents once more. */
static bool extend_list(const struct fathom_call_graph *graph, struct fathom_open_items *open)
{
	struct fathom_graph_item *list;
	const struct fathom_graph_node *node;

	if (!open->last_list)
		return false;
	list = &open->items[open->last_list - 1];
	node = &graph->nodes[list->number];
	if (open->count - open->last_list != node->count || list->count == UINT32_MAX ||
	    !are_equal(list + 1, graph->items + node->first, node->count))
		return false;
	list->count++;
	open->count = open->last_list;
	return true;
}

/* Replaces the last items by a list of length items, which are there that many times. */
static void make_list(struct fathom_call_graph *graph, struct fathom_open_items *open, size_t length, uint32_t times)
{
	struct fathom_graph_node node = { .count = (uint32_t)length };
	struct fathom_graph_item *items = open->items + open->count - length;
	uint32_t number;

	for (size_t i = 0; i < length; i++)
		node.duration += items[i].count * fathom_graph_item_ticks(graph, &items[i]);
	number = fathom_call_graph_node(graph, &node, items);
	open->count -= times * length;
	open->items[open->count++] = (struct fathom_graph_item){ .number = number, .is_call = true, .count = times };
	open->last_list = open->count;
}

/* Makes a list if the last items are a sequence that is there often enough. */
static bool find_list(struct fathom_call_graph *graph, struct fathom_open_items *open)
{
	const struct fathom_graph_item *last = &open->items[open->count - 1];

	for (size_t length = 2; length <= LONGEST && length * LEAST_TIMES <= open->count; length++) {
		size_t compared;
		uint32_t times;

		if (!are_equal(last, last - length, 1))
			continue;
		times = times_needed(length);
		compared = (times - 1) * length;
		if (times * length > open->count ||
		    !are_equal(last + 1 - compared, last + 1 - compared - length, compared))
			continue;
		make_list(graph, open, length, times);
		return true;
	}
	return false;
}

void fathom_list_search(struct fathom_call_graph *graph, struct fathom_open_items *open)
{
	while (extend_list(graph, open) || find_list(graph, open))
		;
}
