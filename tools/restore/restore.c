/*
 * fathom-restore: makes results of the run snapshots that killed processes left (run/run_snapshot.h). `fathom merge`
 * calls it; it is no command for users.
 *
 *	fathom-restore SNAPSHOT FILE.cubex		writes a profile of one process
 *	fathom-restore --trace DIRECTORY SNAPSHOT...	writes a trace of all processes of a run
 *
 * The exit code is 3 where the processes did not record what is asked for.
 *
 * The program contains the measurement library's own code, so that the results are those that the processes would
 * have written when their last snapshots were taken. The caller must set FATHOM_MODE=none, so that this program
 * itself is not measured.
 */
#include "config.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "comm/comm.h"
#include "copy.h"
#include "event/result.h"
#include "event/substrate.h"
#include "killed_trace.h"
#include "names.h"
#include "platform/log.h"
#include "platform/settings.h"
#include "profile/profile.h"
#include "ranks.h"
#include "rebuild.h"
#include "run/experiment.h"
#include "stopped_clock.h"
#include "system/system_path.h"
#include "tools/common/command.h"
#include "unfinished_trace.h"

enum { NOT_IN_IT = 3 };		/* exit code: the process did not record the wanted result */

/* Reads the settings of the process. 0, or -EINVAL after a message. */
static int read_settings(struct fathom_settings *settings, struct fathom_run_snapshot_roots *roots, const char *path)
{
	char *variables[FATHOM_RUN_SNAPSHOT_SETTINGS_BYTES / sizeof("FATHOM_X=") + 1], error[512];
	size_t count = 0;

	for (char *text = roots->settings; *text && count + 1 < sizeof(variables) / sizeof(*variables);
	     text += strlen(text) + 1)
		variables[count++] = text;
	variables[count] = NULL;
	if (!fathom_settings_read(settings, variables, error, sizeof(error)))
		return 0;
	fathom_tool_error("%s: damaged: %s", path, error);
	return -EINVAL;
}

static void describe(struct fathom_result *result, const struct copy *copy, const struct fathom_settings *settings,
		     char *texts, size_t bytes)
{
	const struct fathom_run_snapshot_roots *roots = &copy->roots;
	char *why = texts + bytes / 2, date[64];
	int64_t size = roots->size > 0 && roots->size < INT32_MAX ? roots->size : 1;

	memset(result, 0, sizeof(*result));
	result->mode = "profile";
	result->program = roots->program;
	result->arguments = roots->arguments;
	result->host = roots->host;
	result->filter = settings->filter;
	result->system_tree = settings->system_tree;
	result->system_split = settings->system_split;
	result->begin_seconds = roots->begin_seconds;
	fathom_experiment_date(texts, bytes / 2, roots->begin_seconds, 1);
	result->begin_text = texts;
	fathom_experiment_date(date, sizeof(date), roots->now_seconds, 1);
	snprintf(why, bytes / 2, copy->is_alive ? "the program was still running at %s" :
		 "the program was killed; its last snapshot is of %s", date);
	result->incomplete = why;
	result->end_ticks = roots->now_ticks;
	result->processor_ns = roots->processor_ns;
	result->initial_ns = roots->initial_ns;
	result->wall_ticks = roots->now_ticks > roots->begin_ticks ? roots->now_ticks - roots->begin_ticks : 0;
	result->rank = roots->rank >= 0 && roots->rank < size ? (int32_t)roots->rank : 0;
	result->world_size = (int32_t)size;
	result->parallel = roots->is_parallel;
	result->may_allocate = 1;
	result->resolve = names_resolve;
}

/* Passes the processors that the process could use to the code for the system tree, if this is the host on which it
 * ran. On another host these numbers would mean other processors. */
static void recall_processors(const struct fathom_run_snapshot_roots *roots)
{
	char host[sizeof(roots->host)] = "";
	cpu_set_t set;

	gethostname(host, sizeof(host) - 1);
	CPU_ZERO(&set);
	if (!strcmp(host, roots->host))
		memcpy(&set, roots->processors, sizeof(set) < sizeof(roots->processors) ? sizeof(set)
											 : sizeof(roots->processors));
	fathom_system_path_recall(&set);
}

