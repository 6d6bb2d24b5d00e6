#include "tools/trace/clock_correction.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "otf2/event_region.h"
#include "tools/common/command.h"
#include "tools/trace/operation_matching.h"

struct open_constraint {	/* of threads and locks, found by three numbers */
	struct fathom_table_entry entry;
	uint32_t constraint;
};

struct team {			/* a fork that a location has not joined: forks of a location are nested */
	uint64_t fork;		/* number of the event */
	uint32_t join;		/* constraint, if the team is known */
	bool has_team;
};

struct forks {
	struct team *list;
	uint32_t count;
	size_t room;
};

struct parts {			/* by communicator of a team: how many parts each member has begun, and ended */
	uint64_t *begun, *ended;
	uint32_t size;
};

struct collecting {
	struct fathom_clock_correction *correction;
	struct fathom_otf2_archive *trace;
	struct fathom_logical_clock *clock;
	struct fathom_operation_matching *matching;
	struct fathom_otf2_selection all;
	uint64_t *counts;		/* by location: events so far */
	uint64_t *entered;		/* by location: id of the region that was entered last */
	bool has_neighbours;		/* the trace knows neighbourhood collectives */
	double within, between;		/* latencies in ticks */
	struct forks *forks;		/* by location */
	struct parts **parts;		/* by communicator, NULL: none yet */
	/* begins: of the parts of a team (communicator, number of the part); ends: the same; threads: begin and wait
	 * of a created thread (process, communicator, number; the wait with the upper bit of the communicator); locks
	 * (process, paradigm, lock): the next acquisition. */
	struct fathom_table begins, ends, threads, locks;
	size_t comm_count;
	int err;
};

/* --- messages and collective operations ---------------------------------------------------------------- */

static double latency_of(const struct collecting *collecting, uint32_t source, uint32_t target)
{
	const struct fathom_otf2_process *a = fathom_otf2_at(&collecting->trace->defs, FATHOM_OTF2_PROCESS, source);
	const struct fathom_otf2_process *b = fathom_otf2_at(&collecting->trace->defs, FATHOM_OTF2_PROCESS, target);

	return a->host == b->host ? collecting->within : collecting->between;
}

static void take_message(void *data, const struct fathom_operation_part *send,
			 const struct fathom_operation_part *receive)
{
	struct collecting *collecting = data;
	uint32_t constraint = fathom_logical_clock_add(collecting->clock,
						       latency_of(collecting, send->process, receive->process));

	fathom_logical_clock_add_source(collecting->clock, constraint, send->location, send->first_number);
	fathom_logical_clock_add_target(collecting->clock, constraint, receive->last_location, receive->last_number);
}

static bool goes_from_root(uint32_t op)
{
	return op == OTF2_COLLECTIVE_OP_BCAST || op == OTF2_COLLECTIVE_OP_SCATTER || op == OTF2_COLLECTIVE_OP_SCATTERV;
}

static bool goes_to_root(uint32_t op)
{
	return op == OTF2_COLLECTIVE_OP_REDUCE || op == OTF2_COLLECTIVE_OP_GATHER || op == OTF2_COLLECTIVE_OP_GATHERV;
}

/* Returns whether each member that receives something waits for each that sends something. This is not sure for the
 * creation of handles, and for operations in which members choose their partners. */
static bool goes_from_all_to_all(uint32_t op)
{
	return op == OTF2_COLLECTIVE_OP_BARRIER || op == OTF2_COLLECTIVE_OP_ALLGATHER ||
	       op == OTF2_COLLECTIVE_OP_ALLGATHERV || op == OTF2_COLLECTIVE_OP_ALLTOALL ||
	       op == OTF2_COLLECTIVE_OP_ALLREDUCE || op == OTF2_COLLECTIVE_OP_REDUCE_SCATTER ||
	       op == OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK;
}

