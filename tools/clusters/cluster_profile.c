#include "tools/clusters/cluster_profile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "config.h"
#include "cube/writer/writer.h"
#include "tools/clusters/cluster_profile_system.h"
#include "tools/common/command.h"
#include "tools/common/trace/trace_region.h"

/* The metrics of the file: the time of all bursts, below it noise and then each kind; at the end their number. */
enum {
	OTHER_METRICS = 3,	/* besides those of the kinds */
	MOST_KINDS = 100,	/* further kinds are part of the time only */
	NAME_BYTES = 32,
};

/* The bursts of a kind at a call path of a thread. */
struct part {
	uint32_t metric, cnode, column;
	double seconds;
	uint64_t count;
};

struct profile {
	const struct fathom_clustering *clustering;
	struct fathom_cube cube;
	struct fathom_cluster_profile_system system;
	char names[MOST_KINDS + 1][NAME_BYTES], titles[MOST_KINDS + 1][NAME_BYTES];
	uint32_t *cnode_of;		/* by call path of bursts, and one more for none: its cnode, if it has bursts */
	struct part *parts;		/* sorted by metric, cnode and column */
	size_t part_count;
};

/* --- definitions -------------------------------------------------------------------------------------- */

static void make_attributes(struct profile *profile)
{
	static const struct fathom_cube_attribute attributes[] = {
		{ "CubePL Version", "1.1" }, { "Cube anchor.xml syntax version", "4.4" },
		{ "Creator", "fathom " PACKAGE_VERSION }, { "CUBE_CT_AGGR", "SUM" },
	};

	profile->cube.attributes = (struct fathom_cube_attribute *)attributes;
	profile->cube.attribute_count = sizeof(attributes) / sizeof(*attributes);
}

static void make_metrics(struct profile *profile)
{
	uint32_t kinds = profile->clustering->count < MOST_KINDS ? profile->clustering->count : MOST_KINDS;
	struct fathom_cube_metric *metrics = fathom_tool_alloc(OTHER_METRICS + kinds, sizeof(*metrics));

	/* Readers expect the metrics time and visits. Here they are those of bursts. */
	metrics[0] = (struct fathom_cube_metric){
		.uniq_name = "time", .disp_name = "Time of bursts", .unit = "sec", .parent = -1,
		.description = "Time of computation between calls, of the bursts that were clustered",
	};
	for (uint32_t k = 0; k <= kinds; k++) {
		snprintf(profile->names[k], NAME_BYTES, k ? "cluster_%u" : "cluster_noise", k);
		snprintf(profile->titles[k], NAME_BYTES, k ? "Kind %u" : "Noise", k);
		metrics[1 + k] = (struct fathom_cube_metric){
			.uniq_name = profile->names[k], .disp_name = profile->titles[k], .unit = "sec", .parent = 0,
			.description = "Time of the bursts of one kind",
		};
	}
	metrics[kinds + 2] = (struct fathom_cube_metric){
		.uniq_name = "visits", .disp_name = "Bursts", .unit = "occ", .parent = -1, .dtype = FATHOM_CUBE_UINT64,
		.description = "Number of bursts of computation that were clustered",
	};
	profile->cube.metrics = metrics;
	profile->cube.metric_count = kinds + OTHER_METRICS;
}

static void make_regions(struct profile *profile)
{
	const struct fathom_otf2_archive *trace = &profile->clustering->data->trace;
	uint32_t count = (uint32_t)fathom_otf2_count(&trace->defs, FATHOM_OTF2_REGION);
	struct fathom_cube_region *regions = fathom_tool_alloc((size_t)count + 1, sizeof(*regions));

	for (uint32_t r = 0; r < count; r++)
		regions[r] = fathom_otf2_region_words(trace, fathom_otf2_at(&trace->defs, FATHOM_OTF2_REGION, r));
	regions[count] = (struct fathom_cube_region){
		.name = "PROGRAM", .mangled = "PROGRAM", .file = "", .paradigm = "measurement", .role = "artificial",
		.description = "", .begin_line = -1, .end_line = -1, .activity = FATHOM_ACTIVITY_COMPUTATION,
	};
	profile->cube.regions = regions;
	profile->cube.region_count = count + 1;
}

