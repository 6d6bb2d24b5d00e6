#include "tools/common/experiment.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "callgraphs/graph_file_mark.h"
#include "tools/common/command.h"
#include "tools/common/snapshots.h"

#define PROFILE "profile.cubex"
#define TRACE "traces.otf2"
#define COMPRESSED "traces.graphs"
#define BURSTS "bursts.bin"
#define HIDDEN ".fathom-trace-"

long fathom_experiment_rank_of(const char *file, const char *ending)
{
	long rank;
	char *end;

	if (strncmp(file, "rank-", 5) != 0 || file[5] < '0' || file[5] > '9')
		return -1;
	errno = 0;
	rank = strtol(file + 5, &end, 10);
	if (errno || strcmp(end, ending) != 0 || rank > INT_MAX)
		return -1;
	return rank;
}

unsigned long fathom_experiment_ranks_of(const char *profile, char *first)
{
	const char *slash = strrchr(profile, '/'), *base = slash ? slash + 1 : profile;
	char directory[PATH_MAX];
	struct dirent *entry;
	unsigned long count = 0;
	long lowest = -1;
	DIR *stream;

	snprintf(directory, sizeof(directory), "%.*s", slash ? (int)(slash - profile + 1) : 2, slash ? profile : "./");
	stream = opendir(directory);
	while (stream && (entry = readdir(stream)) != NULL) {
		long rank = fathom_experiment_rank_of(entry->d_name, ".cubex");

		if (rank < 0 || strcmp(entry->d_name, base) == 0)
			continue;
		count++;
		if (lowest >= 0 && rank >= lowest)
			continue;
		lowest = rank;
		snprintf(first, PATH_MAX, "%.*s%.64s", PATH_MAX - 65, slash ? directory : "", entry->d_name);
	}
	if (stream)
		closedir(stream);
	return count;
}

static bool is_anchor(const char *path)
{
	size_t length = strlen(path);

	return length > 5 && strcmp(path + length - 5, ".otf2") == 0;
}

bool fathom_experiment_is_compressed(const char *path)
{
	char head[sizeof(FATHOM_GRAPH_FILE_MARK) - 1];
	FILE *file = fopen(path, "re");
	bool is = file && fread(head, 1, sizeof(head), file) == sizeof(head) &&
		  memcmp(head, FATHOM_GRAPH_FILE_MARK, sizeof(head)) == 0;

	if (file)
		fclose(file);
	return is;
}

bool fathom_experiment_is_trace(const char *path)
{
	return is_anchor(path) || fathom_experiment_is_compressed(path);
}

/* Returns whether name is preferred as the trace: the anchor file with the usual name, else the first anchor file in
 * the alphabet, because other tools' traces may have other names, else the compressed trace. */
static bool is_better_trace(const char *name, const char *than)
{
	if (strcmp(name, COMPRESSED) == 0)
		return !*than;
	if (!is_anchor(name) || strlen(name) >= sizeof(((struct fathom_experiment_content *)0)->trace))
		return false;
	if (!*than || strcmp(name, TRACE) == 0 || strcmp(than, COMPRESSED) == 0)
		return true;
	return strcmp(than, TRACE) != 0 && strcmp(name, than) < 0;
}

static void look_at_snapshot(const char *directory, const char *name, struct fathom_experiment_content *content)
{
	char path[PATH_MAX];

	if (strcmp(name, FATHOM_SNAPSHOT_SERIAL) != 0 && fathom_experiment_rank_of(name, FATHOM_SNAPSHOT_ENDING) < 0)
		return;
	content->snapshots++;
	if (!content->is_alive && snprintf(path, sizeof(path), "%s/%s", directory, name) < (int)sizeof(path))
		content->is_alive = fathom_snapshot_is_alive(path);
}

/* Searches a directory rank-N for the trace of one process. */
static void look_at_rank(const char *directory, const char *name, struct fathom_experiment_content *content)
{
	char path[PATH_MAX], *end;
	unsigned long rank;

	if (strncmp(name, "rank-", 5) != 0 || name[5] < '0' || name[5] > '9')
		return;
	rank = strtoul(name + 5, &end, 10);
	if (*end || snprintf(path, sizeof(path), "%s/%s/" TRACE, directory, name) >= (int)sizeof(path) ||
	    access(path, F_OK) != 0)
		return;
	if (!content->ranks_with_trace++ || rank < content->lowest_with_trace)
		content->lowest_with_trace = rank;
}

