#include "tools/common/profile.h"

#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cube/reader/activity_rules.h"
#include "tools/common/command.h"
#include "tools/common/progress.h"

bool fathom_group_is_process(const struct fathom_cube_group *group)
{
	return strcmp(group->type, "process") == 0;
}

int32_t fathom_profile_group(const struct fathom_cube *cube, int64_t rank)
{
	uint32_t g;

	for (g = 0; g < cube->group_count; g++)
		if (fathom_group_is_process(&cube->groups[g]) && cube->groups[g].rank == rank)
			return (int32_t)g;
	return -1;
}

bool fathom_profile_is_program(const struct fathom_profile *profile, uint32_t cnode)
{
	const struct fathom_cube_region *region = fathom_profile_region(profile, cnode);

	return profile->cube->cnodes[cnode].parent < 0 && strcmp(region->paradigm, "measurement") == 0 &&
	       strcmp(region->role, "artificial") == 0;
}

const struct fathom_cube_region *fathom_profile_region(const struct fathom_profile *profile, uint32_t cnode)
{
	return &profile->cube->regions[profile->cube->cnodes[cnode].region];
}

bool fathom_value_is_never(double value)
{
	return fabs(value) >= DBL_MAX;
}

/* --- the shape of the tree --------------------------------------------------------------- */

static void list_children(struct fathom_profile *profile)
{
	const struct fathom_cube *cube = profile->cube;
	uint32_t c, *next;

	profile->first_child = fathom_tool_alloc((size_t)cube->cnode_count + 1, sizeof(uint32_t));
	profile->child = fathom_tool_alloc(cube->cnode_count, sizeof(uint32_t));
	profile->depth = fathom_tool_alloc(cube->cnode_count, sizeof(uint32_t));
	profile->subtree_end = fathom_tool_alloc(cube->cnode_count, sizeof(uint32_t));
	next = fathom_tool_alloc((size_t)cube->cnode_count + 1, sizeof(uint32_t));
	for (c = 0; c < cube->cnode_count; c++)
		if (cube->cnodes[c].parent >= 0) {
			profile->first_child[cube->cnodes[c].parent + 1]++;
			profile->depth[c] = profile->depth[cube->cnodes[c].parent] + 1;
		}
	for (c = 0; c < cube->cnode_count; c++)
		profile->first_child[c + 1] += profile->first_child[c];
	memcpy(next, profile->first_child, ((size_t)cube->cnode_count + 1) * sizeof(uint32_t));
	for (c = 0; c < cube->cnode_count; c++)
		if (cube->cnodes[c].parent >= 0)
			profile->child[next[cube->cnodes[c].parent]++] = c;
	free(next);
	for (c = cube->cnode_count; c-- > 0;)	/* in pre-order a sub-tree ends where that of its last child ends */
		profile->subtree_end[c] = profile->first_child[c] == profile->first_child[c + 1] ? c + 1 :
					  profile->subtree_end[profile->child[profile->first_child[c + 1] - 1]];
}

static bool find_tasks(struct fathom_profile *profile)
{
	const struct fathom_cube *cube = profile->cube;
	bool found = false;
	int32_t tasks;
	uint32_t c;

	profile->in_tasks = fathom_tool_alloc(cube->cnode_count, sizeof(bool));
	for (c = 0; c < cube->cnode_count; c++) {
		if (cube->cnodes[c].parent >= 0) {
			profile->in_tasks[c] |= profile->in_tasks[cube->cnodes[c].parent];
			continue;
		}
		tasks = fathom_cube_tasks(cube, c);
		if (tasks >= 0)
			profile->in_tasks[tasks] = found = true;
	}
	return found;
}

/*
 * Decides which call paths to add up. Stubs are the leaves outside the tree of tasks whose region is the root of a tree
 * of tasks. If the time of the stubs is the time of the task trees (but for rounding), the task trees are added up.
 */
