#include "tools/trace/trace_merge.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "otf2/archive_writer.h"
#include "otf2/event_references.h"
#include "otf2/memory.h"
#include "tools/common/command.h"
#include "tools/common/experiment.h"
#include "tools/trace/definition_union.h"
#include "tools/common/trace/new_directory.h"

struct time_line {		/* of an input: how its times become those of the union */
	double scale;		/* ticks of the union in a tick of the input; 1: times stay as they are */
	uint64_t from, to;	/* equal moments in the input and in the union, if scale is not 1 */
};

struct merging {
	struct fathom_trace_merge *merge;
	struct fathom_union_input *inputs;
	size_t count, room;
	struct fathom_definition_union all;
	struct fathom_otf2_archive_writer writer;
	struct fathom_otf2_renaming renaming;
	struct time_line *lines;	/* by input */
	size_t input;			/* the one that is being read */
	uint64_t first, last;		/* times that were written */
	int err;
};

/* --- inputs -------------------------------------------------------------------------------------------- */

static int add_input(struct merging *merging, const char *anchor)
{
	struct fathom_union_input *input;
	const char *part;
	int err;

	merging->inputs = fathom_otf2_memory_grow(merging->inputs, merging->count, &merging->room,
						  sizeof(*merging->inputs));
	input = &merging->inputs[merging->count++];
	memset(input, 0, sizeof(*input));
	err = fathom_otf2_open(&input->trace, anchor);
	if (!err)
		err = fathom_otf2_read_definitions(&input->trace, NULL);
	if (!err && fathom_definitions_read(&input->definitions, anchor)) {
		fathom_tool_error("%s: the definitions cannot be read", anchor);
		return -EIO;
	}
	if (err)
		fathom_tool_error("%s", input->trace.error);
	part = fathom_otf2_property(&input->trace, "FATHOM::PART");
	input->is_part = part && strstr(part, "ranks ");
	return err;
}

static int by_rank(const void *a, const void *b)
{
	long x = *(const long *)a, y = *(const long *)b;

	return x < y ? -1 : x > y;
}

/* Finds the numbers N of the directories rank-N with a trace in a directory. The caller frees them. */
static long *find_ranks(const char *directory, size_t *count)
{
	char path[PATH_MAX];
	long *ranks = NULL;
	size_t room = 0;
	const struct dirent *entry;
	DIR *stream = opendir(directory);

	*count = 0;
	while (stream && (entry = readdir(stream)) != NULL) {
		long rank = fathom_experiment_rank_of(entry->d_name, "");

		if (rank < 0 || snprintf(path, sizeof(path), "%s/%s/traces.otf2", directory, entry->d_name) >=
		    (int)sizeof(path) || access(path, F_OK) < 0)
			continue;
		ranks = fathom_otf2_memory_grow(ranks, *count, &room, sizeof(*ranks));
		ranks[(*count)++] = rank;
	}
	if (stream)
		closedir(stream);
	if (*count)
		qsort(ranks, *count, sizeof(*ranks), by_rank);
	return ranks;
}

/* Adds the trace that the name means, and those in the directories rank-N below it. */
static int add_target(struct merging *merging, const char *target)
{
	struct fathom_experiment experiment;
	char path[PATH_MAX];
	size_t count, i;
	long *ranks = find_ranks(target, &count);
	int err = 0;

	if (snprintf(path, sizeof(path), "%s/traces.otf2", target) >= (int)sizeof(path))
		err = -ENAMETOOLONG;
	if (!err && count && access(path, F_OK) == 0)
		err = add_input(merging, path);
	for (i = 0; !err && i < count; i++) {
		if (snprintf(path, sizeof(path), "%s/rank-%ld/traces.otf2", target, ranks[i]) >= (int)sizeof(path))
			err = -ENAMETOOLONG;
		else
			err = add_input(merging, path);
	}
	free(ranks);
	if (count || err)
		return err;
	if (fathom_experiment_find_trace(&experiment, target))
		return -ENOENT;
	return add_input(merging, experiment.path);
}