int fathom_experiment_look(const char *directory, struct fathom_experiment_content *content)
{
	struct stat status;
	struct dirent *entry;
	char path[PATH_MAX];
	DIR *stream = opendir(directory);

	if (!stream)
		return -errno;
	memset(content, 0, sizeof(*content));
	while ((entry = readdir(stream)) != NULL) {
		look_at_rank(directory, entry->d_name, content);
		look_at_snapshot(directory, entry->d_name, content);
		if (strcmp(entry->d_name, PROFILE) == 0)
			content->profile = true;
		else if (strcmp(entry->d_name, PROFILE ".part") == 0)
			content->unfinished = true;
		else if (strcmp(entry->d_name, TRACE ".part") == 0)
			content->unfinished_trace = true;
		else if (strcmp(entry->d_name, BURSTS) == 0)
			content->bursts = true;
		else if (strncmp(entry->d_name, HIDDEN, strlen(HIDDEN)) == 0)
			snprintf(content->hidden, sizeof(content->hidden), "%s", entry->d_name);
		else if (fathom_experiment_rank_of(entry->d_name, ".cubex") >= 0)
			content->ranks++;
		else if (is_better_trace(entry->d_name, content->trace))
			strcpy(content->trace, entry->d_name);
	}
	closedir(stream);
	if (snprintf(path, sizeof(path), "%s/" PROFILE, directory) >= (int)sizeof(path))
		return -ENAMETOOLONG;
	if (stat(path, &status) == 0 || stat(directory, &status) == 0)
		content->changed = status.st_mtim;
	return 0;
}

time_t fathom_experiment_begin(const char *name)
{
	struct tm moment = { .tm_isdst = -1 };
	size_t length = strlen(name);
	char stamp[14];

	if (length < 19)
		return -1;
	memcpy(stamp, name + length - 18, 13);
	stamp[13] = '\0';
	if (name[length - 19] != '-' || name[length - 5] != '-' || stamp[8] != '-' ||
	    strspn(stamp, "0123456789-") != 13)
		return -1;
	if (sscanf(stamp, "%4d%2d%2d-%2d%2d", &moment.tm_year, &moment.tm_mon, &moment.tm_mday, &moment.tm_hour,
		   &moment.tm_min) != 5)
		return -1;
	if (moment.tm_mon < 1 || moment.tm_mon > 12 || moment.tm_mday < 1 || moment.tm_mday > 31 ||
	    moment.tm_hour > 23 || moment.tm_min > 59)
		return -1;
	moment.tm_year -= 1900;
	moment.tm_mon -= 1;
	return mktime(&moment);
}

enum wanted { PROFILE_OR_TRACE, TRACE_ONLY, TRACE_OR_BURSTS };

struct candidate {
	char path[PATH_MAX];
	time_t begin;			/* from its name, to the minute; */
	struct timespec changed;	/* of several experiments of one minute, the last written is the newest */
};

static bool is_newer(const struct candidate *a, const struct candidate *b)
{
	if (a->begin != b->begin)
		return a->begin > b->begin;
	if (a->changed.tv_sec != b->changed.tv_sec)
		return a->changed.tv_sec > b->changed.tv_sec;
	if (a->changed.tv_nsec != b->changed.tv_nsec)
		return a->changed.tv_nsec > b->changed.tv_nsec;
	return strcmp(a->path, b->path) > 0;
}

/* Returns whether a directory with that content is an experiment that can have the wanted result. */
static bool is_experiment(const struct fathom_experiment_content *content, enum wanted wanted)
{
	if (wanted != PROFILE_OR_TRACE)
		return *content->trace || (content->bursts && wanted == TRACE_OR_BURSTS);
	return content->profile || content->unfinished || content->ranks || *content->trace || content->snapshots;
}

/*
 * Finds the newest experiment in a directory; newest gets an empty path if there is none. An experiment whose program
 * is still running is chosen only if there is no other, because its result is not expected yet.
 */
static int find_newest(const char *directory, enum wanted wanted, struct candidate *newest)
{
	struct candidate candidate, running;
	struct fathom_experiment_content content;
	struct dirent *entry;
	DIR *stream = opendir(directory);
	bool here = strcmp(directory, ".") == 0, is_running;

	newest->path[0] = '\0';
	running.path[0] = '\0';
	if (!stream)
		return -errno;
	while ((entry = readdir(stream)) != NULL) {
		if (strncmp(entry->d_name, "fathom-", 7) != 0)
			continue;
		if (snprintf(candidate.path, sizeof(candidate.path), "%s%s%s", here ? "" : directory, here ? "" : "/",
			     entry->d_name) >= (int)sizeof(candidate.path))
			continue;
		if (fathom_experiment_look(candidate.path, &content) || !is_experiment(&content, wanted))
			continue;
		is_running = content.is_alive && !content.profile && !content.ranks && !*content.trace;
		candidate.changed = content.changed;
		candidate.begin = fathom_experiment_begin(entry->d_name);
		if (candidate.begin < 0)
			candidate.begin = content.changed.tv_sec;
		if (is_running && (!running.path[0] || is_newer(&candidate, &running)))
			running = candidate;
		else if (!is_running && (!newest->path[0] || is_newer(&candidate, newest)))
			*newest = candidate;
	}
	closedir(stream);
	if (!newest->path[0])
		*newest = running;
	return 0;
}

