#include "callgraphs/graph_trace.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "callgraphs/graph_cursor.h"
#include "callgraphs/graph_file.h"
#include "callgraphs/graph_seeking.h"
#include "otf2/definition_reader.h"
#include "otf2/memory.h"

struct graph_trace {		/* the source_data of the trace */
	struct fathom_call_graph graph;
	struct fathom_graph_cursor *cursors;	/* of the locations that are read */
	uint32_t *locations;		/* by location of the graph: index in the definitions */
	struct fathom_graph_seeking **seekings;	/* by location of the definitions; NULL: not read alone yet */
	uint32_t *heap;			/* indices of cursors that hold an event; the earliest event is first */
	size_t heap_count;
};

bool fathom_graph_deviation(const struct fathom_call_graph *graph, char *text, size_t bytes)
{
	*text = '\0';
	if (graph->bounds.ticks)
		snprintf(text, bytes, "%" PRIu64 " ticks", graph->bounds.ticks);
	else if (graph->bounds.share > 0)
		snprintf(text, bytes, "%g %%", 100 * graph->bounds.share);
	return *text;
}

/* --- definitions ----------------------------------------------------------------------------------------- */

static int read_definitions(struct fathom_otf2_archive *trace, struct fathom_faults *faults)
{
	struct graph_trace *its = trace->source_data;
	const struct fathom_call_graph *graph = &its->graph;

	fathom_otf2_defs_take(&trace->defs, &graph->definitions, faults);
	its->locations = fathom_otf2_memory_alloc(graph->location_count + 1, sizeof(*its->locations));
	for (size_t i = 0; i < graph->location_count; i++) {
		struct fathom_otf2_location *location =
			fathom_otf2_find(&trace->defs, FATHOM_OTF2_LOCATION, graph->locations[i].id);

		if (!location) {
			snprintf(trace->error, sizeof(trace->error), "%.1800s is damaged: it has events of a location "
				 "that is not defined", trace->anchor);
			return -EINVAL;
		}
		its->locations[i] = (uint32_t)fathom_otf2_index(&trace->defs, FATHOM_OTF2_LOCATION, location->id);
		/* The file does not say whether a location without events had a file of events in the archive. */
		location->has_events = graph->locations[i].events || !location->events;
		location->offset_count = graph->locations[i].has_clock_offsets ? 2 : 0;	/* both are 0 */
	}
	return 0;
}

/* --- events ---------------------------------------------------------------------------------------------- */

/* Returns whether the event of cursor a comes before that of cursor b. */
static bool is_before(const struct graph_trace *its, uint32_t a, uint32_t b)
{
	uint64_t left = its->cursors[a].event.event.time, right = its->cursors[b].event.event.time;

	return left != right ? left < right : a < b;
}

/* Moves the cursor at a position of the heap down until no earlier one is below it. */
static void sink(struct graph_trace *its, size_t at)
{
	uint32_t moved = its->heap[at];

	for (;;) {
		size_t child = 2 * at + 1;

		if (child >= its->heap_count)
			break;
		if (child + 1 < its->heap_count && is_before(its, its->heap[child + 1], its->heap[child]))
			child++;
		if (is_before(its, moved, its->heap[child]))
			break;
		its->heap[at] = its->heap[child];
		at = child;
	}
	its->heap[at] = moved;
}

/* Opens the cursors of the locations that are read, and makes the first event of each. 0 or -EINVAL. */
static int open_cursors(struct fathom_otf2_archive *trace, struct graph_trace *its)
{
	its->cursors = fathom_otf2_memory_alloc(its->graph.location_count + 1, sizeof(*its->cursors));
	its->heap = fathom_otf2_memory_alloc(its->graph.location_count + 1, sizeof(*its->heap));
	its->heap_count = 0;
	for (uint32_t i = 0; i < its->graph.location_count; i++) {
		int result;

		if (!fathom_otf2_is_read(trace, fathom_otf2_at(&trace->defs, FATHOM_OTF2_LOCATION, its->locations[i])))
			continue;
		fathom_graph_cursor_open(&its->cursors[i], &its->graph, i);
		result = fathom_graph_cursor_next(&its->cursors[i]);
		if (result < 0)
			return result;
		if (result)
			its->heap[its->heap_count++] = i;
	}
	for (size_t at = its->heap_count / 2; at-- > 0; )
		sink(its, at);
	return 0;
}

static void close_cursors(struct graph_trace *its)
{
	for (size_t i = 0; i < its->graph.location_count; i++)
		if (its->cursors[i].graph)
			fathom_graph_cursor_close(&its->cursors[i]);
	free(its->cursors);
	free(its->heap);
	its->cursors = NULL;
	its->heap = NULL;
}

static int say_damage(struct fathom_otf2_archive *trace, int err)
{
	if (err < 0)
		snprintf(trace->error, sizeof(trace->error), "%.1800s is damaged: it has records that are no events",
			 trace->anchor);
	return err;
}

