#include "tools/common/profile_columns.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"

const char *fathom_aggregation_name(enum fathom_aggregation aggregation)
{
	static const char *const names[] = {
		[FATHOM_AGGREGATION_ALL] = "all", [FATHOM_AGGREGATION_SUM] = "sum",
		[FATHOM_AGGREGATION_SET] = "set", [FATHOM_AGGREGATION_KEY] = "key",
		[FATHOM_AGGREGATION_CALLTREE] = "calltree",
	};

	return names[aggregation];
}

static bool is_tuple(const struct fathom_cube *cube, int32_t metric)
{
	return metric >= 0 && cube->metrics[metric].dtype == FATHOM_CUBE_TUPLE;
}

static bool has_location(const struct fathom_cube *cube, const char *beginning)
{
	uint32_t i;

	for (i = 0; i < cube->pattern_count; i++)
		if (strncmp(cube->patterns[i].name, beginning, strlen(beginning)) == 0)
			return true;
	return false;
}

/* Finds the aggregation: from fathom's attribute, or for files of Score-P from the names of the locations. */
static enum fathom_aggregation recognise(const struct fathom_profile *profile)
{
	const struct fathom_cube *cube = profile->cube;
	const char *said = fathom_cube_attribute(cube, FATHOM_CUBE_THREADS);
	int a;

	for (a = FATHOM_AGGREGATION_ALL; said && a <= FATHOM_AGGREGATION_CALLTREE; a++)
		if (strcmp(said, fathom_aggregation_name((enum fathom_aggregation)a)) == 0)
			return (enum fathom_aggregation)a;
	if (has_location(cube, "aggregated threads"))
		return is_tuple(cube, profile->visits) ? FATHOM_AGGREGATION_SET : FATHOM_AGGREGATION_SUM;
	if (has_location(cube, "master thread") && has_location(cube, "slowest thread"))
		return FATHOM_AGGREGATION_KEY;
	if (has_location(cube, "cluster 0"))	/* fathom's name would continue with the number of threads */
		return FATHOM_AGGREGATION_CALLTREE;
	return FATHOM_AGGREGATION_ALL;
}

/* Counts the numbers in a list like "0,2-7"; 0: the text is no such list. */
static double count_members(const char *text)
{
	double count = 0;
	char *end;

	while (*text >= '0' && *text <= '9') {
		double first = (double)strtoull(text, &end, 10), last = first;

		if (*end == '-' && end[1] >= '0' && end[1] <= '9')
			last = (double)strtoull(end + 1, &end, 10);
		if (last < first)
			return 0;
		count += last - first + 1;
		text = *end == ',' ? end + 1 : end;
	}
	return *text ? 0 : count;
}

static bool has_members(const struct fathom_cube *cube)
{
	uint32_t i;

	for (i = 0; i < cube->pattern_count; i++)
		if (cube->patterns[i].threads)
			return true;
	return false;
}

double fathom_threads_weight(const struct fathom_profile *profile, uint32_t location)
{
	return profile->threads.weight ? profile->threads.weight[location] : 1;
}

int fathom_threads_init(struct fathom_thread_columns *threads, struct fathom_profile *profile)
{
	const struct fathom_cube *cube = profile->cube;
	double *row;
	uint32_t c, l;
	int err = 0;

	threads->aggregation = recognise(profile);
	threads->count = fathom_cube_metric_by_name(cube, "num_threads");
	if (threads->count < 0)
		threads->count = fathom_cube_metric_by_name(cube, "number_of_threads");
	if (threads->count >= 0 && !fathom_profile_can_read(&cube->metrics[threads->count]))
		threads->count = -1;
	if (threads->aggregation == FATHOM_AGGREGATION_ALL && !has_members(cube))
		return 0;
	threads->weight = fathom_tool_alloc(cube->location_count, sizeof(double));
	for (l = 0; l < cube->location_count; l++) {
		const char *members = fathom_cube_location(cube, l).threads;

		threads->weight[l] = fmax(1, members ? count_members(members) : 1);
	}
	if (threads->aggregation == FATHOM_AGGREGATION_ALL)
		return 0;
	row = fathom_tool_alloc(cube->location_count, sizeof(double));
	for (c = 0; !err && c < cube->cnode_count; c++) {
		err = fathom_threads_row(profile, c, row);
		for (l = 0; !err && l < cube->location_count; l++)
			threads->weight[l] = fmax(threads->weight[l], row[l]);
	}
	free(row);
	return err;
}

const char *fathom_threads_label(const struct fathom_cube_location *location, char *text, size_t bytes)
{
	if (!location->threads || !*location->threads)
		return location->name;
	snprintf(text, bytes, "%s: %s", location->name, location->threads);
	return text;
}

void fathom_threads_fini(struct fathom_thread_columns *threads)
{
	free(threads->weight);
	threads->weight = NULL;
}

uint32_t fathom_threads_initial(const struct fathom_profile *profile, uint32_t location)
{
	const struct fathom_cube *cube = profile->cube;
	uint32_t first = cube->groups[fathom_cube_location_group(cube, location)].first_location;

	while (location > first && strcmp(fathom_cube_location(cube, location - 1).type, "thread") == 0)
		location--;
	return location;
}

