#include "tools/import/imported_profile.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "config.h"
#include "cube/writer/writer.h"
#include "tools/common/command.h"

static char *copy_text(const char *text)
{
	size_t bytes = strlen(text ? text : "") + 1;

	return memcpy(fathom_tool_alloc(1, bytes), text ? text : "", bytes);
}

/* --- definitions -------------------------------------------------------------------------------------- */

uint32_t fathom_imported_metric(struct fathom_imported_profile *profile, const char *name, const char *title,
				const char *unit, enum fathom_cube_dtype dtype)
{
	char *unique = copy_text(name);

	for (char *at = unique; *at; at++)
		if (!isalnum((unsigned char)*at) && !strchr(":_=", *at))
			*at = '_';
	for (uint32_t m = 0; m < profile->metric_count; m++) {
		if (strcmp(profile->metrics[m].uniq_name, unique) == 0) {
			free(unique);
			return m;
		}
	}
	profile->metrics = fathom_tool_grow(profile->metrics, profile->metric_count, &profile->metric_room,
					    sizeof(*profile->metrics));
	profile->metrics[profile->metric_count] = (struct fathom_cube_metric){
		.uniq_name = unique, .disp_name = copy_text(title), .unit = copy_text(unit), .description = "",
		.url = "", .parent = -1, .file_id = (uint32_t)profile->metric_count, .dtype = dtype,
	};
	return (uint32_t)profile->metric_count++;
}

static bool is_same_region(const void *regions, uint32_t number, const void *wanted)
{
	const struct fathom_cube_region *a = (const struct fathom_cube_region *)regions + number, *b = wanted;

	return strcmp(a->name, b->name) == 0 && strcmp(a->file, b->file) == 0 && a->begin_line == b->begin_line;
}

uint32_t fathom_imported_region(struct fathom_imported_profile *profile, const struct fathom_cube_region *region)
{
	uint64_t hash = fathom_index_hash_text(0, region->name);
	struct fathom_cube_region *added;
	int64_t number;

	hash = fathom_index_hash_number(fathom_index_hash_text(hash, region->file), region->begin_line);
	number = fathom_index_find(&profile->region_index, hash, is_same_region, profile->regions, region);
	if (number >= 0)
		return (uint32_t)number;
	profile->regions = fathom_tool_grow(profile->regions, profile->region_count, &profile->region_room,
					    sizeof(*profile->regions));
	added = &profile->regions[profile->region_count];
	*added = (struct fathom_cube_region){
		.name = copy_text(region->name), .mangled = copy_text(region->name), .file = copy_text(region->file),
		.paradigm = copy_text(region->paradigm), .role = copy_text(region->role), .description = "",
		.begin_line = region->begin_line, .end_line = region->end_line, .activity = region->activity,
	};
	fathom_index_add(&profile->region_index, hash, (uint32_t)profile->region_count);
	return (uint32_t)profile->region_count++;
}

static bool is_same_path(const void *paths, uint32_t number, const void *wanted)
{
	const struct fathom_imported_path *a = (const struct fathom_imported_path *)paths + number, *b = wanted;

	return a->parent == b->parent && a->region == b->region;
}

uint32_t fathom_imported_path(struct fathom_imported_profile *profile, uint32_t parent, uint32_t region)
{
	const struct fathom_imported_path path = { parent, region };
	uint64_t hash = fathom_index_hash_number(fathom_index_hash_number(0, parent), region);
	int64_t number = fathom_index_find(&profile->path_index, hash, is_same_path, profile->paths, &path);

	if (number >= 0)
		return (uint32_t)number;
	profile->paths = fathom_tool_grow(profile->paths, profile->path_count, &profile->path_room,
					  sizeof(*profile->paths));
	profile->paths[profile->path_count] = path;
	fathom_index_add(&profile->path_index, hash, (uint32_t)profile->path_count);
	return (uint32_t)profile->path_count++;
}

static bool is_same_thread(const void *threads, uint32_t number, const void *wanted)
{
	const struct fathom_imported_thread *a = (const struct fathom_imported_thread *)threads + number, *b = wanted;

	return a->node == b->node && a->context == b->context && a->thread == b->thread;
}

uint32_t fathom_imported_thread(struct fathom_imported_profile *profile, int64_t node, int64_t context, int64_t thread)
{
	const struct fathom_imported_thread wanted = { node, context, thread };
	uint64_t hash = fathom_index_hash_number(fathom_index_hash_number(fathom_index_hash_number(0, node), context),
						 thread);
	int64_t number = fathom_index_find(&profile->thread_index, hash, is_same_thread, profile->threads, &wanted);

	if (number >= 0)
		return (uint32_t)number;
	profile->threads = fathom_tool_grow(profile->threads, profile->thread_count, &profile->thread_room,
					    sizeof(*profile->threads));
	profile->threads[profile->thread_count] = wanted;
	fathom_index_add(&profile->thread_index, hash, (uint32_t)profile->thread_count);
	return (uint32_t)profile->thread_count++;
}