static int read_events(struct fathom_otf2_archive *trace, fathom_otf2_take *take, void *taker)
{
	struct graph_trace *its = trace->source_data;
	int result = open_cursors(trace, its);

	while (result >= 0 && its->heap_count) {
		struct fathom_graph_cursor *cursor = &its->cursors[its->heap[0]];

		cursor->event.event.location = its->locations[its->heap[0]];
		if (!take(taker, &cursor->event.event)) {
			result = -ECANCELED;
			break;
		}
		result = fathom_graph_cursor_next(cursor);
		if (!result)
			its->heap[0] = its->heap[--its->heap_count];
		if (its->heap_count)
			sink(its, 0);
	}
	if (result == -ECANCELED)
		snprintf(trace->error, sizeof(trace->error), "%.1800s: reading was stopped", trace->anchor);
	else
		say_damage(trace, result);
	close_cursors(its);
	return result < 0 ? result : 0;
}

/* --- events of one location ------------------------------------------------------------------------------ */

/* Returns the reader of a location; NULL: the graph has no events of it. */
static struct fathom_graph_seeking *seeking_of(struct fathom_otf2_archive *trace, uint32_t location)
{
	struct graph_trace *its = trace->source_data;

	if (!its->seekings)
		its->seekings = fathom_otf2_memory_alloc(fathom_otf2_count(&trace->defs, FATHOM_OTF2_LOCATION) + 1,
							 sizeof(*its->seekings));
	for (uint32_t i = 0; !its->seekings[location] && i < its->graph.location_count; i++)
		if (its->locations[i] == location) {
			its->seekings[location] = fathom_otf2_memory_alloc(1, sizeof(**its->seekings));
			fathom_graph_seeking_open(its->seekings[location], &its->graph, i);
		}
	return its->seekings[location];
}

static int seek(struct fathom_otf2_archive *trace, uint32_t location, uint64_t number)
{
	struct fathom_graph_seeking *seeking = seeking_of(trace, location);

	return seeking ? say_damage(trace, fathom_graph_seeking_to(seeking, number)) : 0;
}

static int next_event(struct fathom_otf2_archive *trace, uint32_t location, const struct fathom_otf2_event **event)
{
	struct fathom_graph_seeking *seeking = seeking_of(trace, location);
	int result = seeking ? say_damage(trace, fathom_graph_seeking_next(seeking)) : 0;

	if (result > 0) {
		seeking->cursor.event.event.location = location;
		*event = &seeking->cursor.event.event;
	}
	return result;
}

/* --- opening --------------------------------------------------------------------------------------------- */

static void close_graphs(struct fathom_otf2_archive *trace)
{
	struct graph_trace *its = trace->source_data;

	for (size_t i = 0; its->seekings && i < fathom_otf2_count(&trace->defs, FATHOM_OTF2_LOCATION); i++) {
		if (its->seekings[i])
			fathom_graph_seeking_close(its->seekings[i]);
		free(its->seekings[i]);
	}
	free(its->seekings);
	fathom_call_graph_free(&its->graph);
	free(its->locations);
	free(its);
}

static const struct fathom_definition_list *definitions(const struct fathom_otf2_archive *trace)
{
	return &((const struct graph_trace *)trace->source_data)->graph.definitions;
}

static const struct fathom_otf2_source graph_source = {
	read_definitions, read_events, definitions, seek, next_event, close_graphs
};

static char *copy_of(const char *text)
{
	return strcpy(fathom_otf2_memory_alloc(strlen(text) + 1, 1), text);
}

static void add_property(struct fathom_otf2_archive *trace, const char *name, const char *value)
{
	trace->properties[trace->property_count++] =
		(struct fathom_otf2_property){ copy_of(name), copy_of(value) };
}

/* Fills in what the anchor file of an archive says. */
static void describe(struct fathom_otf2_archive *trace, const struct fathom_call_graph *graph)
{
	struct stat status;
	char deviation[64];

	trace->creator = copy_of(graph->creator ? graph->creator : "");
	trace->description = copy_of(graph->description ? graph->description : "");
	trace->location_count = graph->location_count;
	trace->definition_count = graph->definitions.count;
	if (stat(trace->anchor, &status) == 0)
		trace->event_bytes = (uint64_t)status.st_size;
	trace->properties = fathom_otf2_memory_alloc(graph->property_count / 2 + 1, sizeof(*trace->properties));
	for (size_t i = 0; i + 1 < graph->property_count; i += 2)
		add_property(trace, graph->properties[i], graph->properties[i + 1]);
	if (fathom_graph_deviation(graph, deviation, sizeof(deviation)))
		add_property(trace, "FATHOM::DEVIATION", deviation);
}

static int open_graphs(struct fathom_otf2_archive *trace, const char *path)
{
	struct graph_trace *its;
	const char *reason;
	int err;

	memset(trace, 0, sizeof(*trace));
	fathom_otf2_defs_init(&trace->defs);
	if (snprintf(trace->anchor, sizeof(trace->anchor), "%s", path) >= (int)sizeof(trace->anchor)) {
		snprintf(trace->error, sizeof(trace->error), "%.1800s: the path is too long", path);
		return -ENAMETOOLONG;
	}
	its = fathom_otf2_memory_alloc(1, sizeof(*its));
	trace->source = &graph_source;
	trace->source_data = its;
	err = fathom_graph_file_read(&its->graph, path, &reason);
	if (err)
		snprintf(trace->error, sizeof(trace->error), "%.1800s: %s", path, reason);
	else
		describe(trace, &its->graph);
	return err;
}

int fathom_trace_open(struct fathom_otf2_archive *trace, const char *path)
{
	return fathom_graph_file_is(path) ? open_graphs(trace, path) : fathom_otf2_open(trace, path);
}
