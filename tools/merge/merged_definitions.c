#include "tools/merge/merged_definitions.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cube/derived.h"
#include "cube/reader.h"
#include "tools/common/command.h"

static const char *keep(struct fathom_join *join, const char *text)
{
	const char *copy = fathom_arena_copy(&join->texts, text, strlen(text));

	if (!copy) {
		fathom_tool_say("out of memory");
		exit(FATHOM_TOOL_FAILURE);
	}
	return copy;
}

/* --- what is the same ------------------------------------------------------------------------ */

static bool same_region(const void *things, uint32_t number, const void *wanted)
{
	const struct fathom_cube_region *a = (const struct fathom_cube_region *)things + number, *b = wanted;

	return strcmp(a->name, b->name) == 0 && strcmp(a->mangled, b->mangled) == 0 && strcmp(a->file, b->file) == 0 &&
	       a->begin_line == b->begin_line && strcmp(a->paradigm, b->paradigm) == 0 && strcmp(a->role, b->role) == 0;
}

static uint64_t hash_region(const struct fathom_cube_region *region)
{
	uint64_t hash = fathom_index_hash_text(0, region->name);

	hash = fathom_index_hash_text(hash, region->mangled);
	hash = fathom_index_hash_text(hash, region->file);
	return fathom_index_hash_number(hash, region->begin_line);
}

static bool same_node(const void *things, uint32_t number, const void *wanted)
{
	const struct fathom_cube_node *a = (const struct fathom_cube_node *)things + number, *b = wanted;

	return a->parent == b->parent && strcmp(a->name, b->name) == 0 && strcmp(a->class_name, b->class_name) == 0;
}

static uint64_t hash_node(const struct fathom_cube_node *node)
{
	return fathom_index_hash_text(fathom_index_hash_number(0, node->parent), node->name);
}

struct wanted_cnode {
	const struct fathom_cube *cube;		/* holds the parameters */
	struct fathom_cube_cnode cnode;		/* parent and region as in the join */
};

static bool same_cnode(const void *things, uint32_t number, const void *wanted_cnode)
{
	const struct fathom_cube *cube = things;
	const struct wanted_cnode *wanted = wanted_cnode;
	const struct fathom_cube_cnode *a = &cube->cnodes[number], *b = &wanted->cnode;
	uint32_t p;

	if (a->parent != b->parent || a->region != b->region || a->parameter_count != b->parameter_count)
		return false;
	for (p = 0; p < a->parameter_count; p++) {
		const struct fathom_cube_parameter *x = &cube->parameters[a->first_parameter + p];
		const struct fathom_cube_parameter *y = &wanted->cube->parameters[b->first_parameter + p];

		if (x->is_numeric != y->is_numeric || strcmp(x->key, y->key) != 0 || strcmp(x->value, y->value) != 0)
			return false;
	}
	return true;
}

static uint64_t hash_cnode(const struct wanted_cnode *wanted)
{
	uint64_t hash = fathom_index_hash_number(fathom_index_hash_number(0, wanted->cnode.parent),
						 wanted->cnode.region);
	uint32_t p;

	for (p = 0; p < wanted->cnode.parameter_count; p++)
		hash = fathom_index_hash_text(hash,
					      wanted->cube->parameters[wanted->cnode.first_parameter + p].value);
	return hash;
}

/* --- finding, and adding what is not there ---------------------------------------------------- */

static int64_t find_metric(const struct fathom_cube *cube, const char *name)
{
	uint32_t m;

	for (m = 0; m < cube->metric_count; m++)
		if (strcmp(cube->metrics[m].uniq_name, name) == 0)
			return m;
	return -1;
}

