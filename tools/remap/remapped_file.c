#include "tools/remap/remapped_file.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "config.h"
#include "cube/dtype.h"
#include "cube/writer/writer.h"
#include "tools/common/command.h"
#include "tools/common/progress.h"

static struct fathom_cube_writer *unfinished;	/* the output before it is complete */

void fathom_remapped_file_abandon(void)
{
	if (unfinished)
		fathom_cube_writer_abandon(unfinished);
	unfinished = NULL;
}

/* Where the values of a metric of the output come from. */
struct source {
	int32_t metric;			/* of the input; -1: the own time of a class */
	enum fathom_activity class;
};

struct output {
	struct fathom_profile *profile;
	const char *path;
	struct fathom_cube cube;
	struct source *sources;		/* by metric of the output */
	struct fathom_remapped *remapped;
	bool *has_time;			/* by cnode: some thread has own time there */
};

/* --- metrics ------------------------------------------------------------------------------------------------- */

/* Returns whether the values of a metric can be copied to a new file. */
static bool can_be_copied(const struct fathom_cube_metric *metric)
{
	return metric->type != FATHOM_CUBE_DERIVED && metric->dtype <= FATHOM_CUBE_TUPLE &&
	       (metric->type == FATHOM_CUBE_EXCLUSIVE || metric->dtype < FATHOM_CUBE_MINDOUBLE);
}

static void add_metric(struct output *output, const struct fathom_cube_metric *metric, struct source source)
{
	output->sources[output->cube.metric_count] = source;
	output->cube.metrics[output->cube.metric_count++] = *metric;
}

/* Adds the metrics of the classes that occur, below the metric time of the output. */
static void add_classes(struct output *output, int32_t time)
{
	const struct fathom_cube *cube = output->profile->cube;
	bool occurs[FATHOM_ACTIVITY_COUNT] = { false };
	int32_t metric_of[FATHOM_ACTIVITY_COUNT];

	for (uint32_t c = 0; c < cube->cnode_count; c++)
		for (int class = (int)cube->regions[cube->cnodes[c].region].activity; output->has_time[c] && class >= 0;
		     class = fathom_activity_table[class].parent)
			occurs[class] = true;
	for (int class = 0; class < FATHOM_ACTIVITY_COUNT; class++) {
		const struct fathom_activity_info *info = &fathom_activity_table[class];
		struct fathom_cube_metric metric = {
			.uniq_name = info->metric, .disp_name = info->title, .description = info->description,
			.unit = output->cube.metrics[time].unit, .url = "", .type = FATHOM_CUBE_EXCLUSIVE,
			.dtype = FATHOM_CUBE_DOUBLE,
		};

		if (!occurs[class])
			continue;
		metric.parent = info->parent < 0 ? time : metric_of[info->parent];
		metric_of[class] = (int32_t)output->cube.metric_count;
		add_metric(output, &metric, (struct source){ -1, (enum fathom_activity)class });
		output->remapped->added++;
	}
}

/* Returns the number that the nearest metric around this one that is copied has in the output; -1: there is none. */
static int32_t new_parent(const struct fathom_cube *cube, uint32_t metric, const int32_t *number)
{
	int32_t parent = cube->metrics[metric].parent;

	while (parent >= 0 && number[parent] < 0)
		parent = cube->metrics[parent].parent;
	return parent >= 0 ? number[parent] : -1;
}

/* Defines the metrics of the output: those of the input, and the classes right behind time. Ghosts remain last. */
static void define_metrics(struct output *output)
{
	const struct fathom_cube *cube = output->profile->cube;
	int32_t *number = fathom_tool_alloc(cube->metric_count, sizeof(*number));

	output->cube.metrics = fathom_tool_alloc(cube->metric_count + FATHOM_ACTIVITY_COUNT,
						 sizeof(*output->cube.metrics));
	output->sources = fathom_tool_alloc(cube->metric_count + FATHOM_ACTIVITY_COUNT, sizeof(*output->sources));
	output->cube.metric_count = 0;
	for (uint32_t m = 0; m < cube->metric_count; m++) {
		struct fathom_cube_metric metric = cube->metrics[m];

		number[m] = -1;
		if (!can_be_copied(&metric)) {
			output->remapped->left_out++;
			continue;
		}
		metric.parent = new_parent(cube, m, number);
		number[m] = (int32_t)output->cube.metric_count;
		add_metric(output, &metric, (struct source){ (int32_t)m, FATHOM_ACTIVITY_NONE });
		if ((int32_t)m == output->profile->time)
			add_classes(output, number[m]);
	}
	free(number);
}

/* --- other definitions --------------------------------------------------------------------------------------- */

static void define_attributes(struct output *output)
{
	const struct fathom_cube *cube = output->profile->cube;
	uint32_t count = cube->attribute_count;

	output->cube.attributes = fathom_tool_alloc(count + 1, sizeof(*output->cube.attributes));
	memcpy(output->cube.attributes, cube->attributes, count * sizeof(*cube->attributes));
	output->cube.attributes[count] =
		(struct fathom_cube_attribute){ "fathom::remapped", "fathom " PACKAGE_VERSION };
	output->cube.attribute_count = count + 1;
}