/* Makes a constraint from the members whose begin matters to those whose end must wait for it. */
static void take_collective(void *data, const struct fathom_operation_part *parts, uint32_t count, bool is_complete)
{
	struct collecting *collecting = data;
	uint32_t op = parts[0].op, constraint, i;
	bool from_root = goes_from_root(op), to_root = goes_to_root(op), is_barrier = op == OTF2_COLLECTIVE_OP_BARRIER;

	if (!is_complete || count < 2 || parts[0].has_sides ||
	    (!from_root && !to_root && !goes_from_all_to_all(op)))
		return;
	constraint = fathom_logical_clock_add(collecting->clock, collecting->within);
	for (i = 0; i < count; i++) {
		bool is_root = parts[i].root == (int64_t)parts[i].process;
		bool is_source = from_root ? is_root : !to_root || !is_root;
		bool is_target = to_root ? is_root : !from_root || !is_root;

		if (is_source && (is_barrier || parts[i].has_sent))
			fathom_logical_clock_add_source(collecting->clock, constraint, parts[i].location,
							parts[i].first_number);
		if (is_target && (is_barrier || parts[i].has_received))
			fathom_logical_clock_add_target(collecting->clock, constraint, parts[i].last_location,
							parts[i].last_number);
	}
}

/* --- threads -------------------------------------------------------------------------------------------- */

/* Returns the constraint with these numbers; makes it if there is none. */
static uint32_t constraint_of(struct collecting *collecting, struct fathom_table *table, uint64_t a, uint64_t b,
			      uint64_t c)
{
	struct open_constraint *open = fathom_table_find(table, a, b, c);

	if (!open) {
		open = fathom_table_add(table, a, b, c);
		open->constraint = fathom_logical_clock_add(collecting->clock, collecting->within);
	}
	return open->constraint;
}

static void drop_constraint(struct fathom_table *table, uint64_t a, uint64_t b, uint64_t c)
{
	struct open_constraint *open = fathom_table_find(table, a, b, c);

	if (open)
		fathom_table_remove(table, open);
}

static struct parts *parts_of(struct collecting *collecting, const struct fathom_otf2_event *event, int64_t *member)
{
	struct fathom_otf2_defs *defs = &collecting->trace->defs;
	const struct fathom_otf2_comm *comm = fathom_otf2_find(defs, FATHOM_OTF2_COMM, event->ref);
	int64_t index = fathom_otf2_index(defs, FATHOM_OTF2_COMM, event->ref);
	struct parts *parts;

	*member = comm && !comm->is_self ? fathom_otf2_comm_location(defs, comm, event->location) : -1;
	if (*member < 0)
		return NULL;
	parts = collecting->parts[index];
	if (!parts) {
		parts = fathom_tool_alloc(1, sizeof(*parts));
		parts->size = fathom_otf2_comm_size(defs, comm);
		parts->begun = fathom_tool_alloc(parts->size, sizeof(uint64_t));
		parts->ended = fathom_tool_alloc(parts->size, sizeof(uint64_t));
		collecting->parts[index] = parts;
	}
	return parts;
}

/* The fork is before the begins of its team, and their ends before the join. The n-th part of a member belongs to the
 * n-th part of the leader, which is the location that forks. */
static void take_team(struct collecting *collecting, const struct fathom_otf2_event *event, uint64_t number)
{
	struct forks *forks = &collecting->forks[event->location];
	struct team *team = forks->count ? &forks->list[forks->count - 1] : NULL;
	int64_t member;
	struct parts *parts;
	uint32_t constraint;

	switch (event->kind) {
	case FATHOM_RECORD_THREAD_FORK:
		forks->list = fathom_tool_grow(forks->list, forks->count, &forks->room, sizeof(*forks->list));
		forks->list[forks->count++] = (struct team){ .fork = number };
		break;
	case FATHOM_RECORD_THREAD_TEAM_BEGIN:
		parts = parts_of(collecting, event, &member);
		if (!parts)
			break;
		constraint = constraint_of(collecting, &collecting->begins, event->ref, parts->begun[member], 0);
		if (team && !team->has_team) {
			fathom_logical_clock_add_source(collecting->clock, constraint, event->location, team->fork);
			team->has_team = true;
			team->join = constraint_of(collecting, &collecting->ends, event->ref, parts->begun[member], 0);
		}
		parts->begun[member]++;
		fathom_logical_clock_add_target(collecting->clock, constraint, event->location, number);
		break;
	case FATHOM_RECORD_THREAD_TEAM_END:
		parts = parts_of(collecting, event, &member);
		if (!parts)
			break;
		constraint = constraint_of(collecting, &collecting->ends, event->ref, parts->ended[member]++, 0);
		fathom_logical_clock_add_source(collecting->clock, constraint, event->location, number);
		break;
	default:	/* join */
		if (!team)
			break;
		if (team->has_team)
			fathom_logical_clock_add_target(collecting->clock, team->join, event->location, number);
		forks->count--;
		break;
	}
}

