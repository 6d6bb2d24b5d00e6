#include "tools/trace/trace_compress.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "callgraphs/graph_events.h"
#include "callgraphs/graph_file.h"
#include "callgraphs/graph_recording.h"
#include "callgraphs/graph_trace.h"
#include "otf2/archive_writer.h"
#include "otf2/memory.h"
#include "tools/common/command.h"
#include "tools/common/trace/new_directory.h"

/* --- compressing ------------------------------------------------------------------------------------------- */

struct compressing {
	struct fathom_trace_compress *compress;
	struct fathom_otf2_archive trace;
	struct fathom_call_graph graph;
	struct fathom_graph_recording *recordings;	/* by location index */
};

static char *copy_of(const char *text)
{
	return strcpy(fathom_otf2_memory_alloc(strlen(text) + 1, 1), text);
}

static void add_property(struct fathom_call_graph *graph, const char *text)
{
	graph->properties = fathom_otf2_memory_grow(graph->properties, graph->property_count, &graph->property_room,
						    sizeof(char *));
	graph->properties[graph->property_count++] = copy_of(text);
}

/* Fills in what the graph has of the trace besides its events. */
static void describe(struct compressing *compressing)
{
	struct fathom_call_graph *graph = &compressing->graph;
	const struct fathom_otf2_archive *trace = &compressing->trace;

	graph->creator = copy_of(trace->creator);
	graph->description = copy_of(trace->description);
	graph->event_bytes = trace->event_bytes;
	for (uint32_t i = 0; i < trace->property_count; i++) {
		add_property(graph, trace->properties[i].name);
		add_property(graph, trace->properties[i].value);
	}
}

static bool take_event(void *data, const struct fathom_otf2_event *event)
{
	struct compressing *compressing = data;

	if (event->kind == FATHOM_RECORD_UNKNOWN)
		compressing->compress->left_out++;
	else
		fathom_graph_recording_take(&compressing->recordings[event->location], event);
	return true;
}

/* Makes the call graphs of all locations. */
static int record_events(struct compressing *compressing)
{
	struct fathom_trace_compress *compress = compressing->compress;
	const struct fathom_otf2_defs *defs = &compressing->trace.defs;
	size_t count = fathom_otf2_count(defs, FATHOM_OTF2_LOCATION), i;
	int err;

	compressing->recordings = fathom_otf2_memory_alloc(count, sizeof(*compressing->recordings));
	for (i = 0; i < count; i++) {
		const struct fathom_otf2_location *location = fathom_otf2_at(defs, FATHOM_OTF2_LOCATION, i);

		fathom_graph_recording_begin(&compressing->recordings[i], &compressing->graph, location->id,
					     location->offset_count > 1);
	}
	err = fathom_otf2_read_events(&compressing->trace, NULL, take_event, compressing);
	for (i = 0; i < count; i++) {
		const struct fathom_otf2_location *location = fathom_otf2_at(defs, FATHOM_OTF2_LOCATION, i);
		uint64_t events = compressing->recordings[i].location.events;

		fathom_graph_recording_end(&compressing->recordings[i]);
		compress->events += events;
		compress->calls += compressing->recordings[i].calls;
		if (err || compress->left_out || events == location->events ||
		    !fathom_otf2_is_read(&compressing->trace, location))
			continue;
		fathom_tool_error("%s is damaged: location %" PRIu64 " has %" PRIu64 " events, its definition says %"
				  PRIu64, compress->source, location->id, events, location->events);
		err = -EINVAL;
		compressing->trace.error[0] = '\0';
	}
	if (err && *compressing->trace.error)
		fathom_tool_error("%s", compressing->trace.error);
	free(compressing->recordings);
	return err;
}

int fathom_trace_compress_run(struct fathom_trace_compress *compress)
{
	struct compressing compressing = { .compress = compress };
	int err = fathom_otf2_open(&compressing.trace, compress->source);

	fathom_call_graph_init(&compressing.graph);
	compressing.graph.bounds = compress->bounds;
	if (!err)
		err = fathom_otf2_read_definitions(&compressing.trace, NULL);
	if (!err && access(compress->output, F_OK) == 0) {
		snprintf(compressing.trace.error, sizeof(compressing.trace.error),
			 "%s: File exists (the result is always a new file)", compress->output);
		err = -EEXIST;
	}
	if (!err && fathom_definitions_read(&compressing.graph.definitions, compress->source)) {
		snprintf(compressing.trace.error, sizeof(compressing.trace.error), "%s: the definitions cannot be read",
			 compress->source);
		err = -EIO;
	}
	if (err) {
		fathom_tool_error("%s", compressing.trace.error);
	} else {
		describe(&compressing);
		err = record_events(&compressing);
		if (!err) {
			err = fathom_graph_file_write(&compressing.graph, compress->output, &compress->file_bytes);
			if (err)
				fathom_tool_error("%s: %s", compress->output, strerror(-err));
		}
	}
	compress->bounds = compressing.graph.bounds;
	compress->nodes = compressing.graph.call_count;
	compress->trace_bytes = compressing.trace.event_bytes + compressing.trace.definition_bytes;
	fathom_call_graph_free(&compressing.graph);
	fathom_otf2_close(&compressing.trace);
	return err;
}

