#include "team.h"

#include <errno.h>
#include <stddef.h>

#include "construct.h"
#include "event/team.h"
#include "platform/arena.h"
#include "platform/lock.h"
#include "pomp2.h"
#include "runtime.h"

extern int omp_get_thread_num(void);
extern int omp_get_max_threads(void);

static struct fathom_omp_function get_thread_num = FATHOM_OMP_FUNCTION(omp_get_thread_num);
static struct fathom_omp_function get_max_threads = FATHOM_OMP_FUNCTION(omp_get_max_threads);

/* A Fortran program has it as a common block, and then that one counts: never reach it as a local name. */
FATHOM_TLS int64_t pomp_tpd_ __attribute__((aligned(16)));

FATHOM_TLS struct fathom_pomp2_thread fathom_pomp2_self;

/* Forks of nestings that are too deep for the thread's own memory. */
static struct {
	struct fathom_lock lock;	/* held for one look at the list; nests in nothing */
	struct fathom_arena arena;
	struct fathom_pomp2_fork *spare;
} pool;

/* NULL: out of memory; then this fork and those inside it are only counted, so that joins find their own. */
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

/* What is in it stays there until the thread's next fork. NULL: it was lost. */
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

/* The most threads the team can have. */
static uint32_t most_threads(bool parallel, int threads)
{
	if (!parallel)
		return 1;
	if (threads < 1)	/* libgomp takes num_threads(0) for none given */
		threads = POMP2_Lib_get_max_threads();
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

void fathom_pomp2_team_begin(void)
{
	struct fathom_team *team = (struct fathom_team *)(uintptr_t)pomp_tpd_;

	fathom_pomp2_self.unrecorded_tasks = 0;
	if (likely(team))
		fathom_event_team_begin(team, thread_number());
}

/* The team is forgotten with its end: the thread may next begin one of code that OPARI2 gave no copyin. */
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

	if (unlikely(!self->depth))	/* its fork was before our time */
		return;
	self->depth--;
	fork = likely(self->depth < FATHOM_POMP2_FORKS) ? &self->forks[self->depth] : pop_deeper(self, &copy);
	if (unlikely(!fork)) {
		pomp_tpd_ = 0;
		return;
	}
	pomp_tpd_ = fork->outer;
	self->unrecorded_tasks = fork->unrecorded_tasks;
	if (likely(fork->team))
		fathom_event_join(fork->team);
}

int POMP2_Lib_get_max_threads(void)
{
	int (*real)(void) = (int (*)(void))fathom_omp_real(&get_max_threads);

	return likely(real) ? real() : 1;
}