/* Marks the call paths of the bursts and those above them. Returns whether a burst is outside of all regions. */
static bool mark_paths(const struct profile *profile, bool *marks)
{
	const struct fathom_clustering *clustering = profile->clustering;
	bool has_none = false;

	for (uint32_t i = 0; i < clustering->point_count; i++) {
		uint32_t path = clustering->data->list.bursts[clustering->bursts[i]].code;

		has_none |= path == FATHOM_NO_BURST_PATH;
		for (; path != FATHOM_NO_BURST_PATH && !marks[path];
		     path = clustering->data->extraction.paths.paths[path].parent)
			marks[path] = true;
	}
	return has_none;
}

/* Adds the marked call paths in pre-order. Children are found in lists: first by parent, next by child. */
static void add_cnodes(struct profile *profile, const bool *marks, uint32_t *first, uint32_t *next)
{
	const struct fathom_burst_paths *paths = &profile->clustering->data->extraction.paths;
	uint32_t none = paths->count, path;

	for (uint32_t p = 0; p <= none; p++)
		first[p] = next[p] = FATHOM_NO_BURST_PATH;
	for (uint32_t p = paths->count; p-- > 0; ) {
		uint32_t parent = paths->paths[p].parent == FATHOM_NO_BURST_PATH ? none : paths->paths[p].parent;

		if (!marks[p])
			continue;
		next[p] = first[parent];
		first[parent] = p;
	}
	path = first[none];
	while (path != FATHOM_NO_BURST_PATH) {
		uint32_t parent = paths->paths[path].parent, cnode = profile->cube.cnode_count++;

		profile->cnode_of[path] = cnode;
		profile->cube.cnodes[cnode] = (struct fathom_cube_cnode){
			.region = paths->paths[path].region, .file_id = cnode,
			.parent = parent == FATHOM_NO_BURST_PATH ? -1 : (int32_t)profile->cnode_of[parent],
		};
		if (first[path] != FATHOM_NO_BURST_PATH) {
			path = first[path];
			continue;
		}
		while (path != FATHOM_NO_BURST_PATH && next[path] == FATHOM_NO_BURST_PATH)
			path = paths->paths[path].parent;
		if (path != FATHOM_NO_BURST_PATH)
			path = next[path];
	}
}

static void make_cnodes(struct profile *profile)
{
	uint32_t count = profile->clustering->data->extraction.paths.count;
	bool *marks = fathom_tool_alloc((size_t)count + 1, sizeof(*marks));
	uint32_t *first = fathom_tool_alloc((size_t)count + 1, sizeof(*first));
	uint32_t *next = fathom_tool_alloc((size_t)count + 1, sizeof(*next));

	profile->cube.cnodes = fathom_tool_alloc((size_t)count + 1, sizeof(*profile->cube.cnodes));
	profile->cnode_of = fathom_tool_alloc((size_t)count + 1, sizeof(*profile->cnode_of));
	if (mark_paths(profile, marks)) {
		profile->cnode_of[count] = profile->cube.cnode_count;
		profile->cube.cnodes[profile->cube.cnode_count++] = (struct fathom_cube_cnode){
			.region = profile->cube.region_count - 1, .parent = -1,
		};
	}
	add_cnodes(profile, marks, first, next);
	free(marks);
	free(first);
	free(next);
}

/* --- values ------------------------------------------------------------------------------------------- */

static int by_place(const void *a, const void *b)
{
	const struct part *x = a, *y = b;

	if (x->metric != y->metric)
		return x->metric < y->metric ? -1 : 1;
	if (x->cnode != y->cnode)
		return x->cnode < y->cnode ? -1 : 1;
	return x->column < y->column ? -1 : x->column > y->column;
}

