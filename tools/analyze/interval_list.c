#include "tools/analyze/interval_list.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"
#include "tools/common/output_file.h"

/* Intervals of a kind that are kept for a location, and for all locations together. A picture has about 1000 columns,
 * so 5000 of the longest intervals fill it in every part; 500,000 are a file of 30 MB. */
enum { MOST_OF_LOCATION = 5000, LEAST_OF_LOCATION = 100, MOST_OF_ALL = 500000 };

void fathom_interval_list_init(struct fathom_interval_list *list, uint32_t location_count)
{
	size_t most = MOST_OF_ALL / (location_count ? location_count : 1);

	list->parts = fathom_tool_alloc(location_count + (size_t)1, sizeof(*list->parts));
	list->location_count = location_count;
	list->most = most < LEAST_OF_LOCATION ? LEAST_OF_LOCATION : most > MOST_OF_LOCATION ? MOST_OF_LOCATION : most;
}

void fathom_interval_list_fini(struct fathom_interval_list *list)
{
	for (uint32_t l = 0; l < list->location_count; l++)
		for (int kind = 0; kind < FATHOM_INTERVAL_KINDS; kind++)
			free(list->parts[l][kind].intervals);
	free(list->parts);
}

/* --- adding ---------------------------------------------------------------------------------------------- */

/* Orders intervals by length, the longest first; of equally long ones, the earliest first. */
static int by_length(const void *a, const void *b)
{
	const struct fathom_interval *left = a, *right = b;
	uint64_t left_ticks = left->end - left->begin, right_ticks = right->end - right->begin;

	if (left_ticks != right_ticks)
		return left_ticks > right_ticks ? -1 : 1;
	return left->begin < right->begin ? -1 : left->begin > right->begin;
}

static int by_begin(const void *a, const void *b)
{
	const struct fathom_interval *left = a, *right = b;

	if (left->begin != right->begin)
		return left->begin < right->begin ? -1 : 1;
	return left->end < right->end ? -1 : left->end > right->end;
}

/* Leaves the shortest intervals of a part out, so that at most so many remain. */
static void shorten(struct fathom_interval_part *part, size_t most)
{
	if (part->count <= most)
		return;
	qsort(part->intervals, part->count, sizeof(*part->intervals), by_length);
	for (size_t i = most; i < part->count; i++)
		part->left_out_ticks += part->intervals[i].end - part->intervals[i].begin;
	part->left_out += part->count - most;
	part->count = most;
}

void fathom_interval_list_add(struct fathom_interval_list *list, const struct fathom_interval *interval)
{
	int kind = interval->pattern == FATHOM_WAITS_CRITICAL_PATH ? FATHOM_INTERVAL_PATH : FATHOM_INTERVAL_WAITS;
	struct fathom_interval_part *part;

	if (interval->location >= list->location_count || interval->end <= interval->begin)
		return;
	part = &list->parts[interval->location][kind];
	part->intervals = fathom_tool_grow(part->intervals, part->count, &part->room, sizeof(*part->intervals));
	part->intervals[part->count++] = *interval;
	if (part->count >= 2 * list->most)
		shorten(part, list->most);
}

void fathom_interval_list_leave_out(struct fathom_interval_list *list, uint32_t location, int kind, uint64_t count,
				    uint64_t ticks)
{
	struct fathom_interval_part *part;

	if (location >= list->location_count || kind < 0 || kind >= FATHOM_INTERVAL_KINDS)
		return;
	part = &list->parts[location][kind];
	part->left_out += count;
	part->left_out_ticks += ticks;
}

/* --- the file -------------------------------------------------------------------------------------------- */

void fathom_interval_list_path(const char *analysis, char *path)
{
	size_t length = strlen(analysis);

	if (length > 6 && strcmp(analysis + length - 6, ".cubex") == 0)
		length -= 6;
	snprintf(path, PATH_MAX, "%.*s.intervals.txt", (int)length, analysis);
}

/* Returns the location that has a number among those with events of a process; -1: there is none. */
static int64_t find_cause(const struct fathom_extraction *extraction, const struct fathom_interval *interval)
{
	uint32_t number = 0;

	for (uint32_t l = 0; interval->cause_process != FATHOM_INTERVAL_NO_CAUSE && l < extraction->location_count; l++)
		if (extraction->locations[l].process == interval->cause_process && extraction->locations[l].first &&
		    number++ == interval->cause_thread)
			return l;
	return -1;
}

static uint64_t location_id(const struct fathom_extraction *extraction, int64_t index)
{
	const struct fathom_otf2_location *location =
		fathom_otf2_at(&extraction->trace->defs, FATHOM_OTF2_LOCATION, (uint64_t)index);

	return location->id;
}

static void write_head(FILE *stream, const struct fathom_extraction *extraction)
{
	const struct fathom_otf2_defs *defs = &extraction->trace->defs;

	fprintf(stream, "fathom intervals 1\ntrace %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", extraction->events,
		defs->length, defs->resolution);
	for (int p = 0; p < FATHOM_WAITS_PATTERNS; p++) {
		const struct fathom_waits_pattern_info *info = fathom_waits_pattern_info((enum fathom_waits_pattern)p);

		if (p < FATHOM_WAITS_IDLE_THREADS && !info->is_group)
			fprintf(stream, "pattern %s %s%s\n", info->name,
				info->parent == FATHOM_WAITS_WRONG_ORDER ? "Late sender, wrong order: " : "",
				info->title);
	}
}

static void write_wait(FILE *stream, const struct fathom_extraction *extraction, const struct fathom_interval *wait)
{
	int64_t cause = find_cause(extraction, wait);

	fprintf(stream, "wait %" PRIu64 " %" PRIu64 " %" PRIu64 " %s ", location_id(extraction, wait->location),
		wait->begin, wait->end - wait->begin,
		fathom_waits_pattern_info((enum fathom_waits_pattern)wait->pattern)->name);
	if (cause >= 0)
		fprintf(stream, "%" PRIu64 "\n", location_id(extraction, cause));
	else
		fprintf(stream, "-\n");
}

static void write_part(FILE *stream, const struct fathom_extraction *extraction, struct fathom_interval_part *part,
		       uint32_t location, bool is_path)
{
	if (part->count)
		qsort(part->intervals, part->count, sizeof(*part->intervals), by_begin);
	for (size_t i = 0; i < part->count; i++)
		if (!is_path)
			write_wait(stream, extraction, &part->intervals[i]);
		else
			fprintf(stream, "path %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", location_id(extraction, location),
				part->intervals[i].begin, part->intervals[i].end - part->intervals[i].begin);
	if (part->left_out)
		fprintf(stream, "left-out %" PRIu64 " %s %" PRIu64 " %" PRIu64 "\n", location_id(extraction, location),
			is_path ? "path" : "wait", part->left_out, part->left_out_ticks);
}

int fathom_interval_list_write(struct fathom_interval_list *list, const struct fathom_extraction *extraction,
			       const char *path)
{
	struct fathom_output_file file;
	int err = fathom_output_file_open(&file, path, true);

	if (err)
		return err;
	write_head(file.stream, extraction);
	for (uint32_t l = 0; l < list->location_count; l++)
		for (int kind = 0; kind < FATHOM_INTERVAL_KINDS; kind++) {
			shorten(&list->parts[l][kind], list->most);
			write_part(file.stream, extraction, &list->parts[l][kind], l, kind == FATHOM_INTERVAL_PATH);
		}
	return fathom_output_file_close(&file, 0);
}