static void take_thread(struct collecting *collecting, const struct fathom_otf2_event *event, uint64_t number)
{
	static const uint64_t wait_bit = 1ull << 63;
	const struct fathom_otf2_location *location = fathom_otf2_at(&collecting->trace->defs, FATHOM_OTF2_LOCATION,
								     event->location);
	bool is_end = event->kind == FATHOM_RECORD_THREAD_END || event->kind == FATHOM_RECORD_THREAD_WAIT;
	bool is_source = event->kind == FATHOM_RECORD_THREAD_CREATE || event->kind == FATHOM_RECORD_THREAD_END;
	uint64_t key = event->ref | (is_end ? wait_bit : 0);
	uint32_t constraint;

	if (event->id == OTF2_UNDEFINED_UINT64)
		return;
	constraint = constraint_of(collecting, &collecting->threads, location->process, key, event->id);
	if (is_source) {
		fathom_logical_clock_add_source(collecting->clock, constraint, event->location, number);
		return;
	}
	fathom_logical_clock_add_target(collecting->clock, constraint, event->location, number);
	drop_constraint(&collecting->threads, location->process, key, event->id);
}

/* A lock is released before the next acquisition, by number. */
static void take_lock(struct collecting *collecting, const struct fathom_otf2_event *event, uint64_t number)
{
	const struct fathom_otf2_location *location = fathom_otf2_at(&collecting->trace->defs, FATHOM_OTF2_LOCATION,
								     event->location);
	uint64_t key = (uint64_t)event->op << 32 | (uint32_t)event->id, acquisition = event->tag;

	if (event->kind == FATHOM_RECORD_THREAD_ACQUIRE_LOCK) {
		struct open_constraint *open = fathom_table_find(&collecting->locks, location->process, key,
								 acquisition);

		if (open) {
			fathom_logical_clock_add_target(collecting->clock, open->constraint, event->location, number);
			fathom_table_remove(&collecting->locks, open);
		}
		return;
	}
	fathom_logical_clock_add_source(collecting->clock,
					constraint_of(collecting, &collecting->locks, location->process, key,
						      acquisition + 1), event->location, number);
}

static bool is_of_neighbours(const struct fathom_otf2_defs *defs, const struct fathom_otf2_region *region)
{
	return region && strstr(fathom_otf2_text(defs, region->name), "eighbor") != NULL;
}

/* Returns whether an event ends a collective operation of neighbours, which wait for each other only. Those that are
 * completed later cannot be distinguished from others. */
static bool ends_with_neighbours(const struct collecting *collecting, const struct fathom_otf2_event *event)
{
	const struct fathom_otf2_defs *defs = &collecting->trace->defs;

	if (event->kind == FATHOM_RECORD_NON_BLOCKING_COLLECTIVE_COMPLETE)
		return collecting->has_neighbours && goes_from_all_to_all(event->op) &&
		       event->op != OTF2_COLLECTIVE_OP_BARRIER;
	return event->kind == FATHOM_RECORD_MPI_COLLECTIVE_END &&
	       is_of_neighbours(defs, fathom_otf2_find(defs, FATHOM_OTF2_REGION, collecting->entered[event->location]));
}

