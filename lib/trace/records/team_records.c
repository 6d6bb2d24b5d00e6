#include "trace/records/team_records.h"

#include <stdatomic.h>
#include <stddef.h>

#include "trace/archive.h"
#include "trace/comms.h"
#include "trace/records/record.h"
#include "trace/stretches.h"

/* Writes a record of the location whose trace is in the variable trace. */
#define WRITE(...) FATHOM_TRACE_PUT(trace, __VA_ARGS__)

/* --- teams --------------------------------------------------------------------------------------- */

static bool is_of(const struct fathom_trace_membership *part, const struct fathom_team *team)
{
	return part->leader == team->leader && part->level == team->level && part->size == team->size;
}

/* Adds a membership. NULL: no memory. Context: birth. */
static FATHOM_COLD struct fathom_trace_membership *add_part(struct fathom_trace *trace, const struct fathom_team *team)
{
	const struct fathom_trace_comm spec = {
		.kind = FATHOM_TRACE_COMM_TEAM,
		.leader = team->leader,
		.level = team->level,
		.size = team->size,
	};
	struct fathom_trace_membership *part = fathom_arena_alloc(&trace->location->arena, sizeof(*part));

	if (!part)
		return NULL;
	*part = (struct fathom_trace_membership){
		.next = trace->memberships,
		.leader = team->leader,
		.level = team->level,
		.size = team->size,
		.comm = fathom_trace_comm_add(&spec),
	};
	fathom_poke(&trace->memberships, part);
	return part;
}

/* Returns the location's membership in the team's communicator, added if it is new. NULL: no memory. Most threads are
 * in teams of one kind, so the last membership is tried first. */
static struct fathom_trace_membership *part_of(struct fathom_trace *trace, const struct fathom_team *team)
{
	struct fathom_trace_membership *part = trace->last_membership;

	if (likely(part && is_of(part, team)))
		return part;
	for (part = trace->memberships; part && !is_of(part, team); part = part->next)
		;
	if (!part)
		part = add_part(trace, team);
	if (part)
		fathom_poke(&trace->last_membership, part);
	return part;
}

uint32_t fathom_trace_team_comm(struct fathom_trace *trace, const struct fathom_team *team)
{
	const struct fathom_trace_membership *part = part_of(trace, team);

	return likely(part) ? part->comm : UINT32_MAX;
}

const struct fathom_trace_membership *fathom_trace_team_membership(const struct fathom_trace *trace, uint32_t comm)
{
	const struct fathom_trace_membership *part = trace ? trace->memberships : NULL;

	while (part && part->comm != comm)
		part = part->next;
	return part;
}

/*
 * The lowest bits of a word say which records of a team are open. While records are being written that change this, the
 * word also has what the next two records change, and how many records there were before: a thread that is stopped for
 * good at that time may have written none, one or both of them.
 */
enum {
	OPEN_BITS = 3,
	OPEN_MASK = (1 << OPEN_BITS) - 1,
	FIRST_SHIFT = OPEN_BITS,	/* of what the next record changes, */
	SECOND_SHIFT = 2 * OPEN_BITS,	/* and the record after that one */
	IN_PROGRESS = 1 << 3 * OPEN_BITS,
	EVENTS_SHIFT = 3 * OPEN_BITS + 1,
};

static void begin_records(const struct fathom_trace *trace, uint64_t *word, uint64_t first, uint64_t second)
{
	fathom_poke(word, trace->buffer.events << EVENTS_SHIFT | IN_PROGRESS | second << SECOND_SHIFT |
			  first << FIRST_SHIFT | (*word & OPEN_MASK));
	atomic_signal_fence(memory_order_seq_cst);
}

static void end_records(uint64_t *word, uint64_t changed)
{
	atomic_signal_fence(memory_order_seq_cst);
	fathom_poke(word, (*word & OPEN_MASK) ^ changed);
}

uint64_t fathom_trace_team_open(const struct fathom_trace *trace, uint64_t word)
{
	uint64_t open = word & OPEN_MASK, written;

	if (!(word & IN_PROGRESS))
		return open;
	written = trace->buffer.events - (word >> EVENTS_SHIFT);
	if (written)
		open ^= word >> FIRST_SHIFT & OPEN_MASK;
	if (written > 1)
		open ^= word >> SECOND_SHIFT & OPEN_MASK;
	return open;
}