static int add_metrics(struct fathom_join *join, const struct fathom_cube *cube, char *why, size_t bytes)
{
	struct fathom_cube *whole = &join->cube;
	uint32_t m;

	for (m = 0; m < cube->metric_count; m++) {
		struct fathom_cube_metric metric = cube->metrics[m];
		int64_t at = find_metric(whole, metric.uniq_name);
		int64_t parent = metric.parent < 0 ? -1 : find_metric(whole, cube->metrics[metric.parent].uniq_name);

		/* Those of fathom's are made again from what all ranks have. */
		if (metric.type == FATHOM_CUBE_DERIVED && fathom_derived_is_known(cube, m))
			continue;
		if (metric.type == FATHOM_CUBE_DERIVED || metric.dtype > FATHOM_CUBE_TUPLE) {
			snprintf(why, bytes, "metric %s is of a type that cannot be merged", metric.uniq_name);
			return -EINVAL;
		}
		if (at >= 0) {
			if (whole->metrics[at].type == metric.type && whole->metrics[at].dtype == metric.dtype &&
			    whole->metrics[at].parent == parent)
				continue;
			snprintf(why, bytes, "metric %s is of another type or place than in the ranks before",
				 metric.uniq_name);
			return -EINVAL;
		}
		metric.uniq_name = keep(join, metric.uniq_name);
		metric.disp_name = keep(join, metric.disp_name);
		metric.unit = keep(join, metric.unit);
		metric.description = keep(join, metric.description);
		metric.url = keep(join, metric.url);
		metric.parent = (int32_t)parent;
		whole->metrics = fathom_tool_grow(whole->metrics, whole->metric_count, &join->metric_room,
						  sizeof(metric));
		whole->metrics[whole->metric_count++] = metric;
	}
	return 0;
}

static uint32_t add_region(struct fathom_join *join, const struct fathom_cube_region *wanted)
{
	struct fathom_cube *whole = &join->cube;
	struct fathom_cube_region region = *wanted;
	uint64_t hash = hash_region(wanted);
	int64_t at = fathom_index_find(&join->region_index, hash, same_region, whole->regions, wanted);

	if (at >= 0)
		return (uint32_t)at;
	region.name = keep(join, region.name);
	region.mangled = keep(join, region.mangled);
	region.file = keep(join, region.file);
	region.paradigm = keep(join, region.paradigm);
	region.role = keep(join, region.role);
	region.description = keep(join, region.description);
	whole->regions = fathom_tool_grow(whole->regions, whole->region_count, &join->region_room, sizeof(region));
	whole->regions[whole->region_count] = region;
	fathom_index_add(&join->region_index, hash, whole->region_count);
	return whole->region_count++;
}

static uint32_t add_parameters(struct fathom_join *join, const struct wanted_cnode *wanted)
{
	struct fathom_cube *whole = &join->cube;
	uint32_t first = whole->parameter_count, p;

	for (p = 0; p < wanted->cnode.parameter_count; p++) {
		struct fathom_cube_parameter parameter =
			wanted->cube->parameters[wanted->cnode.first_parameter + p];

		parameter.key = keep(join, parameter.key);
		parameter.value = keep(join, parameter.value);
		whole->parameters = fathom_tool_grow(whole->parameters, whole->parameter_count, &join->parameter_room,
						     sizeof(parameter));
		whole->parameters[whole->parameter_count++] = parameter;
	}
	return first;
}

static uint32_t add_cnode(struct fathom_join *join, const struct wanted_cnode *wanted)
{
	struct fathom_cube *whole = &join->cube;
	struct fathom_cube_cnode cnode = wanted->cnode;
	uint64_t hash = hash_cnode(wanted);
	int64_t at = fathom_index_find(&join->cnode_index, hash, same_cnode, whole, wanted);

	if (at >= 0)
		return (uint32_t)at;
	cnode.first_parameter = add_parameters(join, wanted);
	whole->cnodes = fathom_tool_grow(whole->cnodes, whole->cnode_count, &join->cnode_room, sizeof(cnode));
	whole->cnodes[whole->cnode_count] = cnode;
	fathom_index_add(&join->cnode_index, hash, whole->cnode_count);
	return whole->cnode_count++;
}