static void say_state(const struct copy *copy, const char *path, const char *result)
{
	if (copy->is_cut || copy->damaged)
		fathom_tool_error("%s: damaged or cut off: the undamaged part is in the %s", path, result);
}

/* Prepares the restoring of a result. 0, or -errno after a message. */
static int prepare(struct copy *copy, const char *path, struct fathom_settings *settings)
{
	int err = read_settings(settings, &copy->roots, path);

	if (err)
		return err;
	settings->overhead = 0;		/* no region is disabled in this program */
	fathom_log_set_level(FATHOM_LOG_ERROR);
	stopped_clock_set(copy->roots.now_ticks, copy->roots.units_per_tick_q32);
	names_init(copy);
	return 0;
}

static int restore_profile(struct copy *copy, const char *path, const char *output)
{
	const struct fathom_substrate *substrate;
	struct fathom_settings settings;
	struct fathom_result result;
	char texts[256];
	int err = prepare(copy, path, &settings);

	if (err)
		return err;
	substrate = fathom_profile_substrate(&settings);
	if (!substrate)
		return -ENOMEM;
	recall_processors(&copy->roots);
	err = rebuild(copy, path, REBUILD_FOR_PROFILE);
	if (err)
		return err;
	describe(&result, copy, &settings, texts, sizeof(texts));
	result.path = output;
	say_state(copy, path, "profile");
	err = substrate->finish(fathom_comm_serial(), &result);
	if (err)
		fathom_tool_error("%s: cannot be written (%s)", output, strerrordesc_np(-err));
	return err;
}

static int run_profile(const char *path, const char *output)
{
	struct copy copy;
	int err = copy_read(&copy, path), code = FATHOM_TOOL_FAILURE;

	if (!err && !(copy.roots.mode & FATHOM_MODE_PROFILE))
		code = NOT_IN_IT;
	else if (!err && !restore_profile(&copy, path, output))
		code = 0;
	copy_free(&copy);
	return code;
}

/* --- traces --------------------------------------------------------------------------------------- */

/* The snapshot of a process that recorded a trace. */
struct traced {
	const char *path;
	int64_t rank, size;
	bool is_parallel;
};

/* The arguments of all processes that restore a trace. */
struct job {
	const char *directory;		/* of the experiment */
	bool is_together;		/* all ranks have one common trace */
	/* By rank if all ranks have one trace; otherwise the snapshot of a single process. */
	const struct traced *list;
};

static void trace_directory(char *path, size_t bytes, const struct job *job)
{
	if (job->is_together)
		snprintf(path, bytes, "%s", job->directory);
	else
		snprintf(path, bytes, "%s/rank-%lld", job->directory, (long long)job->list->rank);
}

/* Restores the part of one rank. The process ends afterwards, so it frees nothing. 0, or -errno after a message. */
static int restore_trace(struct fathom_comm *comm, void *data)
{
	const struct job *job = data;
	const char *path = job->list[job->is_together ? comm->rank : 0].path;
	struct fathom_settings settings;
	struct fathom_result result;
	char texts[256], directory[PATH_MAX];
	struct copy copy;
	int err = copy_read(&copy, path);

	if (!err)
		err = prepare(&copy, path, &settings);
	if (!err)
		err = rebuild(&copy, path, REBUILD_FOR_TRACE);
	if (err)
		return err;
	describe(&result, &copy, &settings, texts, sizeof(texts));
	trace_directory(directory, sizeof(directory), job);
	result.trace_directory = directory;
	say_state(&copy, path, "trace");
	err = killed_trace_write(&copy, path, comm->size > 1 ? comm : fathom_comm_serial(), &settings, &result,
				 job->directory);
	if (err && !comm->rank)
		fathom_tool_error("%s: no trace could be written (%s)", directory, strerrordesc_np(-err));
	return err;
}

/* Sets aside what the processes had written of their traces when they were killed; or removes that when it is not
 * needed any more. 0, or -errno after a message. */
