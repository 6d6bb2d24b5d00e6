#include "tools/clusters/cluster_trace.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bursts/recorded_bursts.h"
#include "callgraphs/graph_trace.h"
#include "otf2/archive_writer.h"
#include "tools/common/command.h"
#include "tools/common/progress.h"
#include "tools/common/trace/kind_intervals.h"
#include "tools/common/trace/new_directory.h"

/* The bursts of a location: those from next up to end are not marked yet. */
struct cursor {
	size_t next, end;
	bool is_open;		/* the begin of next is marked */
};

struct marking {
	const struct fathom_clustering *clustering;
	const struct fathom_trace_kinds *kinds;	/* NULL: the clusters */
	struct fathom_otf2_archive trace;
	struct fathom_otf2_selection selection;	/* everything */
	struct fathom_otf2_archive_writer writer;
	struct cursor *cursors;		/* by location */
	uint32_t metric;		/* id of the metric; its member and the strings have the ids below */
	uint32_t member, strings;
	uint64_t events;
	int err;
};

/* --- definitions -------------------------------------------------------------------------------------- */

/* Returns an id from which on all are free. */
static uint32_t free_id(const struct fathom_otf2_defs *defs, enum fathom_otf2_space space)
{
	uint64_t most = fathom_otf2_count(defs, space);

	for (size_t i = 0; i < fathom_otf2_count(defs, space); i++) {
		uint64_t id = ((const struct fathom_otf2_any *)fathom_otf2_at(defs, space, i))->id;

		if (id >= most)
			most = id + 1;
	}
	return (uint32_t)most;
}

/* Returns the call path of a kind; path: where it may be written. */
static const char *path_of(const struct marking *marking, uint32_t kind, char *path, size_t bytes)
{
	const struct fathom_cluster *cluster;

	if (marking->kinds)
		return marking->kinds->names[kind];
	cluster = &marking->clustering->clusters[kind];
	*path = '\0';
	if (cluster->place_count)
		fathom_burst_path_text(&marking->clustering->data->extraction, cluster->places[0].path, path, bytes);
	return path;
}

/* Writes what each number of the metric means: "1: main > solve; 2: ...". */
static void describe(const struct marking *marking, char *text, size_t bytes)
{
	uint32_t count = marking->kinds ? marking->kinds->count : marking->clustering->count;
	size_t used = (size_t)snprintf(text, bytes, FATHOM_KIND_DESCRIPTION "; 0: none, -1: noise, -2: too "
				       "short, -3: not measured");
	char path[512];

	for (uint32_t k = 1; k <= count && used + 600 < bytes; k++)
		used += (size_t)snprintf(text + used, bytes - used, "; %u: %s", k,
					 path_of(marking, k, path, sizeof(path)));
}

static int add_definitions(void *adder, OTF2_GlobalDefWriter *writer)
{
	enum { NAME, DESCRIPTION, UNIT };
	const struct marking *marking = adder;
	const OTF2_MetricMemberRef members[] = { marking->member };
	char text[8192];

	describe(marking, text, sizeof(text));
	return OTF2_GlobalDefWriter_WriteString(writer, marking->strings + NAME, FATHOM_KIND_METRIC) ||
	       OTF2_GlobalDefWriter_WriteString(writer, marking->strings + DESCRIPTION, text) ||
	       OTF2_GlobalDefWriter_WriteString(writer, marking->strings + UNIT, "#") ||
	       OTF2_GlobalDefWriter_WriteMetricMember(writer, marking->member, marking->strings + NAME,
						      marking->strings + DESCRIPTION, OTF2_METRIC_TYPE_OTHER,
						      OTF2_METRIC_ABSOLUTE_NEXT, OTF2_TYPE_INT64, OTF2_BASE_DECIMAL, 0,
						      marking->strings + UNIT) ||
	       OTF2_GlobalDefWriter_WriteMetricClass(writer, marking->metric, 1, members, OTF2_METRIC_ASYNCHRONOUS,
						     OTF2_RECORDER_KIND_CPU) ? -EIO : 0;
}

/* --- events ------------------------------------------------------------------------------------------- */

static void put(struct marking *marking, const struct fathom_otf2_event *event)
{
	if (!marking->err)
		marking->err = fathom_otf2_writer_put(&marking->writer, event);
}

static void put_mark(struct marking *marking, uint32_t location, uint64_t time, int64_t value)
{
	const OTF2_Type type = OTF2_TYPE_INT64;
	const OTF2_MetricValue values = { .signed_int = value };
	const struct fathom_otf2_event event = {
		.kind = FATHOM_RECORD_METRIC, .location = location, .time = time, .ref = marking->metric, .count = 1,
		.types = &type, .values = &values,
	};

	put(marking, &event);
}

static int64_t value_of(const struct marking *marking, size_t burst)
{
	uint32_t cluster = marking->clustering->numbers[burst];

	switch (cluster) {
	case FATHOM_NOISE: return FATHOM_MARK_NOISE;
	case FATHOM_BURST_SHORT: return FATHOM_MARK_SHORT;
	case FATHOM_BURST_MISSING: return FATHOM_MARK_MISSING;
	default: return marking->kinds ? marking->kinds->of_clusters[cluster] : cluster;
	}
}

