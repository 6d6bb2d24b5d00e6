/*
 * thread: threads that the program creates, from the call to their end.
 *
 * A new thread begins in a routine of this file, which passes the thread's origin to the core and calls the program's
 * routine. The creator passes all that the routine needs in a block of memory, which the new thread gives back.
 */
#include <errno.h>
#include <signal.h>
#include <stddef.h>

#include "event/event.h"
#include "event/thread.h"
#include "platform/arena.h"
#include "platform/lock.h"
#include "pthread/scope.h"
#include "run/runtime.h"

struct start {
	union {
		void *(*posix)(void *);
		thrd_start_t c11;
	} routine;
	void *argument;
	struct fathom_origin origin;
	const struct fathom_region *region;	/* of the whole thread; NULL: a runtime system's thread, not recorded */
	sigset_t signals;			/* the signals that the new thread blocks once it has begun */
	struct start *next;			/* in the list of free ones */
};

/* Memory of blocks. It does not come from malloc, because the program may replace malloc and count its calls. */
static struct {
	struct fathom_lock lock;	/* held to take one block or to give it back; nests in nothing */
	struct fathom_arena arena;
	struct start *spare;
} blocks;

/* Returns an unused block. NULL: no memory. */
static struct start *take_block(void)
{
	struct start *block;
	int saved = errno;

	fathom_lock_take(&blocks.lock);
	block = blocks.spare;
	if (block)
		blocks.spare = block->next;
	else
		block = fathom_arena_alloc(&blocks.arena, sizeof(*block));
	fathom_lock_give(&blocks.lock);
	errno = saved;
	return block;
}

static void give_block(struct start *block)
{
	fathom_lock_take(&blocks.lock);
	block->next = blocks.spare;
	blocks.spare = block;
	fathom_lock_give(&blocks.lock);
}

/* --- numbers of threads -------------------------------------------------------------------------- */

/* The number of a created thread, for the record of a thread that waits for its end; only where traces are written. */
struct numbered_thread {
	pthread_t thread;
	uint64_t number;		/* see event/thread.h; 0: another thread has waited for its end */
	struct numbered_thread *next;
};

enum { BUCKETS = 1024 };

static struct {
	struct fathom_lock lock;	/* held to find or add a thread; nests in nothing */
	struct fathom_arena arena;
	struct numbered_thread *buckets[BUCKETS];
} numbers;

/* Returns the entry of a thread, which is added if make is true. The caller holds the lock. NULL: there is no entry, or
 * no memory for one. */
static struct numbered_thread *find_thread(pthread_t thread, bool make)
{
	struct numbered_thread **bucket = &numbers.buckets[((uintptr_t)thread >> 6) % BUCKETS], *entry = *bucket;

	while (entry && entry->thread != thread)
		entry = entry->next;
	if (entry || !make)
		return entry;
	entry = fathom_arena_alloc(&numbers.arena, sizeof(*entry));
	if (!entry)
		return NULL;
	entry->thread = thread;
	entry->next = *bucket;
	*bucket = entry;
	return entry;
}

/*
 * Notes the number of the calling thread. The new thread does this itself, before the program's routine runs, so that a
 * thread that waits for its end finds the number. The creator could not do it: the variable to which pthread_create
 * writes the new thread's pthread_t belongs to the program, which may have unmapped or changed it before pthread_create
 * returns.
 */
static void note_number(uint64_t number)
{
	struct numbered_thread *entry;

	fathom_lock_take(&numbers.lock);
	entry = find_thread(pthread_self(), true);
	if (entry)
		entry->number = number;
	fathom_lock_give(&numbers.lock);
}

void fathom_pthread_joined(pthread_t thread)
{
	struct numbered_thread *entry;
	uint64_t number = 0;

	fathom_lock_take(&numbers.lock);
	entry = find_thread(thread, false);
	if (entry) {
		number = entry->number;
		entry->number = 0;
	}
	fathom_lock_give(&numbers.lock);
	fathom_event_thread_wait(number);
}

/* --- in the new thread ---------------------------------------------------------------------------- */

static void end(void *nothing)
{
	(void)nothing;
	fathom_event_thread_end();
}

/* Copies the block that the creator has filled in, gives the block back, and announces the calling thread to the core.
 * Signals are blocked until then, so that the events of signal handlers belong to the thread's location. */
static struct start take_over(struct start *block)
{
	struct start start = *block;

	give_block(block);
	if (fathom_pthread_tracing && start.region && start.origin.creator)
		note_number(start.origin.number);
	if (start.region)
		fathom_event_thread_begin(&start.origin, start.region);
	else
		fathom_event_thread_ignore();
	pthread_sigmask(SIG_SETMASK, &start.signals, NULL);
	return start;
}

