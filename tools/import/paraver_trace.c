#include "tools/import/paraver_trace.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "otf2/archive_writer.h"
#include "otf2/memory.h"
#include "tools/common/command.h"
#include "tools/common/progress.h"
#include "tools/common/trace/new_directory.h"
#include "tools/import/foreign_region.h"
#include "tools/import/message_arrivals.h"
#include "tools/import/mpi_call.h"
#include "tools/import/paraver_definitions.h"
#include "tools/import/paraver_names.h"
#include "tools/import/paraver_records.h"
#include "tools/import/thread_regions.h"
#include "tools/import/trace_definitions.h"

/* Types of events with a meaning of their own. */
enum {
	MPI_FIRST = 50000001, MPI_LAST = 50000005,
	BYTES_SENT = 50100001, BYTES_RECEIVED, ROOT, COMMUNICATOR,
	USER_FUNCTION = 60000019, TASK_FUNCTION = 60000023,
	COUNTERS_FIRST = 42000000, COUNTERS_LAST = 45999999,
};

/* Types of places in the source and of the tracing itself, which are left out. */
static const struct { uint32_t first, last; } left_out_types[] = {
	{ 30000000, 30099999 }, { 40000000, 40999999 }, { 41999999, 41999999 }, { 60000100, 60000199 },
	{ 70000000, 70099999 }, { 80000000, 80199999 },
};

enum meaning { UNKNOWN, REGION, METRIC, COLLECTIVE, LEFT_OUT };

struct type {			/* by index of names */
	enum meaning meaning;
	enum fathom_paraver_style style;
	uint64_t ends, begins;	/* events with the value 0, and others */
	uint32_t metric;	/* id; UINT32_MAX: not defined yet */
};

struct region {			/* of a type and a value, or of a state */
	uint32_t type;		/* index; UINT32_MAX: a state */
	uint64_t value;
	uint32_t id;
	OTF2_CollectiveOp operation;
	bool is_collective;
};

struct thread {
	struct fathom_thread_regions regions;
	uint64_t last;			/* time of its last event */
	uint64_t state_end;		/* of the region of a state that is open */
	uint64_t bytes_sent, bytes_received, root, comm;	/* of the collective operation that is open */
};

struct import {
	struct fathom_paraver_file file;
	struct fathom_paraver_record record;
	struct fathom_paraver_names names;
	struct type *types;
	size_t type_room;
	struct region *regions;
	size_t region_count, region_room;
	struct fathom_index region_index;
	struct fathom_trace_definitions definitions;
	struct fathom_otf2_archive made;		/* locations and groups only, for the writer */
	struct fathom_otf2_archive_writer writer;
	struct thread *threads;
	uint32_t *task_of;				/* by thread */
	struct fathom_message_arrivals arrivals;	/* of messages that are on their way */
	uint32_t world;					/* id of the communicator of all tasks */
	bool has_regions, has_mpi;
	uint64_t moved, left_out, unmatched_ends;
	int err;
};

/* --- what types mean ------------------------------------------------------------------------------------- */

static uint32_t type_of(struct import *import, uint32_t number)
{
	uint32_t index = fathom_paraver_names_type(&import->names, number);
	size_t room = import->type_room;

	if (index < room)
		return index;
	import->type_room = 2 * (size_t)index + 64;
	import->types = realloc(import->types, import->type_room * sizeof(*import->types));
	if (!import->types)
		fathom_tool_out_of_memory(import->type_room * sizeof(*import->types));
	for (; room < import->type_room; room++)
		import->types[room] = (struct type){ .metric = UINT32_MAX };
	return index;
}

static enum meaning meaning_of(const struct import *import, uint32_t index)
{
	const struct fathom_paraver_type *type = &import->names.types[index];

	for (size_t i = 0; i < sizeof(left_out_types) / sizeof(*left_out_types); i++)
		if (type->number >= left_out_types[i].first && type->number <= left_out_types[i].last)
			return LEFT_OUT;
	if (type->number >= BYTES_SENT && type->number <= COMMUNICATOR)
		return COLLECTIVE;
	return type->has_end && type->has_names ? REGION : METRIC;
}

