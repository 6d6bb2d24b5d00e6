#include "event/location.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "event/state.h"
#include "platform/clock.h"
#include "platform/lock.h"
#include "platform/log.h"

#define FIRST_FRAMES 1024
#define FIRST_FRAMES_OF_OTHERS 128	/* small, because there may be many threads, and most have few nested calls */

/* Every thread starts on this location, which is always busy, so the first event of a thread takes the slow path.
 * Thanks to these frames the hot path may read the innermost frame before it tests busy. */
static struct fathom_frame no_frames[2] = {
	{ .stack = FATHOM_STACK_HIGHEST, .flags = FATHOM_FRAME_BOTTOM },
	{ .stack = FATHOM_STACK_HIGHEST, .flags = FATHOM_FRAME_BOTTOM },
};
static const struct fathom_location initial_location = { .busy = FATHOM_BUSY_FOR_EVER, .top = &no_frames[1] };

/* The location of suspended threads, and of threads that will never record. */
static const struct fathom_location gone = { .busy = FATHOM_BUSY_FOR_EVER, .top = &no_frames[1] };

/* The location of ignored threads: those of a runtime system, which record only while they work in a team. */
static const struct fathom_location ignored = { .busy = FATHOM_BUSY_FOR_EVER, .top = &no_frames[1] };

FATHOM_TLS struct fathom_location *fathom_self = (struct fathom_location *)&initial_location;

/* The list of locations. Locations are added under the lock; the list is read without it. */
static struct {
	struct fathom_lock lock;	/* held while a location is created and added; no lock is held when it is
					 * taken */
	struct fathom_location *newest;	/* stored (release) when the location is complete; pairs with
					 * fathom_location_newest */
	uint32_t born;
	uint32_t threads;		/* number of locations that have a number: all but the initial one and
					 * workers */
	pthread_key_t end_key;		/* its destructor runs when a thread ends */
	bool has_key;
} locations;

static struct fathom_thread_watch watch;	/* written before the first birth, and then only read */

struct fathom_location *fathom_location_newest(void)
{
	return __atomic_load_n(&locations.newest, __ATOMIC_ACQUIRE);
}

bool fathom_location_is_stale(uintptr_t old, uintptr_t here)
{
	stack_t alternate;

	if (here - old > FATHOM_LARGEST_STACK_BYTES)
		return false;
	return sigaltstack(NULL, &alternate) || !(alternate.ss_flags & SS_ONSTACK);
}

/* Returns memory for count frames, one more below the first, so that the code may always read the frame below a
 * frame, and one more above the last, for a FATHOM_FRAME_LOST frame (frame.c). NULL: no memory. */
static struct fathom_frame *allocate_frames(struct fathom_location *self, size_t count)
{
	struct fathom_frame *frames = fathom_arena_alloc(&self->arena, (count + 2) * sizeof(*frames));

	if (!frames)
		return NULL;
	frames->stack = FATHOM_STACK_HIGHEST;
	frames->flags = FATHOM_FRAME_BOTTOM;
	return frames + 1;
}

struct fathom_frame *fathom_location_grow(struct fathom_location *self)
{
	size_t used = (size_t)(self->top - self->root) + 1;
	struct fathom_frame *frames;
	sigset_t signals;

	/* Signals are blocked, because a signal handler must not find root, top and limit of different stacks. */
	fathom_signals_block(&signals);
	frames = allocate_frames(self, used * 2);
	if (frames) {
		memcpy(frames, self->root, used * sizeof(*frames));
		/* The old frames keep their memory, because another thread may be reading them. */
		self->limit = frames;	/* every enter takes the slow path until the end of the change */
		/* Both pair with the acquires in long_visits() of run/run_snapshot.c. */
		__atomic_store_n(&self->root, frames, __ATOMIC_RELEASE);
		self->end = frames + used * 2;
		__atomic_store_n(&self->top, frames + used - 1, __ATOMIC_RELEASE);
		fathom_location_set_limit(self);
	}
	fathom_signals_restore(&signals);
	return frames ? self->top + 1 : NULL;
}

struct fathom_frame *fathom_location_frames(struct fathom_location *self, size_t count)
{
	return allocate_frames(self, count);
}

/*
 * Creates a location in an arena of its own: the location occupies the first bytes of the arena, and contains the
 * arena's description. NULL: no memory, or the substrate refused.
 */
static struct fathom_location *create(enum fathom_kind kind, size_t frames)
{
	struct fathom_arena arena = { 0 };
	struct fathom_location *self = fathom_arena_alloc(&arena, (sizeof(*self) + FATHOM_CACHE_LINE - 1) &
									  ~(size_t)(FATHOM_CACHE_LINE - 1));
	struct fathom_frame *root;

