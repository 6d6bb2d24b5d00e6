#include "tools/algebra/algebra_inputs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/algebra/united_tree.h"
#include "tools/common/command.h"
#include "tools/common/experiment.h"
#include "tools/common/scope_region.h"

int fathom_algebra_open(struct fathom_algebra *algebra, char *const *targets, int count)
{
	struct fathom_experiment experiment;

	if (count > FATHOM_ALGEBRA_INPUTS_MOST)
		fathom_tool_usage_error("%d profiles: at most %d can be combined", count, FATHOM_ALGEBRA_INPUTS_MOST);
	for (int i = 0; i < count; i++) {
		struct fathom_algebra_input *input = &algebra->inputs[algebra->count];
		int err = fathom_experiment_find(&experiment, targets[i]);

		if (err)
			return err;
		if (fathom_experiment_is_trace(experiment.path)) {
			fathom_tool_error("%s: is a trace (profiles are combined)", experiment.path);
			return -EINVAL;
		}
		memcpy(input->path, experiment.path, sizeof(input->path));
		err = fathom_profile_open(&input->profile, input->path, -1);
		if (err)
			return err;
		algebra->count++;
	}
	return 0;
}

/* --- call paths ------------------------------------------------------------------------------------ */

/* The matching of one input. */
struct matching {
	struct fathom_united_tree *tree;
	const struct fathom_profile *profile;
	uint32_t number;	/* of the input, from 1 on */
	int32_t *node;		/* by call path of the input: its number in the tree; -1: not known yet */
	uint32_t *scopes;	/* the loops and inlined functions of the present function, one inside the other */
	uint32_t scope_count;
};

static void take(struct matching *matching, uint32_t c, int32_t node)
{
	matching->node[c] = node;
	if (node >= 0)
		matching->tree->nodes[node].taken = matching->number;
}

static void add(struct matching *matching, uint32_t c, int32_t parent)
{
	take(matching, c, fathom_united_tree_add(matching->tree, matching->profile, c, parent));
}

/* Finds the nodes of call paths of the input that have the same caller, whose node is parent. Loops and inlined
 * functions that have no node get one; then they are noted as scopes. */
static void find_siblings(struct matching *matching, const uint32_t *cnodes, uint32_t count, int32_t parent)
{
	for (int likeness = 0; likeness < FATHOM_LIKENESSES && matching->number > 1; likeness++)
		for (uint32_t i = 0; i < count; i++)
			if (matching->node[cnodes[i]] < 0)
				take(matching, cnodes[i],
				     fathom_united_tree_find(matching->tree, matching->profile, matching->number,
							     cnodes[i], parent, (enum fathom_likeness)likeness));
	for (uint32_t i = 0; i < count; i++) {
		bool is_scope = fathom_scope_is(fathom_profile_region(matching->profile, cnodes[i]));

		/* The call paths of the first input keep their order. */
		if (matching->node[cnodes[i]] < 0 && (is_scope || matching->number == 1))
			add(matching, cnodes[i], parent);
		if (is_scope)
			matching->scopes[matching->scope_count++] = cnodes[i];
	}
}

/* Finds the nodes of call paths that have none yet in other loops or inlined functions of the same function: an input
 * may lack these, or have others. Call paths without any get new nodes. */
static void find_elsewhere(struct matching *matching, uint32_t function, const uint32_t *cnodes, uint32_t count,
			   int32_t parent)
{
	for (int likeness = 0; likeness < FATHOM_LIKENESSES; likeness++)
		for (uint32_t i = 0; i < count; i++)
			if (matching->node[cnodes[i]] < 0)
				take(matching, cnodes[i],
				     fathom_united_tree_find_in_scopes(matching->tree, matching->profile,
								       matching->number, cnodes[i],
								       matching->node[function],
								       (enum fathom_likeness)likeness));
	for (uint32_t i = 0; i < count; i++)
		if (matching->node[cnodes[i]] < 0)
			add(matching, cnodes[i], parent);
}

