#include "tools/merge/merged_definitions.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cube/derived.h"
#include "cube/reader/reader.h"
#include "tools/common/command.h"

static const char *keep(struct fathom_definitions *merged, const char *text)
{
	const char *copy = fathom_arena_copy(&merged->texts, text, strlen(text));

	if (!copy) {
		fathom_tool_error("out of memory");
		exit(FATHOM_TOOL_FAILURE);
	}
	return copy;
}

/* --- which definitions are equal ------------------------------------------------------------- */

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
	struct fathom_cube_cnode cnode;		/* parent and region are numbers of the merged definitions */
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

/* --- finding definitions, and adding new ones ------------------------------------------------- */

static int64_t find_metric(const struct fathom_cube *cube, const char *name)
{
	uint32_t m;

	for (m = 0; m < cube->metric_count; m++)
		if (strcmp(cube->metrics[m].uniq_name, name) == 0)
			return m;
	return -1;
}

static int add_metrics(struct fathom_definitions *merged, const struct fathom_cube *cube, char *why, size_t bytes)
{
	struct fathom_cube *whole = &merged->cube;
	uint32_t m;

	for (m = 0; m < cube->metric_count; m++) {
		struct fathom_cube_metric metric = cube->metrics[m];
		int64_t at = find_metric(whole, metric.uniq_name);
		int64_t parent = metric.parent < 0 ? -1 : find_metric(whole, cube->metrics[metric.parent].uniq_name);

		/* fathom's own formulas are defined anew from the merged metrics. */
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
		metric.uniq_name = keep(merged, metric.uniq_name);
		metric.disp_name = keep(merged, metric.disp_name);
		metric.unit = keep(merged, metric.unit);
		metric.description = keep(merged, metric.description);
		metric.url = keep(merged, metric.url);
		metric.parent = (int32_t)parent;
		whole->metrics = fathom_tool_grow(whole->metrics, whole->metric_count, &merged->metric_room,
						  sizeof(metric));
		whole->metrics[whole->metric_count++] = metric;
	}
	return 0;
}

static uint32_t add_region(struct fathom_definitions *merged, const struct fathom_cube_region *wanted)
{
	struct fathom_cube *whole = &merged->cube;
	struct fathom_cube_region region = *wanted;
	uint64_t hash = hash_region(wanted);
	int64_t at = fathom_index_find(&merged->region_index, hash, same_region, whole->regions, wanted);

	if (at >= 0)
		return (uint32_t)at;
	region.name = keep(merged, region.name);
	region.mangled = keep(merged, region.mangled);
	region.file = keep(merged, region.file);
	region.paradigm = keep(merged, region.paradigm);
	region.role = keep(merged, region.role);
	region.description = keep(merged, region.description);
	whole->regions = fathom_tool_grow(whole->regions, whole->region_count, &merged->region_room, sizeof(region));
	whole->regions[whole->region_count] = region;
	fathom_index_add(&merged->region_index, hash, whole->region_count);
	return whole->region_count++;
}

static uint32_t add_parameters(struct fathom_definitions *merged, const struct wanted_cnode *wanted)
{
	struct fathom_cube *whole = &merged->cube;
	uint32_t first = whole->parameter_count, p;

	for (p = 0; p < wanted->cnode.parameter_count; p++) {
		struct fathom_cube_parameter parameter =
			wanted->cube->parameters[wanted->cnode.first_parameter + p];

		parameter.key = keep(merged, parameter.key);
		parameter.value = keep(merged, parameter.value);
		whole->parameters = fathom_tool_grow(whole->parameters, whole->parameter_count, &merged->parameter_room,
						     sizeof(parameter));
		whole->parameters[whole->parameter_count++] = parameter;
	}
	return first;
}

static uint32_t add_cnode(struct fathom_definitions *merged, const struct wanted_cnode *wanted)
{
	struct fathom_cube *whole = &merged->cube;
	struct fathom_cube_cnode cnode = wanted->cnode;
	uint64_t hash = hash_cnode(wanted);
	int64_t at = fathom_index_find(&merged->cnode_index, hash, same_cnode, whole, wanted);

	if (at >= 0)
		return (uint32_t)at;
	cnode.first_parameter = add_parameters(merged, wanted);
	whole->cnodes = fathom_tool_grow(whole->cnodes, whole->cnode_count, &merged->cnode_room, sizeof(cnode));
	whole->cnodes[whole->cnode_count] = cnode;
	fathom_index_add(&merged->cnode_index, hash, whole->cnode_count);
	return whole->cnode_count++;
}

