#include "tools/report/phases.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"

/* --- finding phases and iterations ---------------------------------------------------------------- */

/* Reads the number of "instance=7" or "cluster=2". */
static bool read_name(const char *name, const char *what, uint64_t *number)
{
	size_t length = strlen(what);
	char *end;

	if (strncmp(name, what, length) != 0 || name[length] < '0' || name[length] > '9')
		return false;
	errno = 0;
	*number = strtoull(name + length, &end, 10);
	return !*end && !errno;
}

static bool is_instance(const struct fathom_profile *profile, uint32_t cnode, uint64_t *number)
{
	return read_name(fathom_profile_region(profile, cnode)->name, "instance=", number);
}

static bool is_cluster(const struct fathom_profile *profile, uint32_t cnode, uint64_t *number)
{
	return read_name(fathom_profile_region(profile, cnode)->name, "cluster=", number) && *number < 1 << 16;
}

bool fathom_phase_is(const struct fathom_profile *profile, uint32_t cnode)
{
	uint64_t number;

	if (strcmp(fathom_profile_region(profile, cnode)->role, "dynamic") != 0)
		return false;
	for (uint32_t k = profile->first_child[cnode]; k < profile->first_child[cnode + 1]; k++)
		if (is_instance(profile, profile->child[k], &number) || is_cluster(profile, profile->child[k], &number))
			return true;
	return false;
}

bool fathom_phase_is_part(const struct fathom_profile *profile, uint32_t cnode)
{
	int32_t above = profile->cube->cnodes[cnode].parent;
	uint64_t number;

	return above >= 0 && strcmp(fathom_profile_region(profile, (uint32_t)above)->role, "dynamic") == 0 &&
	       (is_instance(profile, cnode, &number) || is_cluster(profile, cnode, &number));
}

uint32_t fathom_phase_region(const struct fathom_profile *profile, uint32_t cnode)
{
	const struct fathom_cube *cube = profile->cube;

	return cube->cnodes[fathom_phase_is_part(profile, cnode) ? (uint32_t)cube->cnodes[cnode].parent : cnode].region;
}

/* Returns whether the profile is read for the locations of a rank. */
static bool is_looked_at(const struct fathom_profile *profile, int64_t rank)
{
	return profile->rank < 0 || profile->rank == rank;
}

/* --- rows ------------------------------------------------------------------------------------------ */

/* Reads the inclusive values of a call path by location. */
static int read_row(struct fathom_profile *profile, uint32_t metric, uint32_t cnode, double *row)
{
	const struct fathom_cube *cube = profile->cube;
	uint32_t end = cube->metrics[metric].type == FATHOM_CUBE_INCLUSIVE ? cnode + 1 : profile->subtree_end[cnode];
	double *part = fathom_tool_alloc(cube->location_count, sizeof(*part));
	struct fathom_cube_error error;
	int err = 0;

	memset(row, 0, cube->location_count * sizeof(*row));
	for (uint32_t c = cnode; !err && c < end; c++) {
		if (!fathom_cube_reader_present(profile->reader, metric, c))
			continue;
		err = fathom_cube_reader_row(profile->reader, metric, c, part, &error);
		if (err)
			fathom_tool_error("%s", error.text);
		for (uint32_t l = profile->first_location; !err && l < profile->location_end; l++)
			row[l] += isfinite(part[l]) ? part[l] : 0;
	}
	free(part);
	return err;
}

static int read_visits(struct fathom_profile *profile, uint32_t cnode, double *row)
{
	struct fathom_cube_error error;
	int err = 0;

	memset(row, 0, profile->cube->location_count * sizeof(*row));
	if (fathom_cube_reader_present(profile->reader, (uint32_t)profile->visits, cnode))
		err = fathom_cube_reader_row(profile->reader, (uint32_t)profile->visits, cnode, row, &error);
	if (err)
		fathom_tool_error("%s", error.text);
	return err;
}

/* --- iterations ------------------------------------------------------------------------------------ */