/* Maps of iterations name their call path by its number. */
static void keep_iterations(struct fathom_join *join, const struct fathom_cube *cube, const uint32_t *cnode)
{
	for (uint32_t a = 0; a < cube->attribute_count; a++) {
		const char *key = cube->attributes[a].key;
		unsigned long number;
		char *rest;

		if (strncmp(key, FATHOM_JOIN_ITERATIONS, strlen(FATHOM_JOIN_ITERATIONS)) != 0)
			continue;
		number = strtoul(key + strlen(FATHOM_JOIN_ITERATIONS), &rest, 10);
		if (*rest != ':' || number >= cube->cnode_count)
			continue;
		join->iterations = fathom_tool_grow(join->iterations, join->iterations_count, &join->iterations_room,
						    sizeof(*join->iterations));
		join->iterations[join->iterations_count++] = (struct fathom_join_iterations){
			cnode[number], keep(join, rest), keep(join, cube->attributes[a].value),
		};
	}
}

static void set_iterations(struct fathom_join *join)
{
	for (size_t i = 0; i < join->iterations_count; i++) {
		const struct fathom_join_iterations *map = &join->iterations[i];
		char key[128];

		snprintf(key, sizeof(key), FATHOM_JOIN_ITERATIONS "%u%s", join->final_cnode[map->cnode], map->rest);
		fathom_join_set_attribute(join, key, map->value);
	}
}

static void add_tree(struct fathom_join *join, const struct fathom_cube *cube)
{
	uint32_t *region = fathom_tool_alloc(cube->region_count, sizeof(*region));
	uint32_t *cnode = fathom_tool_alloc(cube->cnode_count, sizeof(*cnode));
	struct wanted_cnode wanted = { .cube = cube };
	uint32_t i;

	for (i = 0; i < cube->region_count; i++)
		region[i] = add_region(join, &cube->regions[i]);
	for (i = 0; i < cube->cnode_count; i++) {
		wanted.cnode = cube->cnodes[i];
		wanted.cnode.region = region[wanted.cnode.region];
		if (wanted.cnode.parent >= 0)
			wanted.cnode.parent = (int32_t)cnode[wanted.cnode.parent];
		cnode[i] = add_cnode(join, &wanted);
	}
	keep_iterations(join, cube, cnode);
	free(cnode);
	free(region);
}

static int32_t add_node(struct fathom_join *join, const struct fathom_cube_node *wanted)
{
	struct fathom_cube *whole = &join->cube;
	struct fathom_cube_node node = *wanted;
	uint64_t hash = hash_node(wanted);
	int64_t at = fathom_index_find(&join->node_index, hash, same_node, whole->nodes, wanted);

	if (at >= 0)
		return (int32_t)at;
	node.name = keep(join, node.name);
	node.class_name = keep(join, node.class_name);
	whole->nodes = fathom_tool_grow(whole->nodes, whole->node_count, &join->node_room, sizeof(node));
	whole->nodes[whole->node_count] = node;
	fathom_index_add(&join->node_index, hash, whole->node_count);
	return (int32_t)whole->node_count++;
}

static void add_system(struct fathom_join *join, const struct fathom_cube *cube, int64_t rank)
{
	struct fathom_cube *whole = &join->cube;
	int32_t *node = fathom_tool_alloc(cube->node_count, sizeof(*node));
	struct fathom_cube_group group = cube->groups[0];
	uint32_t i;

	for (i = 0; i < cube->node_count; i++) {
		struct fathom_cube_node wanted = cube->nodes[i];

		wanted.parent = wanted.parent >= 0 ? node[wanted.parent] : -1;
		node[i] = add_node(join, &wanted);
	}
	group.rank = rank;
	group.name = keep(join, group.name);
	group.type = keep(join, group.type);
	group.node = group.node >= 0 ? node[group.node] : -1;
	whole->groups = fathom_tool_grow(whole->groups, whole->group_count, &join->group_room, sizeof(group));
	whole->groups[whole->group_count++] = group;
	for (i = 0; i < cube->location_count; i++) {
		struct fathom_cube_location location = fathom_cube_location(cube, i);

		location.name = keep(join, location.name);
		location.type = keep(join, location.type);
		location.threads = location.threads ? keep(join, location.threads) : NULL;
		location.group = (int32_t)whole->group_count - 1;
		whole->locations = fathom_tool_grow(whole->locations, whole->location_count, &join->location_room,
						    sizeof(location));
		whole->locations[whole->location_count++] = location;
	}
	free(node);
}

