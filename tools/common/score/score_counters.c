#include "tools/common/score/score_counters.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "otf2/records.h"
#include "tools/common/command.h"
#include "tools/common/score/field_size.h"

enum {
	STAMP = FATHOM_OTF2_TIME_BYTES,
	HEAD = 2,		/* the head of a record: its number, and the length of its fields */
	LENGTH = 1,		/* the number of values */
	RECORD = HEAD + 2 + LENGTH,	/* if the number of the metric class is below 256 */
	TYPE = 1,		/* the type in front of each value */
	REAL = 9,		/* a value of type double: its length and 8 bytes */
	ZERO = 1,
};

/* Finds the metric with a display name, which is the name that the program gave it. -1: there is none. */
static int32_t titled(const struct fathom_cube *cube, const char *name, size_t length)
{
	for (uint32_t m = 0; m < cube->metric_count; m++)
		if (strlen(cube->metrics[m].disp_name) == length &&
		    strncmp(cube->metrics[m].disp_name, name, length) == 0)
			return (int32_t)m;
	return -1;
}

/* Adds up a metric over all call paths of each location: the last reading of a counter that began at 0. */
static int read_totals(struct fathom_profile *profile, uint32_t metric, double *totals)
{
	uint32_t count = profile->cube->location_count;
	double *row = fathom_tool_alloc(count, sizeof(*row));
	int err = 0;

	memset(totals, 0, count * sizeof(*totals));
	for (uint32_t c = 0; !err && c < profile->cube->cnode_count; c++) {
		if (!fathom_cube_reader_present(profile->reader, metric, c))
			continue;
		err = fathom_profile_own_row(profile, metric, c, row);
		for (uint32_t l = 0; !err && l < count; l++)
			totals[l] += row[l];
	}
	free(row);
	return err;
}

/* Adds the record of the listed counters. The initial thread of a process reads the counters of the process. */
static int add_list(struct fathom_score *score, const char *list, bool is_process)
{
	struct fathom_profile *profile = &score->profile;
	uint32_t count = profile->cube->location_count;
	double *totals = fathom_tool_alloc(count, sizeof(*totals));
	size_t length;
	int err = 0;

	for (uint32_t l = 0; l < count; l++) {
		if (is_process && l != fathom_threads_initial(profile, l))
			continue;
		score->counter_records[l]++;
		score->counter_bytes[l] += RECORD;
	}
	for (; !err && *list; list += length + (list[length] == ',')) {
		int32_t metric;

		length = strcspn(list, ",");
		metric = titled(profile->cube, list, length);
		if (metric < 0 || !fathom_profile_can_read(&profile->cube->metrics[metric]))
			continue;
		err = read_totals(profile, (uint32_t)metric, totals);
		for (uint32_t l = 0; !err && l < count; l++)
			if (!is_process || l == fathom_threads_initial(profile, l))
				score->counter_bytes[l] += TYPE + fathom_score_mean_field(totals[l]);
	}
	free(totals);
	return err;
}

/* Returns whether a list of names with commas between them contains a name. */
static bool has_name(const char *list, const char *name, size_t length)
{
	while (list && *list) {
		size_t bytes = strcspn(list, ",");

		if (bytes == length && strncmp(list, name, length) == 0)
			return true;
		list += bytes + (list[bytes] == ',');
	}
	return false;
}

static bool is_counter(const struct fathom_cube *cube, const char *name, size_t length)
{
	return has_name(fathom_cube_attribute(cube, "fathom::counters"), name, length) ||
	       has_name(fathom_cube_attribute(cube, "fathom::process_counters"), name, length);
}

/* Returns the bytes of the record of a value that the program gives, without the value. The numbers of these metric
 * classes follow those of the counters, in the order of the list of metrics. */
static double record_bytes(const struct fathom_cube *cube, const char *name, size_t length)
{
	const char *list = fathom_cube_attribute(cube, "fathom::metrics");
	double class = (fathom_cube_attribute(cube, "fathom::counters") != NULL) +
		       (fathom_cube_attribute(cube, "fathom::process_counters") != NULL);
	size_t bytes;

	for (; list && *list; list += bytes + (list[bytes] == ',')) {
		bytes = strcspn(list, ",");
		if (bytes == length && strncmp(list, name, length) == 0)
			break;
		class += !is_counter(cube, list, bytes);
	}
	return STAMP + HEAD + fathom_score_field(class) + LENGTH + TYPE;
}

