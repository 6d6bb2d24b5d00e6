/*
 * Threads and teams.
 *
 * A worker learns that the barrier at the end of its team is over, and that it is not in the team any more, only
 * when it is woken for the next one, or when the program ends. So these two ends say nothing about
 * time: the barrier's is ignored (sync.c), the other is passed on, and the core knows when the forking thread left.
 */
#include <stddef.h>

#include "team.h"
#include "event/team.h"
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
	struct fathom_ompt_parallel *mine;

	(void)task, (void)frame;
	parallel->pointer = NULL;
	if (!self)
		return;
	/* Each team of a league gets a parallel region of one thread, which nobody has written. */
	if (!address && requested == 1 && fathom_ompt_implicit_open(self)->is_league)
		return;
	mine = fathom_ompt_parallel_take(self);
	if (!mine)
		return;
	mine->address = address;
	mine->is_league = flags & FATHOM_OMPT_PARALLEL_LEAGUE;
	mine->team = fork_team(address, requested, mine->is_league);
	parallel->pointer = mine;
}

void fathom_ompt_parallel_end(union fathom_ompt_data *parallel, union fathom_ompt_data *task, int flags,
			      const void *address)
{
	struct fathom_ompt_thread *self = fathom_ompt_thread();
	struct fathom_ompt_parallel *mine = parallel->pointer;

	(void)task, (void)flags, (void)address;
	if (!self || !mine)
		return;
	fathom_event_join(mine->team);
	fathom_ompt_parallel_give(self, mine);
}

/* The implicit tasks from open on end, and what is open in them with their teams, at the time that the core knows. */
static void end_above(struct fathom_ompt_thread *self, const struct fathom_ompt_open *open)
{
	for (; self->top >= open; self->top--)
		if (self->top->team)
			fathom_event_team_end(self->top->team);
}

static void begin_implicit(struct fathom_ompt_thread *self, const struct fathom_ompt_parallel *parallel,
			   union fathom_ompt_data *task, unsigned number, unsigned size)
{
	struct fathom_ompt_open *open;

	/* A thread of the runtime's pool: all constructs of its earlier team are over, even where no end was
	 * reported. */
	if (parallel && number != 0)
		end_above(self, self->bottom + 1);
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

	/* A worker's late end comes with another task than its begin: by then the runtime has made the next one's. */
	while (open > self->bottom &&
	       (open->sort != FATHOM_OMPT_OPEN_IMPLICIT || (open->id != (uintptr_t)task && !open->is_worker)))
		open--;
	if (open == self->bottom)
		return;
	if (!open->team) {
		fathom_ompt_close(self, open);
		return;
	}
	end_above(self, open);
}

void fathom_ompt_implicit_task(int endpoint, union fathom_ompt_data *parallel, union fathom_ompt_data *task,
			       unsigned size, unsigned number, int flags)
{
	struct fathom_ompt_thread *self = fathom_ompt_thread();

	(void)flags;
	if (!self)
		return;
	/* The program's own task, and a thread's that the program has created, are of no parallel region. */
	if (endpoint == FATHOM_OMPT_BEGIN)
		begin_implicit(self, parallel ? parallel->pointer : NULL, task, number, size);
	else if (endpoint == FATHOM_OMPT_END)
		end_implicit(self, task);
}
