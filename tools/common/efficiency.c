#include "tools/common/efficiency.h"

#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"

enum { MOST_LOCATIONS = 16384 };

/* The time of a location, by use. */
struct use {
	double useful, mpi, init, total, waiting;
};

/* The counters of instructions and cycles, by the names that sources give them. */
static const char *const instruction_names[] = { "perf::INSTRUCTIONS", "PAPI_TOT_INS" };
static const char *const cycle_names[] = { "perf::CYCLES", "PAPI_TOT_CYC" };

static void add_row(struct use *uses, const struct fathom_profile *profile, uint32_t cnode, const double *row)
{
	enum fathom_activity activity = fathom_profile_activity(profile, fathom_profile_region(profile, cnode));
	bool is_init = fathom_activity_within(activity, FATHOM_ACTIVITY_MPI_INIT_EXIT);
	bool is_mpi = fathom_activity_within(activity, FATHOM_ACTIVITY_MPI) && !is_init;
	bool is_useful = fathom_activity_within(activity, FATHOM_ACTIVITY_COMPUTATION);
	uint32_t l;

	for (l = profile->first_location; l < profile->location_end; l++) {
		uses[l].total += row[l];
		uses[l].init += is_init ? row[l] : 0;
		uses[l].mpi += is_mpi ? row[l] : 0;
		uses[l].useful += is_useful ? row[l] : 0;
	}
}

static int32_t metric_of(const struct fathom_profile *profile, const char *name)
{
	uint32_t m;

	for (m = 0; m < profile->cube->metric_count; m++)
		if (strcmp(profile->cube->metrics[m].uniq_name, name) == 0 && fathom_profile_has_values(profile, m))
			return (int32_t)m;
	return -1;
}

/* Adds up a counter over the useful time of all threads; negative: it was not counted. 0, or -errno. */
static int read_counter(struct fathom_profile *profile, const char *const names[2], double *sum)
{
	struct fathom_values values = { 0 };
	int32_t metric = metric_of(profile, names[0]);
	int err;

	*sum = -1;
	if (metric < 0)
		metric = metric_of(profile, names[1]);
	if (metric < 0)
		return 0;
	err = fathom_profile_values(profile, (uint32_t)metric, &values);
	if (err || values.kind != FATHOM_VALUES_SUM)
		goto out;
	*sum = 0;
	for (uint32_t c = 0; c < profile->cube->cnode_count; c++) {
		enum fathom_activity activity = fathom_profile_activity(profile, fathom_profile_region(profile, c));

		if (profile->counted[c] && fathom_activity_within(activity, FATHOM_ACTIVITY_COMPUTATION))
			*sum += values.own[c];
	}
out:
	fathom_values_free(&values);
	return err;
}

/* Reads the use of each location. */
static int read_uses(struct fathom_profile *profile, const struct fathom_values *time, struct use *uses)
{
	double *row = fathom_tool_alloc(profile->cube->location_count + 1, sizeof(*row));
	int32_t waits[2] = { metric_of(profile, "wait_p2p"), metric_of(profile, "wait_collective") };
	uint32_t c, l;
	int err = 0, w;

	for (c = 0; !err && c < profile->cube->cnode_count; c++) {
		if (!profile->counted[c] || time->own[c] == 0)
			continue;
		err = fathom_profile_own_row(profile, (uint32_t)profile->time, c, row);
		if (!err)
			add_row(uses, profile, c, row);
		for (w = 0; !err && w < 2; w++) {
			if (waits[w] < 0)
				continue;
			err = fathom_profile_own_row(profile, (uint32_t)waits[w], c, row);
			for (l = profile->first_location; !err && l < profile->location_end; l++)
				uses[l].waiting += row[l];
		}
	}
	free(row);
	return err;
}

/* The sums over the processes of a run. */
struct sums {
	double useful, outside, most_outside, transfer, run, init;
	double threads;
	unsigned processes;
};

/* Adds a process, whose initial thread is at location first; its columns end at end. */
static void add_process(struct sums *sums, const struct fathom_profile *profile, const struct use *uses,
			uint32_t first, uint32_t end)
{
	const struct use *initial = &uses[first];
	double run = initial->total - initial->init, outside = run - initial->mpi;
	uint32_t l;

	for (l = first; l < end; l++) {
		sums->useful += uses[l].useful;
		sums->threads += fathom_threads_weight(profile, l);
	}
	sums->outside += outside;
	sums->most_outside = outside > sums->most_outside ? outside : sums->most_outside;
	sums->run = run > sums->run ? run : sums->run;
	sums->init = initial->init > sums->init ? initial->init : sums->init;
	sums->transfer += initial->mpi > initial->waiting ? initial->mpi - initial->waiting : 0;
	sums->processes++;
}

static void compute(struct fathom_efficiency *efficiency, const struct sums *sums, bool has_waits)
{
	double processes = sums->processes, run = sums->run;

	efficiency->processes = sums->processes;
	efficiency->threads_each = (unsigned)(sums->threads / processes + 0.5);
	efficiency->seconds = run;
	efficiency->init_seconds = sums->init;
	efficiency->is_there = run > 0 && sums->threads > 1;
	efficiency->useful_seconds = sums->useful;
	if (run > 0)
		efficiency->parallel = sums->useful / (sums->threads * run);
	if (!efficiency->is_there)
		return;
	if (processes > 1 && sums->most_outside > 0) {
		efficiency->mpi = sums->outside / processes / run;
		efficiency->balance = sums->outside / processes / sums->most_outside;
		efficiency->communication = sums->most_outside / run;
		if (has_waits) {
			/* Without waiting, a process would need its transfers only. */
			efficiency->transfer = 1 - sums->transfer / processes / run;
			if (efficiency->transfer < efficiency->communication)
				efficiency->transfer = efficiency->communication;
			efficiency->serialisation = efficiency->communication / efficiency->transfer;
		}
	} else {
		efficiency->mpi = 1;
	}
	if (sums->threads > processes && efficiency->mpi > 0)
		efficiency->threads = efficiency->parallel / efficiency->mpi;
}

int fathom_efficiency_init(struct fathom_efficiency *efficiency, struct fathom_profile *profile,
			   const struct fathom_values *time)
{
	struct use *uses;
	struct sums sums = { 0 };
	uint32_t l, end;
	int err;

	*efficiency = (struct fathom_efficiency){ -1, -1, -1, -1, -1, -1, -1, .useful_seconds = -1,
						   .instructions = -1, .cycles = -1 };
	/* With another FATHOM_THREADS than all, the columns are not the threads. The memory for columns is bounded. */
	if (!time->own || profile->threads.aggregation != FATHOM_AGGREGATION_ALL ||
	    profile->cube->location_count > MOST_LOCATIONS)
		return 0;
	uses = fathom_tool_alloc(profile->cube->location_count + 1, sizeof(*uses));
	err = read_uses(profile, time, uses);
	for (l = profile->first_location; !err && l < profile->location_end; l = end) {
		int32_t group = fathom_cube_location_group(profile->cube, l);

		for (end = l + 1; end < profile->location_end; end++)
			if (fathom_cube_location_group(profile->cube, end) != group)
				break;
		if (fathom_group_is_process(&profile->cube->groups[group]))
			add_process(&sums, profile, uses, l, end);
	}
	free(uses);
	if (!err)
		err = read_counter(profile, instruction_names, &efficiency->instructions);
	if (!err)
		err = read_counter(profile, cycle_names, &efficiency->cycles);
	if (!err && sums.processes)
		compute(efficiency, &sums, metric_of(profile, "wait_states") >= 0);
	return err;
}
