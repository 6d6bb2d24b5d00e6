/*
 * paraver: the events of a trace as records of Paraver: NAME.prv, NAME.pcf and NAME.row.
 *
 * A thread is in one state at a time: that of the innermost region that has a state (an MPI call, a barrier, ...), or
 * running. Enters and leaves are events: of MPI calls by their group, of all other regions by their number. Records
 * must be in the order of time, but a state and a message are known only at their ends: see sorted_lines.h.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "callgraphs/graph_trace.h"
#include "otf2/archive_reader.h"
#include "otf2/event_region.h"
#include "otf2/memory.h"
#include "tools/common/command.h"
#include "tools/common/output_file.h"
#include "tools/common/progress.h"
#include "tools/export/export_format.h"
#include "tools/export/message_flows.h"
#include "tools/export/paraver_calls.h"
#include "tools/export/paraver_threads.h"
#include "tools/export/sorted_lines.h"

enum { STATE = 1, EVENT = 2, MESSAGE = 3 };	/* kinds of records */

struct open_region {
	uint32_t region;	/* index; UINT32_MAX: not defined */
	uint32_t state;
	uint64_t time;		/* ns, of the enter */
};

struct thread {			/* of a location */
	struct open_region *open;
	size_t open_count, open_room;
	uint32_t state;
	uint64_t since;		/* begin of the state */
	uint64_t last;
	double *counters;	/* by member: the last value */
	bool has_begun;
};

struct message_end {		/* the end of a message that was read first */
	struct fathom_table_entry entry;	/* channel, message */
	uint32_t location;
	uint64_t logical, physical, bytes;
	uint32_t tag;
	bool is_send;
};

struct posted {			/* a receive that is not complete */
	struct fathom_table_entry entry;	/* process, request */
	uint64_t time;
};

struct writer {
	struct fathom_otf2_archive trace;
	struct fathom_paraver_threads threads;
	struct fathom_sorted_lines lines;
	struct fathom_message_flows flows;
	struct fathom_table ends, posted;
	const struct fathom_paraver_call **calls;	/* by region; NULL: no MPI call */
	struct thread *states;				/* by location */
	uint64_t begin, last, events;			/* ticks; ticks */
};

/* --- records --- */

static uint64_t nanoseconds(const struct writer *writer, uint64_t time)
{
	const struct fathom_otf2_defs *defs = &writer->trace.defs;
	uint64_t ticks = time > writer->begin ? time - writer->begin : 0;
	uint64_t resolution = defs->resolution ? defs->resolution : 1000000000;

	return ticks / resolution * 1000000000 +
	       (uint64_t)((double)(ticks % resolution) * 1e9 / (double)resolution + .5);
}

/* Writes the numbers of a thread. */
static const char *place_of(const struct writer *writer, uint32_t location, char text[64])
{
	const struct fathom_paraver_thread *thread = &writer->threads.threads[location];

	snprintf(text, 64, "%" PRIu32 ":1:%" PRIu32 ":%" PRIu32, thread->cpu, thread->task, thread->thread);
	return text;
}

static void put_event(struct writer *writer, uint32_t location, uint64_t ns, uint32_t type, uint64_t value)
{
	char line[256], place[64];

	snprintf(line, sizeof(line), "2:%s:%" PRIu64 ":%" PRIu32 ":%" PRIu64, place_of(writer, location, place), ns,
		 type, value);
	fathom_sorted_lines_add(&writer->lines, ns, EVENT, line);
}

/* Ends the state of a thread; the next one begins. */
static void change_state(struct writer *writer, uint32_t location, uint64_t ns, uint32_t state)
{
	struct thread *thread = &writer->states[location];
	char line[256], place[64];

	if (state == thread->state)
		return;
	if (ns > thread->since) {
		snprintf(line, sizeof(line), "1:%s:%" PRIu64 ":%" PRIu64 ":%" PRIu32, place_of(writer, location, place),
			 thread->since, ns, thread->state);
		fathom_sorted_lines_add(&writer->lines, thread->since, STATE, line);
	}
	thread->state = state;
	thread->since = ns;
}

