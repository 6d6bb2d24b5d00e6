/*
 * The search takes one pass over the graph for each level of nesting. A pass finds the strongly connected components
 * (Tarjan's algorithm) within each loop of the level above, without the edges to the entries of that loop. A component
 * with a cycle is a loop of this level. Each pass takes time in proportion to the number of edges.
 */
#include "symbols/loop_nest.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
	MOST_LEVELS = 100,	/* deeper loops count for the loop around them; damaged code could have any depth */
	NOT_VISITED = 0,	/* visits are numbered from 1 */
};

/* The path of the search: a block, and the number of its edges that the search has followed. */
struct step {
	uint32_t block;
	uint32_t edge;
};

struct search {
	const struct fathom_block_graph *graph;
	struct fathom_loop_nest *nest;
	uint32_t room;			/* of nest->loops */
	uint32_t *visit;		/* by block: number of the visit in this pass */
	uint32_t *lowest;		/* by block: the lowest visit that can be reached, within the component */
	uint32_t *component;		/* the blocks visited whose component is not complete yet */
	uint32_t component_count;
	struct step *path;
	bool *is_open;			/* by block: is in `component` */
	bool *is_reachable;		/* by block: from the entry of the function */
	bool *is_entered;		/* by block: an edge leads to it from outside of its new loop */
	int32_t *new_loop;		/* by block: the loop of this level, or FATHOM_NO_LOOP */
	uint32_t visits;
};

/* Whether an edge exists on this level: both ends are in the same loop, and the edge does not lead to its entry. */
static bool is_followed(const struct search *search, uint32_t from, uint32_t to)
{
	const struct fathom_loop_nest *nest = search->nest;

	return nest->innermost[from] == nest->innermost[to] && !nest->is_entry[to];
}

static bool has_edge_to_itself(const struct search *search, uint32_t block)
{
	const struct fathom_block_graph *graph = search->graph;

	for (uint32_t e = graph->first[block]; e < graph->first[block + 1]; e++)
		if (graph->targets[e] == block)
			return is_followed(search, block, block);
	return false;
}

static int add_loop(struct search *search, int32_t parent)
{
	struct fathom_loop_nest *nest = search->nest;

	if (nest->count == search->room) {
		uint32_t room = search->room ? 2 * search->room : 16;
		struct fathom_loop *loops = reallocarray(nest->loops, room, sizeof(*loops));

		if (!loops)
			return -ENOMEM;
		nest->loops = loops;
		search->room = room;
	}
	nest->loops[nest->count++] = (struct fathom_loop){
		.header = UINT32_MAX,
		.parent = parent,
		.depth = parent == FATHOM_NO_LOOP ? 1 : nest->loops[parent].depth + 1,
	};
	return 0;
}

/* Takes the component that begins with root from the list of open blocks. It becomes a loop if it has a cycle. */
static int close_component(struct search *search, uint32_t root)
{
	uint32_t begin = search->component_count;
	int err = 0;

	while (search->component[--begin] != root)
		;
	if (search->component_count - begin > 1 || has_edge_to_itself(search, root)) {
		err = add_loop(search, search->nest->innermost[root]);
		for (uint32_t i = begin; !err && i < search->component_count; i++)
			search->new_loop[search->component[i]] = (int32_t)search->nest->count - 1;
	}
	for (uint32_t i = begin; i < search->component_count; i++)
		search->is_open[search->component[i]] = false;
	search->component_count = begin;
	return err;
}

static void visit(struct search *search, uint32_t block, uint32_t depth)
{
	search->visit[block] = search->lowest[block] = ++search->visits;
	search->component[search->component_count++] = block;
	search->is_open[block] = true;
	search->path[depth] = (struct step){ block, search->graph->first[block] };
}

/* Finds the components that can be reached from a block. The path is kept in an array, because functions can have more
 * blocks than the stack could hold calls. */
static int search_from(struct search *search, uint32_t start)
{
	const struct fathom_block_graph *graph = search->graph;
	uint32_t depth = 0;

	visit(search, start, depth);
	for (;;) {
		struct step *step = &search->path[depth];
		uint32_t block = step->block, target;
		int err;

		if (step->edge < graph->first[block + 1]) {
			target = graph->targets[step->edge++];
			if (!is_followed(search, block, target))
				continue;
			if (search->visit[target] == NOT_VISITED)
				visit(search, target, ++depth);
			else if (search->is_open[target] && search->visit[target] < search->lowest[block])
				search->lowest[block] = search->visit[target];
			continue;
		}
		if (search->lowest[block] == search->visit[block]) {
			err = close_component(search, block);
			if (err)
				return err;
		}
		if (!depth)
			return 0;
		depth--;
		if (search->lowest[block] < search->lowest[search->path[depth].block])
			search->lowest[search->path[depth].block] = search->lowest[block];
	}
}

/*
 * Marks the entries of the new loops: blocks to which an edge leads from outside. Edges from blocks that cannot be
 * reached do not count: these are landing pads of exceptions, and code behind calls that never return. If no edge
 * leads into a loop, its first block is its entry.
 */
