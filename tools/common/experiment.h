/*
 * experiment: finds the result of a measurement.
 *
 * A measured program makes a directory fathom-PROGRAM-YYYYMMDD-HHMM-XXXX with profile.cubex in
 * it, or, when its ranks could not put their data together, with rank-0.cubex, rank-1.cubex, ...
 * A trace is traces.otf2 in that directory, with the other files of the trace, or the compressed trace traces.graphs.
 * Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_COMMON_EXPERIMENT_H
#define FATHOM_TOOLS_COMMON_EXPERIMENT_H

#include <limits.h>
#include <stdbool.h>
#include <time.h>

/* A result that was found. */
struct fathom_experiment {
	char path[PATH_MAX];	/* of the profile, of the anchor file of a trace, or of a compressed trace */
};

/* The results in a directory. */
struct fathom_experiment_content {
	bool profile, unfinished, unfinished_trace;
	bool bursts;			/* bursts.bin */
	char trace[256];		/* name of the anchor file, or of the compressed trace; "" if there is none */
	char hidden[256];		/* name of a trace that a process began and did not end, "" if there is none */
	unsigned long ranks;		/* profiles of single ranks */
	unsigned long snapshots;	/* run snapshots, of killed processes or of processes that still run; */
	bool is_alive;			/* one of these processes still runs */
	unsigned long ranks_with_trace, lowest_with_trace;
	struct timespec changed;	/* last change of the profile, else of the directory */
};

/* Finds out what a directory has. 0 or -errno. */
int fathom_experiment_look(const char *directory, struct fathom_experiment_content *content);

/* Returns the time in a directory name "...-YYYYMMDD-HHMM-XXXX"; -1: the name has none. */
time_t fathom_experiment_begin(const char *name);

/* Finds the profile that target names, or the trace if there is no profile. target is a file, an experiment directory,
 * a directory with experiments (the newest is taken), or NULL: the newest experiment in FATHOM_DIR or the current
 * directory. 0, or -errno after an error message. */
int fathom_experiment_find(struct fathom_experiment *experiment, const char *target);

/* Finds the trace that target names, also if there is a profile; otherwise like fathom_experiment_find. */
int fathom_experiment_find_trace(struct fathom_experiment *experiment, const char *target);

/* Finds the trace that target names, or its bursts.bin if there is no trace; otherwise like fathom_experiment_find. */
int fathom_experiment_find_bursts(struct fathom_experiment *experiment, const char *target);

/* Returns whether path is named like the anchor file of a trace, or is a compressed trace. */
bool fathom_experiment_is_trace(const char *path);

/* Returns whether the file is a compressed trace (fathom trace --compress). */
bool fathom_experiment_is_compressed(const char *path);

/* Returns whether the directory of that profile has a trace; path (PATH_MAX bytes) becomes the trace's path. */
bool fathom_experiment_trace_of(const char *profile, char *path);

/* Returns whether the directory of that profile has the bursts of the run (bursts.bin); path (PATH_MAX bytes) becomes
 * their path. */
bool fathom_experiment_bursts_of(const char *profile, char *path);

/* Returns the number of profiles of single ranks in the directory of that profile; first (PATH_MAX bytes) becomes the
 * path of the profile of the lowest rank. */
unsigned long fathom_experiment_ranks_of(const char *profile, char *first);

/* Returns N of a file name "rank-N" with that ending, such as ".cubex"; -1: the name has another form. */
long fathom_experiment_rank_of(const char *file, const char *ending);

#endif
