#include "run/finish.h"

#include <unistd.h>

#include "comm/comm.h"
#include "event/result.h"
#include "platform/clock.h"
#include "platform/log.h"
#include "run/crash_saving.h"
#include "run/early_end.h"
#include "run/experiment.h"
#include "run/filtering.h"
#include "run/manifest.h"
#include "run/processor_time.h"
#include "run/run.h"
#include "run/run_messages.h"
#include "run/run_result.h"
#include "run/run_snapshot.h"
#include "run/trace_files.h"
#include "sample/sampling.h"

void fathom_runtime_join(struct fathom_comm *comm)
{
	struct fathom_runtime_identity *identity = &fathom_run.identity;

	if (fathom_peek(&fathom.phase) != FATHOM_PHASE_RECORDING || getpid() != fathom.pid || identity->parallel)
		return;
	/* Before it was known to be a rank, the process may have made an experiment directory. That of rank 0 becomes
	 * the directory of all ranks. */
	fathom_run_snapshot_end();
	if (comm->rank && *identity->experiment)
		rmdir(identity->experiment);
	if (comm->rank == 0 && !*identity->experiment) {
		fathom_experiment_create(identity->experiment, sizeof(identity->experiment), &fathom.settings,
					 fathom_run.program_path, fathom_run.begin_seconds, 1);
	}
	if (comm->broadcast(comm, 0, identity->experiment, sizeof(identity->experiment)))
		*identity->experiment = '\0';
	identity->rank = comm->rank;
	identity->size = comm->size;
	identity->parallel = true;
	fathom_run_snapshot_join();
	fathom_run_begin_at_least();
	fathom_sampling_keep_handler();	/* MPI libraries create threads in MPI_Init */
	fathom_filtering_join(comm->rank);
	if (fathom.substrate->synchronize)
		fathom.substrate->synchronize(comm);
}

void fathom_runtime_unify(struct fathom_comm *comm)
{
	char path[FATHOM_RUN_PATH_BYTES], date[64];
	struct fathom_result result;
	uintptr_t before;
	int err;

	if (fathom_peek(&fathom.phase) != FATHOM_PHASE_RECORDING || getpid() != fathom.pid)
		return;
	fathom_sampling_hold();
	before = fathom_run_close_location();
	fathom_run_result_describe(&result, comm, 0, date, sizeof(date), true);
	fathom_format(path, sizeof(path), "%s/profile.cubex", fathom_run.identity.experiment);
	fathom_format(fathom_run.trace.directory, sizeof(fathom_run.trace.directory), "%s",
		      fathom_run.identity.experiment);
	err = fathom_run_result_write(path, comm, &result);
	if (!err)
		fathom_run_snapshot_end();
	fathom_run.trace.is_written = true;
	fathom_poke(&fathom.phase, FATHOM_PHASE_UNIFIED);
	fathom_run.finalized_ticks = fathom_clock_ticks();
	fathom_run.finalized_waited_ns = fathom_processor_time_waited_ns();
	if (comm->rank == 0 && *fathom_run.identity.experiment) {
		fathom_manifest_write(fathom_run.identity.experiment, false);
		fathom_run_say_result(err, path, "", "");
		fathom_trace_files_make(err);
	}
	fathom_run_reopen_location(before);
	fathom_sampling_resume();
}

void fathom_runtime_finalized(void)
{
	if (fathom_peek(&fathom.phase) != FATHOM_PHASE_UNIFIED || getpid() != fathom.pid)
		return;
	fathom_run.finalized_ticks = fathom_clock_ticks();
	fathom_run.finalized_waited_ns = fathom_processor_time_waited_ns();
}

/*
 * Saves the work that this process did after MPI_Finalize in a profile of its own. The profile of all processes cannot
 * be changed any more, because the others may have ended. Nothing is saved if the work took less than 0.1 s or less
 * than a twentieth of the run. The time that the process waited for a processor does not count: where there are more
 * processes than processors, each process waits before it ends.
 */
