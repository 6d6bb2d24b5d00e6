#include "tools/common/trace/wait_intervals.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"

/* --- reading --------------------------------------------------------------------------------------------- */

static uint64_t count_events(const struct fathom_otf2_defs *defs)
{
	uint64_t count = 0;

	for (size_t l = 0; l < fathom_otf2_count(defs, FATHOM_OTF2_LOCATION); l++)
		count += ((const struct fathom_otf2_location *)fathom_otf2_at(defs, FATHOM_OTF2_LOCATION, l))->events;
	return count;
}

/* Returns the interval from begin to end, in ticks from the beginning of the trace, on the global clock. False: it is
 * not in the trace. */
static bool set_times(struct fathom_wait_interval *interval, const struct fathom_otf2_defs *defs, uint64_t begin,
		      uint64_t length)
{
	if (begin > defs->length || !length || length > defs->length + 1 - begin)
		return false;
	interval->begin = defs->offset + begin;
	interval->end = interval->begin + length;
	return true;
}

static bool take_pattern(struct fathom_wait_intervals *intervals, const char *line)
{
	uint32_t p = intervals->pattern_count;

	if (p == FATHOM_WAIT_PATTERNS_MOST ||
	    sscanf(line, "pattern %63s %63[^\n]", intervals->names[p], intervals->titles[p]) != 2)
		return false;
	intervals->pattern_count++;
	return true;
}

static bool take_wait(struct fathom_wait_intervals *intervals, const struct fathom_otf2_defs *defs, const char *line)
{
	struct fathom_wait_interval wait = { .cause = FATHOM_WAIT_NO_CAUSE };
	uint64_t id, begin, length;
	char name[64], cause[24];
	int64_t index, cause_index;
	struct fathom_wait_location *location;

	if (sscanf(line, "wait %" SCNu64 " %" SCNu64 " %" SCNu64 " %63s %23s", &id, &begin, &length, name, cause) != 5)
		return false;
	index = fathom_otf2_index(defs, FATHOM_OTF2_LOCATION, id);
	cause_index = strcmp(cause, "-") == 0 ? -1 :
		      fathom_otf2_index(defs, FATHOM_OTF2_LOCATION, strtoull(cause, NULL, 10));
	if (index < 0 || !set_times(&wait, defs, begin, length))
		return false;
	if (cause_index >= 0)
		wait.cause = (uint32_t)cause_index;
	for (; wait.pattern < intervals->pattern_count; wait.pattern++)
		if (strcmp(intervals->names[wait.pattern], name) == 0)
			break;
	if (wait.pattern == intervals->pattern_count)
		return false;
	location = &intervals->locations[index];
	location->waits = fathom_tool_grow(location->waits, location->wait_count, &location->wait_room,
					   sizeof(*location->waits));
	location->waits[location->wait_count++] = wait;
	intervals->count++;
	return true;
}

static bool take_path(struct fathom_wait_intervals *intervals, const struct fathom_otf2_defs *defs, const char *line)
{
	struct fathom_wait_interval piece = { .pattern = FATHOM_WAIT_CRITICAL_PATH, .cause = FATHOM_WAIT_NO_CAUSE };
	struct fathom_wait_location *location;
	uint64_t id, begin, length;
	int64_t index;

	if (sscanf(line, "path %" SCNu64 " %" SCNu64 " %" SCNu64, &id, &begin, &length) != 3)
		return false;
	index = fathom_otf2_index(defs, FATHOM_OTF2_LOCATION, id);
	if (index < 0 || !set_times(&piece, defs, begin, length))
		return false;
	location = &intervals->locations[index];
	location->path = fathom_tool_grow(location->path, location->path_count, &location->path_room,
					  sizeof(*location->path));
	location->path[location->path_count++] = piece;
	intervals->count++;
	return true;
}

/* Takes the line with that number. Returns NULL, or what is wrong with it. */
static const char *take_line(struct fathom_wait_intervals *intervals, const struct fathom_otf2_defs *defs,
			     const char *line, unsigned long number)
{
	static const char wrong[] = "it is damaged";
	uint64_t events, length, resolution;

	if (number == 1)
		return strcmp(line, "fathom intervals 1\n") == 0 ? NULL : "it has another format";
	if (number == 2) {
		if (sscanf(line, "trace %" SCNu64 " %" SCNu64 " %" SCNu64, &events, &length, &resolution) != 3)
			return wrong;
		return events == count_events(defs) && length == defs->length && resolution == defs->resolution ?
		       NULL : "it is of another trace";
	}
	if (strncmp(line, "left-out ", 9) == 0)
		return NULL;
	if (strncmp(line, "pattern ", 8) == 0)
		return take_pattern(intervals, line) ? NULL : wrong;
	if (strncmp(line, "wait ", 5) == 0)
		return take_wait(intervals, defs, line) ? NULL : wrong;
	return take_path(intervals, defs, line) ? NULL : wrong;
}