static int set_path(struct fathom_experiment *experiment, const char *directory, const char *name)
{
	if (snprintf(experiment->path, sizeof(experiment->path), "%s/%s", directory, name) <
	    (int)sizeof(experiment->path))
		return 0;
	fathom_tool_error("%s: the path is too long", directory);
	return -ENAMETOOLONG;
}

static void say_killed(const char *directory)
{
	fathom_tool_error("%s: the program was killed before it could write its result; make the result from the last "
			  "run snapshot with: fathom merge %s", directory, directory);
}

/* Fills in the path of an experiment's result, or prints why there is none. directory is an experiment. */
static int take(struct fathom_experiment *experiment, const char *directory,
		const struct fathom_experiment_content *content, enum wanted wanted)
{
	if (content->profile && wanted == PROFILE_OR_TRACE)
		return set_path(experiment, directory, PROFILE);
	if (*content->trace && (!content->ranks || wanted != PROFILE_OR_TRACE))
		return set_path(experiment, directory, content->trace);
	if (content->bursts && wanted == TRACE_OR_BURSTS)
		return set_path(experiment, directory, BURSTS);
	if (content->is_alive)
		fathom_tool_error("%s: the program is still running; a profile of what it has so far: fathom merge -o "
				  "FILE.cubex %s", directory, directory);
	else if (content->snapshots)
		say_killed(directory);
	else if (content->ranks)
		fathom_tool_error("%s: holds what %lu rank%s saved alone, not yet a profile; put %s together "
				  "with: fathom merge %s", directory, content->ranks, content->ranks == 1 ? "" : "s",
				  content->ranks == 1 ? "it" : "them", directory);
	else
		fathom_tool_error("%s: holds an unfinished profile only (" PROFILE ".part): the program was stopped "
				  "while it wrote its result", directory);
	return -ENOENT;
}

/* Prints that the directory has no result, and the reason if its content shows one. */
static int say_nothing(const char *directory, const struct fathom_experiment_content *content, enum wanted wanted)
{
	const char *slash = strrchr(directory, '/'), *base = slash ? slash + 1 : directory;

	if (content->ranks_with_trace)
		fathom_tool_error("%s: holds the traces that %lu rank%s left alone, each a trace for itself, such as "
				  "%s/rank-%lu", directory, content->ranks_with_trace,
				  content->ranks_with_trace == 1 ? "" : "s", directory, content->lowest_with_trace);
	else if (content->snapshots && !content->is_alive)
		say_killed(directory);
	else if (content->unfinished_trace)
		fathom_tool_error("%s: holds an unfinished trace only (" TRACE ".part): the program was stopped while "
				  "it wrote it", directory);
	else if (strncmp(base, HIDDEN, strlen(HIDDEN)) == 0)
		fathom_tool_error("%s: events of a process that is still running or was killed; if its run snapshot "
				  "is there, make a trace with: fathom merge EXPERIMENT_DIRECTORY", directory);
	else if (wanted == TRACE_ONLY && content->bursts)
		fathom_tool_error("%s: has no trace, only the bursts of the run (" BURSTS "), which fathom clusters "
				  "and fathom track read", directory);
	else if (wanted != PROFILE_OR_TRACE)
		fathom_tool_error("%s: no trace in it (neither " TRACE " nor " COMPRESSED " nor directories fathom-* "
				  "with one)%s%s%s%s", directory,
				  wanted == TRACE_OR_BURSTS ? ", and no bursts (FATHOM_BURSTS=on)" : "",
				  *content->hidden ? "; " : "", content->hidden,
				*content->hidden ? " is of a process that is still running or was killed" : "");
	else
		fathom_tool_error("%s: no experiment in it (neither " PROFILE " nor directories fathom-*)", directory);
	return -ENOENT;
}

