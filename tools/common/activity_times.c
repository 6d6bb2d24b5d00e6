#include "tools/common/activity_times.h"

#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"

/* An inner class stands before the class around it: File I/O is within Computation in the metric tree. */
const enum fathom_activity fathom_activity_kinds[FATHOM_KIND_COUNT] = {
	FATHOM_ACTIVITY_IO,	 FATHOM_ACTIVITY_COMPUTATION, FATHOM_ACTIVITY_MPI,    FATHOM_ACTIVITY_OMP,
	FATHOM_ACTIVITY_PTHREAD, FATHOM_ACTIVITY_SHMEM,	      FATHOM_ACTIVITY_OPENACC, FATHOM_ACTIVITY_OPENCL,
	FATHOM_ACTIVITY_CUDA,	 FATHOM_ACTIVITY_HIP,	      FATHOM_ACTIVITY_OVERHEAD,
};
enum { KIND_IO = 0, KIND_COMPUTATION = 1 };

unsigned fathom_activity_kind_of(enum fathom_activity activity)
{
	unsigned k;

	for (k = 0; k < FATHOM_KIND_COUNT; k++)
		if (fathom_activity_within(activity, fathom_activity_kinds[k]))
			return k;
	return KIND_COMPUTATION;
}

/*
 * Neighbouring locations that belong to units: all of them to one unit (a rank), or, where units are threads, each to a
 * unit of its own. Locations that are not read, or are no threads, are in no run.
 */
struct run {
	uint32_t first, end;
	uint32_t unit;
};

struct runs {
	struct run *runs;
	uint32_t count;
	size_t room;
};

/* Adds a location of the newest unit to the last run, or to a new run where the location is no neighbour. */
static void add_location(const struct fathom_activity_times *breakdown, struct runs *runs, uint32_t location)
{
	if (runs->count && runs->runs[runs->count - 1].end == location &&
	    (breakdown->by_thread || runs->runs[runs->count - 1].unit == breakdown->unit_count - 1)) {
		runs->runs[runs->count - 1].end++;
		return;
	}
	runs->runs = fathom_tool_grow(runs->runs, runs->count, &runs->room, sizeof(*runs->runs));
	runs->runs[runs->count++] = (struct run){ location, location + 1, breakdown->unit_count - 1 };
}

/* Finds the units, and the locations of each. */
static void assign_units(struct fathom_activity_times *breakdown, const struct fathom_profile *profile,
			 struct runs *runs)
{
	const struct fathom_cube *cube = profile->cube;
	int32_t group = -1;	/* of the newest unit */
	uint32_t l;

	breakdown->by_thread = profile->rank >= 0 || profile->process_count <= 1;
	breakdown->unit_rank = fathom_tool_alloc(breakdown->by_thread ? cube->location_count : cube->group_count,
						 sizeof(int64_t));
	for (l = profile->first_location; l < profile->location_end; l++) {
		const struct fathom_cube_location location = fathom_cube_location(cube, l);

		if (!fathom_group_is_process(&cube->groups[location.group]) || strcmp(location.type, "thread") != 0)
			continue;
		if (breakdown->by_thread || location.group != group)
			breakdown->unit_rank[breakdown->unit_count++] =
				breakdown->by_thread ? location.rank : cube->groups[location.group].rank;
		group = location.group;
		add_location(breakdown, runs, l);
	}
}

struct pass {		/* one pass over the rows of one metric */
	struct fathom_activity_times *breakdown;
	struct fathom_profile *profile;
	const struct runs *runs;
	const uint8_t *kind_of_region;	/* NULL: all values belong to the member kind */
	const bool *is_init;		/* by region: the pass adds up only these regions; NULL: all regions */
	double *values;			/* sums of unit u in kind k: [u * kind_count + k] */
	unsigned kind_count;
	unsigned kind;
	double sign;
	double *part;			/* values of locations first to end - 1 */
	uint32_t first, end;
	uint32_t first_run;		/* the first run with one of these locations */
};

static void add_part(const struct pass *pass, uint32_t cnode, double sign)
{
	bool by_thread = pass->breakdown->by_thread;
	unsigned kind = pass->kind;
	uint32_t i, l;

	if (!pass->profile->counted[cnode])
		return;
	if (pass->is_init && !pass->is_init[pass->profile->cube->cnodes[cnode].region])
		return;
	if (pass->kind_of_region)
		kind = pass->kind_of_region[pass->profile->cube->cnodes[cnode].region];
	for (i = pass->first_run; i < pass->runs->count && pass->runs->runs[i].first < pass->end; i++) {
		const struct run *run = &pass->runs->runs[i];
		uint32_t end = run->end < pass->end ? run->end : pass->end;

		for (l = run->first > pass->first ? run->first : pass->first; l < end; l++) {
			size_t unit = run->unit + (by_thread ? l - run->first : 0);

			pass->values[unit * pass->kind_count + kind] += sign * pass->part[l - pass->first];
		}
	}
}