static bool same_shape(const struct fathom_cube_topology *a, const struct fathom_cube_topology *b)
{
	if (strcmp(a->name, b->name) != 0 || a->dimension_count != b->dimension_count)
		return false;
	for (uint32_t d = 0; d < a->dimension_count; d++)
		if (a->dimensions[d].size != b->dimensions[d].size ||
		    a->dimensions[d].is_periodic != b->dimensions[d].is_periodic ||
		    strcmp(a->dimensions[d].name, b->dimensions[d].name) != 0)
			return false;
	return true;
}

/* The whole's topology of that shape. */
static struct fathom_cube_topology *add_topology(struct fathom_join *join, const struct fathom_cube_topology *wanted)
{
	struct fathom_cube *whole = &join->cube;
	struct fathom_cube_topology *topology;

	for (uint32_t t = 0; t < whole->topology_count; t++)
		if (same_shape(&whole->topologies[t], wanted))
			return &whole->topologies[t];
	whole->topologies = fathom_tool_grow(whole->topologies, whole->topology_count, &join->topology_room,
					     sizeof(*whole->topologies));
	topology = &whole->topologies[whole->topology_count++];
	memset(topology, 0, sizeof(*topology));
	topology->name = keep(join, wanted->name);
	topology->dimension_count = wanted->dimension_count;
	topology->dimensions = fathom_tool_alloc(wanted->dimension_count, sizeof(*topology->dimensions));
	for (uint32_t d = 0; d < wanted->dimension_count; d++) {
		topology->dimensions[d] = wanted->dimensions[d];
		topology->dimensions[d].name = keep(join, wanted->dimensions[d].name);
	}
	return topology;
}

/* The places of a rank whose locations are the whole's from first on. */
static void add_places(struct fathom_join *join, const struct fathom_cube *cube, uint32_t first)
{
	for (uint32_t t = 0; t < cube->topology_count; t++) {
		const struct fathom_cube_topology *from = &cube->topologies[t];
		struct fathom_cube_topology *to = add_topology(join, from);
		uint32_t count = to->place_count + from->place_count, dimensions = from->dimension_count;
		uint32_t *locations = realloc(to->locations, ((size_t)count + 1) * sizeof(*locations));
		uint32_t *at = realloc(to->at, ((size_t)count * dimensions + 1) * sizeof(*at));

		if (!locations || !at) {
			fathom_tool_say("out of memory");
			exit(FATHOM_TOOL_FAILURE);
		}
		for (uint32_t p = 0; p < from->place_count; p++)
			locations[to->place_count + p] = first + from->locations[p];
		if (from->place_count)
			memcpy(at + (size_t)to->place_count * dimensions, from->at,
			       (size_t)from->place_count * dimensions * sizeof(*at));
		to->locations = locations;
		to->at = at;
		to->place_count = count;
	}
}

int fathom_join_add(struct fathom_join *join, const struct fathom_cube *cube, int64_t rank, char *why, size_t bytes)
{
	const char *threads = fathom_cube_attribute(cube, FATHOM_CUBE_THREADS);
	int err;

	if (cube->group_count != 1) {
		snprintf(why, bytes, "holds %u processes, not one", cube->group_count);
		return -EINVAL;
	}
	if (!threads)
		threads = "all";
	if (join->threads && strcmp(join->threads, threads) != 0) {
		snprintf(why, bytes, "its threads are put together by FATHOM_THREADS=%s, those of the ranks before "
			 "by %s", threads, join->threads);
		return -EINVAL;
	}
	if (!join->threads)
		join->threads = keep(join, threads);
	err = add_metrics(join, cube, why, bytes);
	if (err)
		return err;
	add_tree(join, cube);
	add_system(join, cube, rank);
	add_places(join, cube, join->cube.location_count - cube->location_count);
	return 0;
}