static void save_work_after_finalize(void)
{
	char path[FATHOM_RUN_PATH_BYTES], date[64];
	struct fathom_tick_scale scale = fathom_clock_scale();
	uint64_t now = fathom_clock_ticks();
	uint64_t later = fathom_ticks_to_units(scale, now - fathom_run.finalized_ticks);
	uint64_t whole = fathom_ticks_to_units(scale, now - fathom.begin_ticks);
	double waited = (double)(int64_t)(fathom_processor_time_waited_ns() - fathom_run.finalized_waited_ns) * 1e-9;
	struct fathom_result result;
	uint64_t end_ticks;

	if (waited < 0)		/* another thread than the one in MPI_Finalize ends the process */
		waited = 0;
	if ((double)later < (0.1 + waited) * FATHOM_UNITS_PER_SECOND || later < whole / 20)
		return;
	if (!fathom_run_writes_profile()) {
		fathom_log(FATHOM_LOG_SAY, "rank %d continued for %.1f s after MPI_Finalize; this time is not in the "
			   "trace", fathom_run.identity.rank, (double)later / FATHOM_UNITS_PER_SECOND);
		return;
	}
	end_ticks = fathom_run_result_end_work();
	if (!fathom_run_result_path(path, sizeof(path), true)) {
		fathom_run_result_describe(&result, fathom_comm_serial(), end_ticks, date, sizeof(date), true);
		result.incomplete = "this rank only, with its work after MPI_Finalize";
		if (!fathom_run_result_write(path, fathom_comm_serial(), &result))
			fathom_log(FATHOM_LOG_SAY,
				   "rank %d continued for %.1f s after MPI_Finalize; this time is not in "
				   "profile.cubex%s: %s has all of this rank",
				   fathom_run.identity.rank, (double)later / FATHOM_UNITS_PER_SECOND,
				   fathom_run_writes_trace() ? " or the trace" : "", path);
	}
}

/* Writes the result of this process alone. The caller has closed the location of the calling thread. */
static void write_own_result(void)
{
	char path[FATHOM_RUN_PATH_BYTES], date[64];
	const char *why = fathom_run.identity.parallel ? "ended without MPI_Finalize" : "no MPI_Init was seen";
	struct fathom_result result;
	uint64_t end_ticks = fathom_run_result_end_work();
	int err = fathom_run_result_path(path, sizeof(path), true);

	if (err) {
		fathom_run_result_discard();
		return;
	}
	fathom_run_result_describe(&result, fathom_comm_serial(), end_ticks, date, sizeof(date), true);
	if (fathom_run.identity.parallel)
		result.incomplete = why;
	unlink(path);		/* this process may have written it before an exec that failed */
	err = fathom_run_result_write(path, fathom_comm_serial(), &result);
	if (!err)
		fathom_run_snapshot_end();
	if (!result.trace_directory && !fathom_run_writes_profile())
		err = fathom_run.trace.error;	/* the trace was written before an exec that failed */
	fathom_run.trace.is_written = true;
	if (fathom_run.identity.parallel) {
		fathom_early_end_say(err, path, why);
		fathom_early_end_wait(FATHOM_EARLY_END_WAIT_FOR_ALL);
	} else {
		fathom_manifest_write(fathom_run.identity.experiment, false);
		fathom_run_say_result(err, path, "", "");
		fathom_trace_files_make(err);
	}
}

/* The function that the saving thread runs. */
static void finish(void *unused)
{
	enum fathom_phase phase = fathom_peek(&fathom.phase);

	(void)unused;
	fathom_poke(&fathom.phase, FATHOM_PHASE_FINISHED);
	if (phase == FATHOM_PHASE_RECORDING)
		write_own_result();
	else if (phase == FATHOM_PHASE_UNIFIED)
		save_work_after_finalize();
}

void fathom_finish_process(void)
{
	uintptr_t before;

	if (fathom_peek(&fathom.phase) == FATHOM_PHASE_RECORDING && fathom_filtering_has_left_out())
		fathom_run_begin_at_least();
	if (fathom_peek(&fathom.phase) == FATHOM_PHASE_RECORDING && getpid() == fathom.pid && !fathom_run_has_events())
		fathom_manifest_say_none(fathom_run.program_path);
	if (fathom_peek(&fathom.phase) == FATHOM_PHASE_OFF || !fathom_run_has_events())
		return;
	fathom_sampling_end();
	fathom_run_say_samples();
	before = fathom_run_close_location();
	if (fathom_crash_saving_run(finish, NULL, true) == FATHOM_SAVED_IN_PART)
		fathom_run_say_fault("at the end");
	fathom_run_reopen_location(before);
}
