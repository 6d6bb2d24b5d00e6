#include "estimate.h"

#include <stdlib.h>
#include <string.h>

#include "tool.h"

/* Own values of a metric, or NULL where the file has none, or none but zeros. */
static int read_own(struct fathom_profile *profile, const char *name, double **own)
{
	int32_t metric = fathom_cube_metric_by_name(profile->cube, name);
	struct fathom_values values;
	int err;

	*own = NULL;
	if (metric < 0 || !fathom_profile_can_read(&profile->cube->metrics[metric]))
		return 0;
	err = fathom_profile_values(profile, (uint32_t)metric, &values);
	if (err)
		return err;
	if (values.total > 0) {
		*own = values.own;
		values.own = NULL;
	}
	fathom_values_free(&values);
	return 0;
}

/* By call path; parents stand before their children. */
struct sums {
	const struct fathom_cube *cube;
	uint32_t *around;	/* the innermost call path at or above that is on */
	double *moved;		/* seconds that belong to it, and were not measured as such */
	double *all;		/* of what is on: sum of these around which it is */
};

/* Own time of the visits that are missing. */
static double missing_seconds(double time, double overhead, double visits, double missing)
{
	return visits > 0 && time > overhead ? (time - overhead) / visits * missing : 0;
}

static void find_moved(struct sums *sums, const struct fathom_estimate *estimate, const bool *counted,
		       const struct fathom_values *time, const struct fathom_values *visits, const double *overhead)
{
	for (uint32_t c = 0; c < sums->cube->cnode_count; c++) {
		int32_t parent = sums->cube->cnodes[c].parent;

		sums->around[c] = c;
		if (!counted[c] || parent < 0 || estimate->missing[c] <= 0)
			continue;
		sums->around[c] = sums->around[parent];
		sums->moved[c] = missing_seconds(time->own[c], overhead ? overhead[c] : 0, visits->own[c],
						 estimate->missing[c]);
		sums->all[sums->around[c]] += sums->moved[c];
	}
}

/* Seconds go from what is around to what was off, no more than there are. */
static void move(const struct sums *sums, struct fathom_estimate *estimate, const struct fathom_values *time,
		 const double *overhead)
{
	for (uint32_t c = 0; c < sums->cube->cnode_count; c++) {
		uint32_t from = sums->around[c];
		double all = sums->all[from], there = time->own[from] - (overhead ? overhead[from] : 0), part;

		if (sums->moved[c] <= 0 || there <= 0)
			continue;
		part = all > there ? sums->moved[c] * (there / all) : sums->moved[c];
		estimate->own[c] += part;
		estimate->own[from] -= part;
		estimate->is_estimated[sums->cube->cnodes[c].region] = true;
		estimate->is_estimated[sums->cube->cnodes[from].region] = true;
	}
}

int fathom_estimate_init(struct fathom_estimate *estimate, struct fathom_profile *profile,
			 const struct fathom_values *time, const struct fathom_values *visits)
{
	const struct fathom_cube *cube = profile->cube;
	struct sums sums = { .cube = cube };
	double *overhead;
	int err;

	memset(estimate, 0, sizeof(*estimate));
	if (!time->own || !visits->own)
		return 0;
	err = read_own(profile, "visits_missing", &estimate->missing);
	if (err || !estimate->missing)
		return err;
	err = read_own(profile, "measurement_overhead", &overhead);
	if (err) {
		fathom_estimate_fini(estimate);
		return err;
	}
	sums.around = fathom_tool_alloc(cube->cnode_count, sizeof(*sums.around));
	sums.moved = fathom_tool_alloc(cube->cnode_count, sizeof(*sums.moved));
	sums.all = fathom_tool_alloc(cube->cnode_count, sizeof(*sums.all));
	estimate->own = fathom_tool_alloc(cube->cnode_count, sizeof(*estimate->own));
	estimate->is_estimated = fathom_tool_alloc(cube->region_count, sizeof(*estimate->is_estimated));
	memcpy(estimate->own, time->own, cube->cnode_count * sizeof(*estimate->own));
	find_moved(&sums, estimate, profile->counted, time, visits, overhead);
	move(&sums, estimate, time, overhead);
	free(sums.around);
	free(sums.moved);
	free(sums.all);
	free(overhead);
	return 0;
}

void fathom_estimate_fini(struct fathom_estimate *estimate)
{
	free(estimate->own);
	free(estimate->missing);
	free(estimate->is_estimated);
	memset(estimate, 0, sizeof(*estimate));
}
