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

/* time is the own time of a call path in one process or thread, sum that of all count ones; visited says whether this
 * one visits the call path, and visitors how many do. */
struct fathom_imbalance fathom_imbalance_of(double time, double sum, uint32_t count, bool visited, uint32_t visitors);

/* Returns the sums over count processes or threads with these own times and visits of a call path. */
struct fathom_imbalance fathom_imbalance_sum(const double *times, const double *visits, uint32_t count);

/* A call path of computation whose time is not equal. */
struct fathom_uneven {
	uint32_t cnode;
	struct fathom_imbalance imbalance;
};

/* Returns the call paths of computation with imbalance, that with most time above the mean first, and their number;
 * the caller frees them. The program itself, outside of main, is not among them. NULL after an error message. */
struct fathom_uneven *fathom_imbalance_list(struct fathom_profile *profile, uint32_t *count);

#endif
