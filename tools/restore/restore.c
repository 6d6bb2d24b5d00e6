/*
 * fathom-restore: makes a profile of the snapshot file that a killed process left (lib/run/run_snapshot.h). `fathom
 * merge` calls it for each such file; it is no command for users.
 *
 * It contains the measurement library's own code, so that the profile is the one that the process would have written at
 * that moment. The caller must set FATHOM_MODE=none, so that this program itself is not measured.
 */
#include "config.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "comm/comm.h"
#include "copy.h"
#include "run/experiment.h"
#include "event/result.h"
#include "event/substrate.h"
#include "names.h"
#include "platform/log.h"
#include "platform/settings.h"
#include "profile/profile.h"
#include "rebuild.h"
#include "stopped_clock.h"
#include "system/system_path.h"
#include "tools/common/command.h"

/* The settings of the process. 0, or -EINVAL after a line was said. */
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
	fathom_tool_say("%s: damaged: %s", path, error);
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

/* Which processors the process might use. What they are called can only be asked where it ran. */
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

static void say_state(const struct copy *copy, const char *path)
{
	if (copy->is_cut || copy->damaged)
		fathom_tool_say("%s: damaged or cut off: what is whole is in the profile", path);
}

static int restore(struct copy *copy, const char *path, const char *output)
{
	const struct fathom_substrate *substrate;
	struct fathom_settings settings;
	struct fathom_result result;
	char texts[256];
	int err = read_settings(&settings, &copy->roots, path);

	if (err)
		return err;
	settings.overhead = 0;		/* nothing is switched off here */
	fathom_log_set_level(FATHOM_LOG_ERROR);
	stopped_clock_set(copy->roots.now_ticks, copy->roots.units_per_tick_q32);
	substrate = fathom_profile_substrate(&settings);
	if (!substrate)
		return -ENOMEM;
	recall_processors(&copy->roots);
	names_init(copy);
	err = rebuild(copy, path);
	if (err)
		return err;
	describe(&result, copy, &settings, texts, sizeof(texts));
	result.path = output;
	say_state(copy, path);
	err = substrate->finish(fathom_comm_serial(), &result);
	if (err)
		fathom_tool_say("%s: cannot be written (%s)", output, strerrordesc_np(-err));
	return err;
}

int main(int argc, char **argv)
{
	struct copy copy;
	int err;

	fathom_tool_begin("merge");
	if (argc != 3)
		fathom_tool_misuse("fathom-restore is called by fathom merge");
	err = copy_read(&copy, argv[1]);
	if (!err)
		err = restore(&copy, argv[1], argv[2]);
	copy_free(&copy);
	return err ? FATHOM_TOOL_FAILURE : fathom_tool_end();
}