static int choose_counted(struct fathom_profile *profile)
{
	const struct fathom_cube *cube = profile->cube;
	bool *is_task = fathom_tool_alloc(cube->region_count, sizeof(bool));
	bool *is_stub = fathom_tool_alloc(cube->cnode_count, sizeof(bool));
	struct fathom_values time = { 0 };
	double stubs = 0, details = 0;
	bool agree;
	int err = 0;
	uint32_t c;

	for (c = 0; c < cube->cnode_count; c++)
		if (profile->in_tasks[c] && !(cube->cnodes[c].parent >= 0 && profile->in_tasks[cube->cnodes[c].parent]))
			for (uint32_t k = profile->first_child[c]; k < profile->first_child[c + 1]; k++)
				is_task[cube->cnodes[profile->child[k]].region] = true;
	if (profile->time >= 0)
		err = fathom_profile_values(profile, (uint32_t)profile->time, &time);
	if (err)
		goto out;
	for (c = 0; c < cube->cnode_count; c++) {
		is_stub[c] = !profile->in_tasks[c] && is_task[cube->cnodes[c].region] &&
			     profile->first_child[c] == profile->first_child[c + 1];
		if (!time.own)
			continue;
		stubs += is_stub[c] ? time.own[c] : 0;
		details += profile->in_tasks[c] ? time.own[c] : 0;
	}
	agree = time.own && fabs(stubs - details) <= 0.01 * stubs + 1e-6;
	for (c = 0; c < cube->cnode_count; c++)
		profile->counted[c] = agree ? !is_stub[c] : !profile->in_tasks[c];
out:
	fathom_values_free(&time);
	free(is_stub);
	free(is_task);
	return err;
}

/* --- opening ----------------------------------------------------------------------------- */

static int choose_rank(struct fathom_profile *profile, int64_t rank)
{
	const struct fathom_cube *cube = profile->cube;
	int64_t least = INT64_MAX, most = INT64_MIN;
	int32_t group;
	uint32_t i;

	profile->rank = rank;
	profile->first_location = 0;
	profile->location_end = cube->location_count;
	if (rank < 0)
		return 0;
	group = fathom_profile_group(cube, rank);
	if (group < 0) {
		for (i = 0; i < cube->group_count; i++)
			if (fathom_group_is_process(&cube->groups[i])) {
				least = cube->groups[i].rank < least ? cube->groups[i].rank : least;
				most = cube->groups[i].rank > most ? cube->groups[i].rank : most;
			}
		if (least > most)
			fathom_tool_error("%s: there is no rank %" PRId64 " in it (it has no ranks)", profile->path,
					  rank);
		else if (least == most)
			fathom_tool_error("%s: there is no rank %" PRId64 " in it (only rank %" PRId64 ")",
					  profile->path, rank, least);
		else
			fathom_tool_error("%s: there is no rank %" PRId64 " in it (ranks %" PRId64 " to %" PRId64 ")",
					  profile->path, rank, least, most);
		return -EINVAL;
	}
	profile->first_location = cube->groups[group].first_location;
	profile->location_end = (uint32_t)group + 1 < cube->group_count ? cube->groups[group + 1].first_location :
									   cube->location_count;
	return 0;
}

static void count_threads(struct fathom_profile *profile)
{
	const struct fathom_cube *cube = profile->cube;
	double *threads = fathom_tool_alloc(cube->group_count, sizeof(double));
	uint32_t i;

	for (i = 0; i < cube->location_count; i++) {
		const struct fathom_cube_location location = fathom_cube_location(cube, i);

		if (strcmp(location.type, "thread") == 0)
			threads[location.group] += fathom_threads_weight(profile, i);
	}
	profile->least_threads = UINT32_MAX;
	for (i = 0; i < cube->group_count; i++) {
		uint32_t count = threads[i] < UINT32_MAX ? (uint32_t)threads[i] : UINT32_MAX;

		if (!fathom_group_is_process(&cube->groups[i]))
			continue;
		profile->process_count++;
		profile->thread_count += count;
		if (count < profile->least_threads)
			profile->least_threads = count;
		if (count > profile->most_threads)
			profile->most_threads = count;
	}
	free(threads);
}

/*
 * Finds the metrics time and visits. Score-P 8.4 writes statistics over threads with times in clock ticks, and with
 * inclusive values although the file says exclusive: these times are not used.
 */
static void find_metrics(struct fathom_profile *profile)
{
	const struct fathom_cube *cube = profile->cube;
	const char *creator = fathom_cube_attribute(cube, "Creator");

	profile->is_ours = fathom_cube_is_ours(cube);
	profile->time = fathom_cube_metric_by_name(cube, "time");
	profile->visits = fathom_cube_metric_by_name(cube, "visits");
	if (profile->time >= 0 && !fathom_profile_can_read(&cube->metrics[profile->time]))
		profile->time = -1;
	if (profile->visits >= 0 && !fathom_profile_can_read(&cube->metrics[profile->visits]))
		profile->visits = -1;
	if (profile->time >= 0 && cube->metrics[profile->time].dtype == FATHOM_CUBE_TUPLE && creator &&
	    strncmp(creator, "Score-P ", 8) == 0) {
		profile->odd_times = true;
		profile->time = -1;
	}
}