static int by_number(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static uint32_t find(const struct fathom_phase *phase, uint64_t number)
{
	const uint64_t *found = bsearch(&number, phase->numbers, phase->count, sizeof(number), by_number);

	return (uint32_t)(found - phase->numbers);	/* numbers has every iteration, so found is not NULL */
}

/*
 * Returns the map that divides a location's values of a cluster among iterations: the map of its thread, else that of
 * the initial thread of its process, in whose teams the thread works. NULL: the file has neither.
 */
static const struct fathom_phase_map *map_for(const struct fathom_phases *phases, const struct fathom_phase *phase,
					      uint32_t location)
{
	const struct fathom_profile *profile = phases->profile;
	const struct fathom_cube_group *group =
		&profile->cube->groups[fathom_cube_location_group(profile->cube, location)];
	const struct fathom_phase_map *chosen = NULL;
	uint32_t m, low = phase->first_map, high = phase->map_end;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (phases->maps[middle].rank < group->rank)
			low = middle + 1;
		else
			high = middle;
	}
	for (m = low; m < phase->map_end && phases->maps[m].rank == group->rank; m++)
		if (!chosen || phases->maps[m].thread == location - group->first_location)
			chosen = &phases->maps[m];
	return chosen;
}

static void list_numbers(const struct fathom_phases *phases, struct fathom_phase *phase)
{
	const struct fathom_profile *profile = phases->profile;
	uint32_t m, k, kept = 0;
	size_t count = 0, room = 0;
	uint64_t number;

	for (k = profile->first_child[phase->cnode]; k < profile->first_child[phase->cnode + 1]; k++) {
		if (is_cluster(profile, profile->child[k], &number) && number >= phase->cluster_count)
			phase->cluster_count = (uint32_t)number + 1;
		if (!is_instance(profile, profile->child[k], &number))
			continue;
		phase->numbers = fathom_tool_grow(phase->numbers, count, &room, sizeof(number));
		phase->numbers[count++] = number;
	}
	while (phase->first_map < phases->map_count && phases->maps[phase->first_map].cnode < phase->cnode)
		phase->first_map++;
	for (phase->map_end = phase->first_map; phase->map_end < phases->map_count &&
						phases->maps[phase->map_end].cnode == phase->cnode; phase->map_end++)
		;
	for (m = phase->first_map; m < phase->map_end; m++)
		for (uint32_t i = 0; i < phases->maps[m].count && is_looked_at(profile, phases->maps[m].rank); i++) {
			phase->numbers = fathom_tool_grow(phase->numbers, count, &room, sizeof(number));
			phase->numbers[count++] = phases->maps[m].numbers[i];
		}
	if (count)
		qsort(phase->numbers, count, sizeof(number), by_number);
	for (size_t i = 0; i < count; i++)
		if (!i || phase->numbers[i] != phase->numbers[i - 1])
			phase->numbers[kept++] = phase->numbers[i];
	phase->count = kept;
}

/* Counts the runs of each iteration, and of all iterations of each cluster. */
static int count_runs(const struct fathom_phases *phases, struct fathom_phase *phase)
{
	struct fathom_profile *profile = phases->profile;
	double *row = fathom_tool_alloc(profile->cube->location_count, sizeof(*row));
	uint32_t k, m;
	int err = 0;

	phase->runs = fathom_tool_alloc(phase->count, sizeof(*phase->runs));
	phase->cluster_runs = fathom_tool_alloc(phase->cluster_count, sizeof(*phase->cluster_runs));
	for (k = profile->first_child[phase->cnode]; !err && k < profile->first_child[phase->cnode + 1]; k++) {
		uint32_t child = profile->child[k];
		uint64_t number;
		bool apart = is_instance(profile, child, &number);

		if (!apart && !is_cluster(profile, child, &number))
			continue;
		err = read_visits(profile, child, row);
		for (uint32_t l = profile->first_location; !err && l < profile->location_end; l++) {
			if (apart)
				phase->runs[find(phase, number)] += row[l];
			else
				phase->cluster_runs[number] += row[l];
			if (!apart && row[l] > 0 && !map_for(phases, phase, l))
				phase->lost_runs += row[l];
		}
	}
	for (m = phase->first_map; !err && m < phase->map_end; m++)
		for (uint32_t i = 0; i < phases->maps[m].count && is_looked_at(profile, phases->maps[m].rank); i++)
			phase->runs[find(phase, phases->maps[m].numbers[i])]++;
	free(row);
	return err;
}

