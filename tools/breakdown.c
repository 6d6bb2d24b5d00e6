#include "breakdown.h"

#include <stdlib.h>
#include <string.h>

#include "tool.h"

/* Inner ones first: File I/O is within Computation in the metric tree. */
const enum fathom_activity fathom_kinds[FATHOM_KIND_COUNT] = {
	FATHOM_ACTIVITY_IO,	 FATHOM_ACTIVITY_COMPUTATION, FATHOM_ACTIVITY_MPI,    FATHOM_ACTIVITY_OMP,
	FATHOM_ACTIVITY_PTHREAD, FATHOM_ACTIVITY_SHMEM,	      FATHOM_ACTIVITY_OPENACC, FATHOM_ACTIVITY_OPENCL,
	FATHOM_ACTIVITY_CUDA,	 FATHOM_ACTIVITY_HIP,	      FATHOM_ACTIVITY_OVERHEAD,
};
enum { KIND_IO = 0, KIND_COMPUTATION = 1 };

unsigned fathom_kind_of(enum fathom_activity activity)
{
	unsigned k;

	for (k = 0; k < FATHOM_KIND_COUNT; k++)
		if (fathom_activity_within(activity, fathom_kinds[k]))
			return k;
	return KIND_COMPUTATION;
}

/* Which unit each location belongs to; -1: none (not looked at, or no thread). */
static int32_t *assign_units(struct fathom_breakdown *breakdown, const struct fathom_profile *profile)
{
	const struct fathom_cube *cube = profile->cube;
	int32_t *unit = fathom_tool_alloc(cube->location_count, sizeof(int32_t));
	uint32_t l, first_of_group = 0;

	breakdown->by_thread = profile->rank >= 0 || profile->process_count <= 1;
	breakdown->unit_rank = fathom_tool_alloc(breakdown->by_thread ? cube->location_count : cube->group_count,
						 sizeof(int64_t));
	for (l = 0; l < cube->location_count; l++) {
		const struct fathom_cube_location *location = &cube->locations[l];

		if (l == 0 || location->group != cube->locations[l - 1].group)
			first_of_group = l;
		unit[l] = -1;
		if (l < profile->first_location || l >= profile->location_end ||
		    !fathom_group_is_process(&cube->groups[location->group]) ||
		    strcmp(location->type, "thread") != 0)
			continue;
		if (l > first_of_group && !breakdown->by_thread && unit[l - 1] >= 0) {
			unit[l] = unit[l - 1];
			continue;
		}
		unit[l] = (int32_t)breakdown->unit_count;
		breakdown->unit_rank[breakdown->unit_count++] =
			breakdown->by_thread ? location->rank : cube->groups[location->group].rank;
	}
	return unit;
}

struct pass {		/* over the rows of one metric */
	struct fathom_breakdown *breakdown;
	struct fathom_profile *profile;
	const int32_t *unit;
	const uint8_t *kind_of_region;	/* NULL: everything is of kind */
	unsigned kind;
	double sign;
	double *row;
};

static void add_row(const struct pass *pass, uint32_t cnode, double sign)
{
	unsigned kind = pass->kind;
	uint32_t l;

	if (!pass->profile->counted[cnode])
		return;
	if (pass->kind_of_region)
		kind = pass->kind_of_region[pass->profile->cube->cnodes[cnode].region];
	for (l = pass->profile->first_location; l < pass->profile->location_end; l++)
		if (pass->unit[l] >= 0)
			pass->breakdown->unit_kind[(size_t)pass->unit[l] * FATHOM_KIND_COUNT + kind] +=
				sign * pass->row[l];
}

/* Own time is what is stored, less (where inclusive time is stored) what the children store:
 * so a row counts for its call path and against its parent, and no row is needed twice. */
static int add_metric(const struct pass *pass, uint32_t metric)
{
	const struct fathom_cube *cube = pass->profile->cube;
	bool inclusive = cube->metrics[metric].type == FATHOM_CUBE_INCLUSIVE;
	struct fathom_cube_error error;
	uint32_t c;
	int err;

	for (c = 0; c < cube->cnode_count; c++) {
		int32_t parent = cube->cnodes[c].parent;

		if (!fathom_cube_reader_present(pass->profile->reader, metric, c))
			continue;
		err = fathom_cube_reader_row(pass->profile->reader, metric, c, pass->row, &error);
		if (err) {
			fathom_tool_say("%s", error.text);
			return err;
		}
		add_row(pass, c, pass->sign);
		if (inclusive && parent >= 0 && pass->profile->in_tasks[c] == pass->profile->in_tasks[parent])
			add_row(pass, (uint32_t)parent, -pass->sign);
	}
	return 0;
}

