#include "tools/common/samples/sampled_times.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"

/* Samples are of functions; what else has no visits (the root of explicit tasks, call paths of other ranks' MPI calls)
 * was not sampled. */
static bool can_be_sampled(const struct fathom_cube_region *region)
{
	return strcmp(region->paradigm, "compiler") == 0 || strcmp(region->name, "{partial call paths}") == 0;
}

int fathom_sampled_times_init(struct fathom_sampled_times *sampled, struct fathom_profile *profile,
			      const struct fathom_values *visits)
{
	const struct fathom_cube *cube = profile->cube;
	int32_t metric = fathom_cube_metric_by_name(cube, "samples");
	uint32_t *recorded;
	int err;

	memset(sampled, 0, sizeof(*sampled));
	if (metric < 0 || !visits->own || !fathom_cube_is_ours(cube) ||
	    !fathom_profile_can_read(&cube->metrics[metric]))
		return 0;
	err = fathom_profile_values(profile, (uint32_t)metric, &sampled->samples);
	if (err)
		return err;
	sampled->is_sampled = fathom_tool_alloc(cube->cnode_count, sizeof(*sampled->is_sampled));
	sampled->shared = fathom_tool_alloc(cube->cnode_count, sizeof(*sampled->shared));
	recorded = fathom_tool_alloc(cube->cnode_count, sizeof(*recorded));
	for (uint32_t c = 0; c < cube->cnode_count; c++) {
		int32_t parent = cube->cnodes[c].parent;

		sampled->is_sampled[c] = parent >= 0 && visits->own[c] == 0 &&
					 can_be_sampled(fathom_profile_region(profile, c));
		recorded[c] = sampled->is_sampled[c] ? recorded[parent] : c;
		sampled->shared[recorded[c]] += sampled->samples.own[c];
	}
	for (uint32_t c = 0; c < cube->cnode_count; c++)
		sampled->shared[c] = sampled->shared[recorded[c]];
	free(recorded);
	return 0;
}

void fathom_sampled_times_fini(struct fathom_sampled_times *sampled)
{
	fathom_values_free(&sampled->samples);
	free(sampled->is_sampled);
	free(sampled->shared);
}

double fathom_sampled_times_error(double samples, double all)
{
	double part = all > 0 ? samples / all : 1;

	return samples > 0 ? 1.96 * sqrt((1 - fmin(part, 1)) / samples) : -1;
}

void fathom_sampled_times_explain(const struct fathom_page *page)
{
	printf("%s%c: estimated by samples (--samples: how many, and the 95%% confidence interval).\n"
	       "   The times of call paths with visits are measured, and contain these%s\n",
	       fathom_page_style(page, FATHOM_STYLE_DIM), FATHOM_SAMPLED_MARK,
	       fathom_page_style(page, FATHOM_STYLE_PLAIN));
}
