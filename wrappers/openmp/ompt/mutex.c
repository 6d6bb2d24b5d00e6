/*
 * mutex: critical, atomic and ordered constructs, and locks.
 *
 * The runtime reports when a thread begins to wait, when it has acquired, and when it has released. The region of a
 * construct lasts from the begin of the waiting to the release; the region of the construct's block, inside it, begins
 * with the acquisition. The region of a lock function lasts while the thread waits; no region stands for the time in
 * which the thread holds the lock.
 */
#include <stddef.h>

#include "mutex.h"
#include "event/event.h"
#include "event/locks/locks.h"
#include "thread.h"

static bool is_lock(int type)
{
	return type >= FATHOM_OMPT_MUTEX_LOCK && type <= FATHOM_OMPT_MUTEX_TEST_NEST_LOCK;
}

static bool is_nested(int type)
{
	return type == FATHOM_OMPT_MUTEX_NEST_LOCK || type == FATHOM_OMPT_MUTEX_TEST_NEST_LOCK;
}

/* Returns whether traces have records of this kind of mutex: a lock or a critical construct, which only one thread at a
 * time can hold. */
static bool is_exclusive(int type)
{
	return is_lock(type) || type == FATHOM_OMPT_MUTEX_CRITICAL;
}

/* Returns the address by which events name the lock. */
static const void *lock_of(uint64_t id)
{
	return (const void *)(uintptr_t)id;
}

static void visit(enum fathom_construct construct)
{
	fathom_ompt_visit(fathom_ompt_region(NULL, construct));
}

void fathom_ompt_lock_init(int type, unsigned hint, unsigned implementation, uint64_t id, const void *address)
{
	(void)hint, (void)implementation, (void)address;
	fathom_event_lock_forget(lock_of(id));
	visit(is_nested(type) ? FATHOM_CONSTRUCT_INIT_NEST_LOCK : FATHOM_CONSTRUCT_INIT_LOCK);
}

void fathom_ompt_lock_destroy(int type, uint64_t id, const void *address)
{
	(void)address;
	fathom_event_lock_forget(lock_of(id));
	visit(is_nested(type) ? FATHOM_CONSTRUCT_DESTROY_NEST_LOCK : FATHOM_CONSTRUCT_DESTROY_LOCK);
}

/* Records that a thread begins to wait for a lock, or tests it. A test does not wait, and the runtime does not report
 * that it failed: so the region of a test ends at once. */
static void acquire_lock(struct fathom_ompt_thread *self, int type, uint64_t id, const void *caller)
{
	bool nested = is_nested(type);
	const struct fathom_region *test =
		fathom_ompt_region(NULL, nested ? FATHOM_CONSTRUCT_TEST_NEST_LOCK : FATHOM_CONSTRUCT_TEST_LOCK);
	const struct fathom_region *region = test;

	if (type == FATHOM_OMPT_MUTEX_LOCK || type == FATHOM_OMPT_MUTEX_NEST_LOCK)
		region = fathom_ompt_lock_region(caller, nested);
	if (region == test)
		fathom_ompt_visit(test);
	else
		fathom_ompt_open(self, FATHOM_OMPT_OPEN_LOCK, id, region);
}

static int construct_of(int type)
{
	return type == FATHOM_OMPT_MUTEX_CRITICAL ? FATHOM_CONSTRUCT_CRITICAL
	     : type == FATHOM_OMPT_MUTEX_ORDERED  ? FATHOM_CONSTRUCT_ORDERED
	     : type == FATHOM_OMPT_MUTEX_ATOMIC	  ? FATHOM_CONSTRUCT_ATOMIC
						  : -1;
}

static void acquire_construct(struct fathom_ompt_thread *self, int type, uint64_t id, const void *address)
{
	int construct = construct_of(type);
	struct fathom_ompt_open *open;

	if (construct < 0)
		return;
	fathom_ompt_open(self, FATHOM_OMPT_OPEN_MUTEX, id,
			 fathom_ompt_region(address, (enum fathom_construct)construct));
	open = fathom_ompt_find(self, FATHOM_OMPT_OPEN_MUTEX, id);
	if (open)
		open->address = address;
}

void fathom_ompt_mutex_acquire(int type, unsigned hint, unsigned implementation, uint64_t id, const void *address)
{
	struct fathom_ompt_thread *self = fathom_ompt_thread();

	(void)hint, (void)implementation;
	if (!self)
		return;
	if (is_lock(type))
		acquire_lock(self, type, id, __builtin_return_address(0));
	else
		acquire_construct(self, type, id, address);
}

/* Enters the region of the construct's block. The region is that of the construct's address, because the runtime does
 * not always report the same address for the block. */
static void begin_block(struct fathom_ompt_open *open, int type)
{
	const struct fathom_region *block = NULL;

	if (!open || open->block)
		return;
	if (type == FATHOM_OMPT_MUTEX_CRITICAL)
		block = fathom_ompt_region(open->address, FATHOM_CONSTRUCT_CRITICAL_BLOCK);
	else if (type == FATHOM_OMPT_MUTEX_ORDERED)
		block = fathom_ompt_region(open->address, FATHOM_CONSTRUCT_ORDERED_BLOCK);
	if (!block)
		return;
	open->block = block;
	fathom_event_enter_block(block);
}

void fathom_ompt_mutex_acquired(int type, uint64_t id, const void *address)
{
	struct fathom_ompt_thread *self = fathom_ompt_thread();

	(void)address;
	if (!self)
		return;
	if (is_exclusive(type))
		fathom_event_lock_acquired(lock_of(id), FATHOM_PARADIGM_OPENMP);
	if (is_lock(type))
		fathom_ompt_close(self, fathom_ompt_find(self, FATHOM_OMPT_OPEN_LOCK, id));
	else
		begin_block(fathom_ompt_find(self, FATHOM_OMPT_OPEN_MUTEX, id), type);
}

void fathom_ompt_mutex_released(int type, uint64_t id, const void *address)
{
	struct fathom_ompt_thread *self = fathom_ompt_thread();

	(void)address;
	if (!self)
		return;
	/* The mutex is free already, so in a trace its release comes before the end of the regions. */
	if (is_exclusive(type))
		fathom_event_lock_released(lock_of(id), FATHOM_PARADIGM_OPENMP);
	if (is_lock(type))
		visit(is_nested(type) ? FATHOM_CONSTRUCT_UNSET_NEST_LOCK : FATHOM_CONSTRUCT_UNSET_LOCK);
	else
		fathom_ompt_close(self, fathom_ompt_find(self, FATHOM_OMPT_OPEN_MUTEX, id));
}

/* The thread held the lock before the call, or holds it afterwards: so no acquisition and no release is recorded. */
void fathom_ompt_nest_lock(int endpoint, uint64_t id, const void *address)
{
	struct fathom_ompt_thread *self = fathom_ompt_thread();

	(void)address;
	if (!self)
		return;
	if (endpoint == FATHOM_OMPT_BEGIN)
		fathom_ompt_close(self, fathom_ompt_find(self, FATHOM_OMPT_OPEN_LOCK, id));
	else
		visit(FATHOM_CONSTRUCT_UNSET_NEST_LOCK);
}
