#include "tools/common/profile_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"

bool fathom_profile_can_read(const struct fathom_cube_metric *metric)
{
	if (metric->type == FATHOM_CUBE_DERIVED || metric->is_void)
		return false;
	return metric->dtype <= FATHOM_CUBE_MAXDOUBLE || metric->dtype == FATHOM_CUBE_TUPLE;
}

double fathom_own_value(double difference, double inclusive)
{
	return fabs(difference) <= 1e-13 * fabs(inclusive) ? 0 : difference;
}

static int read_part(struct fathom_profile *profile, uint32_t metric, uint32_t cnode, uint32_t first, uint32_t count,
		     double *values)
{
	struct fathom_cube_error error;
	int err = fathom_cube_reader_part(profile->reader, metric, cnode, first, count, values, &error);

	if (err)
		fathom_tool_error("%s", error.text);
	return err;
}

static int subtract_children(struct fathom_profile *profile, uint32_t metric, uint32_t cnode, uint32_t first,
			     uint32_t count, double *values)
{
	double *called = fathom_tool_alloc(count, sizeof(double));
	double *inclusive = fathom_tool_alloc(count, sizeof(double));
	uint32_t k, l;
	int err = 0;

	memcpy(inclusive, values, count * sizeof(double));
	for (k = profile->first_child[cnode]; !err && k < profile->first_child[cnode + 1]; k++) {
		uint32_t child = profile->child[k];

		/* The time of explicit tasks is contained in their stubs, not in the parent of the task tree. */
		if (profile->in_tasks[child] != profile->in_tasks[cnode] ||
		    !fathom_cube_reader_present(profile->reader, metric, child))
			continue;
		err = read_part(profile, metric, child, first, count, called);
		for (l = 0; !err && l < count; l++)
			values[l] -= called[l];
	}
	for (l = 0; l < count; l++)
		values[l] = fathom_own_value(values[l], inclusive[l]);
	free(called);
	free(inclusive);
	return err;
}

int fathom_profile_own_part(struct fathom_profile *profile, uint32_t metric, uint32_t cnode, uint32_t first,
			    uint32_t count, double *values)
{
	int err = read_part(profile, metric, cnode, first, count, values);

	if (!err && profile->cube->metrics[metric].type == FATHOM_CUBE_INCLUSIVE)
		err = subtract_children(profile, metric, cnode, first, count, values);
	for (uint32_t l = 0; !err && l < count; l++)
		if (!isfinite(values[l]))
			values[l] = 0;
	return err;
}

int fathom_profile_own_row(struct fathom_profile *profile, uint32_t metric, uint32_t cnode, double *row)
{
	return fathom_profile_own_part(profile, metric, cnode, 0, profile->cube->location_count, row);
}