static void find_entries(struct search *search)
{
	const struct fathom_block_graph *graph = search->graph;
	struct fathom_loop_nest *nest = search->nest;

	memset(search->is_entered, 0, graph->count * sizeof(bool));
	search->is_entered[0] = true;
	for (uint32_t b = 0; b < graph->count; b++)
		for (uint32_t e = graph->first[b]; search->is_reachable[b] && e < graph->first[b + 1]; e++)
			if (search->new_loop[graph->targets[e]] != search->new_loop[b])
				search->is_entered[graph->targets[e]] = true;
	for (uint32_t b = 0; b < graph->count; b++) {
		struct fathom_loop *loop = search->new_loop[b] < 0 ? NULL : &nest->loops[search->new_loop[b]];

		if (!loop || !search->is_entered[b])
			continue;
		nest->is_entry[b] = true;
		loop->has_many_entries = loop->header != UINT32_MAX;
		if (loop->header == UINT32_MAX)
			loop->header = b;
	}
	for (uint32_t b = 0; b < graph->count; b++) {
		struct fathom_loop *loop = search->new_loop[b] < 0 ? NULL : &nest->loops[search->new_loop[b]];

		if (loop && loop->header == UINT32_MAX) {
			loop->header = b;
			nest->is_entry[b] = true;
		}
	}
}

/* Finds the loops of the next level. Returns 1 if there are any, 0 if not, or -ENOMEM. */
static int search_level(struct search *search)
{
	const struct fathom_block_graph *graph = search->graph;
	uint32_t before = search->nest->count;

	memset(search->visit, 0, graph->count * sizeof(*search->visit));
	search->visits = search->component_count = 0;
	for (uint32_t b = 0; b < graph->count; b++)
		search->new_loop[b] = FATHOM_NO_LOOP;
	for (uint32_t b = 0; b < graph->count; b++) {
		/* Blocks outside of all loops need to be searched only on the first level. */
		bool is_done = before && search->nest->innermost[b] == FATHOM_NO_LOOP;
		int err = is_done || search->visit[b] != NOT_VISITED ? 0 : search_from(search, b);

		if (err)
			return err;
	}
	if (search->nest->count == before)
		return 0;
	find_entries(search);
	for (uint32_t b = 0; b < graph->count; b++)
		if (search->new_loop[b] != FATHOM_NO_LOOP)
			search->nest->innermost[b] = search->new_loop[b];
	return 1;
}

/* Marks the blocks that can be reached from the entry of the function. */
static void find_reachable(struct search *search)
{
	const struct fathom_block_graph *graph = search->graph;
	uint32_t count = 1, *pending = search->component;

	pending[0] = 0;
	search->is_reachable[0] = true;
	while (count) {
		uint32_t block = pending[--count];

		for (uint32_t e = graph->first[block]; e < graph->first[block + 1]; e++) {
			uint32_t target = graph->targets[e];

			if (search->is_reachable[target])
				continue;
			search->is_reachable[target] = true;
			pending[count++] = target;
		}
	}
}

static int search_levels(struct search *search)
{
	int found = 1;

	find_reachable(search);
	for (int level = 0; level < MOST_LEVELS && found == 1; level++)
		found = search_level(search);
	return found < 0 ? found : 0;
}

int fathom_loop_nest_init(struct fathom_loop_nest *nest, const struct fathom_block_graph *graph)
{
	struct search search = { .graph = graph, .nest = nest };
	int err = -ENOMEM;

	*nest = (struct fathom_loop_nest){
		.innermost = malloc(graph->count * sizeof(*nest->innermost)),
		.is_entry = calloc(graph->count, sizeof(*nest->is_entry)),
	};
	search.visit = calloc(graph->count, sizeof(*search.visit));
	search.lowest = calloc(graph->count, sizeof(*search.lowest));
	search.component = calloc(graph->count, sizeof(*search.component));
	search.path = calloc(graph->count, sizeof(*search.path));
	search.is_open = calloc(graph->count, sizeof(*search.is_open));
	search.is_reachable = calloc(graph->count, sizeof(*search.is_reachable));
	search.is_entered = calloc(graph->count, sizeof(*search.is_entered));
	search.new_loop = calloc(graph->count, sizeof(*search.new_loop));
	if (nest->innermost && nest->is_entry && search.visit && search.lowest && search.component && search.path &&
	    search.is_open && search.is_reachable && search.is_entered && search.new_loop) {
		for (uint32_t b = 0; b < graph->count; b++)
			nest->innermost[b] = FATHOM_NO_LOOP;
		err = search_levels(&search);
	}
	free(search.visit);
	free(search.lowest);
	free(search.component);
	free(search.path);
	free(search.is_open);
	free(search.is_reachable);
	free(search.is_entered);
	free(search.new_loop);
	if (err)
		fathom_loop_nest_fini(nest);
	return err;
}

void fathom_loop_nest_fini(struct fathom_loop_nest *nest)
{
	free(nest->loops);
	free(nest->innermost);
	free(nest->is_entry);
	*nest = (struct fathom_loop_nest){ 0 };
}