/* Reads a row piece by piece, adds it to its call path, and subtracts it from the parent, unless parent is -1. */
static int add_row(struct pass *pass, uint32_t metric, uint32_t cnode, int32_t parent)
{
	uint32_t piece = fathom_cube_reader_piece(pass->profile->reader, metric);
	uint32_t count = pass->profile->cube->location_count;
	struct fathom_cube_error error;
	int err;

	pass->first_run = 0;
	for (pass->first = 0; pass->first < count; pass->first = pass->end) {
		pass->end = count - pass->first < piece ? count : pass->first + piece;
		while (pass->first_run < pass->runs->count && pass->runs->runs[pass->first_run].end <= pass->first)
			pass->first_run++;
		err = fathom_cube_reader_part(pass->profile->reader, metric, cnode, pass->first,
					      pass->end - pass->first, pass->part, &error);
		if (err) {
			fathom_tool_error("%s", error.text);
			return err;
		}
		add_part(pass, cnode, pass->sign);
		if (parent >= 0)
			add_part(pass, (uint32_t)parent, -pass->sign);
	}
	return 0;
}

/*
 * Adds up own values. Where the file stores inclusive values, the own value of a call path is its stored value minus
 * those of its children. So each row is added to its call path and subtracted from the parent, and is read only once. A
 * pass over MPI's initialisation skips rows whose call path and parent are both outside of it.
 */
static int add_metric(struct pass *pass, uint32_t metric)
{
	const struct fathom_cube *cube = pass->profile->cube;
	bool inclusive = cube->metrics[metric].type == FATHOM_CUBE_INCLUSIVE;
	uint32_t c;
	int err = 0;

	free(pass->part);
	pass->part = fathom_tool_alloc(fathom_cube_reader_piece(pass->profile->reader, metric), sizeof(double));
	for (c = 0; !err && c < cube->cnode_count; c++) {
		int32_t parent = cube->cnodes[c].parent;

		if (!fathom_cube_reader_present(pass->profile->reader, metric, c))
			continue;
		if (pass->is_init && !pass->is_init[cube->cnodes[c].region] &&
		    (parent < 0 || !pass->is_init[cube->cnodes[parent].region]))
			continue;
		if (!inclusive || (parent >= 0 && pass->profile->in_tasks[c] != pass->profile->in_tasks[parent]))
			parent = -1;
		err = add_row(pass, metric, c, parent);
	}
	return err;
}

static int32_t activity_metric(const struct fathom_cube *cube, enum fathom_activity activity)
{
	int32_t metric = fathom_cube_metric_by_name(cube, fathom_activity_table[activity].metric);

	if (metric >= 0 && !fathom_profile_can_read(&cube->metrics[metric]))
		return -1;
	return metric;
}

/* Returns whether the file has metrics of time by activity class. */
static bool has_activities(const struct fathom_cube *cube)
{
	return activity_metric(cube, FATHOM_ACTIVITY_EXECUTION) >= 0 &&
	       activity_metric(cube, FATHOM_ACTIVITY_COMPUTATION) >= 0;
}

static int sum_metrics(struct fathom_activity_times *breakdown, struct fathom_profile *profile)
{
	struct fathom_values values;
	int32_t metric;
	uint32_t c;
	int a, err;

	for (a = 0; a < FATHOM_ACTIVITY_COUNT; a++) {
		metric = activity_metric(profile->cube, a);
		if (metric < 0)
			continue;
		err = fathom_profile_values(profile, (uint32_t)metric, &values);
		if (err)
			return err;
		for (c = 0; c < profile->cube->cnode_count; c++)
			breakdown->seconds[a] += profile->counted[c] ? values.own[c] : 0;
		fathom_values_free(&values);
	}
	return 0;
}

static void sum_regions(struct fathom_activity_times *breakdown, const struct fathom_profile *profile,
			const struct fathom_values *time)
{
	uint32_t c;
	int a;

	for (c = 0; c < profile->cube->cnode_count; c++) {
		const struct fathom_cube_region *region = fathom_profile_region(profile, c);

		if (profile->counted[c])
			breakdown->seconds[fathom_profile_activity(profile, region)] += time->own[c];
	}
	for (a = FATHOM_ACTIVITY_COUNT - 1; a >= 0; a--)
		if (fathom_activity_table[a].parent >= 0)
			breakdown->seconds[fathom_activity_table[a].parent] += breakdown->seconds[a];
}