/* --- regions --- */

static uint32_t region_of(const struct writer *writer, const struct fathom_otf2_event *event)
{
	int64_t index = fathom_otf2_event_region(&writer->trace.defs, event);

	return index < 0 ? UINT32_MAX : (uint32_t)index;
}

/* Returns the state in which a thread is in a region; outer: the one around it, which regions without a state keep. */
static uint32_t state_of(const struct writer *writer, uint32_t region, uint32_t outer)
{
	const struct fathom_otf2_region *is;

	if (region == UINT32_MAX)
		return outer;
	if (writer->calls[region])
		return writer->calls[region]->state;
	is = fathom_otf2_at(&writer->trace.defs, FATHOM_OTF2_REGION, region);
	switch (is->role) {
	case OTF2_REGION_ROLE_BARRIER:
	case OTF2_REGION_ROLE_IMPLICIT_BARRIER:
	case OTF2_REGION_ROLE_TASK_WAIT:
	case OTF2_REGION_ROLE_CRITICAL: return FATHOM_PARAVER_SYNCHRONISING;
	case OTF2_REGION_ROLE_FILE_IO: return FATHOM_PARAVER_IO;
	case OTF2_REGION_ROLE_CRITICAL_SBLOCK: return FATHOM_PARAVER_RUNNING;
	default: return outer;
	}
}

static void take_enter(struct writer *writer, const struct fathom_otf2_event *event, uint64_t ns)
{
	struct thread *thread = &writer->states[event->location];
	uint32_t region = region_of(writer, event), state = state_of(writer, region, thread->state);

	thread->open = fathom_tool_grow(thread->open, thread->open_count, &thread->open_room, sizeof(*thread->open));
	thread->open[thread->open_count++] = (struct open_region){ region, thread->state, ns };
	change_state(writer, event->location, ns, state);
	if (region == UINT32_MAX)
		return;
	if (writer->calls[region])
		put_event(writer, event->location, ns, writer->calls[region]->type,
			  writer->calls[region]->value ? writer->calls[region]->value : 1000);
	else
		put_event(writer, event->location, ns, FATHOM_PARAVER_FUNCTION, (uint64_t)region + 1);
}

/* Returns the number of the innermost open region that is no MPI call; 0: there is none. */
static uint32_t open_function(const struct writer *writer, const struct thread *thread)
{
	for (size_t i = thread->open_count; i > 0; i--) {
		uint32_t region = thread->open[i - 1].region;

		if (region != UINT32_MAX && !writer->calls[region])
			return region + 1;
	}
	return 0;
}

static void take_leave(struct writer *writer, const struct fathom_otf2_event *event, uint64_t ns)
{
	struct thread *thread = &writer->states[event->location];
	struct open_region left;

	if (thread->open_count == 0)
		return;
	left = thread->open[--thread->open_count];
	change_state(writer, event->location, ns, left.state);
	if (left.region == UINT32_MAX)
		return;
	if (writer->calls[left.region])
		put_event(writer, event->location, ns, writer->calls[left.region]->type, 0);
	else
		put_event(writer, event->location, ns, FATHOM_PARAVER_FUNCTION, open_function(writer, thread));
}

/* --- messages --- */

/* Returns when the call began in which an event is. */
static uint64_t call_begin(const struct thread *thread, uint64_t ns)
{
	return thread->open_count ? thread->open[thread->open_count - 1].time : ns;
}

static void put_message(struct writer *writer, const struct message_end *send, const struct message_end *receive)
{
	char line[512], from[64], to[64];

	snprintf(line, sizeof(line), "3:%s:%" PRIu64 ":%" PRIu64 ":%s:%" PRIu64 ":%" PRIu64 ":%" PRIu64 ":%" PRIu32,
		 place_of(writer, send->location, from), send->logical, send->physical,
		 place_of(writer, receive->location, to), receive->logical, receive->physical, send->bytes, send->tag);
	fathom_sorted_lines_add(&writer->lines, send->logical, MESSAGE, line);
}