/* --- time ------------------------------------------------------------------------------------------------ */

enum { LARGEST_DRIFT = 1000 };	/* parts in a million by which measurements of one clock's rate may differ */

static double clock_ns(const struct fathom_otf2_defs *defs, double ticks)
{
	return ticks / (double)defs->resolution * 1e9;
}

/* Returns whether the times of an input are of the same clock as those of the first one: equal rates, within the error
 * of their measurement, and the real time at the begin agrees with it within a minute. */
static bool has_same_clock(const struct fathom_otf2_defs *a, const struct fathom_otf2_defs *b)
{
	double between, real;

	if (fabs((double)a->resolution - (double)b->resolution) * 1e6 > LARGEST_DRIFT * (double)a->resolution)
		return false;
	if (a->realtime == OTF2_UNDEFINED_TIMESTAMP || b->realtime == OTF2_UNDEFINED_TIMESTAMP)
		return true;
	between = clock_ns(a, (double)b->offset - (double)a->offset);
	real = (double)b->realtime - (double)a->realtime;
	return fabs(between - real) < 60e9;
}

/* Finds the time line of each input. Another clock is compared by the real time at which each trace began. */
static void find_time_lines(struct merging *merging)
{
	const struct fathom_otf2_defs *first = &merging->inputs[0].trace.defs;

	merging->lines = fathom_otf2_memory_alloc(merging->count, sizeof(*merging->lines));
	for (size_t i = 0; i < merging->count; i++) {
		const struct fathom_otf2_defs *defs = &merging->inputs[i].trace.defs;
		struct time_line *line = &merging->lines[i];
		double moved = 0;

		line->scale = 1;
		if (!defs->resolution || !first->resolution || has_same_clock(first, defs))
			continue;
		line->scale = (double)first->resolution / (double)defs->resolution;
		if (first->realtime != OTF2_UNDEFINED_TIMESTAMP && defs->realtime != OTF2_UNDEFINED_TIMESTAMP)
			moved = ((double)defs->realtime - (double)first->realtime) / 1e9 * (double)first->resolution;
		line->from = defs->offset;
		line->to = first->offset + (uint64_t)(int64_t)llrint(moved);
	}
}

static uint64_t time_in_union(const struct time_line *line, uint64_t time)
{
	double ticks;

	if (line->scale == 1 && line->from == line->to)
		return time;
	ticks = ((double)time - (double)line->from) * line->scale;
	return line->to + (uint64_t)(int64_t)llrint(ticks);
}

/* Sets the clock's record of the union: it spans the times of all inputs. */
static void set_clock(struct merging *merging)
{
	uint64_t *clock = merging->all.definitions.records[0].fields, begin = UINT64_MAX, end = 0, old_begin;

	for (size_t i = 0; i < merging->count; i++) {
		const struct fathom_otf2_defs *defs = &merging->inputs[i].trace.defs;
		uint64_t first = time_in_union(&merging->lines[i], defs->offset);
		uint64_t last = time_in_union(&merging->lines[i], defs->offset + defs->length);

		begin = first < begin ? first : begin;
		end = last > end ? last : end;
	}
	if (merging->first <= merging->last) {
		begin = merging->first < begin ? merging->first : begin;
		end = merging->last > end ? merging->last : end;
	}
	old_begin = clock[FATHOM_CLOCK_OFFSET];
	clock[FATHOM_CLOCK_OFFSET] = begin;
	clock[FATHOM_CLOCK_LENGTH] = end - begin;
	if (clock[FATHOM_CLOCK_REALTIME] != OTF2_UNDEFINED_TIMESTAMP && clock[FATHOM_CLOCK_RESOLUTION])
		clock[FATHOM_CLOCK_REALTIME] -= (uint64_t)((double)(old_begin - begin) /
							   (double)clock[FATHOM_CLOCK_RESOLUTION] * 1e9);
}

/* --- events ---------------------------------------------------------------------------------------------- */