/* Puts the end of a message among those that are on their way. */
static void add_arrival(struct import *import, const struct fathom_paraver_record *record)
{
	const struct fathom_message_arrival arrival = {
		.time = record->received, .thread = record->receiver,
		.sender = record->thread, .bytes = record->bytes, .tag = record->tag,
	};

	fathom_message_arrivals_add(&import->arrivals, &arrival);
}

/* Reads all records once, to see which types there are and how their values follow each other. Records are in the order
 * of their begins. A message that arrives before it is sent, because clocks differ, is put among the arrivals now, as
 * its record comes too late. */
static int survey(struct import *import)
{
	int more;

	while ((more = fathom_paraver_file_next(&import->file, &import->record)) > 0) {
		fathom_progress_set(import->file.line_number);
		import->has_mpi |= import->record.kind == FATHOM_PARAVER_MESSAGE;
		if (import->record.kind == FATHOM_PARAVER_MESSAGE && import->record.received < import->record.time)
			add_arrival(import, &import->record);
		for (size_t p = 0; import->record.kind == FATHOM_PARAVER_EVENT && p < import->record.pair_count; p++) {
			uint32_t index = type_of(import, import->record.pairs[p].type);
			struct type *type = &import->types[index];

			if (import->record.pairs[p].value)
				type->begins++;
			else
				type->ends++;
			type->meaning = meaning_of(import, index);
			import->has_regions |= type->meaning == REGION;
			import->has_mpi |= import->record.pairs[p].type >= MPI_FIRST &&
					   import->record.pairs[p].type <= MPI_LAST;
		}
	}
	for (size_t i = 0; i < import->names.type_count && i < import->type_room; i++) {
		uint32_t number = import->names.types[i].number;
		struct type *type = &import->types[i];

		if (type->begins == type->ends)
			type->style = FATHOM_PARAVER_NESTED;
		else
			type->style = number == USER_FUNCTION || number == TASK_FUNCTION ? FATHOM_PARAVER_OUTER :
											   FATHOM_PARAVER_ONE;
	}
	return more;
}

/* --- regions -------------------------------------------------------------------------------------------- */

static bool is_region(const void *regions, uint32_t number, const void *wanted)
{
	const struct region *a = (const struct region *)regions + number, *b = wanted;

	return a->type == b->type && a->value == b->value;
}

/* Defines a region by its name. */
static void define(struct import *import, struct region *region, const char *name)
{
	struct fathom_foreign_region foreign;
	OTF2_Paradigm paradigm = OTF2_PARADIGM_COMPILER;

	fathom_foreign_region_init(&foreign, name, strlen(name));
	if (strcmp(foreign.region.paradigm, "mpi") == 0)
		paradigm = OTF2_PARADIGM_MPI;
	else if (region->type != UINT32_MAX && import->names.types[region->type].number / 100 == 600000 &&
		 import->names.types[region->type].number != USER_FUNCTION)
		paradigm = OTF2_PARADIGM_OPENMP;
	else if (strcmp(foreign.region.paradigm, "pthread") == 0)
		paradigm = OTF2_PARADIGM_PTHREAD;
	region->id = fathom_trace_definitions_region(&import->definitions, name,
						     fathom_mpi_call_role(foreign.region.role), paradigm);
	region->is_collective = fathom_mpi_call_operation(name, &region->operation);
	fathom_foreign_region_fini(&foreign);
}

static const struct region *region_of(struct import *import, uint32_t type, uint64_t value)
{
	static const char *const states[] = {
		"Idle", "Running", "Not created", "Waiting for a message", "Blocking send", "Synchronization",
		"Test or probe", "Scheduling and fork/join", "Wait", "Blocked", "Immediate send", "Immediate receive",
		"I/O", "Group communication", "Tracing disabled", "Others", "Send and receive",
	};
	struct region wanted = { .type = type, .value = value };
	uint64_t hash = fathom_index_hash_number(fathom_index_hash_number(0, type), (int64_t)value);
	int64_t index = fathom_index_find(&import->region_index, hash, is_region, import->regions, &wanted);
	const char *name = NULL;
	char text[320];

	if (index >= 0)
		return &import->regions[index];
	if (type != UINT32_MAX)
		name = fathom_paraver_names_value(&import->names, type, value);
	else if (value < sizeof(states) / sizeof(*states))
		name = states[value];
	if (!name || !*name) {
		snprintf(text, sizeof(text), "%.200s %" PRIu64,
			 type == UINT32_MAX ? "State" : import->names.types[type].name ?
			 import->names.types[type].name : "Event", value);
		name = text;
	}
	define(import, &wanted, name);
	import->regions = fathom_tool_grow(import->regions, import->region_count, &import->region_room,
					   sizeof(*import->regions));
	import->regions[import->region_count] = wanted;
	fathom_index_add(&import->region_index, hash, (uint32_t)import->region_count);
	return &import->regions[import->region_count++];
}

