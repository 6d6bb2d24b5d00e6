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

static int subtract_children(struct fathom_profile *profile, uint32_t metric, uint32_t cnode, double *row)
{
	uint32_t count = profile->cube->location_count, k, l;
	double *called = fathom_tool_alloc(count, sizeof(double));
	double *inclusive = fathom_tool_alloc(count, sizeof(double));
	struct fathom_cube_error error;
	int err = 0;

	memcpy(inclusive, row, count * sizeof(double));
	for (k = profile->first_child[cnode]; !err && k < profile->first_child[cnode + 1]; k++) {
		uint32_t child = profile->child[k];

		/* The time of explicit tasks is contained in their stubs, not in the parent of the task tree. */
		if (profile->in_tasks[child] != profile->in_tasks[cnode] ||
		    !fathom_cube_reader_present(profile->reader, metric, child))
			continue;
		err = fathom_cube_reader_row(profile->reader, metric, child, called, &error);
		if (err)
			fathom_tool_error("%s", error.text);
		for (l = 0; !err && l < count; l++)
			row[l] -= called[l];
	}
	for (l = 0; l < count; l++)
		row[l] = fathom_own_value(row[l], inclusive[l]);
	free(called);
	free(inclusive);
	return err;
}

int fathom_profile_own_row(struct fathom_profile *profile, uint32_t metric, uint32_t cnode, double *row)
{
	struct fathom_cube_error error;
	uint32_t l;
	int err = fathom_cube_reader_row(profile->reader, metric, cnode, row, &error);

	if (err) {
		fathom_tool_error("%s", error.text);
		return err;
	}
	if (profile->cube->metrics[metric].type == FATHOM_CUBE_INCLUSIVE)
		err = subtract_children(profile, metric, cnode, row);
	for (l = 0; l < profile->cube->location_count; l++)
		if (!isfinite(row[l]))
			row[l] = 0;
	return err;
}
