#include "tools/check/teams.h"

#include <inttypes.h>
#include <stdlib.h>

#include "tools/check/check.h"
#include "tools/check/fault_reports.h"
#include "tools/common/command.h"

struct fork {			/* a fork that a location has not joined yet */
	uint32_t model;
	uint64_t time;
	uint32_t depth;		/* the number of teams that the location was in */
	bool has_team;
	uint32_t team;		/* comm index */
	uint64_t number;	/* the number of the fork among those of the team */
};

struct forks {
	struct fork *list;
	uint32_t count;
	size_t room;
};

struct span {			/* a fork of a team, until all members have ended their parts */
	uint64_t fork, join;
	uint64_t begin, end;	/* times of the first begin and the last end of its parts */
	uint32_t begun, ended;
	uint32_t location;	/* location of its master, or of the first member if the master is missing */
	bool forked, joined, said;
};

struct team {			/* by comm */
	uint32_t size;
	uint64_t *begun, *ended;	/* by member: how many parts it has begun and ended */
	struct span *spans;	/* a ring: span n is at index n modulo room */
	uint64_t first, last;
	size_t room;
	bool has_forks;		/* a thread forked the team; a team of created threads is never forked */
};

struct thread {			/* a created thread */
	struct fathom_table_entry entry;	/* process, comm, number */
	uint64_t times[4];	/* of create, begin, end and wait */
	unsigned seen;		/* a bit for each of these four events */
	uint32_t location;
};

struct fathom_check_teams {
	struct forks *forks;	/* by location */
	struct team **teams;	/* by comm, NULL: none yet */
	struct fathom_table threads;
	size_t location_count, comm_count;
};

void fathom_check_teams_init(struct fathom_check *check)
{
	struct fathom_check_teams *part = fathom_tool_alloc(1, sizeof(*part));

	part->location_count = fathom_otf2_count(&check->trace.defs, FATHOM_OTF2_LOCATION);
	part->comm_count = fathom_otf2_count(&check->trace.defs, FATHOM_OTF2_COMM);
	part->forks = fathom_tool_alloc(part->location_count, sizeof(*part->forks));
	part->teams = fathom_tool_alloc(part->comm_count, sizeof(struct team *));
	fathom_table_init(&part->threads, sizeof(struct thread));
	check->teams = part;
}

static const char *comm_name(const struct fathom_check *check, uint64_t id, char name[300])
{
	return fathom_otf2_name(&check->trace.defs, FATHOM_OTF2_COMM, id, name, 300);
}

/* --- forks and their teams ------------------------------------------------------------------------------ */

static struct team *team_of(struct fathom_check *check, uint32_t index)
{
	struct fathom_check_teams *part = check->teams;
	const struct fathom_otf2_comm *comm = fathom_otf2_at(&check->trace.defs, FATHOM_OTF2_COMM, index);
	struct team *team = part->teams[index];

	if (team)
		return team;
	team = fathom_tool_alloc(1, sizeof(*team));
	team->size = fathom_otf2_comm_size(&check->trace.defs, comm);
	team->begun = fathom_tool_alloc(team->size, sizeof(*team->begun));
	team->ended = fathom_tool_alloc(team->size, sizeof(*team->ended));
	team->room = 8;
	team->spans = fathom_tool_alloc(team->room, sizeof(*team->spans));
	part->teams[index] = team;
	return team;
}

static struct span *span_of(struct team *team, uint64_t number, uint32_t location)
{
	struct span *spans;
	uint64_t n;

	while (team->last <= number) {
		if (team->last - team->first == team->room) {
			spans = fathom_tool_alloc(2 * team->room, sizeof(*spans));
			for (n = team->first; n < team->last; n++)
				spans[n & (2 * team->room - 1)] = team->spans[n & (team->room - 1)];
			free(team->spans);
			team->spans = spans;
			team->room *= 2;
		}
		team->spans[team->last++ & (team->room - 1)] = (struct span){ .begin = UINT64_MAX,
		.location = location };
	}
	return &team->spans[number & (team->room - 1)];
}

