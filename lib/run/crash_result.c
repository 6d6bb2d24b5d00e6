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

/* What the copy of a crashing process does. */
struct second_try {
	char named[sizeof(fathom_run.identity.experiment) + 64];
	const char *path;
	struct fathom_result *result;
};

static int write_with_names(void *data)
{
	struct second_try *second = data;
	int err;

	fathom.phase = FATHOM_PHASE_FINISHED;
	fathom_log_set_level(FATHOM_LOG_ERROR);	/* all has been said */
	second->result->may_allocate = 1;
	err = fathom_run_result_write(second->named, fathom_comm_serial(), second->result);
	if (!fathom_run_writes_profile())
		return err;
	if (err || rename(second->named, second->path))
		unlink(second->named);
	return fathom_run.trace.error;
}

/*
 * The names of functions come from libraries that allocate memory, which this process may not be able to do any more.
 * So a copy of the process tries, and if it succeeds, its file replaces the one without names. A trace is written by
 * the copy alone. Returns how the trace went.
 */
static int try_with_names(const char *path, struct fathom_result *result)
{
	enum { MOST_SECONDS = 20 };
	struct second_try second = { .path = path, .result = result };
	int err;

	fathom_format(second.named, sizeof(second.named), "%s.named.cubex", path);
	err = fathom_process_copy_run(write_with_names, &second, MOST_SECONDS);
	unlink(second.named);	/* and .part, should the copy have been killed half-way */
	return err;
}

static int save_alone(const char *path, struct fathom_result *result)
{
	bool has_trace = result->trace_directory;
	int err = fathom_run_result_write(path, fathom_comm_serial(), result), copy_err;

	if (err && !has_trace)
		return err;
	copy_err = try_with_names(path, result);
	if (!has_trace)
		return err;
	fathom_run.trace.is_written = true;
	fathom_run.trace.error = copy_err;
	fathom_run_result_discard();
	return fathom_run_writes_profile() ? err : copy_err;
}

struct rescue {
	const char *why;
	enum fathom_end end;
	uint64_t end_ticks;		/* when the program's work ended */
};

static void write_rescued_result(const struct rescue *rescue)
{
	char path[FATHOM_RUN_PATH_BYTES], date[64];
	struct fathom_result result;
	int err = fathom_run_result_path(path, sizeof(path), false);

	if (err) {
		fathom_run_result_discard();
		return;
	}
	fathom_run_result_describe(&result, fathom_comm_serial(), rescue->end_ticks, date, sizeof(date), false);
	result.incomplete = rescue->why;
	unlink(path);
	err = save_alone(path, &result);
	if (!err)
		fathom_run_snapshot_end();
	fathom_early_end_say(err, path, rescue->why);
	if (!fathom_run.identity.parallel)
		fathom_manifest_write(fathom_run.identity.experiment, false);
	else if (rescue->end != FATHOM_END_PERHAPS)
		fathom_early_end_wait(rescue->end == FATHOM_END_BY_ITSELF ? FATHOM_EARLY_END_WAIT_FOR_ALL
									: FATHOM_EARLY_END_WAIT_FOR_SOME);
}

static void rescue(void *data)
{
	const struct rescue *rescue = data;

	fathom_processor_time_note();
	fathom_meter_pause(true);
	if (fathom.phase == FATHOM_PHASE_RECORDING)
		write_rescued_result(rescue);
	if (rescue->end != FATHOM_END_PERHAPS)
		fathom.phase = FATHOM_PHASE_FINISHED;
}

/* In a copy of the process: the thread that was writing the result does not exist here. */
static void rescue_instead(void *data)
{
	fathom.phase = FATHOM_PHASE_RECORDING;
	rescue(data);
}

/*
 * Another thread is writing the result, and may wait for ever for a lock that the calling thread had when it crashed. A
 * trace may be half written, so it stays as that thread leaves it; what is left then is the run snapshot.
 */
static void save_if_other_hangs(struct rescue *how)
{
	if (fathom_run_writes_trace()) {
		if (fathom_crash_saving_is_busy() && fathom_run_snapshot_is_active())
			fathom_log(FATHOM_LOG_ERROR, "%s while the result was written: fathom merge %s makes one of "
				   "the last snapshot", how->why, fathom_run.identity.experiment);
		return;
	}
	fathom_crash_saving_take_over(rescue_instead, how);
}

void fathom_crash_result_save(const char *why, enum fathom_end end)
{
	struct rescue how = { .why = why, .end = end, .end_ticks = fathom_clock_ticks() };
	enum fathom_saved saved;
	int error = errno;
	uintptr_t before;

	if (fathom.phase == FATHOM_PHASE_OFF || getpid() != fathom.pid || !fathom_run_has_events())
		return;
	before = fathom_run_close_location();
	saved = fathom_crash_saving_run(rescue, &how, end != FATHOM_END_PERHAPS);
	if (saved == FATHOM_SAVED_BY_OTHER)
		save_if_other_hangs(&how);
	else
		fathom_meter_pause(false);
	if (saved == FATHOM_SAVED_IN_PART)
		fathom_run_say_fault(why);
	fathom_run_reopen_location(before);
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
