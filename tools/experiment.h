/*
 * experiment: where a measurement left its result.
 *
 * A measured program makes a directory fathom-PROGRAM-YYYYMMDD-HHMM-XXXX with profile.cubex in
 * it, or, when its ranks could not put their data together, with rank-0.cubex, rank-1.cubex, ...
 */
#ifndef FATHOM_TOOLS_EXPERIMENT_H
#define FATHOM_TOOLS_EXPERIMENT_H

#include <limits.h>

struct fathom_experiment {
	char path[PATH_MAX];	/* of the profile */
};

/*
 * Find the profile that a user means: a file, the experiment directory itself, a directory
 * with experiments in it (the newest), or NULL: the newest in FATHOM_DIR or the present
 * directory. 0, or -errno after a line was said.
 */
int fathom_experiment_find(struct fathom_experiment *experiment, const char *target);

/* How many files of single ranks are in the directory of that profile, not counting itself; first
 * (PATH_MAX bytes) becomes the path of the one of the lowest rank. */
unsigned long fathom_experiment_ranks_beside(const char *profile, char *first);

/* N of a file name "rank-N.cubex", -1: it is none. */
long fathom_experiment_rank_of(const char *file);

#endif