/* Keeps the maps of iterations, whose keys name a call path by its number in the file. */
static void keep_iterations(struct fathom_definitions *merged, const struct fathom_cube *cube, const uint32_t *cnode)
{
	for (uint32_t a = 0; a < cube->attribute_count; a++) {
		const char *key = cube->attributes[a].key;
		unsigned long number;
		char *rest;

		if (strncmp(key, FATHOM_ITERATIONS_KEY, strlen(FATHOM_ITERATIONS_KEY)) != 0)
			continue;
		number = strtoul(key + strlen(FATHOM_ITERATIONS_KEY), &rest, 10);
		if (*rest != ':' || number >= cube->cnode_count)
			continue;
		merged->iterations = fathom_tool_grow(merged->iterations, merged->iterations_count,
						      &merged->iterations_room, sizeof(*merged->iterations));
		merged->iterations[merged->iterations_count++] = (struct fathom_definitions_iterations){
			cnode[number], keep(merged, rest), keep(merged, cube->attributes[a].value),
		};
	}
}

static void set_iterations(struct fathom_definitions *merged)
{
	for (size_t i = 0; i < merged->iterations_count; i++) {
		const struct fathom_definitions_iterations *map = &merged->iterations[i];
		char key[128];

		snprintf(key, sizeof(key), FATHOM_ITERATIONS_KEY "%u%s", merged->final_cnode[map->cnode], map->rest);
		fathom_definitions_set_attribute(merged, key, map->value);
	}
}

static void add_tree(struct fathom_definitions *merged, const struct fathom_cube *cube)
{
	uint32_t *region = fathom_tool_alloc(cube->region_count, sizeof(*region));
	uint32_t *cnode = fathom_tool_alloc(cube->cnode_count, sizeof(*cnode));
	struct wanted_cnode wanted = { .cube = cube };
	uint32_t i;

	for (i = 0; i < cube->region_count; i++)
		region[i] = add_region(merged, &cube->regions[i]);
	for (i = 0; i < cube->cnode_count; i++) {
		wanted.cnode = cube->cnodes[i];
		wanted.cnode.region = region[wanted.cnode.region];
		if (wanted.cnode.parent >= 0)
			wanted.cnode.parent = (int32_t)cnode[wanted.cnode.parent];
		cnode[i] = add_cnode(merged, &wanted);
	}
	keep_iterations(merged, cube, cnode);
	free(cnode);
	free(region);
}

static int32_t add_node(struct fathom_definitions *merged, const struct fathom_cube_node *wanted)
{
	struct fathom_cube *whole = &merged->cube;
	struct fathom_cube_node node = *wanted;
	uint64_t hash = hash_node(wanted);
	int64_t at = fathom_index_find(&merged->node_index, hash, same_node, whole->nodes, wanted);

	if (at >= 0)
		return (int32_t)at;
	node.name = keep(merged, node.name);
	node.class_name = keep(merged, node.class_name);
	whole->nodes = fathom_tool_grow(whole->nodes, whole->node_count, &merged->node_room, sizeof(node));
	whole->nodes[whole->node_count] = node;
	fathom_index_add(&merged->node_index, hash, whole->node_count);
	return (int32_t)whole->node_count++;
}

