#include "tools/scaling/loss_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "config.h"
#include "cube/writer/writer.h"
#include "tools/common/command.h"
#include "tools/common/profile.h"
#include "tools/common/progress.h"

enum { VALUE, LOSS, PERCENT, METRICS };		/* the metrics of the file */
enum { MOST_ATTRIBUTES = 8, ATTRIBUTE_BYTES = 64 };

static struct fathom_cube_writer *unfinished;	/* the output before it is complete */

void fathom_loss_file_abandon(void)
{
	if (unfinished)
		fathom_cube_writer_abandon(unfinished);
	unfinished = NULL;
}

/* An open run of the largest size. */
struct source {
	struct fathom_profile profile;
	uint32_t metric;
	uint32_t *first;	/* by item: its call paths in the file are cnodes[first[item]] to ... */
	uint32_t *cnodes;	/* ... cnodes[first[item + 1] - 1] */
};

struct output {
	const struct fathom_scaling *scaling;
	const char *path;
	struct fathom_cube cube;
	uint32_t *item;		/* by cnode of the output */
	struct source *sources;
	uint32_t source_count;
	double *row, *values[METRICS];	/* row: by location of a source; values: by process */
	char texts[MOST_ATTRIBUTES][ATTRIBUTE_BYTES];
};

/* --- definitions --------------------------------------------------------------------------------------------- */

static void add_attribute(struct output *output, const char *key, const char *value)
{
	output->cube.attributes[output->cube.attribute_count++] =
		(struct fathom_cube_attribute){ key, value };
}

static void define_attributes(struct output *output)
{
	const struct fathom_scaling *scaling = output->scaling;
	const struct fathom_size *last = &scaling->sizes[scaling->count - 1];

	output->cube.attributes = fathom_tool_alloc(MOST_ATTRIBUTES, sizeof(*output->cube.attributes));
	add_attribute(output, "CubePL Version", "1.1");
	add_attribute(output, "Cube anchor.xml syntax version", "4.4");
	add_attribute(output, "Creator", "fathom " PACKAGE_VERSION);
	add_attribute(output, "CUBE_CT_AGGR", "SUM");
	add_attribute(output, "fathom::program", scaling->matched.runs[scaling->order[last->first]].program);
	snprintf(output->texts[0], ATTRIBUTE_BYTES, "%s, %u to %u threads",
		 fathom_expectation_name(scaling->expectation), scaling->sizes[0].threads, last->threads);
	add_attribute(output, "fathom::scaling", output->texts[0]);
	if (last->wall_time >= 0) {
		snprintf(output->texts[1], ATTRIBUTE_BYTES, "%.6f", last->wall_time);
		add_attribute(output, "fathom::wall_time", output->texts[1]);
	}
}

static void define_metrics(struct output *output)
{
	const struct fathom_matched_runs *matched = &output->scaling->matched;

	output->cube.metrics = fathom_tool_alloc(METRICS, sizeof(*output->cube.metrics));
	output->cube.metric_count = METRICS;
	output->cube.metrics[VALUE] = (struct fathom_cube_metric){
		.uniq_name = matched->metric, .disp_name = matched->title, .unit = matched->unit,
		.description = "The value at the largest size", .url = "", .parent = -1, .dtype = FATHOM_CUBE_DOUBLE,
	};
	output->cube.metrics[LOSS] = (struct fathom_cube_metric){
		.uniq_name = "scaling_loss", .disp_name = "Scaling loss", .unit = matched->unit,
		.description = "What the largest size has more than is expected from the smallest", .url = "",
		.parent = -1, .dtype = FATHOM_CUBE_DOUBLE,
	};
	output->cube.metrics[PERCENT] = (struct fathom_cube_metric){
		.uniq_name = "scaling_loss_percent", .disp_name = "Scaling loss (% of the run)", .unit = "%",
		.description = "The scaling loss in per cent of the whole run at the largest size", .url = "",
		.parent = -1, .dtype = FATHOM_CUBE_DOUBLE,
	};
}

/* Adds a call path and those below it. The callees of each item are a list: first by item, next by item; -1 ends. */
static void add_tree(struct output *output, const int32_t *first, const int32_t *next, int32_t root)
{
	const struct fathom_matched_list *list = &output->scaling->matched.call_paths;
	struct fathom_cube *cube = &output->cube;
	int32_t *open = fathom_tool_alloc(list->count + 1, sizeof(*open));	/* by depth: the cnode of the output */
	int32_t at = root;
	uint32_t depth = 0;

	while (at >= 0) {
		const struct fathom_matched_item *item = &list->items[at];

		cube->cnodes[cube->cnode_count] = (struct fathom_cube_cnode){
			.region = (uint32_t)at, .parent = depth ? open[depth - 1] : -1, .file_id = cube->cnode_count,
			.first_parameter = cube->parameter_count, .parameter_count = item->parameter_count,
		};
		for (uint32_t p = 0; p < item->parameter_count; p++)
			cube->parameters[cube->parameter_count++] = item->parameters[p];
		output->item[cube->cnode_count] = (uint32_t)at;
		open[depth] = (int32_t)cube->cnode_count++;
		if (first[at] >= 0) {
			at = first[at];
			depth++;
			continue;
		}
		while (depth && next[at] < 0) {
			at = list->items[at].parent;
			depth--;
		}
		at = depth ? next[at] : -1;
	}
	free(open);
}