/* --- order --------------------------------------------------------------------------------------- */

/*
 * Where each of count things stands in pre-order, children in order of arrival; parents stand
 * before their children already. parent_of says whose child a thing is.
 */
static uint32_t *preorder(const void *things, uint32_t count, int32_t (*parent_of)(const void *things, uint32_t i))
{
	uint32_t *size = fathom_tool_alloc(count, sizeof(*size));	/* of the subtree */
	uint32_t *next = fathom_tool_alloc(count, sizeof(*next));	/* place of the next child */
	uint32_t *place = fathom_tool_alloc(count, sizeof(*place));
	uint32_t next_root = 0, i;

	for (i = count; i-- > 0;) {
		int32_t parent = parent_of(things, i);

		size[i]++;
		if (parent >= 0)
			size[parent] += size[i];
	}
	for (i = 0; i < count; i++) {
		int32_t parent = parent_of(things, i);
		uint32_t *from = parent >= 0 ? &next[parent] : &next_root;

		place[i] = *from;
		*from += size[i];
		next[i] = place[i] + 1;
	}
	free(next);
	free(size);
	return place;
}

static int32_t parent_of_cnode(const void *things, uint32_t i)
{
	return ((const struct fathom_cube_cnode *)things)[i].parent;
}

static int32_t parent_of_metric(const void *things, uint32_t i)
{
	return ((const struct fathom_cube_metric *)things)[i].parent;
}

static int32_t parent_of_node(const void *things, uint32_t i)
{
	return ((const struct fathom_cube_node *)things)[i].parent;
}

/* Things in their final places; the old array is freed. */
static void *placed(void *things, uint32_t count, size_t bytes, const uint32_t *place)
{
	char *ordered = fathom_tool_alloc(count, bytes);
	uint32_t i;

	for (i = 0; i < count; i++)
		memcpy(ordered + place[i] * bytes, (char *)things + i * bytes, bytes);
	free(things);
	return ordered;
}

static void order_cnodes(struct fathom_join *join)
{
	struct fathom_cube *cube = &join->cube;
	uint32_t i;

	join->final_cnode = preorder(cube->cnodes, cube->cnode_count, parent_of_cnode);
	for (i = 0; i < cube->cnode_count; i++)
		if (cube->cnodes[i].parent >= 0)
			cube->cnodes[i].parent = (int32_t)join->final_cnode[cube->cnodes[i].parent];
	cube->cnodes = placed(cube->cnodes, cube->cnode_count, sizeof(*cube->cnodes), join->final_cnode);
}

/* Ghosts go last: readers stumble over them elsewhere. */
static void order_metrics(struct fathom_join *join)
{
	struct fathom_cube *cube = &join->cube;
	uint32_t *place, i, shown = 0, at_shown = 0, at_ghost;

	place = preorder(cube->metrics, cube->metric_count, parent_of_metric);
	for (i = 0; i < cube->metric_count; i++)
		if (cube->metrics[i].parent >= 0)
			cube->metrics[i].parent = (int32_t)place[cube->metrics[i].parent];
	cube->metrics = placed(cube->metrics, cube->metric_count, sizeof(*cube->metrics), place);
	for (i = 0; i < cube->metric_count; i++)
		shown += !cube->metrics[i].ghost;
	at_ghost = shown;
	join->final_metric = fathom_tool_alloc(cube->metric_count, sizeof(*join->final_metric));
	for (i = 0; i < cube->metric_count; i++)
		join->final_metric[i] = cube->metrics[i].ghost ? at_ghost++ : at_shown++;
	for (i = 0; i < cube->metric_count; i++)
		if (cube->metrics[i].parent >= 0)
			cube->metrics[i].parent = (int32_t)join->final_metric[cube->metrics[i].parent];
	cube->metrics = placed(cube->metrics, cube->metric_count, sizeof(*cube->metrics), join->final_metric);
	for (i = 0; i < cube->metric_count; i++)	/* by order of arrival from now on */
		place[i] = join->final_metric[place[i]];
	free(join->final_metric);
	join->final_metric = place;
}