int fathom_profile_open(struct fathom_profile *profile, const char *path, int64_t rank)
{
	struct fathom_cube_error error;
	int err;

	memset(profile, 0, sizeof(*profile));
	profile->path = path;
	err = fathom_cube_reader_open(&profile->reader, path, &error);
	if (err) {
		fathom_tool_error("%s", error.text);
		return err;
	}
	profile->cube = fathom_cube_reader_cube(profile->reader);
	find_metrics(profile);
	err = choose_rank(profile, rank);
	if (err)
		goto close;
	list_children(profile);
	profile->counted = fathom_tool_alloc(profile->cube->cnode_count, sizeof(bool));
	if (find_tasks(profile))
		err = choose_counted(profile);
	else
		memset(profile->counted, true, profile->cube->cnode_count);
	if (!err)
		err = fathom_threads_init(&profile->threads, profile);
	if (err)
		goto close;
	count_threads(profile);
	return 0;
close:
	fathom_profile_close(profile);
	return err;
}

void fathom_profile_close(struct fathom_profile *profile)
{
	if (profile->reader)
		fathom_cube_reader_close(profile->reader);
	fathom_threads_fini(&profile->threads);
	free(profile->first_child);
	free(profile->child);
	free(profile->depth);
	free(profile->subtree_end);
	free(profile->in_tasks);
	free(profile->counted);
	memset(profile, 0, sizeof(*profile));
}

/* --- values -------------------------------------------------------------------------------- */

static double combine(enum fathom_values_kind kind, double a, double b)
{
	if (kind == FATHOM_VALUES_LEAST)
		return a < b ? a : b;
	if (kind == FATHOM_VALUES_MOST)
		return a > b ? a : b;
	return a + b;
}

static double neutral(enum fathom_values_kind kind)
{
	return kind == FATHOM_VALUES_LEAST ? DBL_MAX : kind == FATHOM_VALUES_MOST ? -DBL_MAX : 0;
}

/* Combines the stored values of each call path over the locations that are read. */
static int read_stored(struct fathom_profile *profile, uint32_t metric, enum fathom_values_kind kind, double *stored)
{
	struct fathom_cube_error error;
	double *row;
	uint32_t c, l;
	int err = 0;

	if (profile->rank < 0) {
		err = fathom_cube_reader_sums(profile->reader, metric, stored, &error);
		if (err)
			fathom_tool_error("%s", error.text);
		return err;
	}
	row = fathom_tool_alloc(profile->cube->location_count, sizeof(double));
	for (c = 0; !err && c < profile->cube->cnode_count; c++) {
		stored[c] = neutral(kind);
		if (!fathom_cube_reader_present(profile->reader, metric, c))
			continue;
		err = fathom_cube_reader_row(profile->reader, metric, c, row, &error);
		for (l = profile->first_location; !err && l < profile->location_end; l++)
			stored[c] = combine(kind, stored[c], row[l]);
	}
	if (err)
		fathom_tool_error("%s", error.text);
	free(row);
	return err;
}

enum fathom_activity fathom_profile_activity(const struct fathom_profile *profile,
					     const struct fathom_cube_region *region)
{
	return profile->is_ours ? region->activity : fathom_activity_remapped(region);
}

/* Finds the two metrics of a ratio by name; false if one is missing or cannot be added up. */
static bool find_parts(const struct fathom_cube *cube, const char *above, const char *below, struct fathom_ratio *ratio)
{
	int32_t a = fathom_cube_metric_by_name(cube, above), b = fathom_cube_metric_by_name(cube, below);

	if (a < 0 || b < 0 || !fathom_profile_can_read(&cube->metrics[a]) ||
	    !fathom_profile_can_read(&cube->metrics[b]))
		return false;
	ratio->above = (uint32_t)a;
	ratio->below = (uint32_t)b;
	return true;
}

bool fathom_profile_formula(const struct fathom_profile *profile, uint32_t metric, struct fathom_ratio *ratio)
{
	const struct fathom_cube *cube = profile->cube;
	const char *name = cube->metrics[metric].uniq_name;
	const struct fathom_derived *derived = fathom_derived_find(name);
	char stem[1024], count[1024 + 8];

	/* In files of other tools a formula of the same name may be a different one. */
	if (cube->metrics[metric].type != FATHOM_CUBE_DERIVED || !profile->is_ours)
		return false;
	ratio->factor = derived ? derived->factor : 1;
	if (derived)
		return find_parts(cube, derived->above, derived->below, ratio);
	if (!fathom_derived_is_known(cube, metric) || strlen(name) >= sizeof(stem))
		return false;
	/* "load::mean": the mean of the values that the program gave for its metric "load". */
	snprintf(stem, sizeof(stem), "%.*s", (int)(strlen(name) - strlen("::mean")), name);
	snprintf(count, sizeof(count), "%s::count", stem);
	return find_parts(cube, stem, count, ratio);
}