void fathom_trace_fork(struct fathom_location *self, struct fathom_team *team, uint32_t threads, uint64_t now)
{
	struct fathom_trace *trace = fathom_trace_recording(self);

	if (!trace)
		return;
	begin_records(trace, &team->records, FATHOM_TRACE_OPEN_FORK, 0);
	WRITE(fathom_trace_time(trace, now), FATHOM_RECORD_THREAD_FORK, OTF2_PARADIGM_OPENMP, threads);
	end_records(&team->records, FATHOM_TRACE_OPEN_FORK);
}

/* The next stage; it does not change after the start. */
static struct fathom_stage next;

/* The leader's parallel region is recorded here, because its frame began with the fork; a worker's region is
 * recorded as any other one. */
static void record_team_begin(struct fathom_location *self, struct fathom_team *team, uint32_t number, uint64_t now)
{
	struct fathom_trace *trace = fathom_trace_recording(self);
	struct fathom_trace_membership *part = trace ? part_of(trace, team) : NULL;
	bool is_leader = self == team->leader;
	uint64_t region = is_leader && !team->is_placeholder ? FATHOM_TRACE_OPEN_REGION : 0;
	uint64_t *records;

	if (!part)
		return;
	if (fathom_stretches_are_on())
		fathom_stretches_follow(trace);
	records = is_leader ? &team->records : &trace->team_records;
	if (part->times++ && part->number != number)
		part->has_changed = true;
	part->number = number;
	if (!is_leader)
		trace->team = team;
	now = fathom_trace_time(trace, now);
	begin_records(trace, records, FATHOM_TRACE_OPEN_TEAM, region);
	WRITE(now, FATHOM_RECORD_THREAD_TEAM_BEGIN, part->comm);
	if (region)
		WRITE(now, FATHOM_RECORD_ENTER, team->parallel->id);
	end_records(records, FATHOM_TRACE_OPEN_TEAM | region);
}

static void record_team_end(struct fathom_location *self, struct fathom_team *team, uint64_t now)
{
	struct fathom_trace *trace = fathom_trace_recording(self);
	bool is_leader = self == team->leader;
	uint64_t region = is_leader && !team->is_placeholder ? FATHOM_TRACE_OPEN_REGION : 0;
	uint32_t comm;
	uint64_t *records;

	if (!trace)
		return;
	records = is_leader ? &team->records : &trace->team_records;
	comm = fathom_trace_team_comm(trace, team);
	now = fathom_trace_time(trace, now);
	begin_records(trace, records, region ? region : FATHOM_TRACE_OPEN_TEAM, region ? FATHOM_TRACE_OPEN_TEAM : 0);
	if (region)
		WRITE(now, FATHOM_RECORD_LEAVE, team->parallel->id);
	WRITE(now, FATHOM_RECORD_THREAD_TEAM_END, comm);
	end_records(records, FATHOM_TRACE_OPEN_TEAM | region);
}

static void team_begin(struct fathom_location *self, struct fathom_team *team, uint32_t number, uint64_t now)
{
	record_team_begin(self, team, number, now);
	if (next.team_begin)
		next.team_begin(self, team, number, now);
}

static void team_end(struct fathom_location *self, struct fathom_team *team, uint64_t now)
{
	record_team_end(self, team, now);
	if (next.team_end)
		next.team_end(self, team, now);
}

void fathom_trace_join(struct fathom_location *self, struct fathom_team *team, uint64_t now)
{
	struct fathom_trace *trace = fathom_trace_recording(self);

	if (!trace)
		return;
	begin_records(trace, &team->records, FATHOM_TRACE_OPEN_FORK, 0);
	WRITE(fathom_trace_time(trace, now), FATHOM_RECORD_THREAD_JOIN, OTF2_PARADIGM_OPENMP);
	end_records(&team->records, FATHOM_TRACE_OPEN_FORK);
	if (fathom_stretches_are_on())
		fathom_stretches_join(self, now);
}

/* --- tasks --------------------------------------------------------------------------------------- */

static uint32_t comm_alone(const struct fathom_location *self)
{
	const struct fathom_trace_comm spec = {
		.kind = FATHOM_TRACE_COMM_TEAM,
		.leader = self,
		.level = FATHOM_TRACE_ALONE,
	};
	struct fathom_trace *trace = self->trace_data;

	if (unlikely(!trace->alone))
		trace->alone = fathom_trace_comm_add(&spec) + 1;
	return trace->alone - 1;
}

/* Returns the number of the communicator of the team that the thread is in, as leader or worker, and sets *number to
 * its number there. */
