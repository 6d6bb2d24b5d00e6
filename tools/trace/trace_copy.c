#include "tools/trace/trace_copy.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgraphs/graph_trace.h"
#include "otf2/archive_writer.h"
#include "tools/common/command.h"
#include "tools/common/trace/new_directory.h"
#include "tools/trace/open_state.h"
#include "tools/trace/region_filter.h"

struct held {			/* values of a metric that may belong to an enter or leave that is filtered out */
	struct fathom_otf2_event event;
	OTF2_Type types[UINT8_MAX];
	OTF2_MetricValue values[UINT8_MAX];
};

struct place {			/* a location */
	uint64_t count;		/* events read */
	struct held *held;
	size_t held_count, held_room;
	bool after_filtered;	/* the last enter was filtered out, and so are the parameters behind it */
};

struct copying {
	struct fathom_trace_copy *copy;
	struct fathom_otf2_archive trace;
	struct fathom_otf2_selection selection;
	struct fathom_copy_plan plan;
	struct fathom_open_state *state;	/* NULL: everything is copied */
	struct fathom_region_filter *filter;	/* NULL: none */
	struct fathom_otf2_archive_writer writer;
	struct place *places;
	uint64_t *comms_created, *comms_destroyed, *windows_created, *windows_destroyed;	/* by index */
	uint64_t first, last;		/* times that were written */
	bool has_begun, is_over;
	int err;
};

static uint64_t index_of(const struct copying *copying, enum fathom_otf2_space space, uint64_t id)
{
	return (uint64_t)fathom_otf2_index(&copying->trace.defs, space, id);
}

static void count_life(struct copying *copying, const struct fathom_otf2_event *event)
{
	switch (event->kind) {
	case FATHOM_RECORD_COMM_CREATE:
		copying->comms_created[index_of(copying, FATHOM_OTF2_COMM, event->ref)]++;
		break;
	case FATHOM_RECORD_COMM_DESTROY:
		copying->comms_destroyed[index_of(copying, FATHOM_OTF2_COMM, event->ref)]++;
		break;
	case FATHOM_RECORD_RMA_WIN_CREATE:
		copying->windows_created[index_of(copying, FATHOM_OTF2_WINDOW, event->ref)]++;
		break;
	case FATHOM_RECORD_RMA_WIN_DESTROY:
		copying->windows_destroyed[index_of(copying, FATHOM_OTF2_WINDOW, event->ref)]++;
		break;
	default: break;
	}
}

static void write_plain(struct copying *copying, const struct fathom_otf2_event *event)
{
	if (copying->err)
		return;
	count_life(copying, event);
	if (event->time < copying->first)
		copying->first = event->time;
	if (event->time > copying->last)
		copying->last = event->time;
	copying->err = fathom_otf2_writer_put(&copying->writer, event);
}

/* --- filter ------------------------------------------------------------------------------------------- */

static void release(struct copying *copying, struct place *place)
{
	size_t i;

	for (i = 0; i < place->held_count; i++) {
		place->held[i].event.types = place->held[i].types;
		place->held[i].event.values = place->held[i].values;
		write_plain(copying, &place->held[i].event);
	}
	place->held_count = 0;
}

/* Keeps values of a metric until the next event of the location. */
static void hold(struct place *place, const struct fathom_otf2_event *event)
{
	struct held *held;

	place->held = fathom_tool_grow(place->held, place->held_count, &place->held_room, sizeof(*place->held));
	held = &place->held[place->held_count++];
	held->event = *event;
	held->event.attributes = NULL;
	memcpy(held->types, event->types, event->count * sizeof(OTF2_Type));
	memcpy(held->values, event->values, event->count * sizeof(OTF2_MetricValue));
}

static bool is_synchronous(const struct copying *copying, const struct fathom_otf2_event *event)
{
	const struct fathom_otf2_defs *defs = &copying->trace.defs;
	const struct fathom_otf2_metric *metric = fathom_otf2_at(defs, FATHOM_OTF2_METRIC,
								 index_of(copying, FATHOM_OTF2_METRIC, event->ref));

	if (metric->of_class >= 0)
		metric = fathom_otf2_at(defs, FATHOM_OTF2_METRIC, (uint64_t)metric->of_class);
	return metric->occurrence == OTF2_METRIC_SYNCHRONOUS || metric->occurrence == OTF2_METRIC_SYNCHRONOUS_STRICT;
}