static void add_system(struct fathom_definitions *merged, const struct fathom_cube *cube, int64_t rank)
{
	struct fathom_cube *whole = &merged->cube;
	int32_t *node = fathom_tool_alloc(cube->node_count, sizeof(*node));
	struct fathom_cube_group group = cube->groups[0];
	uint32_t i;

	for (i = 0; i < cube->node_count; i++) {
		struct fathom_cube_node wanted = cube->nodes[i];

		wanted.parent = wanted.parent >= 0 ? node[wanted.parent] : -1;
		node[i] = add_node(merged, &wanted);
	}
	group.rank = rank;
	group.name = keep(merged, group.name);
	group.type = keep(merged, group.type);
	group.node = group.node >= 0 ? node[group.node] : -1;
	whole->groups = fathom_tool_grow(whole->groups, whole->group_count, &merged->group_room, sizeof(group));
	whole->groups[whole->group_count++] = group;
	for (i = 0; i < cube->location_count; i++) {
		struct fathom_cube_location location = fathom_cube_location(cube, i);

		location.name = keep(merged, location.name);
		location.type = keep(merged, location.type);
		location.threads = location.threads ? keep(merged, location.threads) : NULL;
		location.group = (int32_t)whole->group_count - 1;
		whole->locations = fathom_tool_grow(whole->locations, whole->location_count, &merged->location_room,
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

/* Finds or adds the merged topology with the name and the dimensions of wanted. */
static struct fathom_cube_topology *add_topology(struct fathom_definitions *merged,
						 const struct fathom_cube_topology *wanted)
{
	struct fathom_cube *whole = &merged->cube;
	struct fathom_cube_topology *topology;

	for (uint32_t t = 0; t < whole->topology_count; t++)
		if (same_shape(&whole->topologies[t], wanted))
			return &whole->topologies[t];
	whole->topologies = fathom_tool_grow(whole->topologies, whole->topology_count, &merged->topology_room,
					     sizeof(*whole->topologies));
	topology = &whole->topologies[whole->topology_count++];
	memset(topology, 0, sizeof(*topology));
	topology->name = keep(merged, wanted->name);
	topology->dimension_count = wanted->dimension_count;
	topology->dimensions = fathom_tool_alloc(wanted->dimension_count, sizeof(*topology->dimensions));
	for (uint32_t d = 0; d < wanted->dimension_count; d++) {
		topology->dimensions[d] = wanted->dimensions[d];
		topology->dimensions[d].name = keep(merged, wanted->dimensions[d].name);
	}
	return topology;
}

/* Adds the coordinates of a rank; first is the merged number of its first location. */
static void add_places(struct fathom_definitions *merged, const struct fathom_cube *cube, uint32_t first)
{
	for (uint32_t t = 0; t < cube->topology_count; t++) {
		const struct fathom_cube_topology *from = &cube->topologies[t];
		struct fathom_cube_topology *to = add_topology(merged, from);
		uint32_t count = to->place_count + from->place_count, dimensions = from->dimension_count;
		uint32_t *locations = realloc(to->locations, ((size_t)count + 1) * sizeof(*locations));
		uint32_t *at = realloc(to->at, ((size_t)count * dimensions + 1) * sizeof(*at));

		if (!locations || !at) {
			fathom_tool_error("out of memory");
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

int fathom_definitions_add(struct fathom_definitions *merged, const struct fathom_cube *cube, int64_t rank, char *why,
			   size_t bytes)
{
	const char *threads = fathom_cube_attribute(cube, FATHOM_CUBE_THREADS);
	int err;

	if (cube->group_count != 1) {
		snprintf(why, bytes, "holds %u processes, not one", cube->group_count);
		return -EINVAL;
	}
	if (!threads)
		threads = "all";
	if (merged->threads && strcmp(merged->threads, threads) != 0) {
		snprintf(why, bytes, "its threads are put together by FATHOM_THREADS=%s, those of the ranks before "
			 "by %s", threads, merged->threads);
		return -EINVAL;
	}
	if (!merged->threads)
		merged->threads = keep(merged, threads);
	err = add_metrics(merged, cube, why, bytes);
	if (err)
		return err;
	add_tree(merged, cube);
	add_system(merged, cube, rank);
	add_places(merged, cube, merged->cube.location_count - cube->location_count);
	return 0;
}

/* --- order --------------------------------------------------------------------------------------- */

/*
 * Returns the number of each of count nodes in pre-order, children in order of arrival. In things, parents stand before
 * their children; parent_of returns the parent of a node. The caller frees the result.
 */
static uint32_t *preorder(const void *things, uint32_t count, int32_t (*parent_of)(const void *things, uint32_t i))
{
	uint32_t *size = fathom_tool_alloc(count, sizeof(*size));	/* nodes of the sub-tree */
	uint32_t *next = fathom_tool_alloc(count, sizeof(*next));	/* number of the next child */
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

/* Returns an array with the elements at their final numbers, and frees the old array. */
static void *placed(void *things, uint32_t count, size_t bytes, const uint32_t *place)
{
	char *ordered = fathom_tool_alloc(count, bytes);
	uint32_t i;

	for (i = 0; i < count; i++)
		memcpy(ordered + place[i] * bytes, (char *)things + i * bytes, bytes);
	free(things);
	return ordered;
}

static void order_cnodes(struct fathom_definitions *merged)
{
	struct fathom_cube *cube = &merged->cube;
	uint32_t i;

	merged->final_cnode = preorder(cube->cnodes, cube->cnode_count, parent_of_cnode);
	for (i = 0; i < cube->cnode_count; i++)
		if (cube->cnodes[i].parent >= 0)
			cube->cnodes[i].parent = (int32_t)merged->final_cnode[cube->cnodes[i].parent];
	cube->cnodes = placed(cube->cnodes, cube->cnode_count, sizeof(*cube->cnodes), merged->final_cnode);
}

/* Puts ghost metrics last: some readers of CUBE4 files cannot read them at other places. */
static void order_metrics(struct fathom_definitions *merged)
{
	struct fathom_cube *cube = &merged->cube;
	uint32_t *place, i, shown = 0, at_shown = 0, at_ghost;

	place = preorder(cube->metrics, cube->metric_count, parent_of_metric);
	for (i = 0; i < cube->metric_count; i++)
		if (cube->metrics[i].parent >= 0)
			cube->metrics[i].parent = (int32_t)place[cube->metrics[i].parent];
	cube->metrics = placed(cube->metrics, cube->metric_count, sizeof(*cube->metrics), place);
	for (i = 0; i < cube->metric_count; i++)
		shown += !cube->metrics[i].ghost;
	at_ghost = shown;
	merged->final_metric = fathom_tool_alloc(cube->metric_count, sizeof(*merged->final_metric));
	for (i = 0; i < cube->metric_count; i++)
		merged->final_metric[i] = cube->metrics[i].ghost ? at_ghost++ : at_shown++;
	for (i = 0; i < cube->metric_count; i++)
		if (cube->metrics[i].parent >= 0)
			cube->metrics[i].parent = (int32_t)merged->final_metric[cube->metrics[i].parent];
	cube->metrics = placed(cube->metrics, cube->metric_count, sizeof(*cube->metrics), merged->final_metric);
	for (i = 0; i < cube->metric_count; i++)	/* from here on final_metric is by order of arrival */
		place[i] = merged->final_metric[place[i]];
	free(merged->final_metric);
	merged->final_metric = place;
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

static void order_system(struct fathom_definitions *merged)
{
	struct fathom_cube *cube = &merged->cube;
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
	merged->first_column = fathom_tool_alloc(cube->group_count, sizeof(*merged->first_column));
	for (i = 0; i < cube->group_count; i++) {
		group_place[by_column[i]] = i;
		merged->first_column[by_column[i]] = column;
		column += count[by_column[i]];
	}
	memset(count, 0, cube->group_count * sizeof(*count));
	for (i = 0; i < cube->location_count; i++) {
		struct fathom_cube_location *location = &cube->locations[i];

		location_place[i] = merged->first_column[location->group] + count[location->group]++;
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

static void add_derived(struct fathom_definitions *merged)
{
	for (uint32_t i = 0; i < FATHOM_DERIVED_MOST; i++)
		merged->cube.metrics = fathom_tool_grow(merged->cube.metrics, merged->cube.metric_count + i,
							&merged->metric_room, sizeof(*merged->cube.metrics));
	if (fathom_derived_add(&merged->cube, &merged->texts)) {
		fathom_tool_error("out of memory");
		exit(FATHOM_TOOL_FAILURE);
	}
}

void fathom_definitions_finish(struct fathom_definitions *merged)
{
	add_derived(merged);
	order_metrics(merged);
	order_cnodes(merged);
	set_iterations(merged);
	order_system(merged);
	/* The hash indices have the numbers of before and are made anew. */
	fathom_index_fini(&merged->cnode_index);
	for (uint32_t i = 0; i < merged->cube.cnode_count; i++) {
		struct wanted_cnode wanted = { &merged->cube, merged->cube.cnodes[i] };

		fathom_index_add(&merged->cnode_index, hash_cnode(&wanted), i);
	}
}

/* --- afterwards ------------------------------------------------------------------------------------ */

int fathom_definitions_locate(const struct fathom_definitions *merged, const struct fathom_cube *cube,
			      struct fathom_definitions_map *map)
{
	uint32_t *region = fathom_tool_alloc(cube->region_count, sizeof(*region));
	struct wanted_cnode wanted = { .cube = cube };
	int64_t at = 0;
	uint32_t i;

	map->metric = fathom_tool_alloc(cube->metric_count, sizeof(*map->metric));
	map->cnode = fathom_tool_alloc(cube->cnode_count, sizeof(*map->cnode));
	for (i = 0; at >= 0 && i < cube->metric_count; i++) {
		at = find_metric(&merged->cube, cube->metrics[i].uniq_name);
		/* Formulas are added to the merged metrics last, and have no rows: any number will do. */
		if (at < 0 && cube->metrics[i].type == FATHOM_CUBE_DERIVED)
			at = 0;
		map->metric[i] = (uint32_t)at;
	}
	for (i = 0; at >= 0 && i < cube->region_count; i++) {
		at = fathom_index_find(&merged->region_index, hash_region(&cube->regions[i]), same_region,
				       merged->cube.regions, &cube->regions[i]);
		region[i] = (uint32_t)at;
	}
	for (i = 0; at >= 0 && i < cube->cnode_count; i++) {
		wanted.cnode = cube->cnodes[i];
		wanted.cnode.region = region[wanted.cnode.region];
		if (wanted.cnode.parent >= 0)
			wanted.cnode.parent = (int32_t)map->cnode[wanted.cnode.parent];
		at = fathom_index_find(&merged->cnode_index, hash_cnode(&wanted), same_cnode, &merged->cube, &wanted);
		map->cnode[i] = (uint32_t)at;
	}
	free(region);
	if (at >= 0)
		return 0;
	fathom_definitions_map_fini(map);
	return -EINVAL;
}

void fathom_definitions_map_fini(struct fathom_definitions_map *map)
{
	free(map->metric);
	free(map->cnode);
	map->metric = map->cnode = NULL;
}

void fathom_definitions_set_attribute(struct fathom_definitions *merged, const char *key, const char *value)
{
	struct fathom_cube *cube = &merged->cube;
	uint32_t i;

	for (i = 0; i < cube->attribute_count && strcmp(cube->attributes[i].key, key) != 0; i++)
		;
	if (i == cube->attribute_count) {
		cube->attributes = fathom_tool_grow(cube->attributes, cube->attribute_count, &merged->attribute_room,
						    sizeof(*cube->attributes));
		cube->attributes[cube->attribute_count++].key = keep(merged, key);
	}
	cube->attributes[i].value = keep(merged, value);
}

void fathom_definitions_fini(struct fathom_definitions *merged)
{
	free(merged->iterations);
	free(merged->cube.attributes);
	free(merged->cube.metrics);
	free(merged->cube.regions);
	free(merged->cube.cnodes);
	free(merged->cube.parameters);
	free(merged->cube.nodes);
	free(merged->cube.groups);
	free(merged->cube.locations);
	for (uint32_t t = 0; t < merged->cube.topology_count; t++) {
		free(merged->cube.topologies[t].dimensions);
		free(merged->cube.topologies[t].locations);
		free(merged->cube.topologies[t].at);
	}
	free(merged->cube.topologies);
	free(merged->final_cnode);
	free(merged->final_metric);
	free(merged->first_column);
	fathom_index_fini(&merged->region_index);
	fathom_index_fini(&merged->cnode_index);
	fathom_index_fini(&merged->node_index);
	fathom_arena_fini(&merged->texts);
	memset(merged, 0, sizeof(*merged));
}