static const struct fathom_cube *sorted_cube;	/* for the comparison below, set just around it */

static int by_place(const void *a, const void *b)
{
	const struct fathom_cube_group *x = &sorted_cube->groups[*(const uint32_t *)a];
	const struct fathom_cube_group *y = &sorted_cube->groups[*(const uint32_t *)b];

	if (x->node != y->node)
		return x->node < y->node ? -1 : 1;
	return x->rank < y->rank ? -1 : x->rank > y->rank;
}

static void order_system(struct fathom_join *join)
{
	struct fathom_cube *cube = &join->cube;
	uint32_t *place = preorder(cube->nodes, cube->node_count, parent_of_node);
	uint32_t *by_column = fathom_tool_alloc(cube->group_count, sizeof(*by_column));
	uint32_t *group_place = fathom_tool_alloc(cube->group_count, sizeof(*group_place));
	uint32_t *count = fathom_tool_alloc(cube->group_count, sizeof(*count));
	uint32_t *location_place = fathom_tool_alloc(cube->location_count, sizeof(*location_place));
	uint32_t i, column = 0;

	for (i = 0; i < cube->node_count; i++)
		if (cube->nodes[i].parent >= 0)
			cube->nodes[i].parent = (int32_t)place[cube->nodes[i].parent];
	cube->nodes = placed(cube->nodes, cube->node_count, sizeof(*cube->nodes), place);
	for (i = 0; i < cube->group_count; i++) {
		cube->groups[i].node = cube->groups[i].node >= 0 ? (int32_t)place[cube->groups[i].node] : -1;
		by_column[i] = i;
	}
	sorted_cube = cube;
	qsort(by_column, cube->group_count, sizeof(*by_column), by_place);
	sorted_cube = NULL;
	for (i = 0; i < cube->location_count; i++)
		count[cube->locations[i].group]++;
	join->first_column = fathom_tool_alloc(cube->group_count, sizeof(*join->first_column));
	for (i = 0; i < cube->group_count; i++) {
		group_place[by_column[i]] = i;
		join->first_column[by_column[i]] = column;
		column += count[by_column[i]];
	}
	memset(count, 0, cube->group_count * sizeof(*count));
	for (i = 0; i < cube->location_count; i++) {
		struct fathom_cube_location *location = &cube->locations[i];

		location_place[i] = join->first_column[location->group] + count[location->group]++;
		location->group = (int32_t)group_place[location->group];
	}
	cube->locations = placed(cube->locations, cube->location_count, sizeof(*cube->locations), location_place);
	cube->groups = placed(cube->groups, cube->group_count, sizeof(*cube->groups), group_place);
	for (uint32_t t = 0; t < cube->topology_count; t++)
		for (uint32_t p = 0; p < cube->topologies[t].place_count; p++)
			cube->topologies[t].locations[p] = location_place[cube->topologies[t].locations[p]];
	free(location_place);
	free(count);
	free(group_place);
	free(by_column);
	free(place);
}

static void add_derived(struct fathom_join *join)
{
	for (uint32_t i = 0; i < FATHOM_DERIVED_MOST; i++)
		join->cube.metrics = fathom_tool_grow(join->cube.metrics, join->cube.metric_count + i,
						      &join->metric_room, sizeof(*join->cube.metrics));
	if (fathom_derived_add(&join->cube, &join->texts)) {
		fathom_tool_say("out of memory");
		exit(FATHOM_TOOL_FAILURE);
	}
}