static bool knows_neighbours(const struct fathom_otf2_defs *defs)
{
	size_t i;

	for (i = 0; i < fathom_otf2_count(defs, FATHOM_OTF2_REGION); i++)
		if (is_of_neighbours(defs, fathom_otf2_at(defs, FATHOM_OTF2_REGION, i)))
			return true;
	return false;
}

/* --- reading -------------------------------------------------------------------------------------------- */

static bool take_event(void *data, const struct fathom_otf2_event *event)
{
	struct collecting *collecting = data;
	const struct fathom_otf2_location *location = fathom_otf2_at(&collecting->trace->defs, FATHOM_OTF2_LOCATION,
								     event->location);
	uint64_t number = collecting->counts[event->location]++;

	if (number >= location->events || (number && event->time < collecting->correction->times[event->location]
					   [number - 1])) {
		fathom_tool_error("%s: location %llu has %s: fathom check tells more", collecting->trace->anchor,
				  (unsigned long long)location->id, number >= location->events ?
				  "more events than its definition says" : "times that go back");
		collecting->err = -EINVAL;
		return false;
	}
	collecting->correction->times[event->location][number] = event->time;
	fathom_operation_matching_take(collecting->matching, event, number, ends_with_neighbours(collecting, event));
	switch (event->kind) {
	case FATHOM_RECORD_ENTER:
	case FATHOM_RECORD_CALLING_CONTEXT_ENTER:
		collecting->entered[event->location] = fathom_otf2_event_region_id(&collecting->trace->defs, event);
		break;
	case FATHOM_RECORD_THREAD_FORK:
	case FATHOM_RECORD_THREAD_JOIN:
	case FATHOM_RECORD_THREAD_TEAM_BEGIN:
	case FATHOM_RECORD_THREAD_TEAM_END: take_team(collecting, event, number); break;
	case FATHOM_RECORD_THREAD_CREATE:
	case FATHOM_RECORD_THREAD_BEGIN:
	case FATHOM_RECORD_THREAD_END:
	case FATHOM_RECORD_THREAD_WAIT: take_thread(collecting, event, number); break;
	case FATHOM_RECORD_THREAD_ACQUIRE_LOCK:
	case FATHOM_RECORD_THREAD_RELEASE_LOCK: take_lock(collecting, event, number); break;
	default: break;
	}
	return true;
}

/* Maps a file without name for the times and moves of all events. */
static int map_file(struct fathom_clock_correction *correction, const struct fathom_otf2_defs *defs)
{
	size_t locations = fathom_otf2_count(defs, FATHOM_OTF2_LOCATION), i, at = 0;
	FILE *file = tmpfile();
	char *memory;
	int err = 0;

	correction->times = fathom_tool_alloc(locations, sizeof(*correction->times));
	correction->moves = fathom_tool_alloc(locations, sizeof(*correction->moves));
	for (i = 0; i < locations; i++)
		correction->bytes += ((const struct fathom_otf2_location *)fathom_otf2_at(defs, FATHOM_OTF2_LOCATION,
											    i))->events * 16;
	correction->bytes += 16;	/* no mapping is empty */
	memory = MAP_FAILED;
	if (file && ftruncate(fileno(file), (off_t)correction->bytes) == 0)
		memory = mmap(NULL, correction->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(file), 0);
	if (memory == MAP_FAILED) {
		err = -errno;
		fathom_tool_error("no temporary file of %zu bytes: %s", correction->bytes, strerror(errno));
	}
	if (file)
		fclose(file);	/* the mapping keeps it */
	if (err)
		return err;
	correction->memory = memory;
	for (i = 0; i < locations; i++) {
		const struct fathom_otf2_location *location = fathom_otf2_at(defs, FATHOM_OTF2_LOCATION, i);

		correction->times[i] = (uint64_t *)(void *)(memory + at);
		correction->moves[i] = (double *)(void *)(memory + at + location->events * 8);
		at += location->events * 16;
	}
	return 0;
}