/* Adds up the bursts of each kind, call path and thread: once for all kinds, and once for each. */
static void make_parts(struct profile *profile)
{
	const struct fathom_clustering *clustering = profile->clustering;
	uint32_t none = clustering->data->extraction.paths.count, kinds = profile->cube.metric_count - OTHER_METRICS;
	size_t count = 0, kept = 0;

	profile->parts = fathom_tool_alloc(3 * (size_t)clustering->point_count, sizeof(*profile->parts));
	for (uint32_t i = 0; i < clustering->point_count; i++) {
		const struct fathom_listed_burst *burst = &clustering->data->list.bursts[clustering->bursts[i]];
		uint32_t number = clustering->numbers[clustering->bursts[i]];
		struct part part = {
			.cnode = profile->cnode_of[burst->code == FATHOM_NO_BURST_PATH ? none : burst->code],
			.column = profile->system.column_of[burst->location], .count = 1,
			.seconds = fathom_burst_seconds(clustering->data, clustering->bursts[i]),
		};

		profile->parts[count++] = part;
		part.metric = kinds + 2;
		profile->parts[count++] = part;
		part.metric = 1 + number;
		if (number <= kinds)
			profile->parts[count++] = part;
	}
	qsort(profile->parts, count, sizeof(*profile->parts), by_place);
	for (size_t p = 0; p < count; p++) {
		if (kept && by_place(&profile->parts[kept - 1], &profile->parts[p]) == 0) {
			profile->parts[kept - 1].seconds += profile->parts[p].seconds;
			profile->parts[kept - 1].count += profile->parts[p].count;
		} else {
			profile->parts[kept++] = profile->parts[p];
		}
	}
	profile->part_count = kept;
}

/* Returns the first part of a metric and cnode, or where it would be. */
static size_t find_part(const struct profile *profile, uint32_t metric, uint32_t cnode)
{
	const struct part wanted = { .metric = metric, .cnode = cnode };
	size_t low = 0, high = profile->part_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (by_place(&profile->parts[middle], &wanted) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool is_present(void *context, uint32_t metric, uint32_t cnode)
{
	const struct profile *profile = context;
	size_t part = find_part(profile, metric, cnode);

	return part < profile->part_count && profile->parts[part].metric == metric &&
	       profile->parts[part].cnode == cnode;
}

static int put_values(const struct profile *profile, struct fathom_cube_writer *writer)
{
	uint32_t columns = profile->cube.location_count;
	double *row = fathom_tool_alloc(columns, sizeof(*row));
	uint64_t *counts = fathom_tool_alloc(columns, sizeof(*counts));
	size_t next;
	int err = 0;

	for (size_t p = 0; !err && p < profile->part_count; p = next) {
		uint32_t metric = profile->parts[p].metric, cnode = profile->parts[p].cnode;
		bool is_count = metric == profile->cube.metric_count - 1;

		memset(row, 0, columns * sizeof(*row));
		memset(counts, 0, columns * sizeof(*counts));
		for (next = p; next < profile->part_count && profile->parts[next].metric == metric &&
		     profile->parts[next].cnode == cnode; next++) {
			row[profile->parts[next].column] = profile->parts[next].seconds;
			counts[profile->parts[next].column] = profile->parts[next].count;
		}
		err = fathom_cube_writer_put(writer, metric, cnode, 0, columns, is_count ? (void *)counts : row);
	}
	free(row);
	free(counts);
	return err;
}

/* --- the file ----------------------------------------------------------------------------------------- */

int fathom_cluster_profile_write(const struct fathom_clustering *clustering, const char *path)
{
	struct profile *profile = fathom_tool_alloc(1, sizeof(*profile));
	struct fathom_cube_writer *writer;
	int err;

	profile->clustering = clustering;
	make_attributes(profile);
	make_metrics(profile);
	make_regions(profile);
	make_cnodes(profile);
	fathom_cluster_profile_system_make(&profile->system, clustering->data, &profile->cube);
	make_parts(profile);
	err = fathom_cube_writer_open(&writer, path, &profile->cube, is_present, profile, (int64_t)time(NULL));
	if (!err) {
		err = put_values(profile, writer);
		if (err)
			fathom_cube_writer_abandon(writer);
		else
			err = fathom_cube_writer_close(writer);
	}
	if (err)
		fathom_tool_error("%s: cannot be made: %s", path, strerror(-err));
	fathom_cluster_profile_system_fini(&profile->system, &profile->cube);
	free(profile->cube.metrics);
	free(profile->cube.regions);
	free(profile->cube.cnodes);
	free(profile->cnode_of);
	free(profile->parts);
	free(profile);
	return err;
}