static void say_span(struct fathom_check *check, const struct team *team, const struct span *span, const char *name)
{
	if (span->begun < team->size || span->ended < team->size)
		fathom_check_fault_at(check, FATHOM_FAULT_TEAM, span->location, span->forked ? span->fork : span->begin,
				      "fork of %s: %u of %u members began their part, %u ended it", name, span->begun,
				      team->size, span->ended);
	else if (!span->forked)
		fathom_check_fault_at(check, FATHOM_FAULT_TEAM, span->location, span->begin,
				      "%s begins its part without a fork", name);
	else if (span->begin < span->fork || (span->joined && span->end > span->join))
		fathom_check_fault_at(check, FATHOM_FAULT_TEAM, span->location, span->fork,
				      "a part of %s at time %" PRIu64 " is not between fork (%" PRIu64 ") and join "
				      "(%" PRIu64 ")",
				      name, span->begin < span->fork ? span->begin : span->end, span->fork, span->join);
}

/* Checks and removes the spans at the head of the ring that are joined and that all members have ended. */
static void conclude(struct fathom_check *check, struct team *team, uint64_t comm)
{
	char name[300];

	while (team->first < team->last) {
		const struct span *span = &team->spans[team->first & (team->room - 1)];

		if (span->ended < team->size || !span->joined)
			return;
		say_span(check, team, span, comm_name(check, comm, name));
		team->first++;
	}
}

static void take_fork(struct fathom_check *check, const struct fathom_otf2_event *event)
{
	struct forks *forks = &check->teams->forks[event->location];

	forks->list = fathom_tool_grow(forks->list, forks->count, &forks->room, sizeof(*forks->list));
	forks->list[forks->count++] = (struct fork){
		.model = event->op, .time = event->time, .depth = check->stacks.threads[event->location].team_count,
	};
}

static void take_join(struct fathom_check *check, const struct fathom_otf2_event *event)
{
	struct forks *forks = &check->teams->forks[event->location];
	const struct fathom_otf2_comm *comm;
	struct fork fork;
	struct team *team;
	struct span *span;

	if (forks->count == 0 || forks->list[forks->count - 1].model != event->op) {
		fathom_check_fault(check, FATHOM_FAULT_FORK, event, "a join without a fork");
		return;
	}
	fork = forks->list[--forks->count];
	if (check->stacks.threads[event->location].team_count != fork.depth)
		fathom_check_fault(check, FATHOM_FAULT_FORK, event, "a join inside a team that began after its fork");
	if (!fork.has_team)
		return;
	team = team_of(check, fork.team);
	span = span_of(team, fork.number, event->location);
	span->joined = true;
	span->join = event->time;
	comm = fathom_otf2_at(&check->trace.defs, FATHOM_OTF2_COMM, fork.team);
	conclude(check, team, comm->id);
}

static void take_team_begin(struct fathom_check *check, const struct fathom_otf2_event *event)
{
	struct forks *forks = &check->teams->forks[event->location];
	const struct fathom_otf2_comm *comm = fathom_check_definition(check, event);
	uint32_t index = (uint32_t)fathom_otf2_index(&check->trace.defs, FATHOM_OTF2_COMM, comm->id);
	int64_t member = fathom_otf2_comm_location(&check->trace.defs, comm, event->location);
	uint32_t depth = check->stacks.threads[event->location].team_count;
	struct fork *fork = forks->count ? &forks->list[forks->count - 1] : NULL;
	struct team *team = team_of(check, index);
	struct span *span;
	char name[300];

	fathom_otf2_stacks_enter_team(&check->stacks, event->location, comm->id);
	if (comm->is_self)	/* each thread has a team of its own, so there is nothing to compare */
		return;
	if (member < 0) {
		fathom_check_fault(check, FATHOM_FAULT_TEAM, event, "the location is no member of %s",
				   comm_name(check, comm->id, name));
		return;
	}
	span = span_of(team, team->begun[member], event->location);
	if (fork && !fork->has_team && fork->depth == depth) {
		fork->has_team = true;
		fork->team = index;
		fork->number = team->begun[member];
		span->forked = true;
		span->fork = fork->time;
		span->location = event->location;
		team->has_forks = true;
	}
	team->begun[member]++;
	span->begun++;
	if (event->time < span->begin)
		span->begin = event->time;
}

