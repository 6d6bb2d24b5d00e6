#include "tools/list/entry.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cube/reader/reader.h"
#include "tools/common/command.h"
#include "tools/common/profile.h"
#include "tools/common/progress.h"

const char *fathom_entry_state_name(enum fathom_entry_state state)
{
	static const char *const names[] = {
		[FATHOM_ENTRY_COMPLETE] = "complete", [FATHOM_ENTRY_EARLY] = "ended early",
		[FATHOM_ENTRY_KILLED] = "killed", [FATHOM_ENTRY_RUNNING] = "running",
		[FATHOM_ENTRY_PARTS] = "in parts", [FATHOM_ENTRY_UNFINISHED] = "unfinished",
		[FATHOM_ENTRY_DAMAGED] = "damaged",
	};

	return names[state];
}

void fathom_entry_set(char **member, const char *text)
{
	if (*member || !text)
		return;
	*member = strdup(text);
	if (!*member)
		fathom_tool_out_of_memory(strlen(text));
}

time_t fathom_entry_time(const char *text)
{
	struct tm moment = { .tm_isdst = -1 };
	int hours = 0, minutes = 0;
	char sign = '+';

	if (!text || sscanf(text, "%4d-%2d-%2d%*1[ T]%2d:%2d:%2d %c%2d:%2d", &moment.tm_year, &moment.tm_mon,
			    &moment.tm_mday, &moment.tm_hour, &moment.tm_min, &moment.tm_sec, &sign, &hours,
			    &minutes) < 6)
		return -1;
	moment.tm_year -= 1900;
	moment.tm_mon -= 1;
	return timegm(&moment) - (sign == '-' ? -1 : 1) * (hours * 3600 + minutes * 60);
}

/* --- what a profile says ------------------------------------------------------------------------------------- */

static void take_reason(struct fathom_entry *entry, const char *complete)
{
	if (!complete || strncmp(complete, "no", 2) != 0)
		return;
	complete += 2;
	complete += strspn(complete, ": ");
	entry->state = strstr(complete, "killed") ? FATHOM_ENTRY_KILLED : FATHOM_ENTRY_EARLY;
	fathom_entry_set(&entry->reason, complete);
}

/* Reads the definitions of a profile. is_part: the profile is of a single rank. */
static void read_profile(struct fathom_entry *entry, const char *path, bool is_part)
{
	struct fathom_cube_reader *reader;
	struct fathom_cube_error error;
	struct fathom_profile profile;
	const char *wall_time, *size;
	time_t begin;

	/* The reader alone gives its error message to the caller, who prints it in one line with the experiment. */
	if (fathom_cube_reader_open(&reader, path, &error)) {
		entry->state = FATHOM_ENTRY_DAMAGED;
		fathom_entry_set(&entry->reason, error.text);
		return;
	}
	fathom_cube_reader_close(reader);
	if (fathom_profile_open(&profile, path, -1)) {
		entry->state = FATHOM_ENTRY_DAMAGED;
		return;
	}
	fathom_entry_set(&entry->program, fathom_cube_attribute(profile.cube, "fathom::program"));
	wall_time = fathom_cube_attribute(profile.cube, "fathom::wall_time");
	entry->wall_time = wall_time ? strtod(wall_time, NULL) : -1;
	begin = fathom_entry_time(fathom_cube_attribute(profile.cube, "fathom::begin"));
	entry->begin = begin >= 0 ? begin : entry->begin;
	size = fathom_cube_attribute(profile.cube, "fathom::size");
	if (is_part) {
		entry->ranks = size ? strtoll(size, NULL, 10) : -1;
	} else {
		entry->ranks = profile.process_count;
		entry->threads = profile.thread_count;
		take_reason(entry, fathom_cube_attribute(profile.cube, "fathom::complete"));
	}
	fathom_profile_close(&profile);
}

/* --- directories --------------------------------------------------------------------------------------------- */

/* Sets the program to the part of a directory name "fathom-PROGRAM-YYYYMMDD-HHMM-XXXX", if the name has this form. */
static void take_program(struct fathom_entry *entry, const char *name)
{
	size_t length = strlen(name);
	char program[256];

	if (entry->program || strncmp(name, "fathom-", 7) != 0 || length < 7 + 20 || length - 26 >= sizeof(program) ||
	    fathom_experiment_begin(name) < 0)
		return;
	snprintf(program, sizeof(program), "%.*s", (int)(length - 26), name + 7);
	fathom_entry_set(&entry->program, program);
}

