/*
 * imbalance: how unequal the computation of a call path is, over the ranks or threads that could share it.
 *
 * This needs no wait states: it compares the own time of each process, or of each thread if threads other than the
 * initial ones visit the call path, with the mean. The sum of the time above the mean is the sum of the time below it.
 * A better distribution of the work can save at most as much. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_REPORT_IMBALANCE_H
#define FATHOM_TOOLS_REPORT_IMBALANCE_H

#include <stdbool.h>
#include <stdint.h>

struct fathom_profile;

/* Seconds of one process or thread, or sums over all of them. */
struct fathom_imbalance {
	double above, below;		/* than the mean; of one process or thread, one of them is 0 */
	double single;			/* the part of above where no other one visits the call path */
	double bypass;			/* the part of below where only others visit the call path */
	double singularity;		/* the part of bypass where only one visits it */
};

/* The times of a call path in all processes or threads together. */
struct fathom_shared_time {
	double sum;
	uint32_t count;			/* of the processes or threads */
	uint32_t visitors;		/* those of them that visit the call path */
};

/* Returns the imbalance of one process or thread with this own time; visited: it visits the call path. */
struct fathom_imbalance fathom_imbalance_of(double time, bool visited, const struct fathom_shared_time *all);

/* Adds the imbalance of one process or thread to the sums. */
void fathom_imbalance_add(struct fathom_imbalance *sums, struct fathom_imbalance one);

/* A call path of computation whose time is not equal. */
struct fathom_uneven {
	uint32_t cnode;
	struct fathom_imbalance imbalance;
};

/* Returns the call paths of computation with imbalance, that with most time above the mean first, and their number;
 * the caller frees them. The program itself, outside of main, is not among them. NULL after an error message. */
struct fathom_uneven *fathom_imbalance_list(struct fathom_profile *profile, uint32_t *count);

#endif
