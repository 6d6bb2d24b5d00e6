/*
 * The measurement moves to the child only if the caller is the only thread of the process: other threads do not exist
 * in the child, and one of them may hold a lock of the measurement. Otherwise the parent saves its result, and the
 * child is not measured, like any child of fork.
 *
 * Several things differ in the child: its process number; its processor time, which begins at 0; and its counters,
 * which count in the parent. The child also does not have the helper thread that copies the measurement for
 * FATHOM_SNAPSHOT; it is started again.
 *
 * In the shared library, fathom_interposed_NAME has the name NAME (lib/local.mk).
 */
#include "run/daemon.h"

#include <dlfcn.h>
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "event/state.h"
#include "metric/counters.h"
#include "platform/compiler.h"
#include "run/ending.h"
#include "run/processor_time.h"
#include "run/run_snapshot.h"
#include "sample/sampling.h"

/* The only thread of the process is inside daemon(3), and its child continues the measurement. */
static bool is_moving;

bool fathom_daemon_takes_over(void)
{
	if (!is_moving)
		return false;
	fathom.pid = getpid();
	fathom_processor_time_move();
	fathom_counters_forget();
	fathom_sampling_continue();
	fathom_sampling_thread_begin();
	return true;
}

/* Returns whether the process has only the calling thread and helper_count threads of fathom. */
static bool is_only_thread(unsigned int helper_count)
{
	struct stat tasks;

	/* The link count of a directory is the number of its subdirectories, plus two. */
	return stat("/proc/self/task", &tasks) == 0 && tasks.st_nlink <= 3 + helper_count;
}

FATHOM_API int fathom_interposed_daemon(int keeps_directory, int keeps_output);
int fathom_interposed_daemon(int keeps_directory, int keeps_output)
{
	int (*libc_daemon)(int, int), result, error;
	bool has_snapshot = fathom_run_snapshot_is_active();

	*(void **)&libc_daemon = dlsym(RTLD_NEXT, "daemon");
	if (!libc_daemon) {
		errno = ENOSYS;
		return -1;
	}
	if (fathom_peek(&fathom.phase) == FATHOM_PHASE_OFF || getpid() != fathom.pid)
		return libc_daemon(keeps_directory, keeps_output);
	if (!is_only_thread(has_snapshot)) {
		fathom_ending_before_daemon();
		return libc_daemon(keeps_directory, keeps_output);
	}
	if (has_snapshot)
		fathom_run_snapshot_end();
	fathom_processor_time_note();
	is_moving = true;
	result = libc_daemon(keeps_directory, keeps_output);
	error = errno;
	is_moving = false;
	if (has_snapshot)
		fathom_run_snapshot_join();
	errno = error;
	return result;
}