/* --- events ---------------------------------------------------------------------------------------------- */

/* Writes an event; a time before that of the thread's last event becomes this one. */
static void put(struct import *import, uint32_t thread, uint64_t time, struct fathom_otf2_event event)
{
	if (time < import->threads[thread].last) {
		time = import->threads[thread].last;
		import->moved++;
	}
	import->threads[thread].last = time;
	event.location = thread;
	event.time = time;
	if (!import->err)
		import->err = fathom_otf2_writer_put(&import->writer, &event);
}

/* Returns the id of a communicator by its number in the trace; another one is that of all tasks. */
static uint32_t comm_of(const struct import *import, uint64_t number)
{
	for (size_t c = 0; c < import->file.comm_count; c++)
		if (import->file.comms[c].id == number)
			return (uint32_t)c;
	return import->world;
}

static void enter(struct import *import, uint32_t thread, uint64_t time, uint32_t type, uint64_t value)
{
	struct thread *its = &import->threads[thread];
	const struct region *region = region_of(import, type, value);

	its->regions.open = fathom_tool_grow(its->regions.open, its->regions.count, &its->regions.room,
					     sizeof(*its->regions.open));
	its->regions.open[its->regions.count++] = (struct fathom_open_region){ type, value };
	put(import, thread, time, (struct fathom_otf2_event){ .kind = FATHOM_RECORD_ENTER, .ref = region->id });
	if (region->is_collective) {
		its->bytes_sent = its->bytes_received = its->root = its->comm = 0;
		put(import, thread, time, (struct fathom_otf2_event){ .kind = FATHOM_RECORD_MPI_COLLECTIVE_BEGIN });
	}
}

static void leave(struct import *import, uint32_t thread, uint64_t time)
{
	struct thread *its = &import->threads[thread];
	const struct fathom_open_region *open = &its->regions.open[--its->regions.count];
	const struct region *region = region_of(import, open->type, open->value);

	if (region->is_collective)
		put(import, thread, time, (struct fathom_otf2_event){
			.kind = FATHOM_RECORD_MPI_COLLECTIVE_END, .op = region->operation,
			.ref = comm_of(import, its->comm), .bytes = its->bytes_sent,
			.bytes_received = its->bytes_received,
			.peer = its->root ? (uint32_t)its->root - 1 : OTF2_UNDEFINED_UINT32,
		});
	put(import, thread, time, (struct fathom_otf2_event){ .kind = FATHOM_RECORD_LEAVE, .ref = region->id });
}

/* Ends the region of a state that ended before time. */
static void end_state(struct import *import, uint32_t thread, uint64_t time)
{
	struct thread *its = &import->threads[thread];

	if (!import->has_regions && its->regions.count && its->state_end <= time)
		leave(import, thread, its->state_end);
}

/* --- messages ------------------------------------------------------------------------------------------- */

/* Writes the messages that arrive before time, or at it. */
static void receive_until(struct import *import, uint64_t time)
{
	struct fathom_message_arrival arrival;

	while (fathom_message_arrivals_take(&import->arrivals, time, &arrival)) {
		end_state(import, arrival.thread, arrival.time ? arrival.time - 1 : 0);
		put(import, arrival.thread, arrival.time, (struct fathom_otf2_event){
			.kind = FATHOM_RECORD_MPI_RECV, .peer = import->task_of[arrival.sender], .ref = import->world,
			.tag = (uint32_t)arrival.tag, .bytes = arrival.bytes,
		});
	}
}

static void take_message(struct import *import, const struct fathom_paraver_record *record)
{
	put(import, record->thread, record->time, (struct fathom_otf2_event){
		.kind = FATHOM_RECORD_MPI_SEND, .peer = import->task_of[record->receiver], .ref = import->world,
		.tag = (uint32_t)record->tag, .bytes = record->bytes,
	});
	if (record->received >= record->time)
		add_arrival(import, record);
}