	if (!self)
		return NULL;
	self->arena = arena;
	self->kind = kind;
	root = allocate_frames(self, frames);
	if (!root)
		goto free_arena;
	root->region = fathom.program;
	root->stack = FATHOM_STACK_HIGHEST;
	root->flags = FATHOM_FRAME_BOTTOM;
	/* The initial thread began before its first event, when the program did. */
	root->enter_ticks = kind == FATHOM_KIND_INITIAL ? fathom.begin_ticks : fathom_clock_ticks();
	self->top = root;
	self->root = root;
	self->limit = self->end = root + frames;
	self->birth_ticks = root->enter_ticks;
	if (fathom.substrate->chain.birth(self, root))
		goto free_arena;
	return self;

free_arena:
	arena = self->arena;
	fathom_arena_fini(&arena);
	return NULL;
}

void fathom_location_restore(struct fathom_location *self)
{
	self->next = locations.newest;
	__atomic_store_n(&locations.newest, self, __ATOMIC_RELEASE);
}

/* Adds self to the list. The caller holds the lock. */
static void join_list(struct fathom_location *self)
{
	self->id = locations.born++;
	self->next = locations.newest;
	__atomic_store_n(&locations.newest, self, __ATOMIC_RELEASE);
}

void fathom_location_adopt(struct fathom_location *self)
{
	/* The C library may allocate memory for the key with a malloc that belongs to the program and is
	 * instrumented; the thread is suspended, so this makes no event. If there is no memory, fathom does not
	 * notice the end of the thread, and its last regions seem to last until the end of the program. */
	fathom_self = (struct fathom_location *)&gone;
	if (watch.thread_begins)
		watch.thread_begins();
	if (locations.has_key)
		pthread_setspecific(locations.end_key, self);
	fathom_self = self;
}

void fathom_location_adopt_places(void)
{
	static FATHOM_TLS bool is_known;
	struct fathom_location *self = fathom_self;

	if (is_known)
		return;
	is_known = true;
	/* A thread with a location of its own has begun already. */
	if (self != &initial_location && self != &ignored)
		return;
	fathom_location_adopt(fathom_location_ignored());
	fathom_self = self;
}

static struct fathom_location *birth(void)
{
	bool is_initial = syscall(SYS_gettid) == fathom.pid;
	struct fathom_location *self = NULL;

	fathom_lock_take(&locations.lock);
	/* A signal handler of this thread may have created the location before the lock blocked signals. */
	if (fathom_self != &initial_location) {
		self = fathom_self->busy ? NULL : fathom_self;
		goto unlock;
	}
	/* The thread is suspended while the location is created: the substrate's libraries may call functions of the
	 * program, such as its malloc. */
	fathom_self = (struct fathom_location *)&gone;
	if (fathom_peek(&fathom.phase) != FATHOM_PHASE_OFF)
		self = is_initial ? create(FATHOM_KIND_INITIAL, FIRST_FRAMES)
				  : create(FATHOM_KIND_FOREIGN, FIRST_FRAMES_OF_OTHERS);
	if (!self) {
		fathom_self = (struct fathom_location *)&gone;
		goto unlock;
	}
	self->number = is_initial ? 0 : ++locations.threads;
	join_list(self);
	if (self->id == 0 && watch.first_location)
		watch.first_location();
	fathom_location_adopt(self);
unlock:
	fathom_lock_give(&locations.lock);
	return self;
}

/* Returns the first number, from number on, that no other worker of the leader has at this level. The caller holds
 * the lock. */
static uint32_t free_number(const struct fathom_location *leader, uint32_t number, uint32_t level)
{
	const struct fathom_location *other = locations.newest;

	while (other) {
		if (other->kind == FATHOM_KIND_WORKER && other->leader == leader && other->level == level &&
		    other->number == number) {
			number++;
			other = locations.newest;
			continue;
		}
		other = other->next;
	}
	return number;
}

struct fathom_location *fathom_location_create(enum fathom_kind kind, struct fathom_location *leader, uint32_t number,
					       uint32_t level)
{
	struct fathom_location *self = NULL, *before = fathom_self;

	fathom_lock_take(&locations.lock);
	fathom_self = (struct fathom_location *)&gone;
	if (fathom_peek(&fathom.phase) != FATHOM_PHASE_OFF)
		self = create(kind, FIRST_FRAMES_OF_OTHERS);
	fathom_self = before;
	if (!self)
		goto unlock;
	self->leader = leader;
	self->level = level;
	self->number = kind == FATHOM_KIND_WORKER ? free_number(leader, number, level) : ++locations.threads;
	join_list(self);
unlock:
	fathom_lock_give(&locations.lock);
	return self;
}

struct fathom_location *fathom_location_reuse(void *origin)
{
	struct fathom_location *self;