bool fathom_profile_has_values(const struct fathom_profile *profile, uint32_t metric)
{
	struct fathom_ratio ratio;

	return fathom_profile_can_read(&profile->cube->metrics[metric]) ||
	       fathom_profile_formula(profile, metric, &ratio);
}

double fathom_ratio_of(double factor, double above, double below)
{
	return below != 0 ? factor * above / below : DBL_MAX;
}

/* Reads the two metrics of a ratio; each value is the ratio of their sums. */
static int read_ratio(struct fathom_profile *profile, uint32_t metric, const struct fathom_ratio *ratio,
		      struct fathom_values *values)
{
	struct fathom_values above, below = { 0 };
	const struct fathom_cube *cube = profile->cube;
	int err = fathom_profile_values(profile, ratio->above, &above);
	uint32_t c;

	if (!err)
		err = fathom_profile_values(profile, ratio->below, &below);
	memset(values, 0, sizeof(*values));
	if (err)
		goto out;
	values->metric = &cube->metrics[metric];
	values->kind = FATHOM_VALUES_RATIO;
	values->factor = ratio->factor;
	values->total = fathom_ratio_of(ratio->factor, above.total, below.total);
	values->own = fathom_tool_alloc(cube->cnode_count, sizeof(double));
	values->inclusive = fathom_tool_alloc(cube->cnode_count, sizeof(double));
	for (c = 0; c < cube->cnode_count; c++) {
		values->own[c] = fathom_ratio_of(ratio->factor, above.own[c], below.own[c]);
		values->inclusive[c] = fathom_ratio_of(ratio->factor, above.inclusive[c], below.inclusive[c]);
	}
	values->above = above.own;
	values->below = below.own;
	above.own = below.own = NULL;
out:
	fathom_values_free(&above);
	fathom_values_free(&below);
	return err;
}

int fathom_profile_values(struct fathom_profile *profile, uint32_t metric, struct fathom_values *values)
{
	const struct fathom_cube *cube = profile->cube;
	struct fathom_ratio ratio;
	uint32_t c;
	int err;

	fathom_progress_step();
	if (fathom_profile_formula(profile, metric, &ratio))
		return read_ratio(profile, metric, &ratio, values);
	memset(values, 0, sizeof(*values));
	values->metric = &cube->metrics[metric];
	if (values->metric->dtype == FATHOM_CUBE_MINDOUBLE)
		values->kind = FATHOM_VALUES_LEAST;
	if (values->metric->dtype == FATHOM_CUBE_MAXDOUBLE)
		values->kind = FATHOM_VALUES_MOST;
	values->own = fathom_tool_alloc(cube->cnode_count, sizeof(double));
	values->inclusive = fathom_tool_alloc(cube->cnode_count, sizeof(double));
	err = read_stored(profile, metric, values->kind, values->own);
	if (err) {
		fathom_values_free(values);
		return err;
	}
	for (c = 0; c < cube->cnode_count; c++)
		if (!isfinite(values->own[c]))		/* such a value can neither be sorted nor added up */
			values->own[c] = 0;
	memcpy(values->inclusive, values->own, cube->cnode_count * sizeof(double));
	if (values->kind == FATHOM_VALUES_SUM) {
		fathom_cube_make_exclusive(cube, metric, values->own);
		fathom_cube_make_inclusive(cube, metric, values->inclusive);
		for (c = 0; values->metric->type == FATHOM_CUBE_INCLUSIVE && c < cube->cnode_count; c++)
			values->own[c] = fathom_own_value(values->own[c], values->inclusive[c]);
	}
	values->total = neutral(values->kind);
	for (c = 0; c < cube->cnode_count; c++)
		if (profile->counted[c])
			values->total = combine(values->kind, values->total, values->own[c]);
	return 0;
}

void fathom_values_free(struct fathom_values *values)
{
	free(values->own);
	free(values->inclusive);
	free(values->above);
	free(values->below);
	values->own = values->inclusive = values->above = values->below = NULL;
}