void fathom_imported_add(struct fathom_imported_profile *profile, uint32_t metric, uint32_t path, uint32_t thread,
			 double value)
{
	if (value == 0)
		return;
	profile->values = fathom_tool_grow(profile->values, profile->value_count, &profile->value_room,
					   sizeof(*profile->values));
	profile->values[profile->value_count++] = (struct fathom_imported_value){ metric, path, thread, value };
}

/* --- the form in which a profile is written ------------------------------------------------------------- */

struct written {
	struct fathom_imported_profile *profile;
	struct fathom_cube cube;
	struct fathom_cube_node nodes[1];
	struct fathom_cube_attribute attributes[5];
};

/* Numbers the call paths in pre-order: siblings in the order in which they were added. Returns the new numbers. */
static uint32_t *order_paths(struct written *written)
{
	const struct fathom_imported_profile *profile = written->profile;
	uint32_t count = (uint32_t)profile->path_count, none = count, path;
	uint32_t *first = fathom_tool_alloc((size_t)count + 1, sizeof(*first));
	uint32_t *next = fathom_tool_alloc((size_t)count + 1, sizeof(*next));
	uint32_t *number = fathom_tool_alloc((size_t)count + 1, sizeof(*number));

	for (uint32_t p = 0; p <= count; p++)
		first[p] = next[p] = none;
	for (uint32_t p = count; p-- > 0; ) {
		uint32_t parent = profile->paths[p].parent == FATHOM_IMPORTED_NO_PATH ? none : profile->paths[p].parent;

		next[p] = first[parent];
		first[parent] = p;
	}
	written->cube.cnodes = fathom_tool_alloc((size_t)count + 1, sizeof(*written->cube.cnodes));
	for (path = first[none]; path != none; ) {
		uint32_t parent = profile->paths[path].parent, cnode = written->cube.cnode_count++;

		number[path] = cnode;
		written->cube.cnodes[cnode] = (struct fathom_cube_cnode){
			.region = profile->paths[path].region, .file_id = cnode,
			.parent = parent == FATHOM_IMPORTED_NO_PATH ? -1 : (int32_t)number[parent],
		};
		if (first[path] != none) {
			path = first[path];
			continue;
		}
		while (path != none && next[path] == none)
			path = profile->paths[path].parent == FATHOM_IMPORTED_NO_PATH ? none :
			       profile->paths[path].parent;
		path = path == none ? none : next[path];
	}
	free(first);
	free(next);
	return number;
}

struct thread_order {
	struct fathom_imported_thread thread;
	uint32_t number;
};

static int by_numbers(const void *a, const void *b)
{
	const struct fathom_imported_thread *x = &((const struct thread_order *)a)->thread;
	const struct fathom_imported_thread *y = &((const struct thread_order *)b)->thread;

	if (x->node != y->node)
		return x->node < y->node ? -1 : 1;
	if (x->context != y->context)
		return x->context < y->context ? -1 : 1;
	return x->thread < y->thread ? -1 : x->thread > y->thread;
}

/* Makes the processes and their threads, in the order of their numbers. Returns the column of each thread. */
static uint32_t *order_threads(struct written *written)
{
	const struct fathom_imported_profile *profile = written->profile;
	uint32_t count = (uint32_t)profile->thread_count;
	struct thread_order *order = fathom_tool_alloc(count, sizeof(*order));
	uint32_t *column = fathom_tool_alloc(count, sizeof(*column));
	struct fathom_cube *cube = &written->cube;
	bool has_contexts = false;
	char name[96];

	for (uint32_t t = 0; t < count; t++) {
		order[t] = (struct thread_order){ profile->threads[t], t };
		has_contexts |= profile->threads[t].context != 0;
	}
	qsort(order, count, sizeof(*order), by_numbers);
	cube->groups = fathom_tool_alloc(count, sizeof(*cube->groups));
	cube->locations = fathom_tool_alloc(count, sizeof(*cube->locations));
	for (uint32_t t = 0; t < count; t++) {
		const struct fathom_imported_thread *thread = &order[t].thread;

		if (t == 0 || thread->node != order[t - 1].thread.node ||
		    thread->context != order[t - 1].thread.context) {
			if (has_contexts)
				snprintf(name, sizeof(name), "Process %" PRId64 ".%" PRId64, thread->node,
					 thread->context);
			else
				snprintf(name, sizeof(name), "MPI Rank %" PRId64, thread->node);
			cube->groups[cube->group_count] = (struct fathom_cube_group){
				.name = copy_text(name), .type = "process",
				.rank = has_contexts ? (int64_t)cube->group_count : thread->node,
			};
			cube->group_count++;
		}
		snprintf(name, sizeof(name), "Thread %" PRId64, thread->thread);
		cube->locations[t] = (struct fathom_cube_location){
			.name = copy_text(name), .type = "thread", .group = (int32_t)cube->group_count - 1,
			.rank = thread->thread,
		};
		column[order[t].number] = t;
	}
	cube->location_count = count;
	written->nodes[0] = (struct fathom_cube_node){ .name = "unknown", .class_name = "machine", .parent = -1 };
	cube->nodes = written->nodes;
	cube->node_count = 1;
	free(order);
	return column;
}

