#include "tools/scaling/sizes.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"
#include "tools/common/profile.h"
#include "tools/common/progress.h"

const double fathom_factor_limit = 0.8;

const struct fathom_factor_info fathom_factor_table[FATHOM_FACTOR_COUNT] = {
	[FATHOM_FACTOR_GLOBAL] = { "Global efficiency", "global", true },
	[FATHOM_FACTOR_PARALLEL] = { "Parallel efficiency", "parallel", true },
	[FATHOM_FACTOR_BALANCE] = { "Load balance", "load_balance", false },
	[FATHOM_FACTOR_COMMUNICATION] = { "Communication", "communication", false },
	[FATHOM_FACTOR_SERIALISATION] = { "Serialisation", "serialisation", false },
	[FATHOM_FACTOR_TRANSFER] = { "Transfer", "transfer", false },
	[FATHOM_FACTOR_THREADS] = { "Threads", "threads", false },
	[FATHOM_FACTOR_COMPUTATION] = { "Computation scaling", "computation", false },
	[FATHOM_FACTOR_INSTRUCTIONS] = { "Instruction scaling", "instructions", false },
	[FATHOM_FACTOR_IPC] = { "IPC scaling", "ipc", false },
	[FATHOM_FACTOR_FREQUENCY] = { "Frequency scaling", "frequency", false },
};

const char *fathom_expectation_name(enum fathom_expectation expectation)
{
	static const char *const names[] = { "auto", "strong", "weak", "multicore", "coefficients" };

	return names[expectation];
}

/* --- reading ------------------------------------------------------------------------------------------------- */

/* Computes the efficiency of the newest run. 0, or -errno after an error message. */
static int read_efficiency(struct fathom_scaling *scaling)
{
	uint32_t run = scaling->matched.count - 1;
	struct fathom_values time = { 0 };
	struct fathom_profile profile;
	int err = fathom_profile_open(&profile, scaling->matched.runs[run].path, -1);

	if (err)
		return err;
	scaling->shares_processors[run] = fathom_cube_attribute(profile.cube, "fathom::shared_nodes");
	if (profile.time >= 0)
		err = fathom_profile_values(&profile, (uint32_t)profile.time, &time);
	if (!err)
		err = fathom_efficiency_init(&scaling->efficiencies[run], &profile, &time);
	fathom_values_free(&time);
	fathom_profile_close(&profile);
	return err;
}

static uint32_t threads_of(const struct fathom_matched_run *run)
{
	return run->threads > run->processes ? run->threads : run->processes;
}

static bool is_larger(const struct fathom_matched_run *a, const struct fathom_matched_run *b)
{
	return threads_of(a) != threads_of(b) ? threads_of(a) > threads_of(b) : a->processes > b->processes;
}

/* Puts the runs in the order of their sizes, runs of one size in the order of the command line. */
static void sort_runs(struct fathom_scaling *scaling)
{
	const struct fathom_matched_run *runs = scaling->matched.runs;

	for (uint32_t r = 0; r < scaling->matched.count; r++) {
		uint32_t at = r;

		for (; at && is_larger(&runs[scaling->order[at - 1]], &runs[r]); at--)
			scaling->order[at] = scaling->order[at - 1];
		scaling->order[at] = r;
	}
}

/* --- sizes --------------------------------------------------------------------------------------------------- */

/* Returns the mean of a member of the efficiencies of the runs of a size; negative if a run lacks it. */
static double mean_of(const struct fathom_scaling *scaling, const struct fathom_size *size, size_t member)
{
	double sum = 0;

	for (uint32_t i = size->first; i < size->end; i++) {
		const char *efficiency = (const char *)&scaling->efficiencies[scaling->order[i]];
		double value = *(const double *)(efficiency + member);

		if (value < 0)
			return -1;
		sum += value;
	}
	return sum / (size->end - size->first);
}

#define MEAN_OF(scaling, size, member) mean_of(scaling, size, offsetof(struct fathom_efficiency, member))