static void take_team_end(struct fathom_check *check, const struct fathom_otf2_event *event)
{
	const struct fathom_otf2_comm *comm = fathom_check_definition(check, event);
	struct fathom_otf2_team *innermost = fathom_otf2_stacks_team(&check->stacks, event->location);
	uint32_t index = (uint32_t)fathom_otf2_index(&check->trace.defs, FATHOM_OTF2_COMM, comm->id);
	int64_t member = fathom_otf2_comm_location(&check->trace.defs, comm, event->location);
	struct team *team = team_of(check, index);
	struct span *span;
	char name[300];

	if (!innermost || innermost->comm != comm->id) {
		fathom_check_fault(check, FATHOM_FAULT_TEAM, event, "%s ends, which is not the team that began last",
				   comm_name(check, comm->id, name));
		return;
	}
	comm_name(check, comm->id, name);
	if (innermost->task)
		fathom_check_fault(check, FATHOM_FAULT_TASK, event, "%s ends while a task runs", name);
	if (innermost->stack.count)
		fathom_check_fault(check, FATHOM_FAULT_OPEN, event, "%s ends, but %s is open", name,
				   fathom_check_region_name(check,
							    innermost->stack.regions[innermost->stack.count - 1]));
	fathom_otf2_stacks_leave_team(&check->stacks, event->location);
	if (member < 0 || comm->is_self)
		return;
	span = span_of(team, team->ended[member]++, event->location);
	span->ended++;
	if (event->time > span->end)
		span->end = event->time;
	conclude(check, team, comm->id);
}

/* --- tasks ------------------------------------------------------------------------------------------------ */

static void check_task(struct fathom_check *check, const struct fathom_otf2_event *event)
{
	const struct fathom_otf2_comm *comm = fathom_check_definition(check, event);
	struct fathom_otf2_team *team = fathom_otf2_stacks_team(&check->stacks, event->location);
	char name[300], other[300];

	if (fathom_otf2_comm_location(&check->trace.defs, comm, event->location) < 0)
		fathom_check_fault(check, FATHOM_FAULT_TASK, event, "the location is no member of %s",
				   comm_name(check, comm->id, name));
	else if (event->peer >= fathom_otf2_comm_size(&check->trace.defs, comm))
		fathom_check_fault(check, FATHOM_FAULT_TASK, event,
				   "a task of thread %u of %s, which has no such thread", event->peer,
				   comm_name(check, comm->id, name));
	else if (team && team->comm != comm->id)
		fathom_check_fault(check, FATHOM_FAULT_TASK, event, "a task of %s inside %s", comm_name(check, comm->id,
													name),
				   comm_name(check, team->comm, other));
}

static void take_task_create(struct fathom_check *check, const struct fathom_otf2_event *event)
{
	const struct fathom_otf2_comm *comm = fathom_check_definition(check, event);
	struct fathom_otf2_task *task = fathom_otf2_stacks_task(
		&check->stacks, fathom_check_process(check, event->location), event);

	check_task(check, event);
	if (!task || fathom_otf2_comm_location(&check->trace.defs, comm, event->location) != event->peer)
		fathom_check_fault(check, FATHOM_FAULT_TASK, event,
				   "task %u of thread %u is not created by that thread", event->tag, event->peer);
	if (!task)
		return;
	if (task->created)
		fathom_check_fault(check, FATHOM_FAULT_TASK, event, "task %u of thread %u is created twice", event->tag,
				   event->peer);
	/* The order of events of the same time on different threads is not known. */
	else if (task->first_time < event->time)
		fathom_check_fault(check, FATHOM_FAULT_TASK, event,
				   "task %u of thread %u was used before it is created", event->tag, event->peer);
	task->created = true;
}

