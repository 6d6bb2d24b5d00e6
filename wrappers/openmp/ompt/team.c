/*
 * team: threads and teams.
 *
 * The runtime reports to a worker that the barrier at the end of its team is over, and that the worker has left the
 * team, only when it wakes the worker for its next team, or when the program ends. So the times of these two reports
 * mean nothing. The end of the barrier is ignored (sync.c). The end of the implicit task is passed on; the core uses
 * the time at which the forking thread left the team.
 */
#include <stddef.h>

#include "team.h"
#include "event/teams/team.h"
#include "event/thread.h"
#include "thread.h"

void fathom_ompt_thread_begin(int type, union fathom_ompt_data *thread)
{
	(void)thread;
	if (type == FATHOM_OMPT_THREAD_WORKER)
		fathom_event_thread_ignore();
}

void fathom_ompt_thread_end(union fathom_ompt_data *thread)
{
	(void)thread;
	fathom_ompt_thread_free();
}

static struct fathom_team *fork_team(const void *address, unsigned requested, bool is_league)
{
	const struct fathom_region *management = fathom_ompt_region(address, FATHOM_CONSTRUCT_FORK);
	const struct fathom_region *parallel =
		fathom_ompt_region(address, is_league ? FATHOM_CONSTRUCT_TEAMS : FATHOM_CONSTRUCT_PARALLEL);

	if (!management || !parallel)
		return NULL;
	return fathom_event_fork(parallel, management, requested, FATHOM_PLACES_THREADS);
}

void fathom_ompt_parallel_begin(union fathom_ompt_data *task, const struct fathom_ompt_frame *frame,
				union fathom_ompt_data *parallel, unsigned requested, int flags, const void *address)
{
	struct fathom_ompt_thread *self = fathom_ompt_thread();
	struct fathom_ompt_parallel *record;

	(void)task, (void)frame;
	parallel->pointer = NULL;
	if (!self)
		return;
	/* For each team of a league, the runtime reports a parallel region of one thread that is not in the source. */
	if (!address && requested == 1 && fathom_ompt_implicit_open(self)->is_league)
		return;
	record = fathom_ompt_parallel_take(self);
	if (!record)
		return;
	record->address = address;
	record->is_league = flags & FATHOM_OMPT_PARALLEL_LEAGUE;
	record->team = fork_team(address, requested, record->is_league);
	parallel->pointer = record;
}

void fathom_ompt_parallel_end(union fathom_ompt_data *parallel, union fathom_ompt_data *task, int flags,
			      const void *address)
{
	struct fathom_ompt_thread *self = fathom_ompt_thread();
	struct fathom_ompt_parallel *record = parallel->pointer;

	(void)task, (void)flags, (void)address;
	if (!self || !record)
		return;
	fathom_event_join(record->team);
	fathom_ompt_parallel_give(self, record);
}

/* Ends the implicit tasks at open and above it. The core ends all that is active in them, at the time when their teams
 * ended. */
static void end_teams_from(struct fathom_ompt_thread *self, const struct fathom_ompt_open *open)
{
	for (; self->top >= open; self->top--)
		if (self->top->team)
			fathom_event_team_end(self->top->team);
}

static void begin_implicit(struct fathom_ompt_thread *self, const struct fathom_ompt_parallel *parallel,
			   union fathom_ompt_data *task, unsigned number, unsigned size)
{
	struct fathom_ompt_open *open;

	/* A thread of the runtime's pool begins in a new team: all constructs of its earlier team have ended, even if
	 * the runtime has not reported that. */
	if (parallel && number != 0)
		end_teams_from(self, self->bottom + 1);
	open = fathom_ompt_push(self, FATHOM_OMPT_OPEN_IMPLICIT, (uintptr_t)task);
	task->value = FATHOM_OMPT_DATA_IMPLICIT;
	if (!open || !parallel)
		return;
	open->address = parallel->address;
	open->is_league = parallel->is_league;
	open->is_worker = number != 0;
	open->team = parallel->team;
	fathom_event_team_begin(open->team, number, size);
}

static void end_implicit(struct fathom_ompt_thread *self, const union fathom_ompt_data *task)
{
	struct fathom_ompt_open *open = self->top;

	/* A worker's late end comes with another task than its begin, because the runtime has already made the data of
	 * its next implicit task. */
	while (open > self->bottom &&
	       (open->sort != FATHOM_OMPT_OPEN_IMPLICIT || (open->id != (uintptr_t)task && !open->is_worker)))
		open--;
	if (open == self->bottom)
		return;
	if (!open->team) {
		fathom_ompt_close(self, open);
		return;
	}
	end_teams_from(self, open);
}

void fathom_ompt_implicit_task(int endpoint, union fathom_ompt_data *parallel, union fathom_ompt_data *task,
			       unsigned size, unsigned number, int flags)
{
	struct fathom_ompt_thread *self = fathom_ompt_thread();

	(void)flags;
	if (!self)
		return;
	/* The initial task, and the task of a thread that the program has created, belong to no parallel region. */
	if (endpoint == FATHOM_OMPT_BEGIN)
		begin_implicit(self, parallel ? parallel->pointer : NULL, task, number, size);
	else if (endpoint == FATHOM_OMPT_END)
		end_implicit(self, task);
}
