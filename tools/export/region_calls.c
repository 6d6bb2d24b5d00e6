#include "tools/export/region_calls.h"

#include <stdlib.h>

#include "tools/common/command.h"
#include "tools/export/export_profile.h"

static bool is_same_call(const void *calls, uint32_t number, const void *wanted)
{
	const struct fathom_region_call *call = &((const struct fathom_region_call *)calls)[number], *other = wanted;

	return call->caller == other->caller && call->callee == other->callee;
}

/* Returns the number of the call from one region to another, which is added if it is new. */
static uint32_t find_call(struct fathom_region_calls *graph, uint32_t caller, uint32_t callee)
{
	struct fathom_region_call wanted = { .caller = caller, .callee = callee };
	uint64_t hash = fathom_index_hash_number(fathom_index_hash_number(0, caller), callee);
	int64_t found = fathom_index_find(&graph->index, hash, is_same_call, graph->calls, &wanted);

	if (found >= 0)
		return (uint32_t)found;
	graph->calls = fathom_tool_grow(graph->calls, graph->call_count, &graph->call_room, sizeof(*graph->calls));
	graph->calls[graph->call_count] = wanted;
	fathom_index_add(&graph->index, hash, (uint32_t)graph->call_count);
	return (uint32_t)graph->call_count++;
}

/* Adds the values of a call path to its region and to the call that leads to it. Returns the number of that call. */
static uint32_t add_call_path(struct fathom_region_calls *graph, const struct fathom_export_profile *source, uint32_t c)
{
	const struct fathom_cube_cnode *node = &source->profile->cube->cnodes[c];
	struct fathom_region_sum *region = &graph->regions[node->region];
	int64_t visits = source->visits ? source->visits[c] : 0;
	struct fathom_region_call *call;
	uint32_t number, caller;

	region->own += source->own[c];
	region->call_paths++;
	if (region->open++ == 0)
		region->inclusive += source->inclusive[c];
	if (node->parent < 0) {
		region->calls += visits;
		return 0;
	}
	caller = source->profile->cube->cnodes[node->parent].region;
	if (caller == node->region)
		region->recursive_calls += visits;
	else
		region->calls += visits;
	number = find_call(graph, caller, node->region);
	call = &graph->calls[number];
	call->calls += visits;
	if (caller != node->region) {
		call->own += source->own[c];
		call->inclusive += call->open == 0 ? source->inclusive[c] : 0;
	}
	call->open++;
	return number;
}

static int compare_calls(const void *left, const void *right)
{
	const struct fathom_region_call *a = left, *b = right;

	if (a->caller != b->caller)
		return a->caller < b->caller ? -1 : 1;
	if (a->inclusive != b->inclusive)
		return a->inclusive > b->inclusive ? -1 : 1;
	return a->callee < b->callee ? -1 : a->callee > b->callee;
}

void fathom_region_calls_init(struct fathom_region_calls *graph, const struct fathom_export_profile *source)
{
	const struct fathom_profile *profile = source->profile;
	const struct fathom_cube *cube = profile->cube;
	uint32_t *path = fathom_tool_alloc(cube->cnode_count, sizeof(uint32_t));	/* open call paths */
	uint32_t *calls = fathom_tool_alloc(cube->cnode_count, sizeof(uint32_t));	/* by open call path */
	uint32_t depth = 0;

	*graph = (struct fathom_region_calls){
		.regions = fathom_tool_alloc((size_t)cube->region_count + 1, sizeof(*graph->regions)),
	};
	for (uint32_t c = 0; c < cube->cnode_count; c++) {
		for (; depth && c >= profile->subtree_end[path[depth - 1]]; depth--) {
			graph->regions[cube->cnodes[path[depth - 1]].region].open--;
			if (cube->cnodes[path[depth - 1]].parent >= 0)
				graph->calls[calls[depth - 1]].open--;
		}
		path[depth] = c;
		calls[depth++] = add_call_path(graph, source, c);
	}
	free(path);
	free(calls);
	if (graph->call_count)
		qsort(graph->calls, graph->call_count, sizeof(*graph->calls), compare_calls);
	for (uint32_t r = 0, i = 0; r <= cube->region_count; r++) {
		while (i < graph->call_count && graph->calls[i].caller < r)
			i++;
		graph->regions[r].first_call = i;
	}
}

void fathom_region_calls_fini(struct fathom_region_calls *graph)
{
	free(graph->regions);
	free(graph->calls);
	fathom_index_fini(&graph->index);
}