static void take_message(struct writer *writer, const struct fathom_otf2_event *event, uint64_t ns, bool is_send)
{
	struct thread *thread = &writer->states[event->location];
	struct message_end end = {
		.location = event->location, .physical = ns, .logical = call_begin(thread, ns), .bytes = event->bytes,
		.tag = event->tag, .is_send = is_send,
	}, *other;
	struct fathom_message_flow flow;
	struct posted *posted = NULL;

	if (event->kind == FATHOM_RECORD_MPI_IRECV)
		posted = fathom_table_find(&writer->posted, writer->threads.threads[event->location].task, event->id,
					   0);
	if (posted) {
		end.logical = posted->time;
		fathom_table_remove(&writer->posted, posted);
	}
	if (!fathom_message_flows_find(&writer->flows, &writer->trace.defs, event, is_send, &flow))
		return;
	other = fathom_table_find(&writer->ends, flow.channel, flow.message, 0);
	if (!other) {
		other = fathom_table_add(&writer->ends, flow.channel, flow.message, 0);
		end.entry = other->entry;
		*other = end;
		return;
	}
	put_message(writer, is_send ? &end : other, is_send ? other : &end);
	fathom_table_remove(&writer->ends, other);
}

static void take_post(struct writer *writer, const struct fathom_otf2_event *event, uint64_t ns)
{
	uint32_t task = writer->threads.threads[event->location].task;
	struct posted *posted = fathom_table_find(&writer->posted, task, event->id, 0);

	if (!posted)
		posted = fathom_table_add(&writer->posted, task, event->id, 0);
	posted->time = call_begin(&writer->states[event->location], ns);
}

static void take_collective(struct writer *writer, const struct fathom_otf2_event *event, uint64_t ns)
{
	int64_t comm = fathom_otf2_index(&writer->trace.defs, FATHOM_OTF2_COMM, event->ref);

	put_event(writer, event->location, ns, FATHOM_PARAVER_BYTES_SENT, event->bytes);
	put_event(writer, event->location, ns, FATHOM_PARAVER_BYTES_RECEIVED, event->bytes_received);
	if (event->peer < UINT32_MAX - 2)
		put_event(writer, event->location, ns, FATHOM_PARAVER_ROOT, (uint64_t)event->peer + 1);
	if (comm >= 0)
		put_event(writer, event->location, ns, FATHOM_PARAVER_COMMUNICATOR, (uint64_t)comm + 1);
}

/* --- counters --- */

/* Writes how much counters have grown since the last values of the thread; other metrics as they are. */
static void take_metric(struct writer *writer, const struct fathom_otf2_event *event, uint64_t ns)
{
	const struct fathom_otf2_defs *defs = &writer->trace.defs;
	const struct fathom_otf2_metric *metric = fathom_otf2_find(defs, FATHOM_OTF2_METRIC, event->ref);
	struct thread *thread = &writer->states[event->location];
	const OTF2_Type *types = event->types;

	if (metric && metric->of_class >= 0)
		metric = fathom_otf2_at(defs, FATHOM_OTF2_METRIC, (uint64_t)metric->of_class);
	if (!thread->counters)
		thread->counters = fathom_tool_alloc(fathom_otf2_count(defs, FATHOM_OTF2_MEMBER) + 1, sizeof(double));
	for (uint32_t i = 0; metric && i < event->count && i < metric->count; i++) {
		int64_t member = fathom_otf2_index(defs, FATHOM_OTF2_MEMBER, metric->members[i]);
		const struct fathom_otf2_typed *is;
		double value = types[i] == OTF2_TYPE_DOUBLE ? event->values[i].floating_point :
			       types[i] == OTF2_TYPE_INT64 ? (double)event->values[i].signed_int :
							     (double)event->values[i].unsigned_int, grown = value;

		if (member < 0 || !isfinite(value))
			continue;
		is = fathom_otf2_at(defs, FATHOM_OTF2_MEMBER, (uint64_t)member);
		if ((is->mode & OTF2_METRIC_VALUE_MASK) == OTF2_METRIC_VALUE_ACCUMULATED) {
			grown = value - thread->counters[member];
			thread->counters[member] = value;
		}
		if (grown >= 0)
			put_event(writer, event->location, ns, (uint32_t)(FATHOM_PARAVER_COUNTER + member),
				  (uint64_t)(grown + .5));
	}
}