static int fill_units(struct fathom_activity_times *breakdown, struct fathom_profile *profile, const struct runs *runs)
{
	const struct fathom_cube *cube = profile->cube;
	uint8_t *kind_of_region = fathom_tool_alloc(cube->region_count, sizeof(uint8_t));
	struct pass pass = {
		.breakdown = breakdown, .profile = profile, .runs = runs, .sign = 1,
		.values = breakdown->unit_kind, .kind_count = FATHOM_KIND_COUNT,
	};
	uint32_t r;
	int err = 0;

	if (!has_activities(cube)) {
		for (r = 0; r < cube->region_count; r++) {
			enum fathom_activity activity = fathom_profile_activity(profile, &cube->regions[r]);

			kind_of_region[r] = (uint8_t)fathom_activity_kind_of(activity);
		}
		pass.kind_of_region = kind_of_region;
		err = add_metric(&pass, (uint32_t)profile->time);
		goto out;
	}
	for (pass.kind = 0; !err && pass.kind < FATHOM_KIND_COUNT; pass.kind++) {
		int32_t metric = activity_metric(cube, fathom_activity_kinds[pass.kind]);

		if (metric >= 0)
			err = add_metric(&pass, (uint32_t)metric);
	}
	if (!err && activity_metric(cube, FATHOM_ACTIVITY_IO) >= 0) {
		pass.kind = KIND_COMPUTATION;
		pass.sign = -1;
		err = add_metric(&pass, (uint32_t)activity_metric(cube, FATHOM_ACTIVITY_IO));
	}
out:
	free(pass.part);
	free(kind_of_region);
	return err;
}

/* Reads the time of the call paths of MPI's initialisation and finalization. */
static int fill_init(struct fathom_activity_times *breakdown, struct fathom_profile *profile, const struct runs *runs)
{
	const struct fathom_cube *cube = profile->cube;
	bool *is_init = fathom_tool_alloc(cube->region_count, sizeof(*is_init));
	struct pass pass = {
		.breakdown = breakdown, .profile = profile, .runs = runs, .sign = 1, .is_init = is_init,
		.values = breakdown->unit_init, .kind_count = 1,
	};
	bool is_there = false;
	int err = 0;

	for (uint32_t r = 0; r < cube->region_count; r++) {
		is_init[r] = fathom_profile_activity(profile, &cube->regions[r]) == FATHOM_ACTIVITY_MPI_INIT_EXIT;
		is_there |= is_init[r];
	}
	if (is_there)
		err = add_metric(&pass, (uint32_t)profile->time);
	free(pass.part);
	free(is_init);
	return err;
}

int fathom_activity_times_init(struct fathom_activity_times *breakdown, struct fathom_profile *profile,
			       const struct fathom_values *time)
{
	struct runs runs = { 0 };
	uint32_t u;
	unsigned k;
	int err = 0;

	memset(breakdown, 0, sizeof(*breakdown));
	assign_units(breakdown, profile, &runs);
	breakdown->unit_kind = fathom_tool_alloc((size_t)breakdown->unit_count * FATHOM_KIND_COUNT, sizeof(double));
	breakdown->unit_total = fathom_tool_alloc(breakdown->unit_count, sizeof(double));
	breakdown->unit_init = fathom_tool_alloc(breakdown->unit_count, sizeof(double));
	if (has_activities(profile->cube))
		err = sum_metrics(breakdown, profile);
	else
		sum_regions(breakdown, profile, time);
	if (!err)
		err = fill_units(breakdown, profile, &runs);
	if (!err && !breakdown->by_thread)
		err = fill_init(breakdown, profile, &runs);
	for (k = 0; k < FATHOM_KIND_COUNT; k++)
		breakdown->kind_seconds[k] = breakdown->seconds[fathom_activity_kinds[k]];
	breakdown->kind_seconds[KIND_COMPUTATION] -= breakdown->kind_seconds[KIND_IO];
	breakdown->total = time->total;
	for (u = 0; u < breakdown->unit_count; u++)
		for (k = 0; k < FATHOM_KIND_COUNT; k++)
			breakdown->unit_total[u] += breakdown->unit_kind[(size_t)u * FATHOM_KIND_COUNT + k];
	free(runs.runs);
	if (err)
		fathom_activity_times_fini(breakdown);
	return err;
}

void fathom_activity_times_fini(struct fathom_activity_times *breakdown)
{
	free(breakdown->unit_rank);
	free(breakdown->unit_kind);
	free(breakdown->unit_total);
	free(breakdown->unit_init);
	memset(breakdown, 0, sizeof(*breakdown));
}
