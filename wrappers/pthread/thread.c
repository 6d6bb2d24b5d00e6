/*
 * thread: threads that are created, from the call to their end.
 *
 * A new thread begins in our routine, which tells the core where it comes from and calls the program's. What our
 * routine must know is in a block of memory that the creator fills and the new thread gives back.
 */
#include <errno.h>
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

/* --- in the new thread ---------------------------------------------------------------------------- */

static void end(void *nothing)
{
	(void)nothing;
	fathom_event_thread_end();
}

static struct start take_over(struct start *block)
{
	struct start start = *block;

	give_block(block);
	if (!start.region)
		fathom_event_thread_ignore();
	return start;
}

/* However the routine ends, end is called: the handler also runs when pthread_exit or pthread_cancel unwind us. */
static void *run_posix(void *block)
{
	struct start start = take_over(block);
	void *result;

	if (!start.region)
		return start.routine.posix(start.argument);
	fathom_event_thread_begin(&start.origin, start.region);
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
	fathom_event_thread_begin(&start.origin, start.region);
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
			.name = "(thread)",
			.file = "PTHREAD",
			.paradigm = FATHOM_PARADIGM_PTHREAD,
			.role = FATHOM_ROLE_FUNCTION,
		});
		__atomic_store_n(&known, region, __ATOMIC_RELEASE);
	}
	return region;
}

/*
 * A block for a thread that caller creates. *call is the region of the creating call, which becomes NULL where
 * that is not recorded. NULL: the thread begins as it would without us.
 */
static struct start *prepare(const struct fathom_region **call, const void *caller)
{
	bool is_ours = fathom_pthread_caller_groups(caller) & FATHOM_PTHREAD_GROUP_THREADS;
	const struct fathom_region *region = NULL;
	struct start *block;

	if (!is_ours)
		*call = NULL;
	if (!fathom_pthread_tracking || (is_ours && !*call))
		return NULL;
	if (is_ours) {
		region = thread_region();
		if (!region)
			return NULL;
	}
	block = take_block();
	if (!block)
		return NULL;
	block->region = region;
	if (region)
		fathom_event_thread_create(&block->origin);
	return block;
}

FATHOM_API int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*routine)(void *), void *argument);
int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*routine)(void *), void *argument)
{
	const struct fathom_region *region = fathom_pthread_region(FATHOM_CALL_PTHREAD_CREATE);
	struct start *block = prepare(&region, __builtin_return_address(0));
	int err;

	if (block) {
		block->routine.posix = routine;
		block->argument = argument;
		routine = run_posix;
		argument = block;
	}
	if (region)
		fathom_event_enter(region);
	err = fathom_pthread_real.pthread_create(thread, attr, routine, argument);
	if (region)
		fathom_event_exit(region);
	if (block && err)
		give_block(block);
	return err;
}

FATHOM_API int thrd_create(thrd_t *thread, thrd_start_t routine, void *argument);
int thrd_create(thrd_t *thread, thrd_start_t routine, void *argument)
{
	const struct fathom_region *region = fathom_pthread_region(FATHOM_CALL_THRD_CREATE);
	struct start *block = prepare(&region, __builtin_return_address(0));
	int err;

	if (block) {
		block->routine.c11 = routine;
		block->argument = argument;
		routine = run_c11;
		argument = block;
	}
	if (region)
		fathom_event_enter(region);
	err = fathom_pthread_real.thrd_create(thread, routine, argument);
	if (region)
		fathom_event_exit(region);
	if (block && err != thrd_success)
		give_block(block);
	return err;
}