static void take_task_switch(struct fathom_check *check, const struct fathom_otf2_event *event)
{
	const struct fathom_otf2_comm *comm = fathom_check_definition(check, event);
	struct fathom_otf2_task *task = fathom_otf2_stacks_task(
		&check->stacks, fathom_check_process(check, event->location), event);

	check_task(check, event);
	if (!task && fathom_otf2_comm_location(&check->trace.defs, comm, event->location) != event->peer)
		fathom_check_fault(check, FATHOM_FAULT_TASK, event, "goes on with the implicit task of thread %u",
				   event->peer);
	fathom_otf2_stacks_switch(&check->stacks, event->location, task);
}

static void take_task_complete(struct fathom_check *check, const struct fathom_otf2_event *event)
{
	struct fathom_otf2_task *task = fathom_otf2_stacks_task(
		&check->stacks, fathom_check_process(check, event->location), event);
	struct fathom_otf2_team *team = fathom_otf2_stacks_team(&check->stacks, event->location);

	check_task(check, event);
	if (!task)
		return;
	if (!task->created && task->first_time < event->time)
		fathom_check_fault(check, FATHOM_FAULT_TASK, event, "task %u of thread %u was never created",
				   event->tag, event->peer);
	if (team && team->task != task)
		fathom_check_fault(check, FATHOM_FAULT_TASK, event,
				   "task %u of thread %u completes, but does not run here",
				   event->tag, event->peer);
	if (task->stack.count)
		fathom_check_fault(check, FATHOM_FAULT_OPEN, event, "task %u of thread %u completes, but %s is open",
				   event->tag, event->peer,
				   fathom_check_region_name(check, task->stack.regions[task->stack.count - 1]));
	fathom_otf2_stacks_complete(&check->stacks, event->location, task);
}

/* --- created threads -------------------------------------------------------------------------------------- */

enum { CREATE, BEGIN, END, WAIT };

static void take_thread(struct fathom_check *check, const struct fathom_otf2_event *event, unsigned step)
{
	static const char *const words[] = { "created", "begun", "ended", "waited for" };
	struct fathom_table *threads = &check->teams->threads;
	uint32_t process = fathom_check_process(check, event->location);
	struct fathom_check_location *location = &check->locations[event->location];
	struct thread *thread;
	unsigned s;

	if (step == BEGIN && location->count > 1 && !check->reuses_threads)
		fathom_check_fault(check, FATHOM_FAULT_THREAD, event, "its begin is not the first event");
	if (step == END)
		location->thread_ended = !check->reuses_threads;
	if (event->id == OTF2_UNDEFINED_UINT64)
		return;
	thread = fathom_table_find(threads, process, event->ref, event->id);
	if (!thread)
		thread = fathom_table_add(threads, process, event->ref, event->id);
	if (thread->seen & 1u << step)
		fathom_check_fault(check, FATHOM_FAULT_THREAD, event, "thread %" PRIu64 " is %s twice", event->id,
				   words[step]);
	thread->seen |= 1u << step;
	thread->times[step] = event->time;
	thread->location = event->location;
	for (s = 0; s < 4; s++)
		if (thread->seen & 1u << s && ((s < step && thread->times[s] > event->time) ||
					       (s > step && thread->times[s] < event->time)))
			fathom_check_fault(check, FATHOM_FAULT_THREAD, event, "thread %" PRIu64 " is %s, %s it is %s",
					   event->id,
					   words[step], s < step ? "before" : "after", words[s]);
	if (thread->seen == 15)
		fathom_table_remove(threads, thread);
}

