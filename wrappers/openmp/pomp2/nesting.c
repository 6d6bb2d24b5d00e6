#include "nesting.h"

#include <errno.h>
#include <stddef.h>

#include "construct.h"
#include "event/teams/task.h"
#include "event/teams/team.h"
#include "event/teams/waiting.h"
#include "platform/arena.h"
#include "platform/lock.h"
#include "runtime.h"

extern int omp_get_thread_num(void);
extern int omp_get_num_threads(void);
extern int omp_get_max_threads(void);
extern int omp_get_cancellation(void);

static struct fathom_omp_function get_thread_num = FATHOM_OMP_FUNCTION(omp_get_thread_num);
static struct fathom_omp_function get_num_threads = FATHOM_OMP_FUNCTION(omp_get_num_threads);
static struct fathom_omp_function get_max_threads = FATHOM_OMP_FUNCTION(omp_get_max_threads);
static struct fathom_omp_function get_cancellation = FATHOM_OMP_FUNCTION(omp_get_cancellation);

bool fathom_pomp2_reports_waiting;

/* Runs after the constructor of the core, which has priority 101. */
__attribute__((constructor(102))) static void start(void)
{
	fathom_pomp2_reports_waiting = fathom_event_blames_for_waiting();
}

/* A Fortran program defines this variable as a common block; then the program's definition is the one in use. So the
 * library must not refer to its own definition by a local name. */
FATHOM_TLS int64_t pomp_tpd_ __attribute__((aligned(16)));

FATHOM_TLS struct fathom_pomp2_thread fathom_pomp2_self = { .task_frame = UINTPTR_MAX };

/* --- tasks ----------------------------------------------------------------------------------- */

#define UNRECORDED 1	/* a bit in task_frames; frames are even */

/* The threads that begin the first tasks write this; all write the same value. */
static enum { UNKNOWN, ON, OFF } cancellation;

static FATHOM_COLD bool is_cancellation_on(void)
{
	int (*real)(void) = (int (*)(void))fathom_omp_real(&get_cancellation);
	bool on = real && real();

	fathom_poke(&cancellation, on ? ON : OFF);
	return on;
}

/* Forgets all tasks but the outermost count ones. */
static void keep_tasks(struct fathom_pomp2_thread *self, uint32_t count)
{
	if (likely(self->task_count <= count))
		return;
	self->task_count = count;
	if (count > FATHOM_POMP2_TASKS)
		count = FATHOM_POMP2_TASKS;
	self->task_frame = count ? self->task_frames[count - 1] : UINTPTR_MAX;
}

static FATHOM_COLD void note_task(struct fathom_pomp2_thread *self, uintptr_t frame, bool recorded)
{
	uint32_t index = self->task_count++;

	if (index >= FATHOM_POMP2_TASKS)
		return;
	self->task_frames[index] = recorded ? frame : frame | UNRECORDED;
	self->task_frame = self->task_frames[index];
}

void fathom_pomp2_task_begun(uintptr_t frame, bool recorded, bool tied)
{
	struct fathom_pomp2_thread *self = &fathom_pomp2_self;

	if (unlikely(!recorded))
		self->unrecorded_tasks++;
	if (unlikely(fathom_peek(&cancellation) != OFF) && is_cancellation_on())
		note_task(self, tied ? frame : UINTPTR_MAX & ~(uintptr_t)UNRECORDED, recorded);
}

/* Ends the present task, unless its begin was not recorded. */
static void end_task(struct fathom_pomp2_thread *self)
{
	if (likely(!self->unrecorded_tasks))
		fathom_event_task_end(fathom_event_task_current());
	else
		self->unrecorded_tasks--;
}

void fathom_pomp2_task_ended(void)
{
	struct fathom_pomp2_thread *self = &fathom_pomp2_self;

	if (unlikely(self->task_count))
		keep_tasks(self, self->task_count - 1);
	end_task(self);
}

void fathom_pomp2_end_tasks(uintptr_t frame)
{
	struct fathom_pomp2_thread *self = &fathom_pomp2_self;

	while (self->task_count && frame > self->task_frame) {
		bool recorded = !(self->task_frame & UNRECORDED);

		keep_tasks(self, self->task_count - 1);
		if (recorded)
			fathom_event_task_end(fathom_event_task_current());
		else if (self->unrecorded_tasks)
			self->unrecorded_tasks--;
	}
}

/* --- teams ----------------------------------------------------------------------------------- */

/* Records of forks that are nested too deeply for the array in the thread's record. */
static struct {
	struct fathom_lock lock;	/* held while the list is changed; nests in nothing */
	struct fathom_arena arena;
	struct fathom_pomp2_fork *spare;
} pool;

/* Returns a record for a fork that is nested too deeply for the thread's array. NULL: no memory; then this fork and
 * those inside it are only counted, so that each join finds its own fork. */