int fathom_phases_find(struct fathom_phases *phases, struct fathom_profile *profile)
{
	bool *is_phase;
	size_t room = 0;
	int err = 0;

	memset(phases, 0, sizeof(*phases));
	phases->profile = profile;
	if (profile->visits < 0)
		return 0;
	is_phase = fathom_tool_alloc(profile->cube->cnode_count, sizeof(*is_phase));
	for (uint32_t c = 0; c < profile->cube->cnode_count; c++) {
		is_phase[c] = fathom_phase_is(profile, c);
		if (!is_phase[c])
			continue;
		phases->phases = fathom_tool_grow(phases->phases, phases->count, &room, sizeof(*phases->phases));
		phases->phases[phases->count++] = (struct fathom_phase){ .cnode = c };
	}
	err = fathom_phase_maps_read(profile, is_phase, &phases->maps, &phases->map_count);
	free(is_phase);
	for (uint32_t p = 0; !err && p < phases->count; p++) {
		list_numbers(phases, &phases->phases[p]);
		err = count_runs(phases, &phases->phases[p]);
	}
	return err;
}

void fathom_phases_fini(struct fathom_phases *phases)
{
	for (uint32_t p = 0; p < phases->count; p++) {
		free(phases->phases[p].numbers);
		free(phases->phases[p].runs);
		free(phases->phases[p].cluster_runs);
	}
	free(phases->phases);
	phases->phases = NULL;
	phases->count = 0;
	fathom_phase_maps_free(phases->maps, phases->map_count);
	phases->maps = NULL;
	phases->map_count = 0;
}

/* --- values ------------------------------------------------------------------------------------------ */

bool fathom_phases_has(const struct fathom_profile *profile, uint32_t metric)
{
	enum fathom_cube_dtype dtype = profile->cube->metrics[metric].dtype;
	struct fathom_ratio ratio;

	if (fathom_profile_formula(profile, metric, &ratio))
		return true;
	return fathom_profile_can_read(&profile->cube->metrics[metric]) && dtype != FATHOM_CUBE_MINDOUBLE &&
	       dtype != FATHOM_CUBE_MAXDOUBLE;
}

static void init(struct fathom_phase_values *values, const struct fathom_phase *phase)
{
	memset(values, 0, sizeof(*values));
	values->sum = fathom_tool_alloc(phase->count, sizeof(double));
	values->least = fathom_tool_alloc(phase->count, sizeof(double));
	values->most = fathom_tool_alloc(phase->count, sizeof(double));
	values->most_rank = fathom_tool_alloc(phase->count, sizeof(int64_t));
	for (uint32_t i = 0; i < phase->count; i++) {
		values->least[i] = DBL_MAX;
		values->most[i] = -DBL_MAX;
		values->most_rank[i] = -1;
	}
}

void fathom_phase_values_free(struct fathom_phase_values *values)
{
	free(values->sum);
	free(values->least);
	free(values->most);
	free(values->most_rank);
	memset(values, 0, sizeof(*values));
}

/* Adds sum to an iteration, and compares the value one of a run or rank with the least and most so far. */
static void give(struct fathom_phase_values *values, uint32_t i, double sum, double one, int64_t rank)
{
	values->sum[i] += sum;
	values->least[i] = fmin(values->least[i], one);
	if (one > values->most[i]) {
		values->most[i] = one;
		values->most_rank[i] = rank;
	}
}

/* The value of one rank (or thread with a map) in an iteration that is kept apart, or in a cluster. */
struct share {
	double value;
	double visits;
	int64_t rank;
	const struct fathom_phase_map *map;
};