static int32_t activity_metric(const struct fathom_cube *cube, enum fathom_activity activity)
{
	int32_t metric = fathom_cube_metric_by_name(cube, fathom_activity_table[activity].metric);

	if (metric >= 0 && !fathom_profile_can_read(&cube->metrics[metric]))
		return -1;
	return metric;
}

/* The file says itself what time is spent in. */
static bool has_activities(const struct fathom_cube *cube)
{
	return activity_metric(cube, FATHOM_ACTIVITY_EXECUTION) >= 0 &&
	       activity_metric(cube, FATHOM_ACTIVITY_COMPUTATION) >= 0;
}

static int sum_metrics(struct fathom_breakdown *breakdown, struct fathom_profile *profile)
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

static void sum_regions(struct fathom_breakdown *breakdown, const struct fathom_profile *profile,
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

static int fill_units(struct fathom_breakdown *breakdown, struct fathom_profile *profile, const int32_t *unit)
{
	const struct fathom_cube *cube = profile->cube;
	uint8_t *kind_of_region = fathom_tool_alloc(cube->region_count, sizeof(uint8_t));
	struct pass pass = {
		.breakdown = breakdown, .profile = profile, .unit = unit, .sign = 1,
		.row = fathom_tool_alloc(cube->location_count, sizeof(double)),
	};
	uint32_t r;
	int err = 0;

	if (!has_activities(cube)) {
		for (r = 0; r < cube->region_count; r++) {
			enum fathom_activity activity = fathom_profile_activity(profile, &cube->regions[r]);

			kind_of_region[r] = (uint8_t)fathom_kind_of(activity);
		}
		pass.kind_of_region = kind_of_region;
		err = add_metric(&pass, (uint32_t)profile->time);
		goto out;
	}
	for (pass.kind = 0; !err && pass.kind < FATHOM_KIND_COUNT; pass.kind++) {
		int32_t metric = activity_metric(cube, fathom_kinds[pass.kind]);

		if (metric >= 0)
			err = add_metric(&pass, (uint32_t)metric);
	}
	if (!err && activity_metric(cube, FATHOM_ACTIVITY_IO) >= 0) {
		pass.kind = KIND_COMPUTATION;
		pass.sign = -1;
		err = add_metric(&pass, (uint32_t)activity_metric(cube, FATHOM_ACTIVITY_IO));
	}
out:
	free(pass.row);
	free(kind_of_region);
	return err;
}

int fathom_breakdown_init(struct fathom_breakdown *breakdown, struct fathom_profile *profile,
			  const struct fathom_values *time)
{
	int32_t *unit;
	uint32_t u;
	unsigned k;
	int err = 0;

	memset(breakdown, 0, sizeof(*breakdown));
	unit = assign_units(breakdown, profile);
	breakdown->unit_kind = fathom_tool_alloc((size_t)breakdown->unit_count * FATHOM_KIND_COUNT, sizeof(double));
	breakdown->unit_total = fathom_tool_alloc(breakdown->unit_count, sizeof(double));
	if (has_activities(profile->cube))
		err = sum_metrics(breakdown, profile);
	else
		sum_regions(breakdown, profile, time);
	if (!err)
		err = fill_units(breakdown, profile, unit);
	for (k = 0; k < FATHOM_KIND_COUNT; k++)
		breakdown->kind_seconds[k] = breakdown->seconds[fathom_kinds[k]];
	breakdown->kind_seconds[KIND_COMPUTATION] -= breakdown->kind_seconds[KIND_IO];
	breakdown->total = time->total;
	for (u = 0; u < breakdown->unit_count; u++)
		for (k = 0; k < FATHOM_KIND_COUNT; k++)
			breakdown->unit_total[u] += breakdown->unit_kind[(size_t)u * FATHOM_KIND_COUNT + k];
	free(unit);
	if (err)
		fathom_breakdown_fini(breakdown);
	return err;
}

void fathom_breakdown_fini(struct fathom_breakdown *breakdown)
{
	free(breakdown->unit_rank);
	free(breakdown->unit_kind);
	free(breakdown->unit_total);
	memset(breakdown, 0, sizeof(*breakdown));
}