/* --- the trace --- */

static bool take(void *taker, const struct fathom_otf2_event *event)
{
	struct writer *writer = taker;
	struct thread *thread = &writer->states[event->location];
	uint64_t ns = nanoseconds(writer, event->time);

	fathom_progress_set(++writer->events);
	if (event->time > writer->last)
		writer->last = event->time;
	if (!writer->threads.threads[event->location].thread)
		return true;
	if (!thread->has_begun)
		change_state(writer, event->location, ns, FATHOM_PARAVER_RUNNING);
	thread->has_begun = true;
	thread->last = ns;
	switch (event->kind) {
	case FATHOM_RECORD_ENTER:
	case FATHOM_RECORD_CALLING_CONTEXT_ENTER: take_enter(writer, event, ns); break;
	case FATHOM_RECORD_LEAVE:
	case FATHOM_RECORD_CALLING_CONTEXT_LEAVE: take_leave(writer, event, ns); break;
	case FATHOM_RECORD_MPI_SEND:
	case FATHOM_RECORD_MPI_ISEND: take_message(writer, event, ns, true); break;
	case FATHOM_RECORD_MPI_RECV:
	case FATHOM_RECORD_MPI_IRECV: take_message(writer, event, ns, false); break;
	case FATHOM_RECORD_MPI_IRECV_REQUEST: take_post(writer, event, ns); break;
	case FATHOM_RECORD_MPI_COLLECTIVE_END:
	case FATHOM_RECORD_NON_BLOCKING_COLLECTIVE_COMPLETE: take_collective(writer, event, ns); break;
	case FATHOM_RECORD_METRIC: take_metric(writer, event, ns); break;
	case FATHOM_RECORD_THREAD_TEAM_BEGIN: change_state(writer, event->location, ns, FATHOM_PARAVER_RUNNING); break;
	case FATHOM_RECORD_THREAD_TEAM_END:
		if (thread->open_count == 0)
			change_state(writer, event->location, ns, FATHOM_PARAVER_IDLE);
		break;
	default: break;
	}
	return writer->lines.err == 0;
}

static void init(struct writer *writer)
{
	struct fathom_otf2_defs *defs = &writer->trace.defs;
	size_t regions = fathom_otf2_count(defs, FATHOM_OTF2_REGION), i;

	fathom_paraver_threads_init(&writer->threads, defs);
	fathom_message_flows_init(&writer->flows);
	fathom_table_init(&writer->ends, sizeof(struct message_end));
	fathom_table_init(&writer->posted, sizeof(struct posted));
	writer->begin = defs->offset;
	writer->calls = fathom_tool_alloc(regions + 1, sizeof(*writer->calls));
	for (i = 0; i < regions; i++) {
		const struct fathom_otf2_region *region = fathom_otf2_at(defs, FATHOM_OTF2_REGION, i);

		if (region->paradigm == OTF2_PARADIGM_MPI)
			writer->calls[i] = fathom_paraver_call_of(fathom_otf2_text(defs, region->name));
	}
	writer->states = fathom_tool_alloc((size_t)writer->threads.location_count + 1, sizeof(*writer->states));
	for (i = 0; i < writer->threads.location_count; i++)
		writer->states[i].state = FATHOM_PARAVER_NOT_CREATED;
}

