/*
 * experiment: where a measurement left its result.
 *
 * A measured program makes a directory fathom-PROGRAM-YYYYMMDD-HHMM-XXXX with profile.cubex in
 * it, or, when its ranks could not put their data together, with rank-0.cubex, rank-1.cubex, ...
 * A trace is traces.otf2 in there, with the other files of the trace in the same directory.
 */
#ifndef FATHOM_TOOLS_COMMON_EXPERIMENT_H
#define FATHOM_TOOLS_COMMON_EXPERIMENT_H

#include <limits.h>
#include <stdbool.h>

struct fathom_experiment {
	char path[PATH_MAX];	/* of the profile, or of the anchor file of a trace */
};

/*
 * Find the profile that a user means, or the trace where there is no profile: a file, the experiment
 * directory itself, a directory with experiments in it (the newest), or NULL: the newest in
 * FATHOM_DIR or the present directory. 0, or -errno after a line was said.
 */
int fathom_experiment_find(struct fathom_experiment *experiment, const char *target);

/* The same for a trace, whether there is a profile or not. */
int fathom_experiment_find_trace(struct fathom_experiment *experiment, const char *target);

/* Whether it is called like the anchor file of a trace. */
bool fathom_experiment_is_trace(const char *path);

/* Whether there is a trace in the directory of that profile; path (PATH_MAX bytes) becomes its own. */
bool fathom_experiment_trace_of(const char *profile, char *path);

/* How many files of single ranks are in the directory of that profile, not counting itself; first
 * (PATH_MAX bytes) becomes the path of the one of the lowest rank. */
unsigned long fathom_experiment_ranks_of(const char *profile, char *first);

/* N of a file name "rank-N" with that ending, such as ".cubex"; -1: the name is another one. */
long fathom_experiment_rank_of(const char *file, const char *ending);

#endif
