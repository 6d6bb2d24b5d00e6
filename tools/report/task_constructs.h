/*
 * task_constructs: the constructs that made explicit OpenMP tasks: how many, how long, what it cost to make them.
 */
#ifndef FATHOM_TOOLS_REPORT_TASK_CONSTRUCTS_H
#define FATHOM_TOOLS_REPORT_TASK_CONSTRUCTS_H

#include "tools/common/profile.h"

/* What the time of a thread is used for, where several threads share work. */
enum fathom_use {
	FATHOM_USE_WORK,	/* the program's own code */
	FATHOM_USE_BARRIER,	/* waiting for others: barriers, tasks, threads */
	FATHOM_USE_LOCK,	/* waiting for turn: critical, atomic, locks, ordered */
	FATHOM_USE_MANAGEMENT,	/* fork, join, make tasks and threads */
	FATHOM_USE_OTHER,	/* MPI and the like */
	FATHOM_USE_COUNT
};

enum fathom_use fathom_use_of(const struct fathom_cube_region *region);

enum { FATHOM_TASK_PLACES = 3 };

struct fathom_task_construct {
	uint32_t region;
	double instances;
	double seconds;			/* of all instances, with what they called */
	double least, most;		/* seconds of one instance; least > most: not known */
	double use[FATHOM_USE_COUNT];	/* parts of seconds */
	double created;			/* how often something of it was created, seen by the creator; */
	double creation_seconds;	/* in the region that creates, and what that calls */
	double pieces;			/* starts and resumptions where they ran; */
	double stub_seconds;		/* time of these */
	uint32_t place_count;		/* where they ran, the most important first */
	struct fathom_task_place {
		uint32_t region;
		double seconds;
	} places[FATHOM_TASK_PLACES];
};

struct fathom_tasks {
	struct fathom_task_construct *constructs;	/* by seconds spent in tasks and on their creation */
	uint32_t count;
	int32_t *of_region;		/* construct whose tasks a region is, -1: none */
};

/* 0, or -errno after a line was said. time and visits as read; time must be there. */
int fathom_tasks_init(struct fathom_tasks *tasks, struct fathom_profile *profile, const struct fathom_values *time,
		      const struct fathom_values *visits);
void fathom_tasks_fini(struct fathom_tasks *tasks);

/* The construct whose tasks ran in this call path (of the threads, not of the tasks), -1: it is none of these. */
int32_t fathom_tasks_stub(const struct fathom_tasks *tasks, const struct fathom_profile *profile, uint32_t cnode);

/* How long a task works on the average, and what it takes to create one; 0: not known. */
double fathom_task_work(const struct fathom_task_construct *construct);
double fathom_task_creation(const struct fathom_task_construct *construct);

#endif
