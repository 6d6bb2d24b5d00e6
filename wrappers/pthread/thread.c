/*
 * thread: threads that are created, from the call to their end.
 *
 * A new thread begins in our routine, which tells the core where it comes from and calls the program's. What our
 * routine must know is in a block of memory that the creator fills and the new thread gives back.
 */
#include <errno.h>
#include <signal.h>
#include <stddef.h>

#include "event/event.h"
#include "event/thread.h"
#include "platform/arena.h"
#include "platform/lock.h"
#include "pthread/scope.h"

struct start {
	union {
		void *(*posix)(void *);
		thrd_start_t c11;
	} routine;
	void *argument;
	struct fathom_origin origin;
	const struct fathom_region *region;	/* of the whole thread; NULL: of a runtime system */
	sigset_t signals;			/* blocked in the new thread, once it has begun */
	struct start *next;			/* in the list of free ones */
};

/* Never malloc's: the program may count what it allocates. */
static struct {
	struct fathom_lock lock;	/* held to take one block or to give it back; nests in nothing */
	struct fathom_arena arena;
	struct start *spare;
} blocks;

/* NULL: out of memory. */
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

/* A thread that was created, for who waits for it; where traces are written. */
struct known {
	pthread_t thread;
	uint64_t number;		/* see event/thread.h; 0: it was waited for */
	struct known *next;
};

enum { BUCKETS = 1024 };

static struct {
	struct fathom_lock lock;	/* held to find or add one; nests in nothing */
	struct fathom_arena arena;
	struct known *buckets[BUCKETS];
} numbers;

/* The caller has the lock. NULL: not known, and no memory or not to be made. */
static struct known *find_known(pthread_t thread, bool make)
{
	struct known **bucket = &numbers.buckets[((uintptr_t)thread >> 6) % BUCKETS], *known = *bucket;

	while (known && known->thread != thread)
		known = known->next;
	if (known || !make)
		return known;
	known = fathom_arena_alloc(&numbers.arena, sizeof(*known));
	if (!known)
		return NULL;
	known->thread = thread;
	known->next = *bucket;
	*bucket = known;
	return known;
}

/*
 * Notes the number of the calling thread. The new thread does so itself, before the program's routine runs, so that
 * whoever waits for its end finds the number. Its creator could not: the variable in which pthread_create has left the
 * new thread's name belongs to the program, which may have unmapped or changed it when pthread_create returns.
 */
static void note_number(uint64_t number)
{
	struct known *known;

	fathom_lock_take(&numbers.lock);
	known = find_known(pthread_self(), true);
	if (known)
		known->number = number;
	fathom_lock_give(&numbers.lock);
}

void fathom_pthread_joined(pthread_t thread)
{
	struct known *known;
	uint64_t number = 0;

	fathom_lock_take(&numbers.lock);
	known = find_known(thread, false);
	if (known) {
		number = known->number;
		known->number = 0;
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

/* The new thread takes what its creator left in the block, and tells the core where it hangs. Signals are blocked until
 * that is done: what a signal handler does belongs to the thread. */
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

/* However the routine ends, end is called: the handler also runs when pthread_exit or pthread_cancel unwind us. */
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

/* What a thread does between its beginning and its end. NULL: out of memory. */
static const struct fathom_region *thread_region(void)
{
	static const struct fathom_region *known;
	const struct fathom_region *region = __atomic_load_n(&known, __ATOMIC_ACQUIRE);

	if (!region) {		/* several may be first: they find the same */
		region = fathom_region_define(&(struct fathom_region){
			.name = "{thread}",
			.file = "PTHREAD",
			.paradigm = FATHOM_PARADIGM_PTHREAD,
			.role = FATHOM_ROLE_FUNCTION,
		});
		__atomic_store_n(&known, region, __ATOMIC_RELEASE);
	}
	return region;
}

/* What creating one thread takes. */
struct creation {
	const struct fathom_region *region;	/* of the call; NULL: not recorded */
	struct start *block;			/* NULL: the thread begins as it would without us */
	sigset_t before;			/* the creator's signals */
};

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

/* The new thread begins without signals, as take_over wants it, and gets them as without us: from its creator, or
 * from its attributes, where there is nothing for us to do. */
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
	if (!creation->block)
		return;
	pthread_sigmask(SIG_SETMASK, &creation->before, NULL);
	if (failed)		/* else the block belongs to the new thread */
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
