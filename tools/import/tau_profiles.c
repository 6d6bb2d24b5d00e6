#include "tools/import/tau_profiles.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "tools/common/command.h"
#include "tools/import/foreign_region.h"
#include "tools/import/imported_profile.h"

static const char arrow[] = "=>";

/* Values of a function, or of the call paths that end in it. */
struct sums {
	double calls, own;
};

/* A file that is being read. */
struct reading {
	struct fathom_imported_profile *profile;
	const char *path;
	FILE *file;
	char *line;
	size_t line_room;
	uint64_t line_number;
	uint32_t metric, visits, thread;
	bool counts_visits;		/* the file is of the first metric */
	double factor;			/* by which values are multiplied: microseconds to seconds */
	struct sums *functions, *leaves;	/* by region */
	size_t region_room;
	uint64_t sampled;		/* lines that were left out */
};

__attribute__((format(printf, 2, 3))) static int complain(const struct reading *reading, const char *format, ...)
{
	char text[300];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	fathom_tool_error("%s:%" PRIu64 ": %s", reading->path, reading->line_number, text);
	return -EINVAL;
}

/* Reads a line without its end. False: the file ends. */
static bool next_line(struct reading *reading)
{
	ssize_t length = getline(&reading->line, &reading->line_room, reading->file);

	if (length < 0)
		return false;
	reading->line_number++;
	while (length && (reading->line[length - 1] == '\n' || reading->line[length - 1] == '\r'))
		reading->line[--length] = '\0';
	return true;
}

/* --- lines --------------------------------------------------------------------------------------------- */

/* Finds the quoted name at the beginning of a line. Returns what follows it; NULL: there is no name. */
static char *take_name(struct reading *reading, char **name)
{
	char *group = strstr(reading->line, " GROUP=\""), *end;

	if (*reading->line != '"')
		return NULL;
	if (group)
		*group = '\0';
	end = strrchr(reading->line, '"');
	if (end == reading->line)
		return NULL;
	*end = '\0';
	*name = reading->line + 1;
	return end + 1;
}

static bool take_numbers(char *at, double *numbers, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		char *end;

		numbers[i] = strtod(at, &end);
		if (end == at || !isfinite(numbers[i]))
			return false;
		at = end;
	}
	return true;
}

/* Makes room for the sums of all regions. */
static void grow_sums(struct reading *reading)
{
	size_t count = reading->profile->region_count, room = reading->region_room;

	if (count <= room)
		return;
	room = count * 2;
	reading->functions = realloc(reading->functions, room * sizeof(struct sums));
	reading->leaves = realloc(reading->leaves, room * sizeof(struct sums));
	if (!reading->functions || !reading->leaves)
		fathom_tool_out_of_memory(room * sizeof(struct sums));
	memset(reading->functions + reading->region_room, 0, (room - reading->region_room) * sizeof(struct sums));
	memset(reading->leaves + reading->region_room, 0, (room - reading->region_room) * sizeof(struct sums));
	reading->region_room = room;
}

static uint32_t take_region(struct reading *reading, const char *text, size_t length)
{
	struct fathom_foreign_region foreign;
	uint32_t region;

	fathom_foreign_region_init(&foreign, text, length);
	region = fathom_imported_region(reading->profile, &foreign.region);
	fathom_foreign_region_fini(&foreign);
	grow_sums(reading);
	return region;
}

/* Returns the call path of "A => B => C", and the region of its end. */
static uint32_t take_path(struct reading *reading, const char *name, uint32_t *leaf)
{
	uint32_t path = FATHOM_IMPORTED_NO_PATH;

	while (name) {
		const char *next = strstr(name, arrow);

		*leaf = take_region(reading, name, next ? (size_t)(next - name) : strlen(name));
		path = fathom_imported_path(reading->profile, path, *leaf);
		name = next ? next + strlen(arrow) : NULL;
	}
	return path;
}

/* Returns whether a call path ends in these functions. */
static bool ends_in(const struct fathom_imported_path *paths, uint32_t path, const uint32_t *regions, size_t count)
{
	while (count && path != FATHOM_IMPORTED_NO_PATH && paths[path].region == regions[count - 1]) {
		path = paths[path].parent;
		count--;
	}
	return count == 0;
}

