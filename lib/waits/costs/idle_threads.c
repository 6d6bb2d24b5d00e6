#include "waits/costs/idle_threads.h"

#include "waits/costs/interval_map.h"

/* Charges the serial time between two operations of the initial thread, once for each worker. */
static int add_serial(struct fathom_waits_state *state, struct fathom_waits_interval *interval,
		      const struct fathom_waits_location_state *initial, uint32_t first, uint32_t last, double workers)
{
	int err = fathom_waits_interval_collect(interval, state, initial, first, last, false, FATHOM_WAITS_WHOLE);

	for (uint32_t e = 0; e < interval->count && !err; e++) {
		double time = workers * interval->entries[e].time;

		fathom_waits_add(state, interval->entries[e].path, FATHOM_WAITS_IDLE_THREADS, time);
		fathom_waits_add(state, interval->entries[e].path, FATHOM_WAITS_DELAY_OMP_IDLE_SHORT, time);
	}
	return err;
}

/*
 * Outside of its outermost parallel regions, the initial thread works alone. In a region, the threads that are not in
 * the team are idle; their time is charged to the call path of the fork.
 */
static int find_in_process(struct fathom_waits_state *state, struct fathom_waits_interval *interval, uint32_t process)
{
	const struct fathom_waits_process_state *owner = &state->processes[process];
	const struct fathom_waits_location_state *initial = &state->locations[owner->first_location];
	const struct fathom_waits_location *log = initial->location;
	uint32_t depth = 0, fork = 0, last_join = FATHOM_WAITS_FROM_BEGIN, threads = owner->process->location_count;
	bool has_fork = false;
	int err = 0;

	if (threads < 2)
		return 0;
	for (uint32_t r = 0; r < log->count && !err; r++) {
		const struct fathom_waits_part *part = &log->records[r].operation.part;

		if (!fathom_waits_is_operation(log, r))
			continue;
		if (part->kind == FATHOM_WAITS_FORK && depth++ == 0) {
			has_fork = true;
			fork = r;
			err = add_serial(state, interval, initial, last_join, r, threads - 1);
		}
		if (part->kind == FATHOM_WAITS_JOIN && depth > 0 && --depth == 0) {
			double size = log->records[fork].operation.part.tag;

			last_join = r;
			if (size < threads)
				fathom_waits_add_at(state, initial, fork, FATHOM_WAITS_LIMITED_PARALLELISM,
						    (threads - size) * (fathom_waits_leave(state, initial, r) -
									fathom_waits_enter(state, initial, fork)));
		}
	}
	if (has_fork && depth == 0 && !err)
		err = add_serial(state, interval, initial, last_join, log->count, threads - 1);
	return err;
}

int fathom_waits_idle_find(struct fathom_waits_state *state)
{
	struct fathom_waits_interval interval = { 0 };
	int err = 0;

	for (uint32_t p = 0; p < state->process_count && !err; p++)
		err = find_in_process(state, &interval, p);
	fathom_waits_interval_fini(&interval);
	return err;
}