/* --- records -------------------------------------------------------------------------------------------- */

static void take_metric(struct import *import, uint32_t thread, uint64_t time, uint32_t index, uint64_t value)
{
	struct type *type = &import->types[index];
	const struct fathom_paraver_type *is = &import->names.types[index];
	OTF2_Type value_type = OTF2_TYPE_UINT64;
	OTF2_MetricValue values = { .unsigned_int = value };
	char name[64];

	if (type->metric == UINT32_MAX) {
		snprintf(name, sizeof(name), "Type %" PRIu32, is->number);
		type->metric = fathom_trace_definitions_metric(&import->definitions,
							       is->name && *is->name ? is->name : name,
							       is->number >= COUNTERS_FIRST &&
							       is->number <= COUNTERS_LAST);
	}
	put(import, thread, time, (struct fathom_otf2_event){
		.kind = FATHOM_RECORD_METRIC, .ref = type->metric, .count = 1, .types = &value_type, .values = &values,
	});
}

/* Keeps a property of the collective operation that is open. */
static void take_collective(struct thread *thread, uint32_t type, uint64_t value)
{
	switch (type) {
	case BYTES_SENT: thread->bytes_sent = value; break;
	case BYTES_RECEIVED: thread->bytes_received = value; break;
	case ROOT: thread->root = value; break;
	default: thread->comm = value; break;
	}
}

static void take_pair(struct import *import, const struct fathom_paraver_record *record,
		      const struct fathom_paraver_pair *pair)
{
	uint32_t index = type_of(import, pair->type);
	struct thread *thread = &import->threads[record->thread];
	size_t count;
	bool enters;

	switch (import->types[index].meaning) {
	case COLLECTIVE: take_collective(thread, pair->type, pair->value); return;
	case METRIC: take_metric(import, record->thread, record->time, index, pair->value); return;
	case LEFT_OUT: import->left_out++; return;
	case UNKNOWN:
	case REGION: break;
	}
	count = fathom_thread_regions_left(&thread->regions, index, import->types[index].style, pair->value, &enters);
	if (count == 0 && !enters)
		import->unmatched_ends++;
	if (count)
		receive_until(import, record->time);
	else if (record->time)
		receive_until(import, record->time - 1);
	while (count--)
		leave(import, record->thread, record->time);
	if (enters)
		enter(import, record->thread, record->time, index, pair->value);
}

static void take_state(struct import *import, const struct fathom_paraver_record *record)
{
	struct thread *thread = &import->threads[record->thread];

	if (import->has_regions || record->end < record->time)
		return;
	if (thread->regions.count && thread->state_end > record->time)
		thread->state_end = record->time;
	receive_until(import, record->time);
	end_state(import, record->thread, record->time);
	enter(import, record->thread, record->time, UINT32_MAX, record->state);
	thread->state_end = record->end;
}

static int take_records(struct import *import)
{
	const struct fathom_paraver_record *record = &import->record;
	int more = 0;

	while (!import->err && (more = fathom_paraver_file_next(&import->file, &import->record)) > 0) {
		fathom_progress_set(import->file.line_number);
		if (record->kind == FATHOM_PARAVER_STATE) {
			take_state(import, record);
			continue;
		}
		end_state(import, record->thread, record->time ? record->time - 1 : 0);
		if (record->kind == FATHOM_PARAVER_MESSAGE)
			take_message(import, record);
		for (size_t p = 0; record->kind == FATHOM_PARAVER_EVENT && p < record->pair_count; p++)
			take_pair(import, record, &record->pairs[p]);
	}
	receive_until(import, UINT64_MAX);
	for (uint32_t t = 0; t < import->file.thread_count; t++) {
		uint64_t end = import->has_regions ? import->file.duration : import->threads[t].state_end;

		while (import->threads[t].regions.count)
			leave(import, t, end > import->threads[t].last ? end : import->threads[t].last);
	}
	return import->err ? import->err : more;
}

/* --- the archive ---------------------------------------------------------------------------------------- */