static bool is_visit(enum fathom_record kind)
{
	return kind == FATHOM_RECORD_ENTER || kind == FATHOM_RECORD_LEAVE ||
	       kind == FATHOM_RECORD_CALLING_CONTEXT_ENTER || kind == FATHOM_RECORD_CALLING_CONTEXT_LEAVE;
}

static bool is_parameter(enum fathom_record kind)
{
	return kind == FATHOM_RECORD_PARAMETER_STRING || kind == FATHOM_RECORD_PARAMETER_INT ||
	       kind == FATHOM_RECORD_PARAMETER_UNSIGNED_INT;
}

/* Writes an event unless the filter excludes its region. The values of metrics at the time of an excluded enter or
 * leave are left out, and the parameters of the region. */
static void write_filtered(struct copying *copying, const struct fathom_otf2_event *event)
{
	struct place *place = &copying->places[event->location];
	bool is_excluded;

	if (event->kind == FATHOM_RECORD_METRIC && is_synchronous(copying, event)) {
		if (place->held_count && place->held[0].event.time != event->time)
			release(copying, place);
		hold(place, event);
		return;
	}
	if (is_parameter(event->kind) && place->after_filtered)
		return;
	is_excluded = is_visit(event->kind) && fathom_region_filter_excludes(copying->filter, event);
	place->after_filtered = is_excluded && (event->kind == FATHOM_RECORD_ENTER ||
						event->kind == FATHOM_RECORD_CALLING_CONTEXT_ENTER);
	if (is_excluded && place->held_count && place->held[0].event.time == event->time)
		place->held_count = 0;
	else
		release(copying, place);
	if (!is_excluded)
		write_plain(copying, event);
}

/* Writes an event of the source, or one that opens or closes something, as the copy shall have it. */
static void write_event(void *data, const struct fathom_otf2_event *event)
{
	struct copying *copying = data;
	struct fathom_otf2_event renumbered = *event;

	if (!fathom_otf2_selection_renumber(&copying->selection, &renumbered))
		return;
	if (copying->state)
		fathom_open_state_renumber(copying->state, &renumbered);
	if (copying->filter)
		write_filtered(copying, &renumbered);
	else
		write_plain(copying, &renumbered);
}

/* --- reading ------------------------------------------------------------------------------------------- */

static void begin_window(struct copying *copying)
{
	if (copying->has_begun)
		return;
	copying->has_begun = true;
	if (copying->state)
		fathom_open_state_begin(copying->state, copying->copy->window.from, write_event, copying);
}

static bool take_event(void *data, const struct fathom_otf2_event *event)
{
	struct copying *copying = data;
	struct fathom_trace_copy *copy = copying->copy;
	struct fathom_otf2_event timed = *event;
	uint64_t number = copying->places[event->location].count++;

	if (event->time > copy->window.to) {
		copying->is_over = true;
		return false;
	}
	if (!fathom_otf2_selection_has(&copying->selection, event->location))
		return true;
	if (event->time < copy->window.from) {
		if (copying->state)
			fathom_open_state_take(copying->state, event, number);
		return true;
	}
	begin_window(copying);
	copy->events_read++;
	if (event->kind == FATHOM_RECORD_UNKNOWN) {
		copy->left_out++;
		return true;
	}
	if (copying->state && !fathom_open_state_take(copying->state, event, number))
		return true;
	if (copy->time_of)
		timed.time = copy->time_of(copy->time_data, event->location, number, event->time);
	if (event->kind == FATHOM_RECORD_BUFFER_FLUSH)	/* the end of the flush moves with its begin */
		timed.id += timed.time - event->time;
	if (event->kind == FATHOM_RECORD_BUFFER_FLUSH && copy->window.is_cut && timed.id > copy->window.to)
		timed.id = copy->window.to;
	write_event(copying, &timed);
	return !copying->err;
}