static void fini(struct writer *writer)
{
	for (uint32_t i = 0; i < writer->threads.location_count; i++) {
		free(writer->states[i].open);
		free(writer->states[i].counters);
	}
	free(writer->states);
	free(writer->calls);
	fathom_table_fini(&writer->ends);
	fathom_table_fini(&writer->posted);
	fathom_message_flows_fini(&writer->flows);
	fathom_paraver_threads_fini(&writer->threads);
}

/* Reads the events and writes the .prv file. */
static int write_records(struct writer *writer, FILE *out)
{
	uint64_t end;
	int err;

	fathom_progress_begin("reading events", fathom_otf2_event_count(&writer->trace));
	err = fathom_otf2_read_events(&writer->trace, NULL, take, writer);
	fathom_progress_end();
	if (err) {
		fathom_tool_error("%s", writer->trace.error);
		return err;
	}
	end = nanoseconds(writer, writer->last);
	for (uint32_t i = 0; i < writer->threads.location_count; i++) {
		if (!writer->threads.threads[i].thread)
			continue;
		change_state(writer, i, writer->states[i].last, FATHOM_PARAVER_NOT_CREATED);
		change_state(writer, i, end, FATHOM_PARAVER_STATES);
	}
	fathom_paraver_write_first_line(&writer->threads, end, out);
	err = fathom_sorted_lines_write(&writer->lines, out);
	if (err)
		fathom_tool_error("a temporary file: %s", strerror(-err));
	return err;
}

/* Writes one of the two other files. */
static int write_names(const struct writer *writer, const char *path, bool force,
		       void (*write)(const struct fathom_paraver_threads *threads, FILE *out))
{
	struct fathom_output_file file;
	int err = fathom_output_file_open(&file, path, force);

	if (err)
		return err;
	write(&writer->threads, file.stream);
	return fathom_output_file_close(&file, 0);
}

/* Returns the path with another ending of four characters; the caller frees it. */
static char *with_ending(const char *path, const char *ending)
{
	char *other = strdup(path);

	if (!other)
		fathom_tool_out_of_memory(strlen(path));
	strcpy(other + strlen(other) - 4, ending);
	return other;
}

/* Refuses to begin if a file exists that would be written at the end. */
static int check_names(const char *pcf, const char *row, bool force)
{
	const char *paths[] = { pcf, row };

	for (int i = 0; i < 2; i++) {
		if (!force && access(paths[i], F_OK) == 0) {
			fathom_tool_error("%s: exists already (--force replaces it; -o chooses another name)",
					  paths[i]);
			return -EEXIST;
		}
	}
	return 0;
}

int fathom_export_paraver(const char *anchor, const char *path, bool force)
{
	struct writer writer = { .events = 0 };
	struct fathom_output_file file;
	char *pcf = with_ending(path, ".pcf"), *row = with_ending(path, ".row");
	int err = check_names(pcf, row, force);

	fathom_otf2_memory_set_end(fathom_tool_out_of_memory);
	if (err)
		goto free_names;
	err = fathom_trace_open(&writer.trace, anchor);
	if (!err)
		err = fathom_otf2_read_definitions(&writer.trace, NULL);
	if (err) {
		fathom_tool_error("%s", writer.trace.error);
		goto close_trace;
	}
	init(&writer);
	err = fathom_output_file_open(&file, path, force);
	if (!err)
		err = fathom_output_file_close(&file, write_records(&writer, file.stream));
	if (!err)
		err = write_names(&writer, pcf, force, fathom_paraver_write_pcf);
	if (!err)
		err = write_names(&writer, row, force, fathom_paraver_write_row);
	fini(&writer);
close_trace:
	fathom_otf2_close(&writer.trace);
free_names:
	free(pcf);
	free(row);
	return err;
}
