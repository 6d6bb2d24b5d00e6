#include "profile/process_tree/idleness_values.h"

#include "define/region.h"

static bool is_measured = true;

void fathom_idleness_choose(bool measured)
{
	is_measured = measured;
}

/* Returns Z n / T + p (n - T) / T, at least 0. */
static uint64_t blame_for(uint64_t idle, uint64_t time, uint32_t count, uint32_t team)
{
	__int128 sum = (__int128)idle * count + (__int128)time * ((int64_t)count - team);

	return sum > 0 ? (uint64_t)(sum / team) : 0;
}

static bool is_waiting(const struct fathom_region *region)
{
	return region->paradigm == FATHOM_PARADIGM_OPENMP &&
	       (region->role == FATHOM_ROLE_BARRIER || region->role == FATHOM_ROLE_IMPLICIT_BARRIER ||
		region->role == FATHOM_ROLE_TASK_WAIT);
}

/* Returns the number of workers whose leader a location is. */
static uint32_t count_workers(const struct fathom_process_tree *process, uint32_t leader)
{
	uint32_t count = 0;

	for (uint32_t l = 0; l < process->location_count; l++)
		count += process->leaders[l] == leader + 1;
	return count;
}

fathom_presence fathom_idleness_values(const struct fathom_process_tree *process, uint32_t path, uint64_t *values)
{
	uint32_t locations = process->location_count, team;
	const uint64_t *times = values + (size_t)FATHOM_VALUE_TIME * locations;
	uint64_t *threads = values + (size_t)(FATHOM_VALUE_COUNTERS + FATHOM_COUNTER_IDLE_BLAME) * locations;
	uint64_t *missing = values + (size_t)FATHOM_VALUE_MISSING_THREADS * locations;
	uint64_t *processors = values + (size_t)FATHOM_VALUE_IDLE_PROCESSORS * locations;
	const struct fathom_region *region = fathom_region_by_id(process->tree.nodes[path].key);
	fathom_presence present = 0;

	if (process->largest_team <= 1 || !is_measured)
		return 0;
	team = process->team_sizes[path];
	for (uint32_t l = 0; l < locations; l++) {
		uint64_t time = is_waiting(region) ? 0 : times[l];
		uint32_t threads_here = team ? team : process->largest_team;	/* explicit tasks */

		if (process->is_serial[path]) {
			uint32_t workers = count_workers(process, l);

			if (!workers)
				continue;
			threads_here = 1;
			threads[l] = time * workers;
		}
		missing[l] = blame_for(process->is_serial[path] ? 0 : threads[l], time, process->largest_team,
				       threads_here);
		processors[l] = blame_for(process->is_serial[path] ? 0 : threads[l], time, process->processors,
					  threads_here);
		present |= threads[l] ? fathom_presence_of(FATHOM_VALUE_COUNTERS + FATHOM_COUNTER_IDLE_BLAME) : 0;
		present |= missing[l] ? fathom_presence_of(FATHOM_VALUE_MISSING_THREADS) : 0;
		present |= processors[l] ? fathom_presence_of(FATHOM_VALUE_IDLE_PROCESSORS) : 0;
	}
	return present;
}
