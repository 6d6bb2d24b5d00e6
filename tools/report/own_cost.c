#include "tools/report/own_cost.h"

#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"

int fathom_bias_init(struct fathom_bias *bias, struct fathom_profile *profile, const struct fathom_values *time)
{
	const struct fathom_cube *cube = profile->cube;
	int32_t metric = fathom_cube_metric_by_name(cube, "measurement_overhead");
	struct fathom_values overhead;
	double *own;
	uint32_t c, r;
	int err;

	*bias = (struct fathom_bias){ .seconds = -1 };
	if (metric < 0 || !fathom_profile_can_read(&cube->metrics[metric]))
		return 0;
	err = fathom_profile_values(profile, (uint32_t)metric, &overhead);
	if (err)
		return err;
	bias->seconds = overhead.total;
	bias->by_region = fathom_tool_alloc(cube->region_count, sizeof(double));
	bias->is_biased = fathom_tool_alloc(cube->region_count, sizeof(bool));
	own = fathom_tool_alloc(cube->region_count, sizeof(double));
	for (c = 0; c < cube->cnode_count; c++) {
		if (!profile->counted[c])
			continue;
		own[cube->cnodes[c].region] += time->own[c];
		bias->by_region[cube->cnodes[c].region] += overhead.own[c];
	}
	for (r = 0; r < cube->region_count; r++)
		bias->is_biased[r] = bias->by_region[r] > 0 && bias->by_region[r] > own[r] / 2;
	free(own);
	fathom_values_free(&overhead);
	return 0;
}

void fathom_bias_fini(struct fathom_bias *bias)
{
	free(bias->by_region);
	free(bias->is_biased);
	memset(bias, 0, sizeof(*bias));
}