/* Returns the call path that the context of a user event means: one that ends in its functions, as the context may
 * begin anywhere. */
static uint32_t take_context(struct reading *reading, const char *context)
{
	enum { MOST_FUNCTIONS = 256 };
	uint32_t regions[MOST_FUNCTIONS], leaf;
	size_t count = 0;

	for (const char *at = context; at && count < MOST_FUNCTIONS; ) {
		const char *next = strstr(at, arrow);

		regions[count++] = take_region(reading, at, next ? (size_t)(next - at) : strlen(at));
		at = next ? next + strlen(arrow) : NULL;
	}
	for (uint32_t p = 0; p < reading->profile->path_count; p++)
		if (ends_in(reading->profile->paths, p, regions, count))
			return p;
	return take_path(reading, context, &leaf);
}

static void add_values(struct reading *reading, uint32_t path, const struct sums *sums)
{
	fathom_imported_add(reading->profile, reading->metric, path, reading->thread, sums->own * reading->factor);
	if (reading->counts_visits)
		fathom_imported_add(reading->profile, reading->visits, path, reading->thread, sums->calls);
}

static int take_function(struct reading *reading)
{
	enum { CALLS, CALLED, OWN, TOTAL, COUNT };
	bool is_sampled = strstr(reading->line, "TAU_SAMPLE") != NULL;
	double numbers[COUNT];
	struct sums sums;
	uint32_t leaf = 0;
	char *name, *at = take_name(reading, &name);

	if (!at || !take_numbers(at, numbers, COUNT))
		return complain(reading, "not a line of a function (\"name\" calls subroutines exclusive inclusive "
				"...)");
	if (is_sampled) {
		reading->sampled++;
		return 0;
	}
	sums = (struct sums){ numbers[CALLS], numbers[OWN] };
	if (strstr(name, arrow)) {
		uint32_t path = take_path(reading, name, &leaf);

		reading->leaves[leaf].calls += sums.calls;
		reading->leaves[leaf].own += sums.own;
		add_values(reading, path, &sums);
	} else {
		leaf = take_region(reading, name, strlen(name));
		reading->functions[leaf].calls += sums.calls;
		reading->functions[leaf].own += sums.own;
	}
	return 0;
}

/* Gives roots the values that no call path has. What is left of rounding is dropped. */
static void add_roots(struct reading *reading)
{
	for (uint32_t r = 0; r < reading->profile->region_count; r++) {
		const struct sums *function = &reading->functions[r], *leaves = &reading->leaves[r];
		struct sums rest = { function->calls - leaves->calls, function->own - leaves->own };

		if (rest.own < 1e-9 * function->own || rest.own < 0)
			rest.own = 0;
		if (rest.calls < 0.5)
			rest.calls = 0;
		if (rest.own > 0 || rest.calls > 0)
			add_values(reading, fathom_imported_path(reading->profile, FATHOM_IMPORTED_NO_PATH, r), &rest);
	}
}

/* A user event of the whole thread, or "event : A => B" of a call path. */
static int take_event(struct reading *reading)
{
	enum { NUMBER, MOST, LEAST, MEAN, COUNT };
	double numbers[COUNT];
	char *name, *context, *at = take_name(reading, &name), title[256];
	uint32_t path = 0, metric;

	if (!at || !take_numbers(at, numbers, COUNT))
		return complain(reading, "not a line of a user event (\"name\" number maximum minimum mean ...)");
	context = strstr(name, " : ");
	if (context && strstr(context, arrow)) {
		*context = '\0';
		path = take_context(reading, context + 3);
	} else if (reading->profile->path_count == 0) {
		return complain(reading, "a user event in a file without functions");
	}
	for (size_t length = strlen(name); length && name[length - 1] == ' '; )
		name[--length] = '\0';
	metric = fathom_imported_metric(reading->profile, name, name, "", FATHOM_CUBE_DOUBLE);
	fathom_imported_add(reading->profile, metric, path, reading->thread, numbers[NUMBER] * numbers[MEAN]);
	snprintf(title, sizeof(title), "%.200s: number", name);
	metric = fathom_imported_metric(reading->profile, title, title, "occ", FATHOM_CUBE_UINT64);
	fathom_imported_add(reading->profile, metric, path, reading->thread, numbers[NUMBER]);
	return 0;
}

