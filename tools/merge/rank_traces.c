#include "tools/merge/rank_traces.h"

#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/common/command.h"
#include "tools/common/experiment.h"
#include "tools/common/sibling_command.h"

bool fathom_rank_traces_are_in(const char *directory)
{
	struct fathom_experiment_content content;

	return fathom_experiment_look(directory, &content) == 0 && content.ranks_with_trace && !*content.trace;
}

/* Moves the files of the trace from one directory to the other. The anchor file comes last: without it, no tool
 * regards the others as a trace. */
static int move_trace(const char *from, const char *to)
{
	static const char *const names[] = { "traces", "traces.def", "traces.otf2" };
	char old_path[PATH_MAX + 16], new_path[PATH_MAX + 16];

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		snprintf(old_path, sizeof(old_path), "%s/%s", from, names[i]);
		snprintf(new_path, sizeof(new_path), "%s/%s", to, names[i]);
		if (rename(old_path, new_path) == 0)
			continue;
		fathom_tool_error("%s: %s (the merged trace is in %s)", new_path, strerror(errno), from);
		return -EINVAL;
	}
	rmdir(from);
	return 0;
}

int fathom_rank_traces_merge(const char *directory)
{
	char part[PATH_MAX], merge[] = "--merge", output[] = "-o";
	char *arguments[] = { NULL, merge, output, part, (char *)(uintptr_t)directory, NULL };
	struct fathom_experiment_content content = { 0 };
	struct stat status;

	fathom_experiment_look(directory, &content);
	if (snprintf(part, sizeof(part), "%s/traces.part", directory) >= (int)sizeof(part))
		return -ENAMETOOLONG;
	if (lstat(part, &status) == 0) {
		fathom_tool_error("%s: left by a program that did not finish (remove it)", part);
		return -EEXIST;
	}
	if (fathom_sibling_run("fathom-trace", arguments, directory, true) || move_trace(part, directory))
		return -EINVAL;
	printf("%s/traces.otf2: the trace%s of %lu rank%s put together\n", directory,
	       content.ranks_with_trace == 1 ? "" : "s", content.ranks_with_trace,
	       content.ranks_with_trace == 1 ? "" : "s");
	return 0;
}