static void describe_size(struct fathom_scaling *scaling, struct fathom_size *size)
{
	const struct fathom_matched_run *runs = scaling->matched.runs;
	uint32_t count = size->end - size->first;
	bool has_wall_time = true;

	size->processes = runs[scaling->order[size->first]].processes;
	size->threads = threads_of(&runs[scaling->order[size->first]]);
	for (uint32_t i = size->first; i < size->end; i++) {
		const struct fathom_matched_run *run = &runs[scaling->order[i]];

		has_wall_time &= run->wall_time >= 0;
		size->shares_processors |= scaling->shares_processors[scaling->order[i]];
		size->wall_time += run->wall_time / count;
		size->total += run->total * run->processes / size->threads / count;
	}
	if (!has_wall_time)
		size->wall_time = -1;
	size->run_time = MEAN_OF(scaling, size, seconds);
	size->useful = MEAN_OF(scaling, size, useful_seconds);
	size->instructions = MEAN_OF(scaling, size, instructions);
	size->cycles = MEAN_OF(scaling, size, cycles);
	size->factors[FATHOM_FACTOR_PARALLEL] = MEAN_OF(scaling, size, parallel);
	size->factors[FATHOM_FACTOR_BALANCE] = MEAN_OF(scaling, size, balance);
	size->factors[FATHOM_FACTOR_COMMUNICATION] = MEAN_OF(scaling, size, communication);
	size->factors[FATHOM_FACTOR_SERIALISATION] = MEAN_OF(scaling, size, serialisation);
	size->factors[FATHOM_FACTOR_TRANSFER] = MEAN_OF(scaling, size, transfer);
	size->factors[FATHOM_FACTOR_THREADS] = MEAN_OF(scaling, size, threads);
}

static void find_sizes(struct fathom_scaling *scaling)
{
	const struct fathom_matched_run *runs = scaling->matched.runs;

	for (uint32_t i = 0; i < scaling->matched.count; i++) {
		const struct fathom_matched_run *run = &runs[scaling->order[i]];

		if (i == 0 || is_larger(run, &runs[scaling->order[i - 1]]))
			scaling->sizes[scaling->count++] = (struct fathom_size){ .first = i };
		scaling->sizes[scaling->count - 1].end = i + 1;
	}
	for (uint32_t s = 0; s < scaling->count; s++)
		describe_size(scaling, &scaling->sizes[s]);
}

int fathom_scaling_init(struct fathom_scaling *scaling, char **targets, int count, const char *metric)
{
	int err = 0;

	fathom_progress_begin("reading profiles", (uint64_t)count);
	for (int i = 0; i < count && !err; i++) {
		err = fathom_matched_runs_add(&scaling->matched, targets[i], metric);
		if (!err)
			err = read_efficiency(scaling);
		fathom_progress_step();
	}
	fathom_progress_end();
	if (err)
		return err;
	sort_runs(scaling);
	find_sizes(scaling);
	if (scaling->count > 1)
		return 0;
	fathom_tool_error("all runs have %u rank%s and %u thread%s (runs of at least two sizes are needed)",
			  scaling->sizes[0].processes, scaling->sizes[0].processes == 1 ? "" : "s",
			  scaling->sizes[0].threads, scaling->sizes[0].threads == 1 ? "" : "s");
	return -EINVAL;
}

void fathom_scaling_fini(struct fathom_scaling *scaling)
{
	free(scaling->paths);
	free(scaling->regions);
	free(scaling->growing);
	fathom_matched_runs_fini(&scaling->matched);
}

/* --- values -------------------------------------------------------------------------------------------------- */

static double value_of(const struct fathom_scaling *scaling, const struct fathom_matched_item *item, uint32_t size,
		       bool inclusive)
{
	const struct fathom_size *here = &scaling->sizes[size];
	double sum = 0;

	for (uint32_t i = here->first; i < here->end; i++) {
		const struct fathom_run_value *value = &item->values[scaling->order[i]];

		sum += inclusive ? value->inclusive : value->own;
	}
	return sum * here->processes / here->threads / (here->end - here->first);
}

double fathom_scaling_own(const struct fathom_scaling *scaling, const struct fathom_matched_item *item, uint32_t size)
{
	return value_of(scaling, item, size, false);
}

double fathom_scaling_inclusive(const struct fathom_scaling *scaling, const struct fathom_matched_item *item,
				uint32_t size)
{
	return value_of(scaling, item, size, true);
}

double fathom_scaling_loss(const struct fathom_scaling *scaling, double value, double reference, uint32_t size)
{
	return scaling->sizes[size].coefficient * value - scaling->sizes[size].reference_coefficient * reference;
}

double fathom_scaling_share(const struct fathom_scaling *scaling, double loss, uint32_t size)
{
	double whole = scaling->sizes[size].coefficient * scaling->sizes[size].total;

	return whole != 0 ? loss / whole : 0;
}
