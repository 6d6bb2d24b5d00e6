#include "tools/report/own_cost.h"

#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"

int fathom_own_cost_init(struct fathom_own_cost *own_cost, struct fathom_profile *profile,
			 const struct fathom_values *time)
{
	const struct fathom_cube *cube = profile->cube;
	int32_t metric = fathom_cube_metric_by_name(cube, "measurement_overhead");
	struct fathom_values overhead;
	double *own;
	uint32_t c, r;
	int err;

	*own_cost = (struct fathom_own_cost){ .seconds = -1 };
	if (metric < 0 || !fathom_profile_can_read(&cube->metrics[metric]))
		return 0;
	err = fathom_profile_values(profile, (uint32_t)metric, &overhead);
	if (err)
		return err;
	own_cost->seconds = overhead.total;
	own_cost->by_region = fathom_tool_alloc(cube->region_count, sizeof(double));
	own_cost->is_mostly_cost = fathom_tool_alloc(cube->region_count, sizeof(bool));
	own = fathom_tool_alloc(cube->region_count, sizeof(double));
	for (c = 0; c < cube->cnode_count; c++) {
		if (!profile->counted[c])
			continue;
		own[cube->cnodes[c].region] += time->own[c];
		own_cost->by_region[cube->cnodes[c].region] += overhead.own[c];
	}
	for (r = 0; r < cube->region_count; r++)
		own_cost->is_mostly_cost[r] = own_cost->by_region[r] > 0 && own_cost->by_region[r] > own[r] / 2;
	free(own);
	fathom_values_free(&overhead);
	return 0;
}

void fathom_own_cost_fini(struct fathom_own_cost *own_cost)
{
	free(own_cost->by_region);
	free(own_cost->is_mostly_cost);
	memset(own_cost, 0, sizeof(*own_cost));
}