/* --- the archive -------------------------------------------------------------------------------------- */

static void copy_properties(struct copying *copying)
{
	uint32_t i;

	for (i = 0; i < copying->trace.property_count; i++)
		fathom_otf2_writer_set_property(&copying->writer, copying->trace.properties[i].name,
						copying->trace.properties[i].value);
	if (copying->plan.left_out)
		fathom_otf2_writer_set_property(&copying->writer, "OTF2::MPI_COMMUNICATION_COMPLETE", "false");
	if (copying->copy->note)
		fathom_otf2_writer_set_property(&copying->writer, copying->copy->note_name, copying->copy->note);
}

/* Returns which communicators or windows not all members created and destroyed in the copy. The caller frees it. */
static bool *unannounced(struct copying *copying, enum fathom_otf2_space space, const uint64_t *created,
		    const uint64_t *destroyed)
{
	struct fathom_otf2_defs *defs = &copying->trace.defs;
	size_t count = fathom_otf2_count(defs, space), i;
	bool *result = fathom_tool_alloc(count, sizeof(bool));

	for (i = 0; copying->state && i < count; i++) {
		const struct fathom_otf2_comm *comm = fathom_otf2_at(defs, FATHOM_OTF2_COMM, i);
		const struct fathom_otf2_window *window;

		if (space == FATHOM_OTF2_WINDOW) {
			window = fathom_otf2_at(defs, space, i);
			comm = window->comm < 0 ? NULL : fathom_otf2_at(defs, FATHOM_OTF2_COMM, (uint64_t)window->comm);
		}
		if (!comm)
			continue;
		result[i] = (destroyed[i] && destroyed[i] != created[i]) ||
			    (!comm->is_self && created[i] != fathom_otf2_selection_size(&copying->selection, comm));
	}
	return result;
}

static int finish(struct copying *copying)
{
	const struct fathom_trace_copy *copy = copying->copy;
	const struct fathom_otf2_defs *defs = &copying->trace.defs;
	bool *comms = unannounced(copying, FATHOM_OTF2_COMM, copying->comms_created, copying->comms_destroyed);
	bool *windows = unannounced(copying, FATHOM_OTF2_WINDOW, copying->windows_created, copying->windows_destroyed);
	struct fathom_otf2_definition_changes changes = {
		.selection = &copying->selection, .offset = defs->offset, .length = defs->length,
		.unannounced_comms = comms, .unannounced_windows = windows,
	};
	uint32_t i;
	int err;

	if (copy->window.is_cut) {
		changes.offset = copy->window.from;
		changes.length = copy->window.to - copy->window.from;
	} else if (copying->first <= copying->last) {	/* there are events, and their times may have changed */
		uint64_t end = defs->offset + defs->length;

		changes.offset = copying->first < defs->offset ? copying->first : defs->offset;
		changes.length = (copying->last > end ? copying->last : end) - changes.offset;
	}
	for (i = 0; i < copying->writer.location_count; i++)
		copying->copy->events_written += copying->writer.counts[i];
	err = fathom_otf2_writer_end_events(&copying->writer, &copying->selection, changes.offset,
					    changes.offset + changes.length);
	if (!err) {
		copy_properties(copying);
		err = fathom_otf2_writer_finish(&copying->writer, &copying->trace, &changes);
	}
	free(comms);
	free(windows);
	return err;
}

static int copy_events(struct copying *copying)
{
	struct fathom_trace_copy *copy = copying->copy;
	size_t i, places = fathom_otf2_count(&copying->trace.defs, FATHOM_OTF2_LOCATION);
	int err = fathom_otf2_read_events(&copying->trace, NULL, take_event, copying);

	if (copying->err)
		return copying->err;
	if (err && !copying->is_over) {
		snprintf(copying->writer.error, sizeof(copying->writer.error), "%s", copying->trace.error);
		return err;
	}
	for (i = 0; !copying->is_over && i < places; i++) {
		const struct fathom_otf2_location *location = fathom_otf2_at(&copying->trace.defs,
									     FATHOM_OTF2_LOCATION, i);

		if (location->events != copying->places[i].count && fathom_otf2_is_read(&copying->trace, location)) {
			snprintf(copying->writer.error, sizeof(copying->writer.error),
				 "%s is damaged: location %" PRIu64 " has %" PRIu64 " events, its definition says %"
				 PRIu64,
				 copy->source, location->id, copying->places[i].count, location->events);
			return -EINVAL;
		}
	}
	begin_window(copying);
	if (copying->state && copy->window.is_cut)
		fathom_open_state_end(copying->state, copy->window.to, write_event, copying);
	for (i = 0; copying->filter && i < places; i++)
		release(copying, &copying->places[i]);
	return copying->err;
}

