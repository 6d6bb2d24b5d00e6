/*
 * task_constructs: the constructs that created explicit OpenMP tasks: how many tasks, their time, and the cost of
 * creating them. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_REPORT_TASK_CONSTRUCTS_H
#define FATHOM_TOOLS_REPORT_TASK_CONSTRUCTS_H

#include "tools/common/profile.h"

/* The use of a thread's time. */
enum fathom_use {
	FATHOM_USE_WORK,	/* the program's own code */
	FATHOM_USE_BARRIER,	/* waiting for other threads: barriers, tasks, joins */
	FATHOM_USE_LOCK,	/* waiting for other threads: critical, atomic, locks, ordered */
	FATHOM_USE_MANAGEMENT,	/* fork, join, make tasks and threads */
	FATHOM_USE_OTHER,	/* MPI and other interfaces */
	FATHOM_USE_COUNT
};

enum fathom_use fathom_use_of(const struct fathom_cube_region *region);

enum { FATHOM_TASK_PLACES = 3 };

struct fathom_task_construct {
	uint32_t region;
	double instances;
	double seconds;			/* of all instances, with the regions that they called */
	double least, most;		/* seconds of one instance; least > most: not known */
	double use[FATHOM_USE_COUNT];	/* parts of seconds */
	double created;			/* number of tasks that its creators created */
	double creation_seconds;	/* seconds in the creating region and the regions that it called */
	double pieces;			/* number of starts and resumptions of its tasks */
	double stub_seconds;		/* seconds of these starts and resumptions */
	uint32_t place_count;		/* regions in which its tasks ran, the longest first */
	struct fathom_task_place {
		uint32_t region;
		double seconds;
	} places[FATHOM_TASK_PLACES];
};

struct fathom_tasks {
	struct fathom_task_construct *constructs;	/* sorted by the seconds in tasks and their creation */
	uint32_t count;
	int32_t *of_region;		/* by region: the construct whose tasks the region contains; -1: none */
};

/* Reads the constructs. 0, or -errno after an error message. time and visits are the values of these metrics; time must
 * have values. */
int fathom_tasks_init(struct fathom_tasks *tasks, struct fathom_profile *profile, const struct fathom_values *time,
		      const struct fathom_values *visits);
void fathom_tasks_fini(struct fathom_tasks *tasks);

/* Returns the construct whose tasks ran in this call path of a thread; -1: the call path is no stub of tasks. */
int32_t fathom_tasks_stub(const struct fathom_tasks *tasks, const struct fathom_profile *profile, uint32_t cnode);

/* Return the mean seconds of work of a task, and of its creation; 0: unknown. */
double fathom_task_work(const struct fathom_task_construct *construct);
double fathom_task_creation(const struct fathom_task_construct *construct);

#endif