/* --- files --------------------------------------------------------------------------------------------- */

/* Makes the metric that the first line names. The name is behind "templated_functions", and may be missing: time. */
static void take_metric(struct reading *reading, const char *rest)
{
	static const char *const times[] = {
		"TIME", "GET_TIME_OF_DAY", "P_WALL_CLOCK_TIME", "LINUX_TIMERS", "WALL_CLOCK_TIME",
	};
	const char *name = strncmp(rest, "_MULTI_", 7) == 0 ? rest + 7 : "TIME";
	bool is_time = *name == '\0' || *name == '_';

	for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++)
		is_time |= strcmp(name, times[i]) == 0;
	reading->factor = is_time ? 1e-6 : 1;
	reading->metric = is_time ?
		fathom_imported_metric(reading->profile, "time", "Time", "sec", FATHOM_CUBE_DOUBLE) :
		fathom_imported_metric(reading->profile, name, name, "#", FATHOM_CUBE_DOUBLE);
	reading->visits = fathom_imported_metric(reading->profile, "visits", "Visits", "occ", FATHOM_CUBE_UINT64);
}

/* Reads "N word...". Returns what follows the number; NULL: the line has another form. */
static const char *take_count(const struct reading *reading, uint64_t *count, const char *word)
{
	char *end;

	*count = strtoull(reading->line, &end, 10);
	if (end == reading->line || *end != ' ' || strncmp(end + 1, word, strlen(word)) != 0)
		return NULL;
	return end + 1 + strlen(word);
}

static int take_events(struct reading *reading)
{
	uint64_t count;
	int err = 0;

	if (!next_line(reading))
		return 0;
	if (!take_count(reading, &count, "aggregates"))
		return complain(reading, "N aggregates is missing");
	while (count--)
		if (!next_line(reading))
			return complain(reading, "the file ends among its aggregates");
	if (!next_line(reading))
		return 0;
	if (!take_count(reading, &count, "userevents"))
		return complain(reading, "N userevents is missing");
	if (count && !next_line(reading))
		return complain(reading, "the file ends before its user events");
	while (!err && count--) {
		if (!next_line(reading))
			return complain(reading, "the file ends among its user events");
		if (reading->counts_visits)
			err = take_event(reading);
	}
	return err;
}

static int read_lines(struct reading *reading)
{
	const char *rest = NULL;
	uint64_t count;
	int err = 0;

	if (next_line(reading))
		rest = take_count(reading, &count, "templated_functions");
	if (!rest)
		return complain(reading, "not a profile of TAU (its first line is N templated_functions...)");
	take_metric(reading, rest);
	if (!next_line(reading) || strncmp(reading->line, "# Name Calls Subrs Excl Incl", 28) != 0)
		return complain(reading, "the line \"# Name Calls Subrs Excl Incl ...\" is missing");
	grow_sums(reading);
	while (!err && count--) {
		if (!next_line(reading))
			return complain(reading, "the file ends among its functions; %" PRIu64 " more are announced",
					count + 1);
		err = take_function(reading);
	}
	if (err)
		return err;
	add_roots(reading);
	return take_events(reading);
}

static int read_file(struct reading *reading, const char *directory, const char *name, int64_t *numbers)
{
	char *path = NULL;
	int err;

	if (asprintf(&path, "%s/%s", directory, name) < 0)
		fathom_tool_out_of_memory(strlen(directory) + strlen(name));
	reading->path = path;
	reading->line_number = 0;
	reading->file = fopen(path, "re");
	if (!reading->file) {
		err = -errno;
		fathom_tool_error("%s: %s", path, strerror(-err));
		free(path);
		return err;
	}
	reading->thread = fathom_imported_thread(reading->profile, numbers[0], numbers[1], numbers[2]);
	if (reading->region_room) {
		memset(reading->functions, 0, reading->region_room * sizeof(struct sums));
		memset(reading->leaves, 0, reading->region_room * sizeof(struct sums));
	}
	err = read_lines(reading);
	if (!err && ferror(reading->file)) {
		err = -EIO;
		fathom_tool_error("%s: %s", path, strerror(EIO));
	}
	fclose(reading->file);
	free(path);
	return err;
}