static int open_trace(struct fathom_otf2_archive *trace, const char *anchor)
{
	int err = fathom_trace_open(trace, anchor);

	if (!err)
		err = fathom_otf2_read_definitions(trace, NULL);
	if (err)
		fathom_tool_error("%s", trace->error);
	return err;
}

/* Makes the plan, for which the trace is read by another reader. */
static int plan_copy(struct copying *copying)
{
	struct fathom_otf2_archive trace;
	int err;

	if (!copying->copy->window.is_cut && copying->selection.is_all)
		return 0;
	err = open_trace(&trace, copying->copy->source);
	if (!err)
		err = fathom_copy_plan_make(&copying->plan, &trace, &copying->selection, &copying->copy->window);
	copying->copy->left_out = copying->plan.left_out;
	fathom_otf2_close(&trace);
	return err;
}

int fathom_trace_copy_run(struct fathom_trace_copy *copy)
{
	struct copying copying = { .copy = copy, .first = UINT64_MAX };
	size_t i, comms, windows, places = 0;
	int err;

	err = open_trace(&copying.trace, copy->source);
	if (err) {
		fathom_otf2_close(&copying.trace);
		return err;
	}
	fathom_otf2_selection_init(&copying.selection, &copying.trace.defs, copy->processes);
	err = plan_copy(&copying);
	if (err)
		goto close_source;
	if (copy->window.is_cut || !copying.selection.is_all)
		copying.state = fathom_open_state_create(&copying.selection, &copying.plan);
	if (copy->filter) {
		copying.filter = fathom_region_filter_create(copy->filter, &copying.trace);
		if (!copying.filter) {
			err = -EINVAL;
			goto close_source;
		}
	}
	places = fathom_otf2_count(&copying.trace.defs, FATHOM_OTF2_LOCATION);
	comms = fathom_otf2_count(&copying.trace.defs, FATHOM_OTF2_COMM);
	windows = fathom_otf2_count(&copying.trace.defs, FATHOM_OTF2_WINDOW);
	copying.places = fathom_tool_alloc(places, sizeof(*copying.places));
	copying.comms_created = fathom_tool_alloc(comms, sizeof(uint64_t));
	copying.comms_destroyed = fathom_tool_alloc(comms, sizeof(uint64_t));
	copying.windows_created = fathom_tool_alloc(windows, sizeof(uint64_t));
	copying.windows_destroyed = fathom_tool_alloc(windows, sizeof(uint64_t));
	err = fathom_new_directory_make(copy->directory);
	if (err)
		goto free_all;
	err = fathom_otf2_writer_open(&copying.writer, copy->directory, &copying.trace);
	if (!err)
		err = copy_events(&copying);
	if (!err)
		err = finish(&copying);
	if (err) {
		fathom_tool_error("%s: %s", copy->directory, copying.writer.error);
		fathom_new_directory_remove(copy->directory);
	}
	fathom_otf2_writer_close(&copying.writer);
free_all:
	for (i = 0; i < places; i++)
		free(copying.places[i].held);
	free(copying.places);
	free(copying.comms_created);
	free(copying.comms_destroyed);
	free(copying.windows_created);
	free(copying.windows_destroyed);
close_source:
	if (copying.filter)
		fathom_region_filter_destroy(copying.filter);
	if (copying.state)
		fathom_open_state_destroy(copying.state);
	fathom_copy_plan_fini(&copying.plan);
	fathom_otf2_selection_fini(&copying.selection);
	fathom_otf2_close(&copying.trace);
	return err;
}
