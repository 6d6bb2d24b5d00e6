/*
 * What a trace has of counters and of the program's own metrics, from a profile that has them. Declared in score.h.
 *
 * Counters of a thread are one record before each enter and leave, those of the process another one, which the initial
 * thread has. Of values that the program gives, a profile knows how many those at points were ("load::count"); amounts
 * are only sums in it.
 */
#include "score.h"

#include <stdlib.h>
#include <string.h>

#include "tool.h"

enum {
	STAMP = 9,
	RECORD = 2 + 2 + 1,	/* a record's head, its class (a small number), and how many values */
	TYPE = 1,		/* of each value, before it */
	REAL = 9,		/* a value that is no whole number */
};

/* The metric of a name as the program gave it, -1: there is none. */
static int32_t titled(const struct fathom_cube *cube, const char *name, size_t length)
{
	for (uint32_t m = 0; m < cube->metric_count; m++)
		if (strlen(cube->metrics[m].disp_name) == length &&
		    strncmp(cube->metrics[m].disp_name, name, length) == 0)
			return (int32_t)m;
	return -1;
}

/* What each location has of a metric in all: where its readings end, if they began at 0. */
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

/* The record of the counters in a list; those of the process are read by the first thread of each. */
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

/* "load::count" counts values of "load". */
static void find_given(struct fathom_score *score)
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
			.count = (int32_t)m,
			/* Whole ones may be of any size; most are small. */
			.bytes = STAMP + RECORD + TYPE +
				 (cube->metrics[values].dtype == FATHOM_CUBE_DOUBLE ? REAL : 2),
		};
	}
}

int fathom_score_counters(struct fathom_score *score)
{
	const struct fathom_cube *cube = score->profile.cube;
	const char *threads = fathom_cube_attribute(cube, "fathom::counters");
	const char *processes = fathom_cube_attribute(cube, "fathom::process_counters");
	int err = 0;

	find_given(score);
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
