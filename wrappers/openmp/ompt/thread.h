/*
 * thread: the constructs that are active on each thread.
 *
 * The runtime does not always report the end of a construct whose begin it reported, and may report it with another
 * address. So each thread keeps a stack of the constructs and tasks that it has begun, also of those whose events the
 * core drops. An end closes the innermost construct of its sort and all constructs inside it, but nothing outside the
 * present task, whose begin is on the stack, too. This is right because a thread returns to a task that it has
 * suspended only by ending or leaving the tasks that it executed meanwhile.
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
	FATHOM_OMPT_OPEN_EXPLICIT,	/* an explicit task */
	FATHOM_OMPT_OPEN_WORK,
	FATHOM_OMPT_OPEN_SINGLE,
	FATHOM_OMPT_OPEN_MASTER,
	FATHOM_OMPT_OPEN_BARRIER,
	FATHOM_OMPT_OPEN_TASKWAIT,
	FATHOM_OMPT_OPEN_TASKGROUP,
	FATHOM_OMPT_OPEN_TASKGROUP_WAIT,
	FATHOM_OMPT_OPEN_REDUCTION,
	FATHOM_OMPT_OPEN_MUTEX,
	FATHOM_OMPT_OPEN_LOCK,		/* waiting for a lock; no construct can be inside */
};

/* An entry of the stack: a construct or task that has begun on this thread. */
struct fathom_ompt_open {
	enum fathom_ompt_sort sort;
	bool is_worker;			/* implicit task: not of the thread that forked */
	bool is_league;			/* implicit task: of a team of `teams` */
	uint64_t id;	/* of the mutex; task: the place where the runtime keeps fathom's data of the task */
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
	struct fathom_ompt_parallel *next;	/* in the list of free records */
};

struct fathom_ompt_thread {
	struct fathom_ompt_open *top;	/* never below bottom */
	struct fathom_ompt_open *bottom;
	struct fathom_ompt_open *limit;
	struct fathom_ompt_parallel *free_parallels;
	struct fathom_ompt_thread *next;	/* in the list of free records */
	bool broken;			/* there was no memory: the constructs of the thread are unknown from then on */
};

/* Returns the record of the calling thread. NULL: no memory. Context: hook; a thread's first call: birth. */
struct fathom_ompt_thread *fathom_ompt_thread(void);

/* Frees the record of the calling thread, which ends. Context: birth. */
void fathom_ompt_thread_free(void);

/* push: puts an entry on the stack and returns it. NULL: no memory. open: puts the entry of a construct on the stack
 * and enters its region; if region is NULL, does nothing. Context: hook; where the stack grows: birth. */
struct fathom_ompt_open *fathom_ompt_push(struct fathom_ompt_thread *self, enum fathom_ompt_sort sort, uint64_t id);
void fathom_ompt_open(struct fathom_ompt_thread *self, enum fathom_ompt_sort sort, uint64_t id,
		      const struct fathom_region *region);

/* Returns the innermost entry of this sort and id in the present task, or NULL. Context: hook. */
struct fathom_ompt_open *fathom_ompt_find(const struct fathom_ompt_thread *self, enum fathom_ompt_sort sort,
					  uint64_t id);

/* Return the entry of the present task, explicit or implicit, and that of its implicit task. Context: hook. */
struct fathom_ompt_open *fathom_ompt_task_open(const struct fathom_ompt_thread *self);
struct fathom_ompt_open *fathom_ompt_implicit_open(const struct fathom_ompt_thread *self);

/* Exits the regions of the entry open and of all entries above it, and takes them off the stack. NULL: nothing.
 * Context: hook. */
void fathom_ompt_close(struct fathom_ompt_thread *self, const struct fathom_ompt_open *open);

/* Enters and exits a region. NULL: nothing. Context: hook. */
void fathom_ompt_visit(const struct fathom_region *region);

/* Return an unused record of a parallel region, and take it back. NULL: no memory. Context: hook; where none is unused:
 * birth. */
struct fathom_ompt_parallel *fathom_ompt_parallel_take(struct fathom_ompt_thread *self);
void fathom_ompt_parallel_give(struct fathom_ompt_thread *self, struct fathom_ompt_parallel *parallel);

/*
 * The 64 bits that the runtime keeps with a task: a pointer to the core's task, whether the task has begun, whether it
 * is an implicit task (then there is no pointer), and in the upper 16 bits the number of the address of the last
 * taskloop that the task encountered: the tasks of a taskloop are created from inside the runtime, also by other
 * threads.
 */
enum {
	FATHOM_OMPT_DATA_BEGUN = 1,
	FATHOM_OMPT_DATA_IMPLICIT = 2,
};
#define FATHOM_OMPT_DATA_POINTER ((UINT64_C(1) << 48) - 4)

/* Returns the core's task. Context: hook. */
static inline struct fathom_task *fathom_ompt_task_of(const union fathom_ompt_data *data)
{
	return (struct fathom_task *)(uintptr_t)(data->value & FATHOM_OMPT_DATA_POINTER);
}

#endif
