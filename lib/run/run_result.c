#include "run/run_result.h"

#include <errno.h>
#include <string.h>

#include "comm/comm.h"
#include "event/cost.h"
#include "event/meter.h"
#include "event/nesting.h"
#include "event/result.h"
#include "platform/clock.h"
#include "platform/log.h"
#include "platform/write.h"
#include "run/omitted.h"
#include "run/processor_time.h"
#include "run/run.h"
#include "run/sampling_plan.h"

uint64_t fathom_run_result_end_work(void)
{
	uint64_t now = fathom_clock_ticks();

	fathom_processor_time_note();
	fathom_meter_end();
	return now;
}

/* Waits until all processes have reached the end of the run, after a reduction to rank 0. This waiting for the last
 * process is the program's: without fathom, MPI_Finalize waits. So it belongs to the recorded time. */
static void wait_for_all(struct fathom_comm *comm)
{
	char message = 0;

	if (comm->size > 1)
		comm->broadcast(comm, 0, &message, sizeof(message));	/* an error occurs again later */
}

void fathom_run_result_describe(struct fathom_result *result, struct fathom_comm *comm, uint64_t end_ticks, char *date,
		     size_t date_bytes, bool may_allocate)
{
	static struct fathom_omitted omitted;

	memset(result, 0, sizeof(*result));
	result->mode = !fathom_run_writes_trace() ? "profile" : fathom_run_writes_profile() ? "profile,trace" : "trace";
	if (fathom_run_writes_trace() && !fathom_run.trace.is_written)
		result->trace_directory = fathom_run.trace.directory;
	result->trace_error = &fathom_run.trace.error;
	result->failed_rank = &fathom_run.profile_failed_rank;
	result->program = fathom_run.program_path;
	result->arguments = fathom_run.arguments;
	result->host = fathom_run.host;
	result->filter = fathom.settings.filter;
	fathom_omitted_unite(comm, &omitted);	/* an error of comm occurs again when the result is written */
	if (!result->filter && omitted.count)
		result->filter = "of other ranks";
	result->left_out = omitted.count;
	result->left_out_ranks = omitted.ranks;
	result->system_tree = fathom.settings.system_tree;
	result->system_split = fathom.settings.system_split;
	result->begin_seconds = fathom_run.begin_seconds;
	fathom_experiment_date(date, date_bytes, fathom_run.begin_seconds, may_allocate);
	result->begin_text = date;
	if (!end_ticks)
		wait_for_all(comm);
	result->end_ticks = end_ticks ? end_ticks : fathom_run_result_end_work();
	result->wall_ticks = result->end_ticks - fathom.begin_ticks;
	result->processor_ns = fathom_processor_time_noted().all_ns;
	result->initial_ns = fathom_processor_time_noted().initial_ns;
	if (fathom_run_writes_profile())	/* after end_ticks, because it may take a while with counters */
		result->costs = fathom_cost_measure();
	result->sampling = fathom_sampling_plan_describe();
	result->rank = fathom_run.identity.rank;
	result->world_size = fathom_run.identity.size;
	result->parallel = fathom_run.identity.parallel;
	result->may_allocate = may_allocate;
	result->resolve = fathom_run.resolver;
	result->run_naming = fathom_run.naming_runner;
}

int fathom_run_result_write(const char *path, struct fathom_comm *comm, struct fathom_result *result)
{
	struct fathom_write_signals before;
	int err;

	fathom_write_signals_hold(&before);
	result->path = path;
	err = fathom.substrate->finish(comm, result);
	if (result->may_allocate)
		fathom_nesting_say(result->resolve, result->parallel ? result->rank : -1);
	fathom_write_signals_release(&before);
	return err;
}

int fathom_run_result_path(char *path, size_t bytes, bool may_allocate)
{
	struct fathom_runtime_identity *identity = &fathom_run.identity;
	int err;

	if (!*identity->experiment && identity->parallel)
		return -ENOENT;		/* there was a message when the directory could not be made */
	if (!*identity->experiment) {
		err = fathom_experiment_share(identity->experiment, sizeof(identity->experiment), &fathom.settings,
					      fathom_run.program_path, &identity->rank, &identity->size);
		identity->parallel = err == 0;
		if (err == -ENOENT)
			err = fathom_experiment_create(identity->experiment, sizeof(identity->experiment),
						       &fathom.settings, fathom_run.program_path,
						       fathom_run.begin_seconds, may_allocate);
		if (err)
			return err;
	}
	if (identity->parallel) {
		fathom_format(path, bytes, "%s/rank-%d.cubex", identity->experiment, identity->rank);
		fathom_format(fathom_run.trace.directory, sizeof(fathom_run.trace.directory), "%s/rank-%d",
			      identity->experiment, identity->rank);
	} else {
		fathom_format(path, bytes, "%s/profile.cubex", identity->experiment);
		fathom_format(fathom_run.trace.directory, sizeof(fathom_run.trace.directory), "%s",
			      identity->experiment);
	}
	return 0;
}

void fathom_run_result_discard(void)
{
	if (fathom.substrate->discard)
		fathom.substrate->discard();
}