/* --- tuples ---------------------------------------------------------------------------------- */

static double or_zero(double value)
{
	return isfinite(value) ? value : 0;
}

/* Reads the tuples of a row, one for each location. The caller frees them. NULL after an error message. */
static struct fathom_statistics *read_tuples(struct fathom_profile *profile, uint32_t metric, uint32_t cnode, int *err)
{
	uint32_t count = profile->cube->location_count, l;
	struct fathom_statistics *tuples = fathom_tool_alloc(count, sizeof(*tuples));
	struct fathom_cube_tuple *raw = fathom_tool_alloc(count, sizeof(*raw));
	struct fathom_cube_error error;

	*err = fathom_cube_reader_raw_row(profile->reader, metric, cnode, raw, &error);
	if (*err) {
		fathom_tool_error("%s", error.text);
		free(tuples);
		tuples = NULL;
	}
	for (l = 0; tuples && l < count; l++)
		tuples[l] = (struct fathom_statistics){
			.count = raw[l].count, .least = or_zero(raw[l].minimum), .most = or_zero(raw[l].maximum),
			.sum = or_zero(raw[l].sum), .squares = or_zero(raw[l].squares),
		};
	free(raw);
	return tuples;
}

static void add(struct fathom_statistics *all, const struct fathom_statistics *more)
{
	if (more->count <= 0)
		return;
	all->least = all->count > 0 ? fmin(all->least, more->least) : more->least;
	all->most = all->count > 0 ? fmax(all->most, more->most) : more->most;
	all->count += more->count;
	all->sum += more->sum;
	all->squares += more->squares;
}

double fathom_statistics_mean(const struct fathom_statistics *statistics)
{
	return statistics->count > 0 ? statistics->sum / statistics->count : 0;
}

double fathom_statistics_deviation(const struct fathom_statistics *statistics)
{
	double mean = fathom_statistics_mean(statistics);
	double variance = statistics->count > 0 ? statistics->squares / statistics->count - mean * mean : 0;

	/* A variance this small comes from rounding of the squares. */
	return variance > 1e-12 * mean * mean ? sqrt(variance) : 0;
}

/* --- rows ------------------------------------------------------------------------------------ */

static int visited_row(struct fathom_profile *profile, uint32_t cnode, double *row)
{
	uint32_t l;
	int err;

	if (profile->visits < 0) {
		memset(row, 0, profile->cube->location_count * sizeof(*row));
		return 0;
	}
	err = fathom_profile_own_row(profile, (uint32_t)profile->visits, cnode, row);
	for (l = 0; !err && l < profile->cube->location_count; l++)
		row[l] = row[l] > 0 ? fathom_threads_weight(profile, l) : 0;
	return err;
}

int fathom_threads_row(struct fathom_profile *profile, uint32_t cnode, double *row)
{
	struct fathom_statistics *tuples;
	uint32_t l;
	int err;

	if (profile->threads.aggregation == FATHOM_AGGREGATION_SET && is_tuple(profile->cube, profile->visits)) {
		tuples = read_tuples(profile, (uint32_t)profile->visits, cnode, &err);
		for (l = 0; tuples && l < profile->cube->location_count; l++)
			row[l] = tuples[l].count;
		free(tuples);
		return err;
	}
	if (profile->threads.aggregation == FATHOM_AGGREGATION_ALL || profile->threads.count < 0)
		return visited_row(profile, cnode, row);
	return fathom_profile_own_row(profile, (uint32_t)profile->threads.count, cnode, row);
}

static int statistics_of_threads(struct fathom_profile *profile, uint32_t metric, uint32_t cnode,
				 struct fathom_statistics *statistics)
{
	uint32_t count = profile->cube->location_count, l;
	double *row = fathom_tool_alloc(count, sizeof(double)), *threads = fathom_tool_alloc(count, sizeof(double));
	int err = fathom_profile_own_row(profile, metric, cnode, row);

	if (!err)
		err = fathom_threads_row(profile, cnode, threads);
	for (l = profile->first_location; !err && l < profile->location_end; l++)
		if (threads[l] > 0)
			add(statistics, &(struct fathom_statistics){ 1, row[l], row[l], row[l], row[l] * row[l] });
	free(threads);
	free(row);
	return err;
}

bool fathom_threads_statistics(struct fathom_profile *profile, uint32_t metric, uint32_t cnode,
			       struct fathom_statistics *statistics, int *err)
{
	struct fathom_statistics *tuples;
	uint32_t l;

	memset(statistics, 0, sizeof(*statistics));
	*err = 0;
	if (profile->threads.aggregation == FATHOM_AGGREGATION_ALL) {
		*err = statistics_of_threads(profile, metric, cnode, statistics);
		return !*err;
	}
	if (profile->threads.aggregation != FATHOM_AGGREGATION_SET || !is_tuple(profile->cube, (int32_t)metric))
		return false;
	tuples = read_tuples(profile, metric, cnode, err);
	for (l = profile->first_location; tuples && l < profile->location_end; l++)
		add(statistics, &tuples[l]);
	free(tuples);
	return !*err;
}