/* Matches what a function calls, directly and from its loops and inlined functions. */
static void match_callees(struct matching *matching, uint32_t function)
{
	const struct fathom_profile *profile = matching->profile;

	matching->scope_count = 0;
	matching->scopes[matching->scope_count++] = function;
	for (uint32_t i = 0; i < matching->scope_count; i++) {
		uint32_t c = matching->scopes[i];

		find_siblings(matching, profile->child + profile->first_child[c],
			      profile->first_child[c + 1] - profile->first_child[c], matching->node[c]);
	}
	for (uint32_t i = 0; i < matching->scope_count; i++) {
		uint32_t c = matching->scopes[i];

		find_elsewhere(matching, function, profile->child + profile->first_child[c],
			       profile->first_child[c + 1] - profile->first_child[c], matching->node[c]);
	}
}

/* Returns the number in the tree of each call path of an input. */
static int32_t *match_input(struct fathom_united_tree *tree, const struct fathom_profile *profile, uint32_t number)
{
	uint32_t count = profile->cube->cnode_count, root_count = 0;
	uint32_t *roots = fathom_tool_alloc(count, sizeof(*roots));
	struct matching matching = {
		.tree = tree, .profile = profile, .number = number,
		.node = fathom_tool_alloc(count, sizeof(*matching.node)),
		.scopes = fathom_tool_alloc(count, sizeof(*matching.scopes)),
	};

	for (uint32_t c = 0; c < count; c++) {
		matching.node[c] = -1;
		if (profile->cube->cnodes[c].parent < 0)
			roots[root_count++] = c;
	}
	find_siblings(&matching, roots, root_count, -1);
	for (uint32_t i = 0; i < root_count; i++)
		if (matching.node[roots[i]] < 0)
			add(&matching, roots[i], -1);
	for (uint32_t c = 0; c < count; c++)
		if (profile->cube->cnodes[c].parent < 0 || !fathom_scope_is(fathom_profile_region(profile, c)))
			match_callees(&matching, c);
	free(roots);
	free(matching.scopes);
	return matching.node;
}

void fathom_algebra_set_members(struct fathom_algebra *algebra, struct fathom_algebra_input *input,
				const struct fathom_united_tree *tree, const int32_t *node)
{
	uint32_t count = input->profile.cube->cnode_count;

	input->first = fathom_tool_alloc(algebra->cube.cnode_count, sizeof(*input->first));
	input->next = fathom_tool_alloc(count, sizeof(*input->next));
	for (uint32_t c = 0; c < algebra->cube.cnode_count; c++)
		input->first[c] = -1;
	for (uint32_t c = count; c-- > 0;) {
		uint32_t number;

		input->next[c] = -1;
		if (node[c] < 0)
			continue;
		number = tree->nodes[node[c]].number;
		input->next[c] = input->first[number];
		input->first[number] = (int32_t)c;
	}
}

static void match_call_paths(struct fathom_algebra *algebra)
{
	struct fathom_united_tree tree = { 0 };
	int32_t *node[FATHOM_ALGEBRA_INPUTS_MOST];

	for (uint32_t i = 0; i < algebra->count; i++)
		node[i] = match_input(&tree, &algebra->inputs[i].profile, i + 1);
	fathom_united_tree_finish(&tree, &algebra->cube);
	for (uint32_t i = 0; i < algebra->count; i++) {
		fathom_algebra_set_members(algebra, &algebra->inputs[i], &tree, node[i]);
		free(node[i]);
	}
	fathom_united_tree_fini(&tree);
}

/* --- locations ------------------------------------------------------------------------------------- */

static bool has_same_processes(const struct fathom_cube *a, const struct fathom_cube *b)
{
	if (a->group_count != b->group_count)
		return false;
	for (uint32_t g = 0; g < a->group_count; g++)
		if (a->groups[g].rank != b->groups[g].rank || strcmp(a->groups[g].type, b->groups[g].type) != 0)
			return false;
	return true;
}