static FATHOM_COLD struct fathom_pomp2_fork *push_deeper(struct fathom_pomp2_thread *self)
{
	struct fathom_pomp2_fork *fork = NULL;
	int saved = errno;

	if (!self->lost) {
		fathom_lock_take(&pool.lock);
		fork = pool.spare;
		if (fork)
			pool.spare = fork->below;
		else
			fork = fathom_arena_alloc(&pool.arena, sizeof(*fork));
		fathom_lock_give(&pool.lock);
	}
	if (fork) {
		fork->below = self->deeper;
		self->deeper = fork;
	} else {
		self->lost++;
	}
	errno = saved;
	return fork;
}

/* Takes the innermost of these records: copies it to copy, puts it back into the pool, and returns copy. NULL: the fork
 * has no record. */
static FATHOM_COLD struct fathom_pomp2_fork *pop_deeper(struct fathom_pomp2_thread *self,
							struct fathom_pomp2_fork *copy)
{
	struct fathom_pomp2_fork *fork = self->deeper;

	if (self->lost) {
		self->lost--;
		return NULL;
	}
	self->deeper = fork->below;
	*copy = *fork;
	fathom_lock_take(&pool.lock);
	fork->below = pool.spare;
	pool.spare = fork;
	fathom_lock_give(&pool.lock);
	return copy;
}

/* Returns the largest number of threads that the team can have. */
static uint32_t most_threads(bool parallel, int threads)
{
	if (!parallel)
		return 1;
	if (threads < 1)	/* libgomp treats num_threads(0) as if there were no such clause */
		threads = fathom_pomp2_max_threads();
	return (uint32_t)threads;
}

void fathom_pomp2_fork(const struct fathom_construct *construct, bool parallel, int threads)
{
	struct fathom_pomp2_thread *self = &fathom_pomp2_self;
	struct fathom_pomp2_fork *fork;
	int64_t outer = pomp_tpd_;

	fork = likely(self->depth < FATHOM_POMP2_FORKS) ? &self->forks[self->depth] : push_deeper(self);
	self->depth++;
	pomp_tpd_ = 0;
	if (unlikely(!fork))
		return;
	fork->team = NULL;
	fork->outer = outer;
	fork->task_count = self->task_count;
	fork->unrecorded_tasks = self->unrecorded_tasks;
	self->unrecorded_tasks = 0;
	if (unlikely(!construct->parallel || !construct->management))
		return;
	fork->team = fathom_event_fork(construct->parallel, construct->management, most_threads(parallel, threads),
				       FATHOM_PLACES_LOGICAL);
	pomp_tpd_ = (int64_t)(uintptr_t)fork->team;
}

static uint32_t thread_number(void)
{
	int (*real)(void) = (int (*)(void))fathom_omp_real(&get_thread_num);

	return likely(real) ? (uint32_t)real() : 0;
}

static uint32_t team_size(void)
{
	int (*real)(void) = (int (*)(void))fathom_omp_real(&get_num_threads);

	return likely(real) ? (uint32_t)real() : 1;
}

void fathom_pomp2_team_begin(void)
{
	struct fathom_pomp2_thread *self = &fathom_pomp2_self;
	struct fathom_team *team = (struct fathom_team *)(uintptr_t)pomp_tpd_;
	uint32_t number = thread_number();

	self->unrecorded_tasks = 0;
	if (number)		/* thread 0 may be inside tasks that it began outside of the team */
		keep_tasks(self, 0);
	if (likely(team))
		fathom_event_team_begin(team, number, team_size());
}

/* The variable is reset at the end of the team: the thread's next team may come from code to which OPARI2 has not added
 * copyin. */
void fathom_pomp2_team_end(void)
{
	struct fathom_team *team = (struct fathom_team *)(uintptr_t)pomp_tpd_;

	pomp_tpd_ = 0;
	if (likely(team))
		fathom_event_team_end(team);
}

void fathom_pomp2_join(void)
{
	struct fathom_pomp2_thread *self = &fathom_pomp2_self;
	struct fathom_pomp2_fork *fork, copy;

	if (unlikely(!self->depth))	/* the thread has forked before the library could record it */
		return;
	self->depth--;
	fork = likely(self->depth < FATHOM_POMP2_FORKS) ? &self->forks[self->depth] : pop_deeper(self, &copy);
	if (unlikely(!fork)) {
		pomp_tpd_ = 0;
		return;
	}
	pomp_tpd_ = fork->outer;
	self->unrecorded_tasks = fork->unrecorded_tasks;
	keep_tasks(self, fork->task_count);
	if (likely(fork->team))
		fathom_event_join(fork->team);
}

int fathom_pomp2_max_threads(void)
{
	int (*real)(void) = (int (*)(void))fathom_omp_real(&get_max_threads);

	return likely(real) ? real() : 1;
}
