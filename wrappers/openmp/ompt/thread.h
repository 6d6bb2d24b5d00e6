/*
 * thread: the constructs that a thread is in.
 *
 * The runtime does not always report the end of a construct whose begin it reported, and may report it with another
 * address. Each thread therefore keeps a stack of the constructs that it has begun, which stays correct if the core
 * drops events. An end closes the innermost construct of its kind and the constructs inside it, but none outside of the
 * current task, whose begin is also on the stack. This is correct because a thread returns to a suspended task only by
 * ending or leaving the tasks that it executed in between.
 */
#ifndef FATHOM_WRAPPERS_OMPT_THREAD_H
#define FATHOM_WRAPPERS_OMPT_THREAD_H

#include <stdbool.h>
#include <stdint.h>

#include "ompt.h"
#include "platform/compiler.h"
#include "regions.h"

struct fathom_region;
struct fathom_task;
struct fathom_team;

enum fathom_ompt_sort {
	FATHOM_OMPT_OPEN_IMPLICIT,	/* an implicit task; also the bottom of the stack */
	FATHOM_OMPT_OPEN_EXPLICIT,	/* an explicit one */
	FATHOM_OMPT_OPEN_WORK,
	FATHOM_OMPT_OPEN_SINGLE,
	FATHOM_OMPT_OPEN_MASTER,
	FATHOM_OMPT_OPEN_BARRIER,
	FATHOM_OMPT_OPEN_TASKWAIT,
	FATHOM_OMPT_OPEN_TASKGROUP,
	FATHOM_OMPT_OPEN_TASKGROUP_WAIT,
	FATHOM_OMPT_OPEN_REDUCTION,
	FATHOM_OMPT_OPEN_MUTEX,
	FATHOM_OMPT_OPEN_LOCK,		/* waiting for it; nothing can be inside */
};

/* An entry of the stack: something that has begun on this thread. */
struct fathom_ompt_open {
	enum fathom_ompt_sort sort;
	bool is_worker;			/* implicit task: not of the thread that forked */
	bool is_league;			/* implicit task: of a team of `teams` */
	uint64_t id;			/* of the mutex; task: where the runtime keeps our data of it */
	const struct fathom_region *region;	/* NULL for tasks */
	const struct fathom_region *block;	/* inside region, or NULL */
	const void *address;		/* implicit task: of the parallel region */
	const void *work;		/* implicit task: of the last worksharing construct; NULL behind its barrier */
	struct fathom_team *team;	/* implicit task; NULL: not recorded */
};

/* A parallel region, from its begin to its end on the thread that forks it. */
struct fathom_ompt_parallel {
	struct fathom_team *team;	/* NULL: not recorded */
	const void *address;
	bool is_league;
	struct fathom_ompt_parallel *next;	/* of the free ones */
};

struct fathom_ompt_thread {
	struct fathom_ompt_open *top;	/* never below bottom */
	struct fathom_ompt_open *bottom;
	struct fathom_ompt_open *limit;
	struct fathom_ompt_parallel *free_parallels;
	struct fathom_ompt_thread *next;	/* of the free ones */
	bool broken;			/* out of memory: its constructs are not known any more */
};

/* The calling thread's; NULL: out of memory. Context: hook; a thread's first: birth. */
struct fathom_ompt_thread *fathom_ompt_thread(void);

/* The calling thread ends. Context: birth. */
void fathom_ompt_thread_free(void);

/* Put something on the stack; for constructs, enter region, which may be NULL (then nothing is done).
 * NULL: out of memory. Context: hook; now and then: birth. */
struct fathom_ompt_open *fathom_ompt_push(struct fathom_ompt_thread *self, enum fathom_ompt_sort sort, uint64_t id);
void fathom_ompt_open(struct fathom_ompt_thread *self, enum fathom_ompt_sort sort, uint64_t id,
		      const struct fathom_region *region);

/* The innermost of this sort and id in the present task, or NULL. Context: hook. */
struct fathom_ompt_open *fathom_ompt_find(const struct fathom_ompt_thread *self, enum fathom_ompt_sort sort,
					  uint64_t id);

/* The task at hand, explicit or implicit; and its implicit task. Context: hook. */
struct fathom_ompt_open *fathom_ompt_task_open(const struct fathom_ompt_thread *self);
struct fathom_ompt_open *fathom_ompt_implicit_open(const struct fathom_ompt_thread *self);

/* Exit the regions of open, if it is not NULL, and of all above it; they leave the stack. Context: hook. */
void fathom_ompt_close(struct fathom_ompt_thread *self, const struct fathom_ompt_open *open);

/* A region that is over at once. NULL: nothing is done. Context: hook. */
void fathom_ompt_visit(const struct fathom_region *region);

/* Context: hook; now and then: birth. NULL: out of memory. */
struct fathom_ompt_parallel *fathom_ompt_parallel_take(struct fathom_ompt_thread *self);
void fathom_ompt_parallel_give(struct fathom_ompt_thread *self, struct fathom_ompt_parallel *parallel);

/*
 * What the runtime keeps for us with a task: a pointer to the core's task, whether it has begun, whether it is an
 * implicit one (then without pointer), and in the upper bits the number of the address of the last taskloop it
 * encountered: the tasks of a taskloop are created from inside the runtime, also by other threads.
 */
enum {
	FATHOM_OMPT_DATA_BEGUN = 1,
	FATHOM_OMPT_DATA_IMPLICIT = 2,
};
#define FATHOM_OMPT_DATA_POINTER ((UINT64_C(1) << 48) - 4)

static inline struct fathom_task *fathom_ompt_task_of(const union fathom_ompt_data *data)
{
	return (struct fathom_task *)(uintptr_t)(data->value & FATHOM_OMPT_DATA_POINTER);
}

#endif
