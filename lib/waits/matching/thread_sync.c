#include "waits/matching/thread_sync.h"

#include <errno.h>
#include <stdlib.h>

#include "waits/wait_formulas.h"

/* What a key is for; part of it. */
enum { BARRIER = 1, RELEASE, FORK };

/* The last thread that entered a barrier, the release of a lock, or a fork. */
struct event {
	double time;
	struct fathom_waits_op_name name;
};

struct fathom_waits_threads {
	struct fathom_waits_state *state;
	struct fathom_waits_key_table table;	/* index in events */
	struct event *events;
	uint32_t count, room;
};

struct fathom_waits_threads *fathom_waits_threads_create(struct fathom_waits_state *state)
{
	struct fathom_waits_threads *threads = calloc(1, sizeof(*threads));

	if (threads)
		threads->state = state;
	return threads;
}

void fathom_waits_threads_destroy(struct fathom_waits_threads *threads)
{
	fathom_waits_key_fini(&threads->table);
	free(threads->events);
	free(threads);
}

static uint64_t key_of(uint32_t process, uint32_t kind, uint32_t object, uint32_t number)
{
	return fathom_waits_key(fathom_waits_key(kind, process), (uint64_t)object << 32 | number);
}

static const struct event *find(const struct fathom_waits_threads *threads, uint64_t key)
{
	const uint64_t *found = fathom_waits_key_find(&threads->table, key);

	return found ? &threads->events[*found] : NULL;
}

/* Remembers the event, unless one with the same key is later. */
static int remember(struct fathom_waits_threads *threads, uint64_t key, const struct event *event)
{
	uint64_t *found = fathom_waits_key_add(&threads->table, key, threads->count);
	struct event *known;

	if (!found)
		return -ENOMEM;
	if (*found == threads->count) {
		if (threads->count == threads->room) {
			uint32_t room = threads->room ? 2 * threads->room : 256;
			struct event *larger = realloc(threads->events, room * sizeof(*larger));

			if (!larger) {
				fathom_waits_key_remove(&threads->table, key);
				return -ENOMEM;
			}
			threads->events = larger;
			threads->room = room;
		}
		threads->events[threads->count++] = *event;
		return 0;
	}
	known = &threads->events[*found];
	if (event->time > known->time ||
	    (event->time == known->time && fathom_waits_name_compare(&event->name, &known->name) < 0))
		*known = *event;
	return 0;
}

int fathom_waits_threads_visit(struct fathom_waits_threads *threads, struct fathom_waits_location_state *location,
			       uint32_t record, const struct fathom_waits_part *part)
{
	uint32_t kind, number = (uint32_t)part->tag;
	struct event event;

	switch (part->kind) {
	case FATHOM_WAITS_BARRIER:
		kind = BARRIER;
		break;
	case FATHOM_WAITS_UNLOCK:
		kind = RELEASE;
		break;
	case FATHOM_WAITS_FORK:
		kind = FORK;
		number = 0;
		break;
	default:
		return 0;
	}
	event = (struct event){ fathom_waits_enter(threads->state, location, record),
				fathom_waits_name_of(threads->state, location, record) };
	return remember(threads, key_of(location->process, kind, part->comm, number), &event);
}

bool fathom_waits_threads_fork(const struct fathom_waits_threads *threads, uint32_t process, uint32_t team,
			       struct fathom_waits_op_name *fork)
{
	const struct event *event = find(threads, key_of(process, FORK, team, 0));

	if (event)
		*fork = event->name;
	return event;
}

/* --- who waited ---------------------------------------------------------------------------------------- */

static void set_wait(struct fathom_waits_op_state *op, double wait, const struct event *cause,
		     enum fathom_waits_pattern pattern)
{
	if (wait <= op->wait)
		return;
	op->wait = wait;
	op->cause = cause->name;
	op->pattern = (uint8_t)pattern;
	op->flags |= FATHOM_WAITS_HAS_CAUSE;
}

void fathom_waits_threads_judge(struct fathom_waits_threads *threads, struct fathom_waits_location_state *location,
				uint32_t record, const struct fathom_waits_part *part)
{
	static const uint8_t contention[] = {
		[FATHOM_WAITS_CRITICAL] = FATHOM_WAITS_CONTENTION_CRITICAL,
		[FATHOM_WAITS_OMP_LOCK] = FATHOM_WAITS_CONTENTION_OMP_LOCK,
		[FATHOM_WAITS_MUTEX] = FATHOM_WAITS_CONTENTION_MUTEX,
		[FATHOM_WAITS_CONDITION] = FATHOM_WAITS_CONTENTION_CONDITION,
	};
	struct fathom_waits_state *state = threads->state;
	struct fathom_waits_op_state *op = &location->ops[record];
	double enter, leave, tasks;
	const struct event *event;

	if (part->kind != FATHOM_WAITS_BARRIER && part->kind != FATHOM_WAITS_LOCK)
		return;
	enter = fathom_waits_enter(state, location, record);
	leave = fathom_waits_leave(state, location, record);
	if (part->kind == FATHOM_WAITS_BARRIER) {
		event = find(threads, key_of(location->process, BARRIER, part->comm, (uint32_t)part->tag));
		tasks = part->posted * 1024.0 * location->seconds_per_tick;
		op->flags |= FATHOM_WAITS_IS_COMMON;
		if (event)
			set_wait(op, fathom_waits_team_barrier(enter, leave, event->time, tasks), event,
				 part->flags & FATHOM_WAITS_IMPLICIT ? FATHOM_WAITS_OMP_BARRIER_IMPLICIT :
				 FATHOM_WAITS_OMP_BARRIER_EXPLICIT);
		return;
	}
	event = find(threads, key_of(location->process, RELEASE, part->comm, (uint32_t)part->tag - 1));
	if (event && part->peer < FATHOM_WAITS_LOCK_CLASSES)
		set_wait(op, fathom_waits_until(enter, leave, event->time), event,
			 (enum fathom_waits_pattern)contention[part->peer]);
}