static uint32_t present_team(const struct fathom_location *self, uint32_t *number)
{
	const struct fathom_trace_membership *part;

	*number = 0;
	if (!self->leads && !self->team)
		return comm_alone(self);
	part = part_of(self->trace_data, self->leads ? self->leads : self->team);
	if (unlikely(!part))
		return UINT32_MAX;
	*number = part->number;
	return part->comm;
}

/* OTF2 names a task by the thread that created it and a generation, which counts from 1 for each thread. */
void fathom_trace_task_create(struct fathom_location *self, const struct fathom_task *task, uint64_t now)
{
	struct fathom_trace *trace = fathom_trace_recording(self);
	uint32_t number, team;

	if (!trace)
		return;
	team = present_team(self, &number);
	WRITE(fathom_trace_time(trace, now), FATHOM_RECORD_THREAD_TASK_CREATE, team, task->creator, task->number + 1);
	trace->tasks++;
}

void fathom_trace_switch_to(struct fathom_location *self, struct fathom_trace *trace, const struct fathom_task *task,
			    uint64_t now)
{
	uint32_t number, team = present_team(self, &number);

	WRITE(now, FATHOM_RECORD_THREAD_TASK_SWITCH, team, task ? task->creator : number,
	      task ? task->number + 1 : 0);
}

static void task_start(struct fathom_location *self, const struct fathom_task *task, uint64_t now)
{
	struct fathom_trace *trace = fathom_trace_recording(self);

	if (!trace)
		return;
	now = fathom_trace_time(trace, now);
	fathom_trace_switch_to(self, trace, task, now);
	if (!task->is_placeholder)
		WRITE(now, FATHOM_RECORD_ENTER, task->region->id);
}

void fathom_trace_task_switch(struct fathom_location *self, const struct fathom_task *task, uint64_t now)
{
	struct fathom_trace *trace = fathom_trace_recording(self);

	if (trace)
		fathom_trace_switch_to(self, trace, task, fathom_trace_time(trace, now));
}

static void task_complete(struct fathom_location *self, const struct fathom_task *task, uint64_t now)
{
	struct fathom_trace *trace = fathom_trace_recording(self);
	uint32_t number, team;

	if (!trace)
		return;
	team = present_team(self, &number);
	now = fathom_trace_time(trace, now);
	if (!task->is_placeholder)
		WRITE(now, FATHOM_RECORD_LEAVE, task->region->id);
	WRITE(now, FATHOM_RECORD_THREAD_TASK_COMPLETE, team, task->creator, task->number + 1);
	trace->tasks--;
}

struct fathom_stage fathom_trace_team_records_before(struct fathom_stage after)
{
	struct fathom_stage stage = after;

	next = after;
	stage.team_begin = team_begin;
	stage.team_end = team_end;
	stage.task_start = task_start;
	stage.task_complete = task_complete;
	return stage;
}

/* --- completeness -------------------------------------------------------------------------------- */

/* Returns true if all members of the communicator were in each of its teams, and every number occurs once. */
static bool is_whole(const struct fathom_trace_comm *comm, uint32_t number)
{
	const struct fathom_trace_membership *leader = fathom_trace_team_membership(comm->leader->trace_data, number);
	uint64_t numbers = 0;
	uint32_t members = 0;

	for (const struct fathom_trace *trace = fathom_trace_archive_newest(); trace; trace = trace->next) {
		const struct fathom_trace_membership *part = fathom_trace_team_membership(trace, number);

		if (!part)
			continue;
		if (!leader || part->times != leader->times || part->has_changed)
			return false;
		members++;
		numbers += part->number;
	}
	return members == comm->size && numbers == (uint64_t)comm->size * (comm->size - 1) / 2;
}

/* Threads may join and leave between teams, and tasks may be cancelled: then the trace does not follow OTF2's rules. */
bool fathom_trace_teams_are_complete(void)
{
	int64_t tasks = 0;

	for (const struct fathom_trace *trace = fathom_trace_archive_newest(); trace; trace = trace->next)
		tasks += trace->tasks;
	for (uint32_t number = 0; number < fathom_trace_comm_count(); number++) {
		const struct fathom_trace_comm *comm = fathom_trace_comm_by_number(number);

		if (comm->kind == FATHOM_TRACE_COMM_TEAM && comm->level != FATHOM_TRACE_ALONE &&
		    !is_whole(comm, number))
			return false;
	}
	return !tasks;
}
