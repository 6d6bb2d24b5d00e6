#include "run/crash_result.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include "comm/comm.h"
#include "event/meter.h"
#include "event/result.h"
#include "platform/clock.h"
#include "platform/log.h"
#include "run/crash_saving.h"
#include "run/early_end.h"
#include "run/experiment.h"
#include "run/manifest.h"
#include "run/process_copy.h"
#include "run/processor_time.h"
#include "run/run.h"
#include "run/run_messages.h"
#include "run/run_result.h"
#include "run/run_snapshot.h"
#include "sample/sampling.h"

/* The task of the copy of a crashing process. */
struct copy_task {
	char named_path[sizeof(fathom_run.identity.experiment) + 64];	/* of the new profile until it is complete */
	const char *path;						/* of the profile in the end */
	struct fathom_result *result;
};

static int write_in_copy(void *data)
{
	struct copy_task *task = data;
	int err;

	fathom_poke(&fathom.phase, FATHOM_PHASE_FINISHED);
	fathom_log_set_level(FATHOM_LOG_ERROR);	/* the crashing process prints the other messages */
	task->result->may_allocate = 1;
	task->result->run_naming = NULL;	/* a copy of a process should not make threads */
	err = fathom_run_result_write(task->named_path, fathom_comm_serial(), task->result);
	if (!fathom_run_writes_profile())
		return err;
	if (err || rename(task->named_path, task->path))
		unlink(task->named_path);
	return fathom_run.trace.error;
}

/*
 * Writes the profile again, with names, and the trace, both in a copy of the process: the names of functions come from
 * libraries that allocate memory, which this process may not be able to do any more. If the copy succeeds, its profile
 * replaces the one without names. Returns 0 or -errno of the trace.
 */
static int write_names_in_copy(const char *path, struct fathom_result *result)
{
	enum { MOST_SECONDS = 20 };
	struct copy_task task = { .path = path, .result = result };
	int err;

	fathom_format(task.named_path, sizeof(task.named_path), "%s.named.cubex", path);
	err = fathom_process_copy_run(write_in_copy, &task, MOST_SECONDS);
	unlink(task.named_path);	/* is still there if the copy was killed before it renamed the file */
	return err;
}

/* Returns whether `fathom merge` can make the trace, which the copy has not written because of an error: it waited for
 * a lock, or had a fault. Then the run snapshot and the files of events stay. */
static bool can_merge(int trace_error)
{
	return (trace_error == -EDEADLK || trace_error == -EFAULT) && fathom_run_snapshot_is_active();
}

/* Writes the profile without names in this process, then profile and trace in a copy. Returns 0 or -errno. */
static int write_result_twice(const char *path, struct fathom_result *result)
{
	bool has_trace = result->trace_directory;
	int err = fathom_run_result_write(path, fathom_comm_serial(), result), copy_err;

	if (err && !has_trace)
		return err;
	copy_err = write_names_in_copy(path, result);
	if (!has_trace)
		return err;
	fathom_run.trace.is_written = true;
	fathom_run.trace.error = copy_err;
	if (!can_merge(copy_err))
		fathom_run_result_discard();
	return fathom_run_writes_profile() ? err : copy_err;
}

struct crash_save {
	const char *why;
	enum fathom_end end;
	uint64_t end_ticks;		/* time when the program's work ended */
};

static void save_result(const struct crash_save *saving)
{
	char path[FATHOM_RUN_PATH_BYTES], date[64];
	struct fathom_result result;
	int err = fathom_run_result_path(path, sizeof(path), false);

	if (err) {
		fathom_run_result_discard();
		return;
	}
	fathom_run_result_describe(&result, fathom_comm_serial(), saving->end_ticks, date, sizeof(date), false);
	result.incomplete = saving->why;
	unlink(path);
	err = write_result_twice(path, &result);
	if (!err && !can_merge(fathom_run.trace.error))
		fathom_run_snapshot_end();
	fathom_early_end_say(err, path, saving->why);
	if (can_merge(fathom_run.trace.error))
		fathom_log(FATHOM_LOG_ERROR, "fathom merge %s makes a trace of the last snapshot",
			   fathom_run.identity.experiment);
	if (!fathom_run.identity.parallel)
		fathom_manifest_write(fathom_run.identity.experiment, false);
	else if (saving->end != FATHOM_END_PERHAPS)
		fathom_early_end_wait(saving->end == FATHOM_END_BY_ITSELF ? FATHOM_EARLY_END_WAIT_FOR_ALL
									  : FATHOM_EARLY_END_WAIT_FOR_SOME);
}

/* The function that the saving thread runs. */
static void run_crash_save(void *data)
{
	const struct crash_save *saving = data;

	fathom_processor_time_note();
	fathom_meter_pause(true);
	if (fathom_peek(&fathom.phase) == FATHOM_PHASE_RECORDING)
		save_result(saving);
	if (saving->end != FATHOM_END_PERHAPS)
		fathom_poke(&fathom.phase, FATHOM_PHASE_FINISHED);
}

/* Saves in a copy of the process, in which the saving thread, which was writing the result, does not exist. */
static void save_in_place_of_saving_thread(void *data)
{
	fathom_poke(&fathom.phase, FATHOM_PHASE_RECORDING);
	run_crash_save(data);
}

/*
 * Saves the profile if the saving thread, another one, waits for ever for a lock that the calling thread held when it
 * crashed. A trace may be half written and is left as it is; then the user can make a result from the run snapshot.
 */
static void save_if_other_hangs(struct crash_save *saving)
{
	if (fathom_run_writes_trace()) {
		if (fathom_crash_saving_is_busy() && fathom_run_snapshot_is_active())
			fathom_log(FATHOM_LOG_ERROR, "%s while the result was written; a result of the last snapshot "
				   "is made by: fathom merge %s", saving->why, fathom_run.identity.experiment);
		return;
	}
	fathom_crash_saving_take_over(save_in_place_of_saving_thread, saving);
}

void fathom_crash_result_save(const char *why, enum fathom_end end)
{
	struct crash_save saving = { .why = why, .end = end, .end_ticks = fathom_clock_ticks() };
	enum fathom_saved saved;
	int error = errno;
	uintptr_t before;

	if (fathom_peek(&fathom.phase) == FATHOM_PHASE_OFF || getpid() != fathom.pid || !fathom_run_has_events())
		return;
	if (end == FATHOM_END_PERHAPS)
		fathom_sampling_hold();
	else
		fathom_sampling_end();
	fathom_run_say_samples();
	before = fathom_run_close_location();
	saved = fathom_crash_saving_run(run_crash_save, &saving, end != FATHOM_END_PERHAPS);
	if (saved == FATHOM_SAVED_BY_OTHER)
		save_if_other_hangs(&saving);
	else
		fathom_meter_pause(false);
	if (saved == FATHOM_SAVED_IN_PART)
		fathom_run_say_fault(why);
	fathom_run_reopen_location(before);
	if (end == FATHOM_END_PERHAPS)
		fathom_sampling_resume();
	errno = error;
}

void fathom_runtime_save(const char *why)
{
	sigset_t all, before;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	fathom_crash_result_save(why, FATHOM_END_BY_FORCE);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}