static int write_archive(struct import *import, const char *directory)
{
	static const char *const incomplete[] = {	/* kinds of events that the trace lacks, or may lack */
		"OTF2::MPI_COMMUNICATION_COMPLETE", "OTF2::THREAD_FORK_JOIN_EVENT_COMPLETE",
		"OTF2::THREAD_CREATE_WAIT_EVENT_COMPLETE", "OTF2::THREAD_LOCK_EVENT_COMPLETE",
	};
	uint64_t last = import->file.duration;
	int err = fathom_otf2_writer_open(&import->writer, directory, &import->made);

	if (!err)
		err = take_records(import);
	for (uint32_t t = 0; t < import->file.thread_count; t++)
		if (import->threads[t].last > last)
			last = import->threads[t].last;
	if (!err)
		err = fathom_otf2_writer_end_events(&import->writer, NULL, 0, last);
	if (!err) {
		fathom_trace_definitions_set_duration(&import->definitions, last);
		for (size_t i = 0; i < sizeof(incomplete) / sizeof(*incomplete); i++)
			fathom_otf2_writer_set_property(&import->writer, incomplete[i], "false");
		fathom_otf2_writer_set_property(&import->writer, "FATHOM::IMPORTED_FROM", "Paraver");
		err = fathom_otf2_writer_finish_list(&import->writer, &import->definitions.list);
	}
	if (err && *import->writer.error)
		fathom_tool_error("%s: %s", directory, import->writer.error);
	return err;
}

static void print_remarks(const struct import *import, const char *path)
{
	if (import->left_out)
		printf("%s: %" PRIu64 " events are left out, which name places in the source or the tracing itself\n",
		       path, import->left_out);
	if (import->unmatched_ends)
		printf("%s: %" PRIu64 " events end a region that is not open; they are left out\n", path,
		       import->unmatched_ends);
	if (import->moved)
		printf("%s: %" PRIu64 " events are later in the trace than they say, because events of their thread "
		       "went back in time\n", path, import->moved);
	if (!import->has_regions)
		printf("%s: no events mark regions (or there is no .pcf file), so its states became regions\n", path);
}

static void fini(struct import *import)
{
	for (uint32_t t = 0; t < import->file.thread_count; t++)
		free(import->threads[t].regions.open);
	fathom_paraver_file_close(&import->file, &import->record);
	fathom_paraver_names_fini(&import->names);
	fathom_trace_definitions_fini(&import->definitions);
	fathom_otf2_defs_fini(&import->made.defs);
	fathom_index_fini(&import->region_index);
	free(import->types);
	free(import->regions);
	free(import->threads);
	free(import->task_of);
	fathom_message_arrivals_fini(&import->arrivals);
}

/* Reads the file of names, FILE.pcf for FILE.prv. */
static int read_names(struct import *import, const char *path)
{
	char *names = strdup(path);
	int err;

	if (!names)
		fathom_tool_out_of_memory(strlen(path));
	strcpy(names + strlen(names) - 4, ".pcf");
	err = fathom_paraver_names_read(&import->names, names);
	free(names);
	return err;
}

int fathom_paraver_trace_import(const char *path, const char *directory)
{
	struct import *import = fathom_tool_alloc(1, sizeof(*import));
	int err;

	fathom_otf2_memory_set_end(fathom_tool_out_of_memory);
	err = fathom_paraver_file_open(&import->file, path);
	if (err) {
		free(import);
		return err;
	}
	fathom_otf2_defs_init(&import->made.defs);
	import->made.creator = "fathom " PACKAGE_VERSION;
	import->made.description = "made from a trace of Paraver";
	import->threads = fathom_tool_alloc(import->file.thread_count, sizeof(*import->threads));
	import->task_of = fathom_tool_alloc(import->file.thread_count, sizeof(*import->task_of));
	fathom_trace_definitions_init(&import->definitions, import->file.ticks_per_second);
	fathom_paraver_define_system(&import->definitions, &import->made.defs, &import->file, import->task_of);
	fathom_progress_begin("reading records", 0);
	err = read_names(import, path);
	if (!err)
		err = survey(import);
	fathom_progress_end();
	fathom_paraver_file_rewind(&import->file);
	if (import->has_mpi)
		import->world = fathom_paraver_define_comms(&import->definitions, &import->made.defs, &import->file);
	if (!err)
		err = fathom_new_directory_make(directory);
	if (!err) {
		err = write_archive(import, directory);
		if (err)
			fathom_new_directory_remove(directory);
		else
			print_remarks(import, path);
		fathom_otf2_writer_close(&import->writer);
	}
	fini(import);
	free(import);
	return err;
}