/* --- expanding --------------------------------------------------------------------------------------------- */

struct expanding {
	struct fathom_trace_compress *compress;
	struct fathom_call_graph graph;
	struct fathom_otf2_archive made;	/* locations and groups only, for the writer */
	struct fathom_otf2_archive_writer writer;
	int err;
};

static bool write_event(void *data, const struct fathom_otf2_event *event)
{
	struct expanding *expanding = data;

	expanding->err = fathom_otf2_writer_put(&expanding->writer, event);
	return !expanding->err;
}

/* Tells the writer which locations and groups there are. */
static int make_defs(struct expanding *expanding)
{
	struct fathom_call_graph *graph = &expanding->graph;

	fathom_otf2_defs_init(&expanding->made.defs);
	expanding->made.creator = graph->creator;
	expanding->made.description = graph->description;
	for (size_t i = 0; i < graph->location_count; i++) {
		struct fathom_otf2_location *location =
			fathom_otf2_defs_add(&expanding->made.defs, FATHOM_OTF2_LOCATION, graph->locations[i].id);

		location->offset_count = graph->locations[i].has_clock_offsets ? 2 : 0;
	}
	for (size_t i = 0; i < graph->definitions.count; i++) {
		const struct fathom_definition *record = &graph->definitions.records[i];
		struct fathom_otf2_group *group;

		if (record->kind != FATHOM_DEFINITION_GROUP)
			continue;
		group = fathom_otf2_defs_add(&expanding->made.defs, FATHOM_OTF2_GROUP, record->fields[0]);
		group->count = record->count - FATHOM_GROUP_MEMBERS;
	}
	return 0;
}

static int write_events(struct expanding *expanding)
{
	int err = 0;

	for (uint32_t i = 0; !err && i < expanding->graph.location_count; i++) {
		if (!expanding->graph.locations[i].events)
			continue;
		err = fathom_graph_events(&expanding->graph, i, write_event, expanding);
		if (err == -EINVAL)
			snprintf(expanding->writer.error, sizeof(expanding->writer.error),
				 "%s is damaged: it has records that are no events", expanding->compress->source);
	}
	return expanding->err ? expanding->err : err;
}

/* Writes the properties of the trace, and one that says by how much times deviate, if they do. */
static void write_properties(struct expanding *expanding)
{
	const struct fathom_call_graph *graph = &expanding->graph;
	char text[64];

	for (size_t i = 0; i + 1 < graph->property_count; i += 2)
		fathom_otf2_writer_set_property(&expanding->writer, graph->properties[i], graph->properties[i + 1]);
	if (fathom_graph_deviation(graph, text, sizeof(text)))
		fathom_otf2_writer_set_property(&expanding->writer, "FATHOM::DEVIATION", text);
}

static int write_trace(struct expanding *expanding)
{
	uint64_t begin = UINT64_MAX, end = 0;
	struct fathom_call_graph *graph = &expanding->graph;
	int err = fathom_otf2_writer_open(&expanding->writer, expanding->compress->output, &expanding->made);

	if (!err)
		err = write_events(expanding);
	for (size_t i = 0; i < graph->definitions.count; i++)
		if (graph->definitions.records[i].kind == FATHOM_DEFINITION_CLOCK) {
			const uint64_t *clock = graph->definitions.records[i].fields;

			begin = clock[FATHOM_CLOCK_OFFSET];
			end = begin + clock[FATHOM_CLOCK_LENGTH];
		}
	if (begin > end)
		begin = 0;
	if (!err)
		err = fathom_otf2_writer_end_events(&expanding->writer, NULL, begin, end);
	for (size_t i = 0; i < expanding->writer.location_count; i++)
		expanding->compress->events += expanding->writer.counts[i];
	if (!err) {
		write_properties(expanding);
		err = fathom_otf2_writer_finish_list(&expanding->writer, &graph->definitions);
	}
	return err;
}

int fathom_trace_expand_run(struct fathom_trace_compress *compress)
{
	struct expanding expanding = { .compress = compress };
	const char *reason;
	int err = fathom_graph_file_read(&expanding.graph, compress->source, &reason);

	if (err) {
		fathom_tool_error("%s: %s", compress->source, reason);
		fathom_call_graph_free(&expanding.graph);
		return err;
	}
	err = make_defs(&expanding);
	if (!err)
		err = fathom_new_directory_make(compress->output);
	if (!err) {
		err = write_trace(&expanding);
		if (err) {
			fathom_tool_error("%s: %s", compress->output, expanding.writer.error);
			fathom_new_directory_remove(compress->output);
		}
		fathom_otf2_writer_close(&expanding.writer);
	}
	compress->bounds = expanding.graph.bounds;
	fathom_otf2_defs_fini(&expanding.made.defs);
	fathom_call_graph_free(&expanding.graph);
	return err;
}
