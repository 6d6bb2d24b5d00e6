#include "run/trace_files.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "platform/clock.h"
#include "platform/log.h"
#include "platform/write.h"
#include "run/run.h"

#define PROGRAM "fathom-trace"

/* Finds the program in the build tree of this library, in an installation that may have been moved, or where it was
 * installed. False: it is nowhere. */
static bool find_program(char *path, size_t bytes)
{
	static const char build_tree[] = "/.libs/";
	const char *library, *slash;
	int length;
	Dl_info own;

	library = dladdr((void *)(uintptr_t)fathom_trace_files_make, &own) && own.dli_fname ? own.dli_fname : "";
	slash = strrchr(library, '/');
	length = slash ? (int)(slash - library) + 1 : 0;
	if (length > (int)sizeof(build_tree) && strncmp(slash - 6, build_tree, 7) == 0) {
		fathom_format(path, bytes, "%.*s../" PROGRAM, length, library);
		if (access(path, X_OK) == 0)
			return true;
	}
	fathom_format(path, bytes, "%.*s../libexec/fathom/" PROGRAM, length, library);
	if (length && access(path, X_OK) == 0)
		return true;
	fathom_format(path, bytes, "%s/" PROGRAM, FATHOM_PKGLIBEXECDIR);
	return access(path, X_OK) == 0;
}

/* Returns the environment without what would load measurement libraries into the program. The caller frees it. NULL: no
 * memory. */
static char **environment_of_program(void)
{
	size_t count = 0, kept = 0;
	char **copy;

	while (environ && environ[count])
		count++;
	copy = malloc((count + 1) * sizeof(*copy));
	for (size_t i = 0; copy && i < count; i++)
		if (strncmp(environ[i], "LD_PRELOAD=", 11) != 0)
			copy[kept++] = environ[i];
	if (copy)
		copy[kept] = NULL;
	return copy;
}

/* Runs the program without standard output, and waits for it. Returns its exit code, or -errno. */
static int run_program(const char *path, char *const arguments[])
{
	posix_spawn_file_actions_t actions;
	char **environment = environment_of_program();
	int err, status = 0;
	pid_t pid;

	if (!environment)
		return -ENOMEM;
	err = posix_spawn_file_actions_init(&actions);
	if (!err) {
		err = posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
		if (!err)
			err = posix_spawn(&pid, path, &actions, NULL, arguments, environment);
		posix_spawn_file_actions_destroy(&actions);
	}
	free(environment);
	if (err)
		return -err;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)	/* where the program ignores SIGCHLD, there is no status */
			return 0;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Runs the program while SIGCHLD is blocked: a handler of the measured program must not see that this child ends. */
static int run_unseen(const char *path, char *const arguments[])
{
	const struct timespec at_once = { 0, 0 };
	sigset_t child, before, pending;
	bool was_pending;
	int result;

	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	pthread_sigmask(SIG_BLOCK, &child, &before);
	was_pending = sigpending(&pending) == 0 && sigismember(&pending, SIGCHLD) == 1;
	result = run_program(path, arguments);
	while (!was_pending && sigtimedwait(&child, NULL, &at_once) < 0 && errno == EINTR)
		;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return result;
}

/* Makes one file. what: its name for people. option: of the program; further: more arguments. */
static void make(const char *program, const char *what, const char *option, char *const further[])
{
	uint64_t begin = fathom_clock_ticks();
	char *arguments[8] = { (char *)program, (char *)option };
	int count = 2, result;

	while (*further)
		arguments[count++] = *further++;
	arguments[count] = fathom_run.trace.directory;
	result = run_unseen(program, arguments);
	if (result)
		fathom_log(FATHOM_LOG_ERROR, "the %s of the trace could not be made (%s); the trace is complete", what,
			   result < 0 ? strerrordesc_np(-result) : "see above");
	else
		fathom_log(FATHOM_LOG_SAY, "%s of the trace made in %.1f s", what,
			   (double)fathom_ticks_to_units(fathom_clock_scale(), fathom_clock_ticks() - begin) /
				   FATHOM_UNITS_PER_SECOND);
}

void fathom_trace_files_make(int err)
{
	char program[FATHOM_RUN_PATH_BYTES + 64], graphs[FATHOM_RUN_PATH_BYTES + 32], deviation[32];
	char *output[] = { "-o", graphs, NULL, NULL, NULL };
	bool is_wanted = fathom.settings.trace_index || fathom.settings.trace_compress;

	if (!is_wanted || !fathom_run_writes_trace() || (fathom_run_writes_profile() ? fathom_run.trace.error : err))
		return;
	if (!find_program(program, sizeof(program))) {
		fathom_log(FATHOM_LOG_ERROR, PROGRAM " is not installed: there is no index and no compressed file of "
			   "the trace");
		return;
	}
	if (fathom.settings.trace_index)
		make(program, "index", "--index", output + 4);
	if (!fathom.settings.trace_compress)
		return;
	fathom_format(graphs, sizeof(graphs), "%s/traces.graphs", fathom_run.trace.directory);
	if (fathom.settings.trace_deviation) {
		fathom_format(deviation, sizeof(deviation), "%llu",
			      (unsigned long long)fathom.settings.trace_deviation);
		output[2] = "--deviation";
		output[3] = deviation;
	}
	make(program, "compressed file", "--compress", output);
}
