#include "run/manifest.h"

#include <stdlib.h>
#include <unistd.h>

#include "run/experiment.h"
#include "run/runtime.h"
#include "platform/log.h"
#include "platform/settings.h"

static int write_manifest(char *text, size_t bytes, uint64_t mode, bool ended_early)
{
	static const char profile[] =
		"* `profile.cubex`: the call-path profile of all processes, in the CUBE4 format.\n"
		"  Look at it with `fathom report` in the directory above, or `fathom report THIS-DIRECTORY`.\n"
		"* `rank-N.cubex`: what one process saved when it ended before it could join the others;\n"
		"  `fathom merge THIS-DIRECTORY` puts these together.\n"
		"* `messages.txt`, `rank-N.messages.txt`: if there were messages, how many each rank sent to which.\n"
		"* `bursts.bin`, `rank-N.bursts.bin`: with FATHOM_BURSTS, the stretches of computation between\n"
		"  calls of MPI and OpenMP; `fathom clusters THIS-DIRECTORY` finds their kinds.\n"
		"* `samples.txt`, `rank-N.samples.txt`: if samples were taken, their numbers by addresses.\n";
	static const char events[] =
		"* `traces.otf2`, `traces.def`, `traces/`: the trace, all events of all processes, in OTF2.\n"
		"  Look at it with `fathom report THIS-DIRECTORY/traces.otf2`, `otf2-print` or any reader of OTF2;\n"
		"  `fathom check THIS-DIRECTORY` says whether it is sound.\n"
		"* `rank-N/`: the trace of one process that ended before it could join the others.\n";

	static const char early[] =
		"* `first-to-end`: the rank that was the first to end before it could join the others.\n";

	return fathom_format(text, bytes, "# A fathom experiment\n\n%s%s%s* `settings.txt`: the FATHOM_ settings in "
			     "force; those without a value and without a default are left out.\n",
			     mode & FATHOM_MODE_PROFILE ? profile : "", mode & FATHOM_MODE_TRACE ? events : "",
			     ended_early ? early : "");
}

/*
 * Writes one line for each setting that has a value or a default, so that the run can be repeated with these lines.
 * Lines that do not fit are left out as a whole. Returns the length of the text.
 */
static size_t write_settings(char *text, size_t bytes)
{
	size_t length = 0;

	for (size_t i = 0; i < fathom_setting_count; i++) {
		const struct fathom_setting *setting = &fathom_setting_table[i];
		const char *value = getenv(setting->name);
		size_t added;

		if (!value)
			value = setting->fallback;
		if (setting->type == FATHOM_SETTING_BUILD || setting->left_out || !value)
			continue;
		added = (size_t)fathom_format(text + length, bytes - length, "%s=%s\n", setting->name, value);
		if (added < bytes - length)
			length += added;
	}
	return length;
}

void fathom_manifest_write(const char *dir, bool ended_early)
{
	char text[8192];
	size_t length = write_settings(text, sizeof(text));

	fathom_experiment_write(dir, "settings.txt", text, length);
	length = (size_t)write_manifest(text, sizeof(text), fathom_runtime_settings()->mode, ended_early);
	fathom_experiment_write(dir, "MANIFEST.md", text, length);
}

void fathom_manifest_say_none(const char *program)
{
	/* The process number of `fathom run`, which the program keeps after exec (instrument/driver/run_command.c). */
	const char *started = getenv("_FATHOM_RUN");

	if (!started || atoi(started) != (int)getpid() || !fathom_experiment_is_first_rank())
		return;
	fathom_log(FATHOM_LOG_SAY, "%s: nothing was measured, and there is no profile: fathom run sees calls of MPI, "
		   "POSIX threads and LLVM's OpenMP, and this process made none; to see its functions take samples "
		   "(FATHOM_SAMPLING=200), or build it with fathom (fathom gcc -g ...)",
		   fathom_experiment_shown(program));
}