/* Defines the call paths in pre-order; define_regions then sets their regions. */
static void define_call_paths(struct output *output)
{
	const struct fathom_matched_list *list = &output->scaling->matched.call_paths;
	struct fathom_cube *cube = &output->cube;
	int32_t *first = fathom_tool_alloc(list->count + 1, sizeof(*first));
	int32_t *next = fathom_tool_alloc(list->count + 1, sizeof(*next));
	size_t parameters = 0;

	for (size_t i = 0; i < list->count; i++) {
		first[i] = next[i] = -1;
		parameters += list->items[i].parameter_count;
	}
	for (size_t i = list->count; i-- > 0;) {
		int32_t parent = list->items[i].parent;

		if (parent < 0)
			continue;
		next[i] = first[parent];
		first[parent] = (int32_t)i;
	}
	cube->cnodes = fathom_tool_alloc(list->count + 1, sizeof(*cube->cnodes));
	cube->parameters = fathom_tool_alloc(parameters + 1, sizeof(*cube->parameters));
	output->item = fathom_tool_alloc(list->count + 1, sizeof(*output->item));
	for (size_t i = 0; i < list->count; i++)
		if (list->items[i].parent < 0)
			add_tree(output, first, next, (int32_t)i);
	free(first);
	free(next);
}

/* Defines the regions, one for each matched region, with the properties of its first call path. */
static void define_regions(struct output *output)
{
	const struct fathom_matched_runs *matched = &output->scaling->matched;
	struct fathom_cube *cube = &output->cube;

	cube->region_count = (uint32_t)matched->regions.count;
	cube->regions = fathom_tool_alloc(cube->region_count, sizeof(*cube->regions));
	for (uint32_t c = 0; c < cube->cnode_count; c++) {
		const struct fathom_matched_item *item = &matched->call_paths.items[output->item[c]];
		struct fathom_cube_region *region = &cube->regions[item->region];

		cube->cnodes[c].region = item->region;
		if (!region->name)
			*region = (struct fathom_cube_region){
				.name = item->name, .mangled = item->name, .file = item->file,
				.paradigm = item->paradigm, .role = item->role, .description = "",
				.begin_line = item->line, .end_line = -1, .activity = item->activity,
			};
	}
}

/* Defines a process for each process of the first run of the largest size. */
static void define_system(struct output *output)
{
	const struct fathom_cube *from = output->sources[0].profile.cube;
	struct fathom_cube *cube = &output->cube;

	cube->nodes = from->nodes;
	cube->node_count = from->node_count;
	cube->groups = fathom_tool_alloc(from->group_count, sizeof(*cube->groups));
	cube->locations = fathom_tool_alloc(from->group_count, sizeof(*cube->locations));
	for (uint32_t g = 0; g < from->group_count; g++) {
		if (!fathom_group_is_process(&from->groups[g]))
			continue;
		cube->locations[cube->group_count] = (struct fathom_cube_location){
			.name = "process", .type = "thread", .group = (int32_t)cube->group_count,
		};
		cube->groups[cube->group_count++] = from->groups[g];
	}
	cube->location_count = cube->group_count;
}

/* --- values -------------------------------------------------------------------------------------------------- */

static double own_at(const struct output *output, uint32_t cnode, uint32_t size)
{
	const struct fathom_matched_runs *matched = &output->scaling->matched;

	return fathom_scaling_own(output->scaling, &matched->call_paths.items[output->item[cnode]], size);
}

static bool is_present(void *context, uint32_t metric, uint32_t cnode)
{
	const struct output *output = context;

	return own_at(output, cnode, output->scaling->count - 1) != 0 ||
	       (metric != VALUE && own_at(output, cnode, 0) != 0);
}

/* Adds the values of an item in a source to those by process. 0, or -errno after an error message. */
static int add_values(struct output *output, struct source *source, uint32_t item)
{
	const struct fathom_cube *cube = source->profile.cube;
	double *values = output->values[VALUE];

	for (uint32_t i = source->first[item]; i < source->first[item + 1]; i++) {
		int32_t group = -1;
		uint32_t process = 0;
		int err = fathom_profile_own_row(&source->profile, source->metric, source->cnodes[i], output->row);

		if (err)
			return err;
		for (uint32_t l = 0; l < cube->location_count; l++) {
			int32_t here = fathom_cube_location_group(cube, l);

			if (!fathom_group_is_process(&cube->groups[here]))
				continue;
			process += group >= 0 && here != group;
			group = here;
			if (process < output->cube.group_count)
				values[process] += output->row[l] / output->source_count;
		}
	}
	return 0;
}