/* Fills in an entry; false: the directory is no experiment. */
static bool read_entry(struct fathom_entry *entry, const char *directory)
{
	const char *slash = strrchr(directory, '/'), *name = slash ? slash + 1 : directory;
	struct fathom_experiment_content content;
	char path[2 * PATH_MAX];

	if (fathom_experiment_look(directory, &content))
		return false;
	*entry = (struct fathom_entry){ .ranks = -1, .threads = -1, .wall_time = -1, .begin = content.changed.tv_sec,
					.has_profile = content.profile, .has_trace = *content.trace };
	snprintf(entry->path, sizeof(entry->path), "%s", directory);
	if (fathom_experiment_begin(name) >= 0)
		entry->begin = fathom_experiment_begin(name);
	if (content.profile) {
		snprintf(path, sizeof(path), "%s/profile.cubex", directory);
		read_profile(entry, path, false);
	} else if (content.is_alive) {
		entry->state = FATHOM_ENTRY_RUNNING;
		entry->ranks = (int64_t)content.snapshots;
	} else if (*content.trace) {
		snprintf(path, sizeof(path), "%s/%s", directory, content.trace);
		fathom_entry_read_trace(entry, path);
	} else if (content.snapshots) {
		entry->state = FATHOM_ENTRY_KILLED;
		entry->ranks = (int64_t)(content.snapshots + content.ranks);
	} else if (content.ranks) {
		char first[PATH_MAX];

		snprintf(path, sizeof(path), "%s/profile.cubex", directory);
		fathom_experiment_ranks_of(path, first);
		read_profile(entry, first, true);
		if (entry->state == FATHOM_ENTRY_COMPLETE)
			entry->state = FATHOM_ENTRY_PARTS;
	} else if (content.ranks_with_trace) {
		entry->state = FATHOM_ENTRY_PARTS;
		entry->ranks = (int64_t)content.ranks_with_trace;
	} else if (content.unfinished || content.unfinished_trace) {
		entry->state = FATHOM_ENTRY_UNFINISHED;
	} else {
		return false;
	}
	take_program(entry, name);
	return true;
}

/* The newest first; experiments of the same second by name. */
static int by_begin(const void *a, const void *b)
{
	const struct fathom_entry *left = a, *right = b;

	if (left->begin != right->begin)
		return left->begin > right->begin ? -1 : 1;
	return strcmp(left->path, right->path);
}

static int read_directory(const char *directory, struct fathom_entry **entries, size_t *count)
{
	DIR *stream = opendir(directory);
	bool is_here = strcmp(directory, ".") == 0;
	struct dirent *found;
	size_t room = 0;

	if (!stream)
		return -errno;
	fathom_progress_begin("looking at directories", 0);
	while ((found = readdir(stream)) != NULL) {
		struct fathom_entry entry;
		char path[PATH_MAX];
		struct stat status;

		if (found->d_name[0] == '.' ||
		    snprintf(path, sizeof(path), "%s%s%s", is_here ? "" : directory, is_here ? "" : "/",
			     found->d_name) >= (int)sizeof(path) ||
		    stat(path, &status) || !S_ISDIR(status.st_mode) || !read_entry(&entry, path))
			continue;
		*entries = fathom_tool_grow(*entries, *count, &room, sizeof(**entries));
		(*entries)[(*count)++] = entry;
		fathom_progress_step();
	}
	fathom_progress_end();
	closedir(stream);
	qsort(*entries, *count, sizeof(**entries), by_begin);
	return 0;
}

int fathom_entries_read(const char *directory, struct fathom_entry **entries, size_t *count)
{
	struct fathom_entry *itself = fathom_tool_alloc(1, sizeof(*itself));
	struct stat status;
	int err;

	*entries = NULL;
	*count = 0;
	if (stat(directory, &status) == 0 && !S_ISDIR(status.st_mode)) {
		fathom_tool_error("%s: is no directory", directory);
		free(itself);
		return -ENOTDIR;
	}
	if (read_entry(itself, directory)) {
		*entries = itself;
		*count = 1;
		return 0;
	}
	free(itself);
	err = read_directory(directory, entries, count);
	if (err) {
		fathom_tool_error("%s: %s", directory, strerror(-err));
	} else if (!*count) {
		fathom_tool_error("%s: no experiment in it",
				  strcmp(directory, ".") == 0 ? "this directory" : directory);
		err = -ENOENT;
	}
	return err;
}

void fathom_entries_free(struct fathom_entry *entries, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		free(entries[i].program);
		free(entries[i].reason);
	}
	free(entries);
}