/* Spells out the locations, because the writer needs them one by one. */
static void list_locations(struct output *output)
{
	const struct fathom_cube *cube = output->profile->cube;

	output->cube.locations = fathom_tool_alloc(cube->location_count, sizeof(*output->cube.locations));
	for (uint32_t l = 0; l < cube->location_count; l++)
		output->cube.locations[l] = fathom_cube_location(cube, l);
}

/* --- values -------------------------------------------------------------------------------------------------- */

/* Reads the own time of a call path. Less than a picosecond is no time but the rounding of a difference of inclusive
 * times, and may be negative. */
static int read_own_time(struct fathom_profile *profile, uint32_t cnode, double *row)
{
	int err = fathom_profile_own_row(profile, (uint32_t)profile->time, cnode, row);

	for (uint32_t l = 0; l < profile->cube->location_count; l++)
		if (fabs(row[l]) < 1e-12)
			row[l] = 0;
	return err;
}

/* Finds the call paths with own time, and adds up the time of each class. 0, or -errno after an error message. */
static int add_up_times(struct output *output)
{
	struct fathom_profile *profile = output->profile;
	const struct fathom_cube *cube = profile->cube;
	double *row = fathom_tool_alloc(cube->location_count, sizeof(*row));
	int err = 0;

	output->has_time = fathom_tool_alloc(cube->cnode_count, sizeof(*output->has_time));
	for (uint32_t c = 0; !err && c < cube->cnode_count; c++) {
		int class = (int)cube->regions[cube->cnodes[c].region].activity;
		double sum = 0;

		err = read_own_time(profile, c, row);
		for (uint32_t l = 0; !err && l < cube->location_count; l++) {
			output->has_time[c] |= row[l] != 0;
			sum += row[l];
		}
		if (!profile->counted[c])
			continue;
		output->remapped->total += sum;
		for (; class >= 0; class = fathom_activity_table[class].parent)
			output->remapped->seconds[class] += sum;
	}
	free(row);
	return err;
}

static bool is_present(void *context, uint32_t metric, uint32_t cnode)
{
	const struct output *output = context;
	const struct source *source = &output->sources[metric];
	const struct fathom_cube *cube = output->profile->cube;

	if (source->metric >= 0)
		return fathom_cube_reader_present(output->profile->reader, (uint32_t)source->metric, cnode);
	return output->has_time[cnode] &&
	       fathom_activity_within(cube->regions[cube->cnodes[cnode].region].activity, source->class);
}

static int read_row(struct output *output, uint32_t metric, uint32_t cnode, void *row)
{
	struct fathom_profile *profile = output->profile;
	const struct source *source = &output->sources[metric];
	struct fathom_cube_error error;
	int err;

	if (source->metric < 0)
		return read_own_time(profile, cnode, row);
	err = fathom_cube_reader_raw_row(profile->reader, (uint32_t)source->metric, cnode, row, &error);
	if (err)
		fathom_tool_error("%s", error.text);
	return err;
}

static int write_rows(struct output *output)
{
	char *row = fathom_tool_alloc(output->cube.location_count, sizeof(struct fathom_cube_tuple));
	int err = 0;

	fathom_progress_begin("copying values", (uint64_t)output->cube.metric_count * output->cube.cnode_count);
	for (uint32_t m = 0; !err && m < output->cube.metric_count; m++)
		for (uint32_t c = 0; !err && c < output->cube.cnode_count; c++) {
			fathom_progress_step();
			if (!is_present(output, m, c))
				continue;
			err = read_row(output, m, c, row);
			if (err)
				break;
			err = fathom_cube_writer_put(unfinished, m, c, 0, output->cube.location_count, row);
			if (err)
				fathom_tool_error("%s: %s", output->path, strerror(-err));
		}
	fathom_progress_end();
	free(row);
	return err;
}

/* --- the file ------------------------------------------------------------------------------------------------ */

static int write_file(struct output *output)
{
	struct stat status;
	int64_t changed = stat(output->profile->path, &status) == 0 ? status.st_mtime : 0;
	int err = fathom_cube_writer_open(&unfinished, output->path, &output->cube, is_present, output, changed);

	if (err) {
		fathom_tool_error("%s: cannot be made: %s", output->path, strerror(-err));
		return err;
	}
	err = write_rows(output);
	if (err) {
		fathom_remapped_file_abandon();
		return err;
	}
	err = fathom_cube_writer_close(unfinished);
	unfinished = NULL;
	if (err)
		fathom_tool_error("%s: %s", output->path, strerror(-err));
	return err;
}

int fathom_remapped_file_write(struct fathom_profile *profile, const char *path, struct fathom_remapped *remapped)
{
	struct output output = { .profile = profile, .path = path, .cube = *profile->cube, .remapped = remapped };
	int err;

	memset(remapped, 0, sizeof(*remapped));
	err = add_up_times(&output);
	if (!err) {
		define_metrics(&output);
		define_attributes(&output);
		list_locations(&output);
		err = write_file(&output);
		free(output.cube.metrics);
		free(output.sources);
		free(output.cube.attributes);
		free(output.cube.locations);
	}
	free(output.has_time);
	return err;
}