static int write_rows(struct output *output, uint32_t cnode)
{
	const struct fathom_scaling *scaling = output->scaling;
	const struct fathom_size *last = &scaling->sizes[scaling->count - 1];
	double expected = last->reference_coefficient * own_at(output, cnode, 0) / output->cube.group_count;
	double whole = last->coefficient * last->total;
	int err = 0;

	memset(output->values[VALUE], 0, output->cube.group_count * sizeof(double));
	for (uint32_t s = 0; !err && s < output->source_count; s++)
		err = add_values(output, &output->sources[s], output->item[cnode]);
	for (uint32_t p = 0; p < output->cube.group_count; p++) {
		output->values[LOSS][p] = last->coefficient / last->threads * output->values[VALUE][p] - expected;
		output->values[PERCENT][p] = whole != 0 ? 100 * output->values[LOSS][p] / whole : 0;
	}
	for (uint32_t m = 0; !err && m < METRICS; m++) {
		if (!is_present(output, m, cnode))
			continue;
		err = fathom_cube_writer_put(unfinished, m, cnode, 0, output->cube.location_count, output->values[m]);
		if (err)
			fathom_tool_error("%s: %s", output->path, strerror(-err));
	}
	return err;
}

/* --- sources ------------------------------------------------------------------------------------------------- */

static int open_source(struct output *output, uint32_t run)
{
	const struct fathom_matched_runs *matched = &output->scaling->matched;
	struct source *source = &output->sources[output->source_count];
	const uint32_t *item_of = matched->runs[run].call_paths;
	size_t items = matched->call_paths.count;
	int32_t metric;
	uint32_t cnodes;
	int err = fathom_profile_open(&source->profile, matched->runs[run].path, -1);

	if (err)
		return err;
	output->source_count++;
	metric = fathom_cube_metric_by_name(source->profile.cube, matched->metric);
	cnodes = source->profile.cube->cnode_count;
	if (metric < 0) {
		fathom_tool_error("%s: was replaced while it was read", matched->runs[run].path);
		return -EINVAL;
	}
	source->metric = (uint32_t)metric;
	source->first = fathom_tool_alloc(items + 2, sizeof(*source->first));
	source->cnodes = fathom_tool_alloc(cnodes, sizeof(*source->cnodes));
	/* Counts the call paths of each item, two places further on; then sums, and then fills in. */
	for (uint32_t c = 0; c < cnodes; c++)
		if (source->profile.counted[c])
			source->first[item_of[c] + 2]++;
	for (size_t i = 2; i < items + 2; i++)
		source->first[i] += source->first[i - 1];
	for (uint32_t c = 0; c < cnodes; c++)
		if (source->profile.counted[c])
			source->cnodes[source->first[item_of[c] + 1]++] = c;
	return 0;
}

static int open_sources(struct output *output)
{
	const struct fathom_scaling *scaling = output->scaling;
	const struct fathom_size *last = &scaling->sizes[scaling->count - 1];
	uint32_t most = 1;
	int err = 0;

	output->sources = fathom_tool_alloc(last->end - last->first, sizeof(*output->sources));
	for (uint32_t i = last->first; !err && i < last->end; i++) {
		err = open_source(output, scaling->order[i]);
		if (!err && output->sources[i - last->first].profile.cube->location_count > most)
			most = output->sources[i - last->first].profile.cube->location_count;
	}
	output->row = fathom_tool_alloc(most, sizeof(*output->row));
	return err;
}

static int write_file(struct output *output)
{
	int err;

	define_attributes(output);
	define_metrics(output);
	define_call_paths(output);
	define_regions(output);
	define_system(output);
	for (int m = 0; m < METRICS; m++)
		output->values[m] = fathom_tool_alloc(output->cube.group_count, sizeof(double));
	err = fathom_cube_writer_open(&unfinished, output->path, &output->cube, is_present, output, time(NULL));
	if (err) {
		fathom_tool_error("%s: cannot be made: %s", output->path, strerror(-err));
		return err;
	}
	fathom_progress_begin("writing losses", output->cube.cnode_count);
	for (uint32_t c = 0; !err && c < output->cube.cnode_count; c++) {
		err = write_rows(output, c);
		fathom_progress_step();
	}
	fathom_progress_end();
	if (err) {
		fathom_loss_file_abandon();
		return err;
	}
	err = fathom_cube_writer_close(unfinished);
	unfinished = NULL;
	if (err)
		fathom_tool_error("%s: %s", output->path, strerror(-err));
	return err;
}

static void fini(struct output *output)
{
	for (uint32_t s = 0; s < output->source_count; s++) {
		free(output->sources[s].first);
		free(output->sources[s].cnodes);
		fathom_profile_close(&output->sources[s].profile);
	}
	for (int m = 0; m < METRICS; m++)
		free(output->values[m]);
	free(output->sources);
	free(output->row);
	free(output->item);
	free(output->cube.attributes);
	free(output->cube.metrics);
	free(output->cube.regions);
	free(output->cube.cnodes);
	free(output->cube.parameters);
	free(output->cube.groups);
	free(output->cube.locations);
}

int fathom_loss_file_write(const struct fathom_scaling *scaling, const char *path)
{
	struct output output = { .scaling = scaling, .path = path };
	int err = open_sources(&output);

	if (!err)
		err = write_file(&output);
	fini(&output);
	return err;
}