static void fini_collecting(struct collecting *collecting)
{
	size_t i;

	for (i = 0; i < fathom_otf2_count(&collecting->trace->defs, FATHOM_OTF2_LOCATION); i++)
		free(collecting->forks[i].list);
	for (i = 0; i < collecting->comm_count; i++) {
		if (!collecting->parts[i])
			continue;
		free(collecting->parts[i]->begun);
		free(collecting->parts[i]->ended);
		free(collecting->parts[i]);
	}
	free(collecting->forks);
	free(collecting->parts);
	free(collecting->counts);
	free(collecting->entered);
	fathom_table_fini(&collecting->begins);
	fathom_table_fini(&collecting->ends);
	fathom_table_fini(&collecting->threads);
	fathom_table_fini(&collecting->locks);
	fathom_logical_clock_destroy(collecting->clock);
	fathom_otf2_selection_fini(&collecting->all);
}

int fathom_clock_correction_make(struct fathom_clock_correction *correction, struct fathom_otf2_archive *trace,
				 const struct fathom_clock_latencies *latencies)
{
	struct collecting collecting = { .correction = correction, .trace = trace };
	size_t locations = fathom_otf2_count(&trace->defs, FATHOM_OTF2_LOCATION), i;
	double ticks_per_ns = (double)trace->defs.resolution / 1e9;
	int err = map_file(correction, &trace->defs);

	if (err)
		return err;
	/* A latency has two ticks at least, because times are rounded to ticks at the end. */
	collecting.within = fmax(latencies->within_host * ticks_per_ns, 2);
	collecting.between = fmax(latencies->between_hosts * ticks_per_ns, 2);
	collecting.comm_count = fathom_otf2_count(&trace->defs, FATHOM_OTF2_COMM);
	collecting.counts = fathom_tool_alloc(locations, sizeof(uint64_t));
	collecting.entered = fathom_tool_alloc(locations, sizeof(uint64_t));
	collecting.has_neighbours = knows_neighbours(&trace->defs);
	collecting.forks = fathom_tool_alloc(locations, sizeof(struct forks));
	collecting.parts = fathom_tool_alloc(collecting.comm_count, sizeof(struct parts *));
	collecting.clock = fathom_logical_clock_create(locations, fmax(ticks_per_ns, 1));
	fathom_table_init(&collecting.begins, sizeof(struct open_constraint));
	fathom_table_init(&collecting.ends, sizeof(struct open_constraint));
	fathom_table_init(&collecting.threads, sizeof(struct open_constraint));
	fathom_table_init(&collecting.locks, sizeof(struct open_constraint));
	fathom_otf2_selection_init(&collecting.all, &trace->defs, NULL);
	collecting.matching = fathom_operation_matching_create(&collecting.all, &(struct fathom_operation_user){
		.data = &collecting, .message = take_message, .collective = take_collective,
	});
	err = fathom_otf2_read_events(trace, NULL, take_event, &collecting);
	if (collecting.err)
		err = collecting.err;
	else if (err)
		fathom_tool_error("%s", trace->error);
	fathom_operation_matching_destroy(collecting.matching);
	if (!err) {
		for (i = 0; i < locations; i++)
			fathom_logical_clock_set(collecting.clock, i, correction->times[i], correction->moves[i],
						 collecting.counts[i]);
		correction->result = fathom_logical_clock_correct(collecting.clock);
	}
	fini_collecting(&collecting);
	return err;
}

void fathom_clock_correction_fini(struct fathom_clock_correction *correction)
{
	if (correction->memory)
		munmap(correction->memory, correction->bytes);
	free(correction->times);
	free(correction->moves);
	*correction = (struct fathom_clock_correction){ 0 };
}

uint64_t fathom_clock_correction_time(void *data, uint32_t location, uint64_t number, uint64_t time)
{
	const struct fathom_clock_correction *correction = data;

	return time + (uint64_t)llrint(correction->moves[location][number]);
}