static int find_in(struct fathom_experiment *experiment, const char *directory, enum wanted wanted)
{
	const char *shown = strcmp(directory, ".") == 0 ? "this directory" : directory;
	struct candidate newest;
	struct fathom_experiment_content content;
	int err = fathom_experiment_look(directory, &content);

	if (!err && is_experiment(&content, wanted))
		return take(experiment, directory, &content, wanted);
	if (!err)
		err = find_newest(directory, wanted, &newest);
	if (err) {
		fathom_tool_error("%s: %s", directory, strerror(-err));
		return err;
	}
	if (!newest.path[0])
		return say_nothing(shown, &content, wanted);
	err = fathom_experiment_look(newest.path, &content);
	if (err) {
		fathom_tool_error("%s: %s", newest.path, strerror(-err));
		return err;
	}
	return take(experiment, newest.path, &content, wanted);
}

/* Returns whether the file begins with the magic number of a program. */
static bool is_program(const char *path)
{
	char magic[4] = "";
	FILE *file = fopen(path, "rb");
	bool is_elf = file && fread(magic, 1, sizeof(magic), file) == sizeof(magic) && !memcmp(magic, "\177ELF", 4);

	if (file)
		fclose(file);
	return is_elf;
}

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), end_length = strlen(end);

	return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

/* Finds the trace that a file of definitions or events belongs to: "traces.otf2" for "traces.def" and "traces/0.evt".
 * trace becomes empty if there is no such trace. */
static void trace_of_part(const char *part, char *trace, size_t bytes)
{
	const char *slash = strrchr(part, '/');

	snprintf(trace, bytes, "%.*s.otf2", (int)(strlen(part) - strlen(".def")), part);
	if (access(trace, F_OK) == 0)
		return;
	snprintf(trace, bytes, "%.*s.otf2", slash ? (int)(slash - part) : 0, part);
	if (!slash || access(trace, F_OK) != 0)
		*trace = '\0';
}

/* Returns whether a file can be a result; otherwise prints an error message that names what to give instead. */
static bool is_result(const char *path)
{
	char trace[PATH_MAX] = "";

	if (is_program(path)) {
		fathom_tool_error("%s: is a program, not a result; run it first (built without fathom: "
				  "fathom run %s%s), then give the directory that it names",
				  path, strchr(path, '/') ? "" : "./", path);
		return false;
	}
	if (!ends_with(path, ".def") && !ends_with(path, ".evt"))
		return true;
	trace_of_part(path, trace, sizeof(trace));
	fathom_tool_error("%s: is a part of a trace; give %s%s", path,
			  *trace ? trace : "its anchor file, which ends in ",
			*trace ? "" : ".otf2");
	return false;
}

static int find(struct fathom_experiment *experiment, const char *target, enum wanted wanted)
{
	const char *directory = getenv("FATHOM_DIR");
	struct stat status;

	if (!target)
		return find_in(experiment, directory && *directory ? directory : ".", wanted);
	if (stat(target, &status) < 0) {
		fathom_tool_error("%s: %s", target, strerror(errno));
		return -ENOENT;
	}
	if (S_ISDIR(status.st_mode)) {
		char trimmed[PATH_MAX];
		size_t length = strlen(target);

		while (length > 1 && target[length - 1] == '/')
			length--;
		if (snprintf(trimmed, sizeof(trimmed), "%.*s", (int)length, target) >= (int)sizeof(trimmed))
			return -ENAMETOOLONG;
		return find_in(experiment, trimmed, wanted);
	}
	if (!is_result(target))
		return -EINVAL;
	if (snprintf(experiment->path, sizeof(experiment->path), "%s", target) >= (int)sizeof(experiment->path))
		return -ENAMETOOLONG;
	return 0;
}

int fathom_experiment_find(struct fathom_experiment *experiment, const char *target)
{
	return find(experiment, target, PROFILE_OR_TRACE);
}

int fathom_experiment_find_trace(struct fathom_experiment *experiment, const char *target)
{
	return find(experiment, target, TRACE_ONLY);
}

int fathom_experiment_find_bursts(struct fathom_experiment *experiment, const char *target)
{
	return find(experiment, target, TRACE_OR_BURSTS);
}

/* Returns whether the directory of a profile has a file of that name; path (PATH_MAX bytes) becomes its path. */
static bool is_next_to(const char *profile, const char *name, char *path)
{
	const char *slash = strrchr(profile, '/');
	int length = slash ? (int)(slash - profile + 1) : 0;

	return snprintf(path, PATH_MAX, "%.*s%s", length, profile, name) < PATH_MAX && access(path, R_OK) == 0;
}

bool fathom_experiment_trace_of(const char *profile, char *path)
{
	return is_next_to(profile, TRACE, path) || is_next_to(profile, COMPRESSED, path);
}

bool fathom_experiment_bursts_of(const char *profile, char *path)
{
	return is_next_to(profile, BURSTS, path);
}