/* --- directories --------------------------------------------------------------------------------------- */

/* Takes the numbers of "profile.NODE.CONTEXT.THREAD". */
static bool is_profile_name(const char *name, int64_t *numbers)
{
	const char *at = name + strlen("profile");

	if (strncmp(name, "profile", strlen("profile")) != 0)
		return false;
	for (size_t i = 0; i < 3; i++) {
		char *end;

		if (*at != '.' || at[1] < '0' || at[1] > '9')
			return false;
		errno = 0;
		numbers[i] = strtoll(at + 1, &end, 10);
		if (errno || numbers[i] > INT32_MAX)
			return false;
		at = end;
	}
	return *at == '\0';
}

static int is_profile(const struct dirent *entry)
{
	int64_t numbers[3];

	return is_profile_name(entry->d_name, numbers);
}

static int is_metric(const struct dirent *entry)
{
	return strncmp(entry->d_name, "MULTI__", 7) == 0;
}

static void free_names(struct dirent **names, int count)
{
	for (int i = 0; i < count; i++)
		free(names[i]);
	free(names);
}

bool fathom_tau_profiles_are_in(const char *directory)
{
	struct dirent **names = NULL;
	int files = scandir(directory, &names, is_profile, NULL), metrics;

	if (files >= 0)
		free_names(names, files);
	metrics = scandir(directory, &names, is_metric, NULL);
	if (metrics >= 0)
		free_names(names, metrics);
	return files > 0 || metrics > 0;
}

/* Reads the files of one metric. Returns how many, or -errno after an error message. */
static int read_directory(struct reading *reading, const char *directory)
{
	struct dirent **names = NULL;
	int count = scandir(directory, &names, is_profile, alphasort), err = 0;
	int64_t numbers[3];

	if (count < 0) {
		err = -errno;
		fathom_tool_error("%s: %s", directory, strerror(-err));
		return err;
	}
	for (int i = 0; !err && i < count; i++)
		if (is_profile_name(names[i]->d_name, numbers))
			err = read_file(reading, directory, names[i]->d_name, numbers);
	free_names(names, count);
	return err ? err : count;
}

/* Reads the directories MULTI__*; TIME first, so that visits and user events are taken from there. */
static int read_metrics(struct reading *reading, const char *directory)
{
	struct dirent **names = NULL;
	int count = scandir(directory, &names, is_metric, alphasort), files = 0, first = 0;

	for (int i = 0; i < count; i++)
		if (strstr(names[i]->d_name, "TIME"))
			first = i;
	for (int i = 0; files >= 0 && i < count; i++) {
		int chosen = i == 0 ? first : i <= first ? i - 1 : i, read;
		char *path = NULL;

		if (asprintf(&path, "%s/%s", directory, names[chosen]->d_name) < 0)
			fathom_tool_out_of_memory(strlen(directory));
		reading->counts_visits = i == 0;
		read = read_directory(reading, path);
		files = read < 0 ? read : files + read;
		free(path);
	}
	if (count >= 0)
		free_names(names, count);
	return files;
}

int fathom_tau_profiles_read(struct fathom_imported_profile *profile, const char *directory)
{
	struct reading reading = { .profile = profile, .counts_visits = true };
	int files = read_directory(&reading, directory);

	if (files == 0)
		files = read_metrics(&reading, directory);
	if (files == 0)
		fathom_tool_error("%s: has no profile of TAU (profile.NODE.CONTEXT.THREAD, or directories MULTI__*)",
				  directory);
	if (files > 0 && reading.sampled)
		printf("%s: %" PRIu64 " sampled entries are left out, because their time is in measured functions, "
		       "too\n", directory, reading.sampled);
	free(reading.line);
	free(reading.functions);
	free(reading.leaves);
	return files > 0 ? 0 : files < 0 ? files : -ENOENT;
}