static int by_place(const void *a, const void *b)
{
	const struct fathom_imported_value *x = a, *y = b;

	if (x->metric != y->metric)
		return x->metric < y->metric ? -1 : 1;
	if (x->path != y->path)
		return x->path < y->path ? -1 : 1;
	return x->thread < y->thread ? -1 : x->thread > y->thread;
}

static bool is_present(void *context, uint32_t metric, uint32_t cnode)
{
	const struct fathom_imported_profile *profile = ((const struct written *)context)->profile;
	size_t low = 0, high = profile->value_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct fathom_imported_value *value = &profile->values[middle];

		if (value->metric < metric || (value->metric == metric && value->path < cnode))
			low = middle + 1;
		else
			high = middle;
	}
	return low < profile->value_count && profile->values[low].metric == metric &&
	       profile->values[low].path == cnode;
}

static int put_values(const struct written *written, struct fathom_cube_writer *writer)
{
	const struct fathom_imported_profile *profile = written->profile;
	uint32_t columns = written->cube.location_count;
	double *row = fathom_tool_alloc(columns, sizeof(*row));
	uint64_t *counts = fathom_tool_alloc(columns, sizeof(*counts));
	size_t next;
	int err = 0;

	for (size_t v = 0; !err && v < profile->value_count; v = next) {
		uint32_t metric = profile->values[v].metric, cnode = profile->values[v].path;
		bool is_count = profile->metrics[metric].dtype == FATHOM_CUBE_UINT64;

		memset(row, 0, columns * sizeof(*row));
		for (next = v; next < profile->value_count && profile->values[next].metric == metric &&
		     profile->values[next].path == cnode; next++)
			row[profile->values[next].thread] += profile->values[next].value;
		for (uint32_t c = 0; is_count && c < columns; c++)
			counts[c] = row[c] < 0 ? 0 : (uint64_t)(row[c] + 0.5);
		err = fathom_cube_writer_put(writer, metric, cnode, 0, columns, is_count ? (void *)counts : row);
	}
	free(row);
	free(counts);
	return err;
}

static void make_attributes(struct written *written, const char *source)
{
	const struct fathom_cube_attribute attributes[] = {
		{ "CubePL Version", "1.1" }, { "Cube anchor.xml syntax version", "4.4" },
		{ "Creator", "fathom " PACKAGE_VERSION }, { "CUBE_CT_AGGR", "SUM" },
		{ "fathom::imported_from", source },
	};

	memcpy(written->attributes, attributes, sizeof(attributes));
	written->cube.attributes = written->attributes;
	written->cube.attribute_count = sizeof(attributes) / sizeof(*attributes);
}

int fathom_imported_write(struct fathom_imported_profile *profile, const char *path, const char *source)
{
	struct written *written = fathom_tool_alloc(1, sizeof(*written));
	uint32_t *number, *column;
	struct fathom_cube_writer *writer;
	int err;

	written->profile = profile;
	make_attributes(written, source);
	written->cube.metrics = profile->metrics;
	written->cube.metric_count = (uint32_t)profile->metric_count;
	written->cube.regions = profile->regions;
	written->cube.region_count = (uint32_t)profile->region_count;
	number = order_paths(written);
	column = order_threads(written);
	for (size_t v = 0; v < profile->value_count; v++) {
		profile->values[v].path = number[profile->values[v].path];
		profile->values[v].thread = column[profile->values[v].thread];
	}
	qsort(profile->values, profile->value_count, sizeof(*profile->values), by_place);
	err = fathom_cube_writer_open(&writer, path, &written->cube, is_present, written, (int64_t)time(NULL));
	if (!err) {
		err = put_values(written, writer);
		if (err)
			fathom_cube_writer_abandon(writer);
		else
			err = fathom_cube_writer_close(writer);
	}
	if (err)
		fathom_tool_error("%s: cannot be made: %s", path, strerror(-err));
	for (uint32_t g = 0; g < written->cube.group_count; g++)
		free((char *)written->cube.groups[g].name);
	for (uint32_t l = 0; l < written->cube.location_count; l++)
		free((char *)written->cube.locations[l].name);
	free(written->cube.groups);
	free(written->cube.locations);
	free(written->cube.cnodes);
	free(written);
	free(number);
	free(column);
	return err;
}

void fathom_imported_fini(struct fathom_imported_profile *profile)
{
	for (size_t m = 0; m < profile->metric_count; m++) {
		free((char *)profile->metrics[m].uniq_name);
		free((char *)profile->metrics[m].disp_name);
		free((char *)profile->metrics[m].unit);
	}
	for (size_t r = 0; r < profile->region_count; r++) {
		free((char *)profile->regions[r].name);
		free((char *)profile->regions[r].mangled);
		free((char *)profile->regions[r].file);
		free((char *)profile->regions[r].paradigm);
		free((char *)profile->regions[r].role);
	}
	free(profile->metrics);
	free(profile->regions);
	free(profile->paths);
	free(profile->threads);
	free(profile->values);
	fathom_index_fini(&profile->region_index);
	fathom_index_fini(&profile->path_index);
	fathom_index_fini(&profile->thread_index);
}