void fathom_join_finish(struct fathom_join *join)
{
	add_derived(join);
	order_metrics(join);
	order_cnodes(join);
	set_iterations(join);
	order_system(join);
	/* The indices know things by their places before. They are made anew. */
	fathom_index_fini(&join->cnode_index);
	for (uint32_t i = 0; i < join->cube.cnode_count; i++) {
		struct wanted_cnode wanted = { &join->cube, join->cube.cnodes[i] };

		fathom_index_add(&join->cnode_index, hash_cnode(&wanted), i);
	}
}

/* --- afterwards ------------------------------------------------------------------------------------ */

int fathom_join_locate(const struct fathom_join *join, const struct fathom_cube *cube, struct fathom_join_map *map)
{
	uint32_t *region = fathom_tool_alloc(cube->region_count, sizeof(*region));
	struct wanted_cnode wanted = { .cube = cube };
	int64_t at = 0;
	uint32_t i;

	map->metric = fathom_tool_alloc(cube->metric_count, sizeof(*map->metric));
	map->cnode = fathom_tool_alloc(cube->cnode_count, sizeof(*map->cnode));
	for (i = 0; at >= 0 && i < cube->metric_count; i++) {
		at = find_metric(&join->cube, cube->metrics[i].uniq_name);
		/* Formulas come last; they have no rows. */
		if (at < 0 && cube->metrics[i].type == FATHOM_CUBE_DERIVED)
			at = 0;
		map->metric[i] = (uint32_t)at;
	}
	for (i = 0; at >= 0 && i < cube->region_count; i++) {
		at = fathom_index_find(&join->region_index, hash_region(&cube->regions[i]), same_region,
				       join->cube.regions, &cube->regions[i]);
		region[i] = (uint32_t)at;
	}
	for (i = 0; at >= 0 && i < cube->cnode_count; i++) {
		wanted.cnode = cube->cnodes[i];
		wanted.cnode.region = region[wanted.cnode.region];
		if (wanted.cnode.parent >= 0)
			wanted.cnode.parent = (int32_t)map->cnode[wanted.cnode.parent];
		at = fathom_index_find(&join->cnode_index, hash_cnode(&wanted), same_cnode, &join->cube, &wanted);
		map->cnode[i] = (uint32_t)at;
	}
	free(region);
	if (at >= 0)
		return 0;
	fathom_join_map_fini(map);
	return -EINVAL;
}

void fathom_join_map_fini(struct fathom_join_map *map)
{
	free(map->metric);
	free(map->cnode);
	map->metric = map->cnode = NULL;
}

void fathom_join_set_attribute(struct fathom_join *join, const char *key, const char *value)
{
	struct fathom_cube *cube = &join->cube;
	uint32_t i;

	for (i = 0; i < cube->attribute_count && strcmp(cube->attributes[i].key, key) != 0; i++)
		;
	if (i == cube->attribute_count) {
		cube->attributes = fathom_tool_grow(cube->attributes, cube->attribute_count, &join->attribute_room,
						    sizeof(*cube->attributes));
		cube->attributes[cube->attribute_count++].key = keep(join, key);
	}
	cube->attributes[i].value = keep(join, value);
}

void fathom_join_fini(struct fathom_join *join)
{
	free(join->iterations);
	free(join->cube.attributes);
	free(join->cube.metrics);
	free(join->cube.regions);
	free(join->cube.cnodes);
	free(join->cube.parameters);
	free(join->cube.nodes);
	free(join->cube.groups);
	free(join->cube.locations);
	for (uint32_t t = 0; t < join->cube.topology_count; t++) {
		free(join->cube.topologies[t].dimensions);
		free(join->cube.topologies[t].locations);
		free(join->cube.topologies[t].at);
	}
	free(join->cube.topologies);
	free(join->final_cnode);
	free(join->final_metric);
	free(join->first_column);
	fathom_index_fini(&join->region_index);
	fathom_index_fini(&join->cnode_index);
	fathom_index_fini(&join->node_index);
	fathom_arena_fini(&join->texts);
	memset(join, 0, sizeof(*join));
}