static void give_share(const struct fathom_phase *phase, struct fathom_phase_values *values, const struct share *share,
		       uint64_t number, bool apart)
{
	const struct fathom_phase_map *map = share->map;
	double part;

	values->total += share->value;
	if (apart) {
		if (share->visits > 0)
			give(values, find(phase, number), share->value, share->value, share->rank);
		else
			values->sum[find(phase, number)] += share->value;
		return;
	}
	if (!map || number >= map->cluster_count || !map->sizes[number]) {
		values->unplaced += share->value;
		return;
	}
	part = share->value / map->sizes[number];
	for (uint32_t i = 0; i < map->count; i++)
		if (map->clusters[i] == number)
			give(values, find(phase, map->numbers[i]), part, part, share->rank);
}

/* A child of a phase, which is an iteration or a cluster, with its values by location. */
struct child {
	uint64_t number;
	bool apart;
	double *row, *visits;
	double *longest;	/* by location: the longest visit; NULL: not known */
};

/* Adds the values of a child: those of all threads of a rank together, or of each thread with a map of its own. */
static void give_row(const struct fathom_phases *phases, const struct fathom_phase *phase,
		     struct fathom_phase_values *values, const struct child *child)
{
	const struct fathom_profile *profile = phases->profile;
	struct share share = { 0 };
	bool any = false;

	for (uint32_t l = profile->first_location; l < profile->location_end; l++) {
		int64_t rank = profile->cube->groups[fathom_cube_location_group(profile->cube, l)].rank;
		const struct fathom_phase_map *map;

		if (child->row[l] == 0 && child->visits[l] == 0)
			continue;
		map = child->apart ? NULL : map_for(phases, phase, l);
		if (any && (share.rank != rank || share.map != map)) {
			give_share(phase, values, &share, child->number, child->apart);
			any = false;
		}
		if (!any)
			share = (struct share){ .rank = rank, .map = map };
		any = true;
		share.value += child->row[l];
		share.visits += child->visits[l];
	}
	if (any)
		give_share(phase, values, &share, child->number, child->apart);
}

/*
 * Adds the time of the threads that ran the iteration. If a column stands for several threads, the time of a thread is
 * known only where there was a single visit.
 */
static void give_time(const struct fathom_phases *phases, const struct fathom_phase *phase,
		      struct fathom_phase_values *values, const struct child *child)
{
	const struct fathom_profile *profile = phases->profile;
	bool is_made = profile->threads.aggregation != FATHOM_AGGREGATION_ALL;

	for (uint32_t l = profile->first_location; l < profile->location_end; l++) {
		double time = is_made && child->longest && child->visits[l] == 1 ? child->longest[l] : child->row[l];

		if (!(child->visits[l] > 0))
			continue;
		if (child->apart) {
			values->total += time;
			give(values, find(phase, child->number), time, time / child->visits[l],
			     profile->cube->groups[fathom_cube_location_group(profile->cube, l)].rank);
		} else if (!map_for(phases, phase, l)) {
			values->total += time;
			values->unplaced += time;
		}
	}
}

static void give_map_times(const struct fathom_phases *phases, const struct fathom_phase *phase,
			   struct fathom_phase_values *values)
{
	for (uint32_t m = phase->first_map; m < phase->map_end; m++) {
		const struct fathom_phase_map *map = &phases->maps[m];

		for (uint32_t i = 0; i < map->count && is_looked_at(phases->profile, map->rank); i++) {
			values->total += map->seconds[i];
			give(values, find(phase, map->numbers[i]), map->seconds[i], map->seconds[i], map->rank);
		}
	}
}

/* Reads the longest visits, if they can be needed and the file has them. */
static int read_longest(struct fathom_profile *profile, uint32_t cnode, struct child *child)
{
	int32_t metric = fathom_cube_metric_by_name(profile->cube, "max_time");
	struct fathom_cube_error error;
	int err;

	if (metric < 0 || !fathom_profile_can_read(&profile->cube->metrics[metric]) ||
	    !fathom_cube_reader_present(profile->reader, (uint32_t)metric, cnode))
		return 0;
	child->longest = fathom_tool_alloc(profile->cube->location_count, sizeof(double));
	err = fathom_cube_reader_row(profile->reader, (uint32_t)metric, cnode, child->longest, &error);
	if (err)
		fathom_tool_error("%s", error.text);
	return err;
}

