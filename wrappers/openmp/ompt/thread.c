#include "thread.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "event/event.h"
#include "run/runtime.h"
#include "platform/arena.h"
#include "platform/lock.h"

#define FIRST_OPEN 32

static FATHOM_TLS struct fathom_ompt_thread *current;

/* Records of threads that have ended, for new threads. Not used in a forked child: nothing is measured there, and the
 * thread that held the lock at the fork does not exist. */
static struct {
	struct fathom_lock lock;	/* held while something is allocated; nests in nothing */
	struct fathom_arena arena;
	struct fathom_ompt_thread *free;
} threads;

static void *allocate(size_t bytes)
{
	int saved = errno;
	void *memory;

	if (!fathom_runtime_measures())
		return NULL;
	fathom_lock_take(&threads.lock);
	memory = fathom_arena_alloc(&threads.arena, bytes);
	fathom_lock_give(&threads.lock);
	errno = saved;
	return memory;
}

static struct fathom_ompt_thread *reuse(void)
{
	struct fathom_ompt_thread *self;

	if (!fathom_runtime_measures())
		return NULL;
	fathom_lock_take(&threads.lock);
	self = threads.free;
	if (self)
		threads.free = self->next;
	fathom_lock_give(&threads.lock);
	return self;
}

static FATHOM_COLD struct fathom_ompt_thread *create(void)
{
	struct fathom_ompt_thread *self = reuse();

	if (!self) {
		self = allocate(sizeof(*self) + FIRST_OPEN * sizeof(*self->bottom));
		if (!self)
			return NULL;
		self->bottom = (struct fathom_ompt_open *)(self + 1);
		self->limit = self->bottom + FIRST_OPEN;
	}
	self->top = self->bottom;
	self->broken = false;
	current = self;
	return self;
}

struct fathom_ompt_thread *fathom_ompt_thread(void)
{
	struct fathom_ompt_thread *self = current;

	if (unlikely(!self))
		self = create();
	return likely(self && !self->broken) ? self : NULL;
}

void fathom_ompt_thread_free(void)
{
	struct fathom_ompt_thread *self = current;

	current = NULL;
	if (!self || !fathom_runtime_measures())
		return;
	fathom_lock_take(&threads.lock);
	self->next = threads.free;
	threads.free = self;
	fathom_lock_give(&threads.lock);
}

/* --- the stack -------------------------------------------------------------------------------- */

/* Moves the entries to a stack of twice the size. The memory of the old stack is not used again: all old stacks
 * together are smaller than the new one. */
static FATHOM_COLD bool grow(struct fathom_ompt_thread *self)
{
	size_t room = (size_t)(self->limit - self->bottom);
	struct fathom_ompt_open *larger = allocate(2 * room * sizeof(*larger));

	if (!larger) {
		self->broken = true;
		return false;
	}
	memcpy(larger, self->bottom, room * sizeof(*larger));
	self->top = larger + (self->top - self->bottom);
	self->bottom = larger;
	self->limit = larger + 2 * room;
	return true;
}

struct fathom_ompt_open *fathom_ompt_push(struct fathom_ompt_thread *self, enum fathom_ompt_sort sort, uint64_t id)
{
	/* The thread has tested a lock and did not get it, which the runtime does not report. */
	if (unlikely(self->top->sort == FATHOM_OMPT_OPEN_LOCK))
		fathom_ompt_close(self, self->top);
	if (unlikely(self->top + 1 == self->limit) && !grow(self))
		return NULL;
	*++self->top = (struct fathom_ompt_open){ .sort = sort, .id = id };
	return self->top;
}

void fathom_ompt_open(struct fathom_ompt_thread *self, enum fathom_ompt_sort sort, uint64_t id,
		      const struct fathom_region *region)
{
	struct fathom_ompt_open *open = region ? fathom_ompt_push(self, sort, id) : NULL;

	if (!open)
		return;
	open->region = region;
	fathom_event_enter_block(region);
}

static bool is_task(const struct fathom_ompt_open *open)
{
	return open->sort <= FATHOM_OMPT_OPEN_EXPLICIT;
}

struct fathom_ompt_open *fathom_ompt_find(const struct fathom_ompt_thread *self, enum fathom_ompt_sort sort,
					  uint64_t id)
{
	struct fathom_ompt_open *open = self->top;

	while (!is_task(open) && (open->sort != sort || open->id != id))
		open--;
	return is_task(open) ? NULL : open;
}

struct fathom_ompt_open *fathom_ompt_task_open(const struct fathom_ompt_thread *self)
{
	struct fathom_ompt_open *open = self->top;

	while (!is_task(open))
		open--;
	return open;
}

struct fathom_ompt_open *fathom_ompt_implicit_open(const struct fathom_ompt_thread *self)
{
	struct fathom_ompt_open *open = self->top;

	while (open->sort != FATHOM_OMPT_OPEN_IMPLICIT)
		open--;
	return open;
}

void fathom_ompt_close(struct fathom_ompt_thread *self, const struct fathom_ompt_open *open)
{
	for (; open && self->top >= open; self->top--) {
		if (self->top->block)
			fathom_event_exit(self->top->block);
		if (self->top->region)
			fathom_event_exit(self->top->region);
	}
}

void fathom_ompt_visit(const struct fathom_region *region)
{
	if (!region)
		return;
	fathom_event_enter_block(region);
	fathom_event_exit(region);
}

/* --- parallel regions ------------------------------------------------------------------------- */

struct fathom_ompt_parallel *fathom_ompt_parallel_take(struct fathom_ompt_thread *self)
{
	struct fathom_ompt_parallel *parallel = self->free_parallels;

	if (unlikely(!parallel))
		return allocate(sizeof(*parallel));
	self->free_parallels = parallel->next;
	return parallel;
}

void fathom_ompt_parallel_give(struct fathom_ompt_thread *self, struct fathom_ompt_parallel *parallel)
{
	parallel->next = self->free_parallels;
	self->free_parallels = parallel;
}
