#include "experiment.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "tool.h"

#define PROFILE "profile.cubex"

long fathom_experiment_rank_of(const char *file)
{
	long rank;
	char *end;

	if (strncmp(file, "rank-", 5) != 0 || file[5] < '0' || file[5] > '9')
		return -1;
	errno = 0;
	rank = strtol(file + 5, &end, 10);
	if (errno || strcmp(end, ".cubex") != 0 || rank > INT_MAX)
		return -1;
	return rank;
}

unsigned long fathom_experiment_ranks_beside(const char *profile, char *first)
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
		long rank = fathom_experiment_rank_of(entry->d_name);

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

struct content {		/* of a directory */
	bool profile, unfinished;
	unsigned long ranks;
	struct timespec changed;	/* when the profile, or the directory, last was */
};

static int look_into(const char *directory, struct content *content)
{
	struct stat status;
	struct dirent *entry;
	char path[PATH_MAX];
	DIR *stream = opendir(directory);

	if (!stream)
		return -errno;
	memset(content, 0, sizeof(*content));
	while ((entry = readdir(stream)) != NULL) {
		if (strcmp(entry->d_name, PROFILE) == 0)
			content->profile = true;
		else if (strcmp(entry->d_name, PROFILE ".part") == 0)
			content->unfinished = true;
		else if (fathom_experiment_rank_of(entry->d_name) >= 0)
			content->ranks++;
	}
	closedir(stream);
	if (snprintf(path, sizeof(path), "%s/" PROFILE, directory) >= (int)sizeof(path))
		return -ENAMETOOLONG;
	if (stat(path, &status) == 0 || stat(directory, &status) == 0)
		content->changed = status.st_mtim;
	return 0;
}

/* The moment in a name "...-YYYYMMDD-HHMM-XXXX", -1: there is none. */
static time_t begin_of_name(const char *name)
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

struct candidate {
	char path[PATH_MAX];
	time_t begin;			/* by its name, to the minute; */
	struct timespec changed;	/* of several in a minute, the one last written counts */
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

/* The newest experiment in a directory; an empty path: there is none. */
static int find_newest(const char *directory, struct candidate *newest)
{
	struct candidate candidate;
	struct content content;
	struct dirent *entry;
	DIR *stream = opendir(directory);
	bool here = strcmp(directory, ".") == 0;

	newest->path[0] = '\0';
	if (!stream)
		return -errno;
	while ((entry = readdir(stream)) != NULL) {
		if (strncmp(entry->d_name, "fathom-", 7) != 0)
			continue;
		if (snprintf(candidate.path, sizeof(candidate.path), "%s%s%s", here ? "" : directory, here ? "" : "/",
			     entry->d_name) >= (int)sizeof(candidate.path))
			continue;
		if (look_into(candidate.path, &content) || (!content.profile && !content.unfinished && !content.ranks))
			continue;
		candidate.changed = content.changed;
		candidate.begin = begin_of_name(entry->d_name);
		if (candidate.begin < 0)
			candidate.begin = content.changed.tv_sec;
		if (!newest->path[0] || is_newer(&candidate, newest))
			*newest = candidate;
	}
	closedir(stream);
	return 0;
}

/* directory is an experiment with that content: name its profile, or say why there is none. */
static int take(struct fathom_experiment *experiment, const char *directory, const struct content *content)
{
	if (content->profile) {
		if (snprintf(experiment->path, sizeof(experiment->path), "%s/" PROFILE, directory) <
		    (int)sizeof(experiment->path))
			return 0;
		fathom_tool_say("%s: the path is too long", directory);
		return -ENAMETOOLONG;
	}
	if (content->ranks)
		fathom_tool_say("%s: holds what %lu rank%s saved alone, not yet a profile; put %s together "
				"with: fathom merge %s", directory, content->ranks, content->ranks == 1 ? "" : "s",
				content->ranks == 1 ? "it" : "them", directory);
	else
		fathom_tool_say("%s: holds an unfinished profile only (" PROFILE ".part): the program was stopped "
				"while it wrote its result", directory);
	return -ENOENT;
}

static int find_in(struct fathom_experiment *experiment, const char *directory)
{
	struct candidate newest;
	struct content content;
	int err = look_into(directory, &content);

	if (!err && (content.profile || content.ranks || content.unfinished))
		return take(experiment, directory, &content);
	if (!err)
		err = find_newest(directory, &newest);
	if (err) {
		fathom_tool_say("%s: %s", directory, strerror(-err));
		return err;
	}
	if (!newest.path[0]) {
		fathom_tool_say("%s: no experiment in it (neither " PROFILE " nor directories fathom-*)",
				strcmp(directory, ".") == 0 ? "this directory" : directory);
		return -ENOENT;
	}
	err = look_into(newest.path, &content);
	if (err) {
		fathom_tool_say("%s: %s", newest.path, strerror(-err));
		return err;
	}
	return take(experiment, newest.path, &content);
}

int fathom_experiment_find(struct fathom_experiment *experiment, const char *target)
{
	const char *directory = getenv("FATHOM_DIR");
	struct stat status;

	if (!target)
		return find_in(experiment, directory && *directory ? directory : ".");
	if (stat(target, &status) < 0) {
		fathom_tool_say("%s: %s", target, strerror(errno));
		return -ENOENT;
	}
	if (S_ISDIR(status.st_mode)) {
		char trimmed[PATH_MAX];
		size_t length = strlen(target);

		while (length > 1 && target[length - 1] == '/')
			length--;
		if (snprintf(trimmed, sizeof(trimmed), "%.*s", (int)length, target) >= (int)sizeof(trimmed))
			return -ENAMETOOLONG;
		return find_in(experiment, trimmed);
	}
	if (snprintf(experiment->path, sizeof(experiment->path), "%s", target) >= (int)sizeof(experiment->path))
		return -ENAMETOOLONG;
	return 0;
}