	fathom_lock_take(&locations.lock);
	/* Pairs with the release in fathom_event_thread_end: what the thread that ended has written is seen here. */
	for (self = locations.newest; self; self = self->next)
		if (__atomic_load_n(&self->is_spare, __ATOMIC_ACQUIRE) && (!origin || self->origin == origin))
			break;
	if (self) {
		fathom_poke(&self->is_spare, false);
		fathom_poke(&self->end_ticks, 0);
	}
	fathom_lock_give(&locations.lock);
	return self;
}

bool fathom_location_is_none(const struct fathom_location *self)
{
	return self == &initial_location || self == &ignored;
}

struct fathom_location *fathom_location_ignored(void)
{
	return (struct fathom_location *)&ignored;
}

struct fathom_location *fathom_location_suspend(void)
{
	struct fathom_location *before = fathom_self;

	fathom_self = (struct fathom_location *)&gone;
	return before;
}

void fathom_location_resume(struct fathom_location *before)
{
	fathom_self = before;
}

bool fathom_location_is_suspended(const struct fathom_location *self)
{
	return self == &gone;
}

void fathom_location_repair(struct fathom_location *self)
{
	if (fathom.substrate->repair)
		fathom.substrate->repair(self);
	atomic_signal_fence(memory_order_seq_cst);
}

struct fathom_location *fathom_location_resolve_busy(struct fathom_location *self, uintptr_t here)
{
	int saved = errno;

	if (self == &initial_location) {
		self = birth();
		errno = saved;
		return self;
	}
	if (self->busy == FATHOM_BUSY_FOR_EVER || here <= self->busy || !fathom_location_is_stale(self->busy, here))
		return NULL;
	/* A signal handler interrupted the core on this stack and left by longjmp: the interrupted event will not be
	 * continued. */
	fathom_location_repair(self);
	self->busy = 0;
	return self;
}

static void thread_ends(void *location)
{
	if (watch.thread_ends)
		watch.thread_ends(location);
}

void fathom_location_init(const struct fathom_thread_watch *watches)
{
	watch = *watches;
	locations.has_key = pthread_key_create(&locations.end_key, thread_ends) == 0;
}

void fathom_location_note_ignored(void)
{
	if (watch.thread_is_ignored)
		watch.thread_is_ignored();
}

void fathom_location_forget_all(void)
{
	fathom_lock_reset(&locations.lock);
	fathom_self = (struct fathom_location *)&gone;
	if (locations.has_key)
		pthread_setspecific(locations.end_key, NULL);
}

struct fathom_location *fathom_location_create_scratch(void)
{
	return create(FATHOM_KIND_SCRATCH, FIRST_FRAMES);
}

void fathom_location_destroy_scratch(struct fathom_location *scratch)
{
	struct fathom_arena arena = scratch->arena;

	fathom_arena_fini(&arena);
}

/* Writes the numbers of a worker in the teams around it to text, separated by colons; returns the length. */
static size_t worker_path(const struct fathom_location *worker, char *text, size_t bytes)
{
	size_t length = 0;

	*text = '\0';
	if (worker->leader->kind == FATHOM_KIND_WORKER) {
		length = worker_path(worker->leader, text, bytes);
		length += (size_t)fathom_format(text + length, bytes - length, ":");
	}
	/* The leader is number 0 of the teams that it forked around this one. */
	for (uint32_t level = 0; level < worker->level && length + 16 < bytes; level++)
		length += (size_t)fathom_format(text + length, bytes - length, "0:");
	if (length + 16 < bytes)
		length += (size_t)fathom_format(text + length, bytes - length, "%u", worker->number);
	return length;
}

const char *fathom_location_name(const struct fathom_location *location, char *text, size_t bytes)
{
	const struct fathom_location *first = location;
	char path[128];

	switch (location->kind) {
	case FATHOM_KIND_INITIAL:
		fathom_format(text, bytes, "Master thread");
		break;
	case FATHOM_KIND_WORKER:
		while (first->kind == FATHOM_KIND_WORKER)
			first = first->leader;
		worker_path(location, path, sizeof(path));
		if (first->kind == FATHOM_KIND_INITIAL)
			fathom_format(text, bytes, "OMP thread %s", path);
		else
			fathom_format(text, bytes, "OMP thread %s of %s %u", path,
				      first->kind == FATHOM_KIND_CREATED ? "Pthread thread" : "Thread", first->number);
		break;
	case FATHOM_KIND_CREATED:
		fathom_format(text, bytes, "Pthread thread %u", location->number);
		break;
	case FATHOM_KIND_FOREIGN:
	case FATHOM_KIND_SCRATCH:
		fathom_format(text, bytes, "Thread %u", location->number);
		break;
	}
	return text;
}