void fathom_check_teams_event(struct fathom_check *check, const struct fathom_otf2_event *event)
{
	switch (event->kind) {
	case FATHOM_RECORD_THREAD_FORK:
	case FATHOM_RECORD_OMP_FORK: take_fork(check, event); break;
	case FATHOM_RECORD_THREAD_JOIN:
	case FATHOM_RECORD_OMP_JOIN: take_join(check, event); break;
	case FATHOM_RECORD_THREAD_TEAM_BEGIN: take_team_begin(check, event); break;
	case FATHOM_RECORD_THREAD_TEAM_END: take_team_end(check, event); break;
	case FATHOM_RECORD_THREAD_TASK_CREATE: take_task_create(check, event); break;
	case FATHOM_RECORD_THREAD_TASK_SWITCH: take_task_switch(check, event); break;
	case FATHOM_RECORD_THREAD_TASK_COMPLETE: take_task_complete(check, event); break;
	case FATHOM_RECORD_THREAD_CREATE: take_thread(check, event, CREATE); break;
	case FATHOM_RECORD_THREAD_BEGIN: take_thread(check, event, BEGIN); break;
	case FATHOM_RECORD_THREAD_END: take_thread(check, event, END); break;
	case FATHOM_RECORD_THREAD_WAIT: take_thread(check, event, WAIT); break;
	/* Old traces do not distinguish implicit tasks from explicit ones, so the balance of their regions is not
	 * checked. */
	case FATHOM_RECORD_OMP_TASK_SWITCH: check->locations[event->location].old_tasks = true; break;
	default: break;
	}
}

/* --- the end ------------------------------------------------------------------------------------------------ */

static void finish_team(struct fathom_check *check, uint32_t index)
{
	const struct fathom_otf2_comm *comm = fathom_otf2_at(&check->trace.defs, FATHOM_OTF2_COMM, index);
	struct team *team = check->teams->teams[index];
	char name[300];

	if (!team)
		return;
	for (; team->has_forks && team->first < team->last; team->first++)
		say_span(check, team, &team->spans[team->first & (team->room - 1)], comm_name(check, comm->id, name));
	free(team->begun);
	free(team->ended);
	free(team->spans);
	free(team);
}

static void finish_threads(struct fathom_check *check)
{
	const struct thread *thread = NULL;

	while ((thread = fathom_table_next(&check->teams->threads, thread)) != NULL)
		if ((thread->seen & 7) != 7)
			fathom_check_fault_at(check, FATHOM_FAULT_THREAD, thread->location, UINT64_MAX,
					      "thread %" PRIu64 " is %screated, %sbegun, %sended", thread->entry.key[2],
					      thread->seen & 1 ? "" : "never ", thread->seen & 2 ? "" : "never ",
					      thread->seen & 4 ? "" : "never ");
	fathom_table_fini(&check->teams->threads);
}

void fathom_check_teams_finish(struct fathom_check *check)
{
	struct fathom_check_teams *part = check->teams;
	const struct fathom_otf2_task *task = NULL;
	uint32_t i;

	for (i = 0; i < part->location_count; i++) {
		if (part->forks[i].count)
			fathom_check_fault_at(check, FATHOM_FAULT_FORK, i,
					      part->forks[i].list[part->forks[i].count - 1].time,
					      "a fork without a join");
		if (check->stacks.threads[i].team_count > 1)
			fathom_check_fault_at(check, FATHOM_FAULT_TEAM, i, UINT64_MAX, "%u teams begin that never end",
					      check->stacks.threads[i].team_count - 1);
		free(part->forks[i].list);
	}
	while ((task = fathom_table_next(&check->stacks.tasks, task)) != NULL)
		fathom_check_fault_at(check, FATHOM_FAULT_TASK, task->first_location, task->first_time,
				      "task %u of thread %u %s", (uint32_t)task->entry.key[2],
				      (uint32_t)(task->entry.key[2] >> 32),
				      task->created ? "never completes" : "runs, but was never created, or is over");
	for (i = 0; i < part->comm_count; i++)
		finish_team(check, i);
	finish_threads(check);
	free(part->forks);
	free(part->teams);
	free(part);
	check->teams = NULL;
}