/* Finds the metrics whose values the program gave at points: "load::count" counts the values of "load". */
static void find_points(struct fathom_score *score)
{
	static const char suffix[] = "::count";
	const struct fathom_cube *cube = score->profile.cube;

	for (uint32_t m = 0; m < cube->metric_count && score->given_count < FATHOM_SCORE_GIVEN; m++) {
		const char *name = cube->metrics[m].disp_name;
		size_t length = strlen(name);
		int32_t values;

		if (length < sizeof(suffix) || strcmp(name + length - sizeof(suffix) + 1, suffix) != 0)
			continue;
		values = titled(cube, name, length - sizeof(suffix) + 1);
		if (values < 0 || !fathom_profile_can_read(&cube->metrics[m]))
			continue;
		score->given[score->given_count++] = (struct fathom_score_given){
			.metric = (int32_t)m,
			/* Integers are taken to be below 256, as most are. */
			.bytes = record_bytes(cube, name, length - sizeof(suffix) + 1) +
				 (cube->metrics[values].dtype == FATHOM_CUBE_DOUBLE ? REAL : 2),
		};
	}
}

/* Finds the metric that adds up the amounts of a name that the program chose. -1: the name is no metric of amounts. */
static int32_t find_amount(const struct fathom_cube *cube, const char *name, size_t length)
{
	char text[512];
	int32_t metric;

	if (length > sizeof(text) - 16 || is_counter(cube, name, length))
		return -1;
	/* A name that the profile already uses for a metric of its own has the prefix "user::" in the file. */
	snprintf(text, sizeof(text), "user::%.*s::count", (int)length, name);
	if (titled(cube, text, strlen(text)) >= 0 || titled(cube, text + 6, strlen(text) - 6) >= 0)
		return -1;
	metric = titled(cube, text, strlen(text) - 7);
	return metric >= 0 ? metric : titled(cube, name, length);
}

static void find_amounts(struct fathom_score *score)
{
	const struct fathom_cube *cube = score->profile.cube;
	const char *list = fathom_cube_attribute(cube, "fathom::metrics");

	while (list && *list && score->given_count < FATHOM_SCORE_GIVEN) {
		size_t length = strcspn(list, ",");
		int32_t metric = find_amount(cube, list, length);
		double bytes = record_bytes(cube, list, length);

		list += length + (list[length] == ',');
		if (metric < 0 || !fathom_profile_can_read(&cube->metrics[metric]))
			continue;
		score->given[score->given_count++] = (struct fathom_score_given){
			.metric = metric,
			.is_amount = true,
			.bytes = bytes,
			.is_real = cube->metrics[metric].dtype == FATHOM_CUBE_DOUBLE,
		};
	}
}

/* Returns the mean bytes of a record of an amount at a call path: of type double if is_real, else of type integer. */
static double mean_amount(const struct fathom_score *score, const struct fathom_score_values *facts, bool is_real)
{
	double count = is_real ? facts->real_amounts : facts->amounts - facts->real_amounts;
	double kinds = 0, bytes = 0;

	for (uint32_t g = 0; g < score->given_count; g++)
		kinds += score->given[g].is_amount && score->given[g].is_real == is_real && facts->given[g] != 0;
	for (uint32_t g = 0; g < score->given_count; g++) {
		const struct fathom_score_given *given = &score->given[g];
		double sum = facts->given[g];

		if (given->is_amount && given->is_real == is_real && sum != 0)
			bytes += given->bytes + (is_real || sum < 0 ? REAL : fathom_score_field(sum / (count / kinds)));
	}
	/* If no metric has a sum, all amounts are 0 or cancel each other. */
	return kinds > 0 ? bytes / kinds : STAMP + RECORD + TYPE + (is_real ? REAL : ZERO);
}

void fathom_score_add_amounts(const struct fathom_score *score, const struct fathom_score_values *facts,
			      struct fathom_score_cost *cost)
{
	if (facts->amounts <= 0)
		return;
	cost->events += facts->amounts;
	cost->bytes += facts->real_amounts * mean_amount(score, facts, true) +
		       (facts->amounts - facts->real_amounts) * mean_amount(score, facts, false);
}

int fathom_score_counters(struct fathom_score *score)
{
	const struct fathom_cube *cube = score->profile.cube;
	const char *threads = fathom_cube_attribute(cube, "fathom::counters");
	const char *processes = fathom_cube_attribute(cube, "fathom::process_counters");
	int err = 0;

	find_points(score);
	find_amounts(score);
	if (!threads && !processes)
		return 0;
	score->counter_bytes = fathom_tool_alloc(cube->location_count, sizeof(double));
	score->counter_records = fathom_tool_alloc(cube->location_count, sizeof(double));
	if (threads)
		err = add_list(score, threads, false);
	if (!err && processes)
		err = add_list(score, processes, true);
	return err;
}

void fathom_score_counters_fini(struct fathom_score *score)
{
	free(score->counter_bytes);
	free(score->counter_records);
}