/* Runs the program's routine. The clean-up handler calls end however the routine ends: also when pthread_exit or
 * pthread_cancel unwinds the stack. */
static void *run_posix(void *block)
{
	struct start start = take_over(block);
	void *result;

	if (!start.region)
		return start.routine.posix(start.argument);
	pthread_cleanup_push(end, NULL);
	result = start.routine.posix(start.argument);
	pthread_cleanup_pop(1);
	return result;
}

static int run_c11(void *block)
{
	struct start start = take_over(block);
	int result;

	if (!start.region)
		return start.routine.c11(start.argument);
	pthread_cleanup_push(end, NULL);
	result = start.routine.c11(start.argument);
	pthread_cleanup_pop(1);
	return result;
}

/* --- in the creator ------------------------------------------------------------------------------- */

/* Returns the region of a whole thread, from its begin to its end. NULL: no memory. */
static const struct fathom_region *thread_region(void)
{
	static const struct fathom_region *defined;
	const struct fathom_region *region = __atomic_load_n(&defined, __ATOMIC_ACQUIRE);

	if (!region) {		/* threads that race for the definition get the same region */
		region = fathom_region_define(&(struct fathom_region){
			.name = "{thread}",
			.file = "PTHREAD",
			.paradigm = FATHOM_PARADIGM_PTHREAD,
			.role = FATHOM_ROLE_FUNCTION,
		});
		__atomic_store_n(&defined, region, __ATOMIC_RELEASE);
	}
	return region;
}

/* The creation of a thread. */
struct creation {
	const struct fathom_region *region;	/* of the call; NULL: not recorded */
	struct start *block;			/* NULL: the thread begins in the program's routine */
	sigset_t before;			/* the signals that the creator blocks */
};

/* Decides whether the call and the thread are recorded, and takes a block for the thread. */
static void choose(struct creation *creation, enum fathom_pthread_call call, const void *caller)
{
	bool is_ours = fathom_pthread_caller_groups(caller) & FATHOM_PTHREAD_GROUP_THREADS;
	const struct fathom_region *region = fathom_pthread_region(call), *thread = NULL;

	creation->block = NULL;
	creation->region = is_ours ? region : NULL;
	if (!fathom_pthread_tracking || (is_ours && !region))
		return;
	if (is_ours) {
		thread = thread_region();
		if (!thread)
			return;
	}
	creation->block = take_block();
	if (creation->block)
		creation->block->region = thread;
}

/* Blocks all signals: the new thread inherits this, as take_over requires. Stores the signals that the program wants
 * the thread to block: those of its attributes, or those of its creator. */
static void hold_signals(struct creation *creation, const pthread_attr_t *attr)
{
	struct start *block = creation->block;

	fathom_signals_block(&creation->before);
	if (!attr || pthread_attr_getsigmask_np(attr, &block->signals))
		block->signals = creation->before;
}

static void begin(struct creation *creation, const pthread_attr_t *attr)
{
	if (!creation->block)
		return;
	if (creation->region)
		fathom_event_thread_create(&creation->block->origin);
	hold_signals(creation, attr);
}

static void finish(struct creation *creation, bool failed)
{
	fathom_runtime_thread_created();
	if (!creation->block)
		return;
	pthread_sigmask(SIG_SETMASK, &creation->before, NULL);
	if (failed)		/* otherwise the block belongs to the new thread */
		give_block(creation->block);
}

FATHOM_API int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*routine)(void *), void *argument);
int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*routine)(void *), void *argument)
{
	struct creation creation;
	int err;

	choose(&creation, FATHOM_CALL_PTHREAD_CREATE, __builtin_return_address(0));
	if (creation.block) {
		creation.block->routine.posix = routine;
		creation.block->argument = argument;
		routine = run_posix;
		argument = creation.block;
	}
	begin(&creation, attr);
	if (creation.region)
		fathom_event_enter(creation.region);
	err = fathom_pthread_real.pthread_create(thread, attr, routine, argument);
	if (creation.region)
		fathom_event_exit(creation.region);
	finish(&creation, err != 0);
	return err;
}

FATHOM_API int thrd_create(thrd_t *thread, thrd_start_t routine, void *argument);
int thrd_create(thrd_t *thread, thrd_start_t routine, void *argument)
{
	struct creation creation;
	int err;

	choose(&creation, FATHOM_CALL_THRD_CREATE, __builtin_return_address(0));
	if (creation.block) {
		creation.block->routine.c11 = routine;
		creation.block->argument = argument;
		routine = run_c11;
		argument = creation.block;
	}
	begin(&creation, NULL);
	if (creation.region)
		fathom_event_enter(creation.region);
	err = fathom_pthread_real.thrd_create(thread, routine, argument);
	if (creation.region)
		fathom_event_exit(creation.region);
	finish(&creation, err != thrd_success);
	return err;
}