static int handle_unfinished(const char *directory, const struct traced *list, int count, bool is_needed)
{
	int err = 0;

	for (int i = -1; i < count && !err; i++) {
		struct job job = { directory, i < 0, i < 0 ? list : &list[i] };
		char path[PATH_MAX];

		trace_directory(path, sizeof(path), &job);
		if (!is_needed)
			unfinished_trace_remove(path);
		else if (!unfinished_trace_is_whole(path))
			err = unfinished_trace_set_aside(path);
	}
	return err;
}

/* Makes a trace for each rank, because some ranks have left no snapshot. 0, or -EINVAL after a message. */
static int restore_apart(const char *directory, const struct traced *list, int count)
{
	int made = 0, there = 0;

	for (int i = 0; i < count; i++) {
		struct job job = { directory, false, &list[i] };
		char path[PATH_MAX];

		trace_directory(path, sizeof(path), &job);
		if (unfinished_trace_is_whole(path))
			there++;
		else if (!ranks_run(1, restore_trace, &job))
			made++;
	}
	if (made)
		printf("%s: traces of %d ranks that were killed, each in rank-N: not all ranks left a snapshot\n",
		       directory, made);
	return made + there == count ? 0 : -EINVAL;
}

static int by_rank(const void *a, const void *b)
{
	const struct traced *x = a, *y = b;

	return x->rank < y->rank ? -1 : x->rank > y->rank;
}

/* Returns whether these are all processes of a run, in the order of their ranks. */
static bool is_whole_run(const struct traced *list, int count)
{
	for (int i = 0; i < count; i++)
		if (list[i].size != count || list[i].rank != i || (count > 1 && !list[i].is_parallel))
			return false;
	return true;
}

/* Finds out whether the snapshot has a trace, and of which rank. 0, NOT_IN_IT, or FATHOM_TOOL_FAILURE after a
 * message. */
static int look_at(struct traced *traced, const char *path)
{
	struct copy copy;
	int code = FATHOM_TOOL_FAILURE, err = copy_read(&copy, path);

	*traced = (struct traced){ path, copy.roots.rank, copy.roots.size, copy.roots.is_parallel };
	if (!err && !(copy.roots.mode & FATHOM_MODE_TRACE))
		code = NOT_IN_IT;
	else if (!err && killed_trace_is_there(&copy))
		code = 0;
	else if (!err)
		fathom_tool_error("%s: nothing of its trace can be read: it is damaged, or this fathom was built "
				  "without OTF2", path);
	copy_free(&copy);
	return code;
}

static int run_traces(const char *directory, char **paths, int count)
{
	struct traced *list = fathom_tool_alloc((size_t)count, sizeof(*list));
	struct job job = { directory, true, list };
	int known = 0, code = NOT_IN_IT, err;

	for (int i = 0; i < count && !unfinished_trace_is_whole(directory); i++) {
		int next = look_at(&list[known], paths[i]);

		known += !next;
		code = next == FATHOM_TOOL_FAILURE ? next : code;
	}
	if (!known) {
		free(list);
		return code;
	}
	qsort(list, (size_t)known, sizeof(*list), by_rank);
	err = handle_unfinished(directory, list, known, true);
	if (err) {
		code = FATHOM_TOOL_FAILURE;
	} else if (is_whole_run(list, known)) {
		err = ranks_run(known, restore_trace, &job);
		if (!err && known > 1)
			printf("%s/traces.otf2: made from the last run snapshots: %d ranks were killed\n", directory,
			       known);
		else if (!err)
			printf("%s/traces.otf2: made from the last run snapshot: the program was killed\n", directory);
	} else {
		err = restore_apart(directory, list, known);
	}
	if (!err)
		handle_unfinished(directory, list, known, false);
	free(list);
	return err || code == FATHOM_TOOL_FAILURE ? FATHOM_TOOL_FAILURE : 0;
}

int main(int argc, char **argv)
{
	int code, ended;

	fathom_tool_begin("merge");
	if (argc > 3 && !strcmp(argv[1], "--trace"))
		code = run_traces(argv[2], argv + 3, argc - 3);
	else if (argc == 3)
		code = run_profile(argv[1], argv[2]);
	else
		fathom_tool_usage_error("fathom-restore is called by fathom merge");
	ended = fathom_tool_end();
	return code ? code : ended;
}
