#include "unfinished_trace.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tools/common/command.h"
#include "trace/archive.h"

#define SET_ASIDE "traces.killed"

static void path_in(char *path, size_t bytes, const char *directory, const char *name)
{
	if (snprintf(path, bytes, "%s/%s", directory, name) >= (int)bytes)
		*path = '\0';
}

/* Removes a directory with files of events and definitions. 0 or -errno. */
static int remove_traces(const char *path)
{
	char file[PATH_MAX];
	DIR *stream = opendir(path);
	const struct dirent *entry;

	if (!stream)
		return -errno;
	while ((entry = readdir(stream)) != NULL) {
		const char *ending = strrchr(entry->d_name, '.');

		path_in(file, sizeof(file), path, entry->d_name);
		if (ending && (!strcmp(ending, ".evt") || !strcmp(ending, ".def")))
			unlink(file);
	}
	closedir(stream);
	return rmdir(path) ? -errno : 0;
}

static bool has_events(const char *path)
{
	DIR *stream = opendir(path);
	const struct dirent *entry;
	bool has_some = false;

	while (stream && !has_some && (entry = readdir(stream)) != NULL) {
		const char *ending = strrchr(entry->d_name, '.');

		has_some = ending && !strcmp(ending, ".evt");
	}
	if (stream)
		closedir(stream);
	return has_some;
}

/* The anchor has its name for a moment before the files of events are moved. */
bool unfinished_trace_is_whole(const char *directory)
{
	char anchor[PATH_MAX], traces[PATH_MAX];

	path_in(anchor, sizeof(anchor), directory, "traces.otf2");
	path_in(traces, sizeof(traces), directory, "traces");
	return access(anchor, F_OK) == 0 && has_events(traces);
}

int unfinished_trace_set_aside(const char *directory)
{
	static const char *const others[] = { "traces.otf2", FATHOM_TRACE_ANCHOR_PART, "traces.def" };
	char traces[PATH_MAX], aside[PATH_MAX], path[PATH_MAX];
	int err = 0;

	path_in(traces, sizeof(traces), directory, "traces");
	path_in(aside, sizeof(aside), directory, SET_ASIDE);
	if (access(traces, F_OK) == 0) {
		if (access(aside, F_OK) == 0)
			err = remove_traces(traces);
		else if (rename(traces, aside))
			err = -errno;
	}
	if (err) {
		fathom_tool_error("%s: is part of an unfinished trace and cannot be renamed or removed (%s)", traces,
				  strerrordesc_np(-err));
		return err;
	}
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		path_in(path, sizeof(path), directory, others[i]);
		unlink(path);
	}
	return 0;
}

void unfinished_trace_find(char *path, size_t bytes, const char *directory, uint32_t rank, uint32_t id)
{
	unsigned long long name = fathom_trace_location_id(rank, id);

	if (snprintf(path, bytes, "%s/" SET_ASIDE "/%llu.evt", directory, name) < (int)bytes && !access(path, R_OK))
		return;
	if (snprintf(path, bytes, "%s/rank-%u/" SET_ASIDE "/%llu.evt", directory, rank, name) < (int)bytes &&
	    !access(path, R_OK))
		return;
	*path = '\0';
}

void unfinished_trace_remove(const char *directory)
{
	char aside[PATH_MAX];

	path_in(aside, sizeof(aside), directory, SET_ASIDE);
	remove_traces(aside);
}
