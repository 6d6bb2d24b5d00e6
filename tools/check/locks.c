#include "tools/check/locks.h"

#include <inttypes.h>
#include <stdlib.h>

#include "tools/check/check.h"
#include "tools/check/fault_reports.h"
#include "tools/common/command.h"

struct use {
	uint64_t time;
	uint32_t order, location;
	bool release;
};

struct lock {
	struct fathom_table_entry entry;	/* process, model, lock */
	struct use *now;		/* events of the same time, not judged yet */
	uint32_t now_count;
	size_t now_room;
	uint32_t last;			/* number of the last acquisition */
	uint32_t holder, depth;		/* depth 0: no thread holds the lock */
	uint64_t since;
	uint32_t *held;			/* numbers of acquisitions that are not released yet */
	size_t held_room;
};

struct fathom_check_locks {
	struct fathom_table locks;
};

void fathom_check_locks_init(struct fathom_check *check)
{
	check->locks = fathom_tool_alloc(1, sizeof(*check->locks));
	fathom_table_init(&check->locks->locks, sizeof(struct lock));
}

static int by_order(const void *a, const void *b)
{
	const struct use *x = a, *y = b;

	if (x->order != y->order)
		return x->order < y->order ? -1 : 1;
	return (int)x->release - (int)y->release;
}

static void acquire(struct fathom_check *check, struct lock *lock, const struct use *use)
{
	uint64_t id = lock->entry.key[2];

	if (lock->depth && lock->holder != use->location)
		fathom_check_fault_at(check, FATHOM_FAULT_LOCK, use->location, use->time,
				      "lock %" PRIu64 " is acquired while "
				      "another thread holds it (since time %" PRIu64 ")", id, lock->since);
	/* The thread that holds a lock may acquire it again with the next number or with the same one. */
	else if (use->order != lock->last + 1 && !(lock->depth && use->order == lock->last))
		fathom_check_fault_at(check, FATHOM_FAULT_LOCK, use->location, use->time,
				      "acquisition %u of lock %" PRIu64
				      " follows number %u", use->order, id, lock->last);
	if (lock->depth && lock->holder != use->location)
		lock->depth = 0;
	lock->held = fathom_tool_grow(lock->held, lock->depth, &lock->held_room, sizeof(*lock->held));
	lock->held[lock->depth++] = use->order;
	lock->holder = use->location;
	lock->since = use->time;
	lock->last = use->order;
}

static void release(struct fathom_check *check, struct lock *lock, const struct use *use)
{
	if (lock->depth && lock->holder == use->location && lock->held[lock->depth - 1] == use->order)
		lock->depth--;
	else
		fathom_check_fault_at(check, FATHOM_FAULT_LOCK, use->location, use->time,
				      "acquisition %u of lock %" PRIu64
				      " is released, but not held here", use->order, lock->entry.key[2]);
}

static void judge(struct fathom_check *check, struct lock *lock)
{
	uint32_t i;

	if (lock->now_count > 1)
		qsort(lock->now, lock->now_count, sizeof(*lock->now), by_order);
	for (i = 0; i < lock->now_count; i++)
		(lock->now[i].release ? release : acquire)(check, lock, &lock->now[i]);
	lock->now_count = 0;
}

void fathom_check_locks_event(struct fathom_check *check, const struct fathom_otf2_event *event)
{
	uint32_t process = fathom_check_process(check, event->location);
	struct fathom_table *locks = &check->locks->locks;
	struct lock *lock = fathom_table_find(locks, process, event->op, event->id);
	bool is_release = event->kind == FATHOM_RECORD_THREAD_RELEASE_LOCK ||
			  event->kind == FATHOM_RECORD_OMP_RELEASE_LOCK;

	if (!lock)
		lock = fathom_table_add(locks, process, event->op, event->id);
	if (lock->now_count && lock->now[0].time != event->time)
		judge(check, lock);
	lock->now = fathom_tool_grow(lock->now, lock->now_count, &lock->now_room, sizeof(*lock->now));
	lock->now[lock->now_count++] = (struct use){ event->time, event->tag, event->location, is_release };
}

void fathom_check_locks_finish(struct fathom_check *check)
{
	struct lock *lock = NULL;

	while ((lock = fathom_table_next(&check->locks->locks, lock)) != NULL) {
		judge(check, lock);
		if (lock->depth)
			fathom_check_fault_at(check, FATHOM_FAULT_LOCK, lock->holder, lock->since,
					      "lock %" PRIu64 " is never released", lock->entry.key[2]);
		free(lock->now);
		free(lock->held);
	}
	fathom_table_fini(&check->locks->locks);
	free(check->locks);
	check->locks = NULL;
}