static int read_child(const struct fathom_phases *phases, const struct fathom_phase *phase, uint32_t metric,
		      uint32_t cnode, struct fathom_phase_values *values)
{
	struct fathom_profile *profile = phases->profile;
	uint32_t count = profile->cube->location_count;
	struct child child = { .longest = NULL };
	int err;

	child.apart = is_instance(profile, cnode, &child.number);
	if (!child.apart && !is_cluster(profile, cnode, &child.number))
		return 0;
	child.row = fathom_tool_alloc(count, sizeof(double));
	child.visits = fathom_tool_alloc(count, sizeof(double));
	err = read_row(profile, metric, cnode, child.row);
	if (!err)
		err = read_visits(profile, cnode, child.visits);
	if (!err && values->is_time)
		err = read_longest(profile, cnode, &child);
	if (!err && values->is_time)
		give_time(phases, phase, values, &child);
	else if (!err)
		give_row(phases, phase, values, &child);
	free(child.row);
	free(child.visits);
	free(child.longest);
	return err;
}

static int read_sum(const struct fathom_phases *phases, const struct fathom_phase *phase, uint32_t metric, bool is_time,
		    struct fathom_phase_values *values)
{
	struct fathom_profile *profile = phases->profile;
	int err = 0;

	init(values, phase);
	values->metric = &profile->cube->metrics[metric];
	values->is_time = is_time;
	for (uint32_t k = profile->first_child[phase->cnode]; !err && k < profile->first_child[phase->cnode + 1]; k++)
		err = read_child(phases, phase, metric, profile->child[k], values);
	if (!err && is_time)
		give_map_times(phases, phase, values);
	if (err)
		fathom_phase_values_free(values);
	return err;
}

/* Reads a ratio over all threads that worked for an iteration, not only those that ran it. */
static int read_ratio(const struct fathom_phases *phases, const struct fathom_phase *phase,
		      const struct fathom_ratio *ratio, struct fathom_phase_values *values)
{
	struct fathom_phase_values lower;
	int err = read_sum(phases, phase, ratio->above, false, values);

	if (err)
		return err;
	err = read_sum(phases, phase, ratio->below, false, &lower);
	if (err) {
		fathom_phase_values_free(values);
		return err;
	}
	for (uint32_t i = 0; i < phase->count; i++)
		values->sum[i] = fathom_ratio_of(ratio->factor, values->sum[i], lower.sum[i]);
	values->total = fathom_ratio_of(ratio->factor, values->total, lower.total);
	values->is_ratio = true;
	fathom_phase_values_free(&lower);
	return 0;
}

int fathom_phase_read(const struct fathom_phases *phases, const struct fathom_phase *phase, uint32_t metric,
		      struct fathom_phase_values *values)
{
	struct fathom_ratio ratio;
	int err = fathom_profile_formula(phases->profile, metric, &ratio) ?
		  read_ratio(phases, phase, &ratio, values) :
		  read_sum(phases, phase, metric, (int64_t)metric == phases->profile->time, values);

	if (!err)
		values->metric = &phases->profile->cube->metrics[metric];
	return err;
}

double fathom_phase_value(const struct fathom_phase *phase, const struct fathom_phase_values *values, uint32_t i)
{
	return values->is_time && phase->runs[i] > 0 ? values->sum[i] / phase->runs[i] : values->sum[i];
}

double fathom_phase_trend(const double *values, uint32_t count)
{
	double middle = (count - 1.0) / 2, mean = 0, slope = 0, squares = 0;

	if (count < 3)
		return 0;
	for (uint32_t i = 0; i < count; i++)
		mean += values[i] / count;
	for (uint32_t i = 0; i < count; i++) {
		slope += (i - middle) * (values[i] - mean);
		squares += (i - middle) * (i - middle);
	}
	return mean > 0 ? slope / squares * (count - 1) / mean : 0;
}