static bool has_same_locations(const struct fathom_cube *a, const struct fathom_cube *b)
{
	if (a->location_count != b->location_count)
		return false;
	for (uint32_t l = 0; l < a->location_count; l++) {
		struct fathom_cube_location x = fathom_cube_location(a, l), y = fathom_cube_location(b, l);

		if (x.group != y.group || x.rank != y.rank || strcmp(x.type, y.type) != 0)
			return false;
	}
	return true;
}

static void copy_locations(struct fathom_cube *cube, const struct fathom_cube *from)
{
	cube->location_count = from->location_count;
	cube->locations = fathom_tool_alloc(cube->location_count, sizeof(*cube->locations));
	for (uint32_t l = 0; l < cube->location_count; l++)
		cube->locations[l] = fathom_cube_location(from, l);
	cube->topologies = from->topologies;
	cube->topology_count = from->topology_count;
}

/* Gives each process one location, or the whole run if there is only one group. */
static void make_locations(struct fathom_cube *cube)
{
	cube->location_count = cube->group_count;
	cube->locations = fathom_tool_alloc(cube->location_count, sizeof(*cube->locations));
	for (uint32_t g = 0; g < cube->group_count; g++)
		cube->locations[g] = (struct fathom_cube_location){
			.name = "all threads", .type = "thread", .group = (int32_t)g,
		};
}

void fathom_algebra_match_locations(struct fathom_algebra *algebra)
{
	static struct fathom_cube_group whole = { .name = "all processes", .type = "process" };
	const struct fathom_cube *first = algebra->inputs[0].profile.cube;
	struct fathom_cube *cube = &algebra->cube;

	for (uint32_t i = 1; i < algebra->count; i++) {
		const struct fathom_cube *other = algebra->inputs[i].profile.cube;

		if (!has_same_processes(first, other))
			algebra->columns = FATHOM_COLUMNS_WHOLE;
		else if (!has_same_locations(first, other) && algebra->columns == FATHOM_COLUMNS_SAME)
			algebra->columns = FATHOM_COLUMNS_PROCESSES;
	}
	cube->nodes = first->nodes;
	cube->node_count = first->node_count;
	cube->groups = first->groups;
	cube->group_count = first->group_count;
	if (algebra->columns == FATHOM_COLUMNS_SAME) {
		copy_locations(cube, first);
		return;
	}
	if (algebra->columns == FATHOM_COLUMNS_WHOLE) {
		cube->node_count = 1;
		cube->groups = &whole;
		cube->group_count = 1;
	}
	make_locations(cube);
	for (uint32_t i = 0; i < algebra->count; i++) {
		const struct fathom_cube *from = algebra->inputs[i].profile.cube;
		uint32_t *column = fathom_tool_alloc(from->location_count, sizeof(*column));

		for (uint32_t l = 0; algebra->columns == FATHOM_COLUMNS_PROCESSES && l < from->location_count; l++)
			column[l] = (uint32_t)fathom_cube_location_group(from, l);
		algebra->inputs[i].column = column;
	}
}

void fathom_algebra_match(struct fathom_algebra *algebra)
{
	match_call_paths(algebra);
	fathom_algebra_match_locations(algebra);
}

void fathom_algebra_fini(struct fathom_algebra *algebra)
{
	for (uint32_t i = 0; i < algebra->count; i++) {
		struct fathom_algebra_input *input = &algebra->inputs[i];

		fathom_profile_close(&input->profile);
		free(input->first);
		free(input->next);
		free(input->metric);
		free(input->column);
		free(input->is_absorbed);
	}
	free(algebra->cube.cnodes);
	free(algebra->cube.regions);
	free(algebra->cube.parameters);
	free(algebra->cube.metrics);
	free(algebra->cube.attributes);
	free(algebra->cube.locations);
}
