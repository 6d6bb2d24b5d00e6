#include "tools/report/imbalance.h"

#include <stdlib.h>

#include "tools/common/command.h"
#include "tools/common/profile.h"

struct fathom_imbalance fathom_imbalance_of(double time, double sum, uint32_t count, bool visited, uint32_t visitors)
{
	double mean = count ? sum / count : 0;
	struct fathom_imbalance result = { 0 };

	if (time > mean)
		result.above = time - mean;
	else
		result.below = mean - time;
	if (visited && visitors == 1)
		result.single = result.above;
	if (!visited && visitors > 0)
		result.bypass = result.below;
	if (!visited && visitors == 1)
		result.singularity = result.below;
	return result;
}

struct fathom_imbalance fathom_imbalance_sum(const double *times, const double *visits, uint32_t count)
{
	struct fathom_imbalance sums = { 0 };
	uint32_t visitors = 0, i;
	double sum = 0;

	for (i = 0; i < count; i++) {
		sum += times[i];
		visitors += visits[i] > 0;
	}
	for (i = 0; i < count; i++) {
		struct fathom_imbalance one = fathom_imbalance_of(times[i], sum, count, visits[i] > 0, visitors);

		sums.above += one.above;
		sums.below += one.below;
		sums.single += one.single;
		sums.bypass += one.bypass;
		sums.singularity += one.singularity;
	}
	return sums;
}

/* Returns whether a location belongs to a process other than the location before it. */
static bool is_initial(const struct fathom_profile *profile, uint32_t location)
{
	return location == profile->first_location ||
	       fathom_cube_location_group(profile->cube, location) !=
	       fathom_cube_location_group(profile->cube, location - 1);
}

/* Adds the rows of threads to those of their initial threads, unless threads are compared. Returns the number of
 * processes or threads, whose values are in front then. */
static uint32_t join_threads(const struct fathom_profile *profile, double *times, double *visits)
{
	bool has_workers = false;
	uint32_t count = 0, l;

	for (l = profile->first_location; l < profile->location_end; l++)
		has_workers |= !is_initial(profile, l) && visits[l] > 0;
	has_workers &= profile->threads.aggregation == FATHOM_AGGREGATION_ALL;
	for (l = profile->first_location; l < profile->location_end; l++) {
		double time = times[l], visit = visits[l];

		if (!fathom_group_is_process(&profile->cube->groups[fathom_cube_location_group(profile->cube, l)]))
			continue;
		if (has_workers || is_initial(profile, l)) {
			times[count] = visits[count] = 0;
			count++;
		}
		times[count - 1] += time;
		visits[count - 1] += visit;
	}
	return count;
}

/* Reads the imbalance of a call path over all chosen processes, or their threads. 0, or -errno after an error
 * message. */
static int read_imbalance(struct fathom_imbalance *imbalance, struct fathom_profile *profile, uint32_t cnode)
{
	double *times = fathom_tool_alloc(profile->cube->location_count + 1, sizeof(*times));
	double *visits = fathom_tool_alloc(profile->cube->location_count + 1, sizeof(*visits));
	int err = fathom_profile_own_row(profile, (uint32_t)profile->time, cnode, times);

	if (!err)
		err = fathom_profile_own_row(profile, (uint32_t)profile->visits, cnode, visits);
	if (!err)
		*imbalance = fathom_imbalance_sum(times, visits, join_threads(profile, times, visits));
	free(times);
	free(visits);
	return err;
}

static int by_excess(const void *a, const void *b)
{
	const struct fathom_uneven *x = a, *y = b;

	if (x->imbalance.above != y->imbalance.above)
		return x->imbalance.above < y->imbalance.above ? 1 : -1;
	return x->cnode < y->cnode ? -1 : x->cnode > y->cnode;
}

struct fathom_uneven *fathom_imbalance_list(struct fathom_profile *profile, uint32_t *count)
{
	struct fathom_uneven *list = fathom_tool_alloc(profile->cube->cnode_count + 1, sizeof(*list));
	uint32_t c;

	*count = 0;
	for (c = 0; c < profile->cube->cnode_count && profile->time >= 0 && profile->visits >= 0; c++) {
		struct fathom_uneven *uneven = &list[*count];

		if (!profile->counted[c] || fathom_profile_is_program(profile, c) ||
		    !fathom_activity_within(fathom_profile_activity(profile, fathom_profile_region(profile, c)),
					    FATHOM_ACTIVITY_COMPUTATION))
			continue;
		if (read_imbalance(&uneven->imbalance, profile, c)) {
			free(list);
			return NULL;
		}
		uneven->cnode = c;
		*count += uneven->imbalance.above > 0;
	}
	if (*count)
		qsort(list, *count, sizeof(*list), by_excess);
	return list;
}