/* Marks begins of bursts before the given time, and ends up to it. */
static void mark_up_to(struct marking *marking, uint32_t location, uint64_t time)
{
	struct cursor *cursor = &marking->cursors[location];

	while (cursor->next < cursor->end) {
		const struct fathom_listed_burst *burst = &marking->clustering->data->list.bursts[cursor->next];

		if (!cursor->is_open && burst->begin >= time)
			return;
		if (!cursor->is_open)
			put_mark(marking, location, burst->begin, value_of(marking, cursor->next));
		cursor->is_open = true;
		if (burst->end > time)
			return;
		put_mark(marking, location, burst->end, 0);
		cursor->is_open = false;
		cursor->next++;
	}
}

static bool take_event(void *taker, const struct fathom_otf2_event *event)
{
	struct marking *marking = taker;
	struct fathom_otf2_event renumbered = *event;

	fathom_progress_set(++marking->events);
	mark_up_to(marking, event->location, event->time);
	if (event->kind != FATHOM_RECORD_UNKNOWN &&
	    fathom_otf2_selection_renumber(&marking->selection, &renumbered))
		put(marking, &renumbered);
	return !marking->err;
}

/* --- all of it ---------------------------------------------------------------------------------------- */

static int copy_events(struct marking *marking)
{
	const struct fathom_burst_list *list = &marking->clustering->data->list;
	int err;

	for (size_t i = 0; i < list->count; i++) {
		struct cursor *cursor = &marking->cursors[list->bursts[i].location];

		if (i == 0 || list->bursts[i].location != list->bursts[i - 1].location)
			cursor->next = i;
		cursor->end = i + 1;
	}
	fathom_progress_begin("writing events", fathom_otf2_event_count(&marking->trace));
	err = fathom_otf2_read_events(&marking->trace, NULL, take_event, marking);
	fathom_progress_end();
	if (err && !marking->err)
		snprintf(marking->writer.error, sizeof(marking->writer.error), "%.2000s", marking->trace.error);
	for (uint32_t l = 0; !err && l < marking->writer.location_count; l++)
		mark_up_to(marking, l, UINT64_MAX);
	return marking->err ? marking->err : err;
}

static int finish(struct marking *marking)
{
	const struct fathom_otf2_defs *defs = &marking->trace.defs;
	bool *comms = fathom_tool_alloc(fathom_otf2_count(defs, FATHOM_OTF2_COMM) + 1, sizeof(*comms));
	bool *windows = fathom_tool_alloc(fathom_otf2_count(defs, FATHOM_OTF2_WINDOW) + 1, sizeof(*windows));
	struct fathom_otf2_definition_changes changes = {
		.selection = &marking->selection, .offset = defs->offset, .length = defs->length,
		.unannounced_comms = comms, .unannounced_windows = windows, .add = add_definitions, .adder = marking,
	};
	int err = fathom_otf2_writer_end_events(&marking->writer, NULL, defs->offset, defs->offset + defs->length);

	for (uint32_t i = 0; !err && i < marking->trace.property_count; i++)
		fathom_otf2_writer_set_property(&marking->writer, marking->trace.properties[i].name,
						marking->trace.properties[i].value);
	if (!err)
		err = fathom_otf2_writer_finish(&marking->writer, &marking->trace, &changes);
	free(comms);
	free(windows);
	return err;
}

/* Writes the copy into the directory, which exists and is empty. */
static int write_copy(struct marking *marking, const char *directory)
{
	const struct fathom_otf2_defs *defs = &marking->trace.defs;
	int err = fathom_otf2_writer_open(&marking->writer, directory, &marking->trace);

	marking->metric = free_id(defs, FATHOM_OTF2_METRIC);
	marking->member = free_id(defs, FATHOM_OTF2_MEMBER);
	marking->strings = free_id(defs, FATHOM_OTF2_STRING);
	marking->cursors = fathom_tool_alloc(fathom_otf2_count(defs, FATHOM_OTF2_LOCATION) + 1,
					     sizeof(*marking->cursors));
	if (!err)
		err = copy_events(marking);
	if (!err)
		err = finish(marking);
	if (err) {
		fathom_tool_error("%s: %s", directory, marking->writer.error);
		fathom_new_directory_remove(directory);
	}
	fathom_otf2_writer_close(&marking->writer);
	free(marking->cursors);
	return err;
}

int fathom_cluster_trace_write(const struct fathom_clustering *clustering, const struct fathom_trace_kinds *kinds,
			       const char *directory)
{
	struct marking marking = { .clustering = clustering, .kinds = kinds };
	int err;

	if (fathom_recorded_bursts_is_file(clustering->data->trace.anchor)) {
		fathom_tool_error("--trace: %s is no trace that can be copied", clustering->data->trace.anchor);
		return -EINVAL;
	}
	err = fathom_trace_open(&marking.trace, clustering->data->trace.anchor);
	if (!err)
		err = fathom_otf2_read_definitions(&marking.trace, NULL);
	if (err) {
		fathom_tool_error("%s", marking.trace.error);
		fathom_otf2_close(&marking.trace);
		return err;
	}
	fathom_otf2_selection_init(&marking.selection, &marking.trace.defs, NULL);
	err = fathom_new_directory_make(directory);
	if (!err)
		err = write_copy(&marking, directory);
	fathom_otf2_selection_fini(&marking.selection);
	fathom_otf2_close(&marking.trace);
	return err;
}