static int by_begin(const void *a, const void *b)
{
	const struct fathom_wait_interval *left = a, *right = b;

	return left->begin < right->begin ? -1 : left->begin > right->begin;
}

static void sort(struct fathom_wait_intervals *intervals)
{
	for (size_t l = 0; l < intervals->location_count; l++) {
		struct fathom_wait_location *location = &intervals->locations[l];

		if (location->wait_count)
			qsort(location->waits, location->wait_count, sizeof(*location->waits), by_begin);
		if (location->path_count)
			qsort(location->path, location->path_count, sizeof(*location->path), by_begin);
	}
}

void fathom_wait_intervals_read(struct fathom_wait_intervals *intervals, const struct fathom_otf2_archive *trace)
{
	const char *slash = strrchr(trace->anchor, '/'), *problem = NULL;
	int folder = slash ? (int)(slash - trace->anchor) + 1 : 0;
	char path[PATH_MAX + 32], line[256];
	unsigned long number = 0;
	FILE *file;

	memset(intervals, 0, sizeof(*intervals));
	intervals->location_count = fathom_otf2_count(&trace->defs, FATHOM_OTF2_LOCATION);
	intervals->locations = fathom_tool_alloc(intervals->location_count + 1, sizeof(*intervals->locations));
	snprintf(path, sizeof(path), "%.*sanalysis.intervals.txt", folder, trace->anchor);
	file = fopen(path, "r");
	if (!file)
		return;
	while (!problem && fgets(line, sizeof(line), file))
		problem = take_line(intervals, &trace->defs, line, ++number);
	fclose(file);
	if (!problem && number < 2)
		problem = "it is damaged";
	if (!problem) {
		sort(intervals);
		return;
	}
	fprintf(stderr, "! %s: no wait states are marked: %s (line %lu; fathom analyze --force writes it anew)\n", path,
		problem, number);
	fathom_wait_intervals_fini(intervals);
}

void fathom_wait_intervals_fini(struct fathom_wait_intervals *intervals)
{
	for (size_t l = 0; l < intervals->location_count; l++) {
		free(intervals->locations[l].waits);
		free(intervals->locations[l].path);
	}
	free(intervals->locations);
	memset(intervals, 0, sizeof(*intervals));
}

/* --- marks ----------------------------------------------------------------------------------------------- */

void fathom_wait_intervals_mark(const struct fathom_wait_intervals *intervals, uint32_t location, bool is_path,
				uint64_t from, uint64_t to, uint64_t finest,
				void (*take)(void *taker, const struct fathom_wait_mark *mark), void *taker)
{
	const struct fathom_wait_location *source = location < intervals->location_count ?
						    &intervals->locations[location] : NULL;
	size_t count = !source ? 0 : is_path ? source->path_count : source->wait_count;
	const struct fathom_wait_interval *all = !source ? NULL : is_path ? source->path : source->waits;
	struct fathom_wait_mark mark = { .count = 0 };
	uint64_t longest = 0;

	for (size_t i = 0; i < count && all[i].begin < to; i++) {
		struct fathom_wait_interval interval = all[i];

		if (interval.end <= from)
			continue;
		interval.begin = interval.begin < from ? from : interval.begin;
		interval.end = interval.end > to ? to : interval.end;
		if (mark.count && interval.end - mark.longest.begin > finest) {
			take(taker, &mark);
			mark.count = 0;
		}
		if (!mark.count) {
			mark = (struct fathom_wait_mark){ .longest = interval };
			longest = 0;
		}
		if (interval.end - interval.begin > longest) {
			longest = interval.end - interval.begin;
			mark.longest.pattern = interval.pattern;
			mark.longest.cause = interval.cause;
		}
		mark.longest.end = interval.end > mark.longest.end ? interval.end : mark.longest.end;
		mark.ticks += interval.end - interval.begin;
		mark.count++;
	}
	if (mark.count)
		take(taker, &mark);
}
