/*
 * sync: barriers, waits for tasks, reductions and flushes.
 */
#include <stddef.h>

#include "sync.h"
#include "event/teams/team.h"
#include "event/teams/waiting.h"
#include "thread.h"

/* Returns the region of a barrier. Implicit barriers are at the ends of parallel regions and of worksharing constructs.
 * In code of GCC, the runtime reports them as `implementation`; most of these are at ends of loops. */
static const struct fathom_region *barrier_region(const struct fathom_ompt_open *implicit, int type,
						  const void **address)
{
	if (type == FATHOM_OMPT_SYNC_BARRIER_EXPLICIT || type == FATHOM_OMPT_SYNC_BARRIER)
		return fathom_ompt_region(*address, FATHOM_CONSTRUCT_BARRIER);
	if (!*address && type != FATHOM_OMPT_SYNC_BARRIER_IMPLEMENTATION)
		*address = implicit->address;	/* the end of the parallel region, on a worker */
	else if (!*address)
		*address = implicit->work;
	return fathom_ompt_region(*address, FATHOM_CONSTRUCT_IMPLICIT_BARRIER);
}

static void begin_barrier(struct fathom_ompt_thread *self, int type, const void *address)
{
	struct fathom_ompt_open *implicit = fathom_ompt_implicit_open(self);
	const struct fathom_region *region = barrier_region(implicit, type, &address);
	struct fathom_ompt_open *open;

	implicit->work = NULL;
	fathom_ompt_close(self, fathom_ompt_find(self, FATHOM_OMPT_OPEN_SINGLE, 0));
	fathom_ompt_open(self, FATHOM_OMPT_OPEN_BARRIER, 0, region);
	open = fathom_ompt_find(self, FATHOM_OMPT_OPEN_BARRIER, 0);
	if (open)
		open->address = address;
	fathom_event_wait_begin();
	if (implicit->is_worker && type != FATHOM_OMPT_SYNC_BARRIER_EXPLICIT)
		fathom_event_team_wait(region);
}

static void end_barrier(struct fathom_ompt_thread *self, bool in_team)
{
	/* To a worker that has left its team, the runtime reports the end of the last barrier too late. The end of the
	 * team, which the core knows, ends this barrier (team.c). */
	if (!in_team && fathom_ompt_implicit_open(self)->is_worker)
		return;
	fathom_event_wait_end();
	fathom_ompt_close(self, fathom_ompt_find(self, FATHOM_OMPT_OPEN_BARRIER, 0));
}

static void begin_taskgroup(struct fathom_ompt_thread *self, const void *address)
{
	struct fathom_ompt_open *open;

	fathom_ompt_open(self, FATHOM_OMPT_OPEN_TASKGROUP, 0,
			 fathom_ompt_region(address, FATHOM_CONSTRUCT_TASKGROUP));
	open = fathom_ompt_find(self, FATHOM_OMPT_OPEN_TASKGROUP, 0);
	if (open)
		open->address = address;
}

void fathom_ompt_sync_region(int type, int endpoint, union fathom_ompt_data *parallel, union fathom_ompt_data *task,
			     const void *address)
{
	struct fathom_ompt_thread *self = fathom_ompt_thread();
	bool begins = endpoint == FATHOM_OMPT_BEGIN;

	(void)task;
	if (!self)
		return;
	switch (type) {
	case FATHOM_OMPT_SYNC_TASKWAIT:
		if (begins) {
			fathom_ompt_open(self, FATHOM_OMPT_OPEN_TASKWAIT, 0,
					 fathom_ompt_region(address, FATHOM_CONSTRUCT_TASKWAIT));
			fathom_event_wait_begin();
		} else {
			fathom_event_wait_end();
			fathom_ompt_close(self, fathom_ompt_find(self, FATHOM_OMPT_OPEN_TASKWAIT, 0));
		}
		break;
	case FATHOM_OMPT_SYNC_TASKGROUP:
		if (begins)
			begin_taskgroup(self, address);
		else
			fathom_ompt_close(self, fathom_ompt_find(self, FATHOM_OMPT_OPEN_TASKGROUP, 0));
		break;
	case FATHOM_OMPT_SYNC_REDUCTION:
		break;		/* see fathom_ompt_reduction */
	default:
		if (begins)
			begin_barrier(self, type, address);
		else
			end_barrier(self, parallel != NULL);
	}
}

/* A taskgroup has a region of its own for the waiting at its end. The regions of all other constructs begin and end
 * with the waiting. */
void fathom_ompt_sync_region_wait(int type, int endpoint, union fathom_ompt_data *parallel,
				  union fathom_ompt_data *task, const void *address)
{
	const struct fathom_ompt_open *group;
	struct fathom_ompt_thread *self;

	(void)parallel, (void)task;
	if (type != FATHOM_OMPT_SYNC_TASKGROUP)
		return;
	self = fathom_ompt_thread();
	if (!self)
		return;
	if (endpoint != FATHOM_OMPT_BEGIN) {
		fathom_event_wait_end();
		fathom_ompt_close(self, fathom_ompt_find(self, FATHOM_OMPT_OPEN_TASKGROUP_WAIT, 0));
		return;
	}
	group = fathom_ompt_find(self, FATHOM_OMPT_OPEN_TASKGROUP, 0);
	fathom_ompt_open(self, FATHOM_OMPT_OPEN_TASKGROUP_WAIT, 0,
			 fathom_ompt_region(group ? group->address : address, FATHOM_CONSTRUCT_TASKGROUP_WAIT));
	fathom_event_wait_begin();
}

/* Most reductions take place inside a barrier. Such a reduction gets the address of the barrier's construct. */
void fathom_ompt_reduction(int type, int endpoint, union fathom_ompt_data *parallel, union fathom_ompt_data *task,
			   const void *address)
{
	struct fathom_ompt_thread *self = fathom_ompt_thread();
	const struct fathom_ompt_open *barrier;

	(void)type, (void)parallel, (void)task;
	if (!self)
		return;
	if (endpoint != FATHOM_OMPT_BEGIN) {
		fathom_ompt_close(self, fathom_ompt_find(self, FATHOM_OMPT_OPEN_REDUCTION, 0));
		return;
	}
	barrier = fathom_ompt_find(self, FATHOM_OMPT_OPEN_BARRIER, 0);
	if (!address && barrier)
		address = barrier->address;
	fathom_ompt_open(self, FATHOM_OMPT_OPEN_REDUCTION, 0,
			 fathom_ompt_region(address, FATHOM_CONSTRUCT_REDUCTION));
}

void fathom_ompt_flush(union fathom_ompt_data *thread, const void *address)
{
	(void)thread;
	fathom_ompt_visit(fathom_ompt_region(address, FATHOM_CONSTRUCT_FLUSH));
}