static bool take_event(void *data, const struct fathom_otf2_event *event)
{
	struct merging *merging = data;
	struct fathom_union_input *input = &merging->inputs[merging->input];
	const struct time_line *line = &merging->lines[merging->input];
	const struct fathom_otf2_location *location = fathom_otf2_at(&input->trace.defs, FATHOM_OTF2_LOCATION,
								     event->location);
	int64_t index = fathom_otf2_index(&merging->all.merged.defs, FATHOM_OTF2_LOCATION, location->id);
	struct fathom_otf2_event renamed = *event;

	if (index < 0 || event->kind == FATHOM_RECORD_UNKNOWN)
		return true;
	if (input->is_part)
		fathom_otf2_selection_renumber(&input->ranks, &renamed);
	merging->renaming.new_id = fathom_definition_union_id;
	merging->renaming.data = input;
	fathom_otf2_event_rename(&merging->renaming, &renamed);
	renamed.location = (uint32_t)index;
	renamed.time = time_in_union(line, event->time);
	if (event->kind == FATHOM_RECORD_BUFFER_FLUSH)
		renamed.id = time_in_union(line, event->id);
	merging->first = renamed.time < merging->first ? renamed.time : merging->first;
	merging->last = renamed.time > merging->last ? renamed.time : merging->last;
	merging->err = fathom_otf2_writer_put(&merging->writer, &renamed);
	return !merging->err;
}

static int write_events(struct merging *merging)
{
	for (size_t i = 0; i < merging->count; i++) {
		struct fathom_union_input *input = &merging->inputs[i];
		int err;

		merging->input = i;
		if (fathom_otf2_event_count(&input->trace) == 0)
			continue;
		err = fathom_otf2_read_events(&input->trace, NULL, take_event, merging);
		if (merging->err)
			return merging->err;
		if (err) {
			snprintf(merging->writer.error, sizeof(merging->writer.error), "%s", input->trace.error);
			return err;
		}
	}
	return 0;
}

/* Compares the number of events of each location with its definition, which tells whether a file is damaged. */
static int check_counts(struct merging *merging)
{
	for (size_t i = 0; i < merging->writer.location_count; i++) {
		const struct fathom_otf2_location *merged = fathom_otf2_at(&merging->all.merged.defs,
									   FATHOM_OTF2_LOCATION, i);
		const struct fathom_union_input *input = &merging->inputs[merging->all.sources[i]];
		const struct fathom_otf2_location *location = fathom_otf2_find(&input->trace.defs,
									       FATHOM_OTF2_LOCATION, merged->id);

		if (!fathom_otf2_is_read(&input->trace, location) || location->events == merging->writer.counts[i])
			continue;
		snprintf(merging->writer.error, sizeof(merging->writer.error), "%s is damaged: location %" PRIu64
			 " has %" PRIu64 " events, its definition says %" PRIu64, input->trace.anchor, merged->id,
			 merging->writer.counts[i], location->events);
		return -EINVAL;
	}
	return 0;
}

/* --- properties ------------------------------------------------------------------------------------------- */

static bool is_number(const char *text)
{
	return *text && !text[strspn(text, "0123456789")];
}

/* Returns whether the values of a property in several inputs are added up. */
static bool is_sum(const char *name)
{
	static const char *const names[] = { "FATHOM::SAMPLES", "FATHOM::DROPPED_SAMPLES", "FATHOM::DROPPED_EVENTS",
					     "FATHOM::BUFFER_FLUSHES", "FATHOM::LIMITED_LOCATIONS" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

/* Writes the value that a property of an input has in the union: a sum; false if it is false in one input; else the
 * value of the first input that has the property. */
static void merge_property(struct merging *merging, const char *name, const char *value)
{
	bool is_false = strcmp(value, "false") == 0;
	char number[32];
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < merging->count; i++) {
		const char *its = fathom_otf2_property(&merging->inputs[i].trace, name);

		is_false = is_false || (its && strcmp(value, "true") == 0 && strcmp(its, "false") == 0);
		sum += its && is_number(its) ? strtoull(its, NULL, 10) : 0;
	}
	if (is_sum(name) && is_number(value)) {
		snprintf(number, sizeof(number), "%" PRIu64, sum);
		value = number;
	}
	fathom_otf2_writer_set_property(&merging->writer, name, is_false ? "false" : value);
}

static void merge_properties(struct merging *merging)
{
	uint64_t absent = merging->all.absent_processes;
	char number[32];

	for (size_t i = 0; i < merging->count; i++) {
		const struct fathom_otf2_archive *trace = &merging->inputs[i].trace;

		for (uint32_t p = 0; p < trace->property_count; p++) {
			const char *name = trace->properties[p].name;
			bool is_known = false;

			for (size_t before = 0; before < i && !is_known; before++)
				is_known = fathom_otf2_property(&merging->inputs[before].trace, name);
			if (!is_known && strcmp(name, "FATHOM::ABSENT_PROCESSES") != 0 &&
			    strcmp(name, "FATHOM::PART") != 0)
				merge_property(merging, name, trace->properties[p].value);
		}
	}
	if (absent) {
		snprintf(number, sizeof(number), "%" PRIu64, absent);
		fathom_otf2_writer_set_property(&merging->writer, "FATHOM::ABSENT_PROCESSES", number);
	}
	snprintf(number, sizeof(number), "%zu", merging->count);
	fathom_otf2_writer_set_property(&merging->writer, "FATHOM::MERGED_TRACES", number);
}

/* --- the new trace --------------------------------------------------------------------------------------- */

static int write_trace(struct merging *merging)
{
	const uint64_t *clock;
	int err;

	merging->all.merged.creator = merging->inputs[0].trace.creator;
	merging->all.merged.description = merging->inputs[0].trace.description;
	err = fathom_otf2_writer_open(&merging->writer, merging->merge->directory, &merging->all.merged);
	if (!err)
		err = write_events(merging);
	if (!err)
		err = check_counts(merging);
	if (err)
		return err;
	set_clock(merging);
	clock = merging->all.definitions.records[0].fields;
	err = fathom_otf2_writer_end_events(&merging->writer, NULL, clock[FATHOM_CLOCK_OFFSET],
					    clock[FATHOM_CLOCK_OFFSET] + clock[FATHOM_CLOCK_LENGTH]);
	for (size_t i = 0; i < merging->writer.location_count; i++)
		merging->merge->events_written += merging->writer.counts[i];
	if (!err) {
		merge_properties(merging);
		err = fathom_otf2_writer_finish_list(&merging->writer, &merging->all.definitions);
	}
	return err;
}

static void free_all(struct merging *merging)
{
	fathom_definition_union_free(&merging->all);
	for (size_t i = 0; i < merging->count; i++) {
		fathom_definitions_free(&merging->inputs[i].definitions);
		fathom_otf2_close(&merging->inputs[i].trace);
	}
	free(merging->inputs);
	free(merging->lines);
	free(merging->renaming.arguments);
	if (merging->renaming.attributes)
		OTF2_AttributeList_Delete(merging->renaming.attributes);
}

int fathom_trace_merge_run(struct fathom_trace_merge *merge)
{
	struct merging merging = { .merge = merge, .first = UINT64_MAX };
	int err = 0;

	for (size_t i = 0; !err && i < merge->target_count; i++)
		err = add_target(&merging, merge->targets[i]);
	if (!err)
		err = fathom_definition_union_make(&merging.all, merging.inputs, merging.count);
	if (!err)
		err = fathom_new_directory_make(merge->directory);
	if (!err) {
		find_time_lines(&merging);
		err = write_trace(&merging);
		if (err) {
			fathom_tool_error("%s: %s", merge->directory, merging.writer.error);
			fathom_new_directory_remove(merge->directory);
		}
		fathom_otf2_writer_close(&merging.writer);
	}
	merge->traces = merging.count;
	merge->absent_processes = merging.all.absent_processes;
	free_all(&merging);
	return err;
}
