/*
 * tracked_runs: the experiments whose kinds of bursts are tracked: traces of several runs, or equal windows of time of
 * one trace, each clustered alone in the same metrics.
 *
 * Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_TRACK_TRACKED_RUNS_H
#define FATHOM_TOOLS_TRACK_TRACKED_RUNS_H

#include "clusters/tracking.h"
#include "tools/clusters/clustering.h"
#include "tools/clusters/thread_sequences.h"
#include "tools/common/hash_index.h"

struct fathom_tracked_run {
	char *name;			/* the target as the user gave it, or the window */
	struct fathom_burst_data *data;
	bool is_window;			/* data has its own list of bursts, and the trace of all windows */
	struct fathom_clustering clustering;
	struct fathom_thread_sequences sequences;
	uint32_t process_count;		/* with bursts */
	uint32_t *points;		/* by tracked point: its number among the points of the clustering */
	double *values;			/* [tracked point][dimension]: as struct fathom_tracked_experiment has them */
	uint32_t *clusters, *codes;	/* by tracked point */
	uint32_t *kinds_in_order;	/* the sequence of clusters that most threads execute */
	uint32_t *joined;		/* by cluster */
	double *seconds;		/* by cluster */
};

struct fathom_tracked_runs {
	struct fathom_tracked_run *runs;
	struct fathom_tracked_experiment *experiments;	/* by run */
	uint32_t count;
	struct fathom_tracking tracking;
	struct fathom_axis axes[FATHOM_MOST_DIMENSIONS];	/* is_log and is_kept are those of all runs */
	uint32_t dimensions;
	char *metric_names;		/* separated by commas: in which all runs are clustered */
	bool lacks_counters;		/* a run does not have the metrics that were chosen for the first run */
	struct fathom_burst_data *whole;	/* of windows; NULL: none */
	char **code_texts;		/* by number of a code */
	size_t code_count, code_room;
	struct fathom_index code_index;
};

/* Reads the traces of all targets, at most limit bursts of each, or windows of time of a single target (window_count >
 * 0); clusters them, and tracks the kinds. 0, or -errno after an error message. */
int fathom_tracked_runs_make(struct fathom_tracked_runs *runs, char **targets, uint32_t count, uint32_t window_count,
			     const struct fathom_cluster_choice *choice, size_t limit);
void fathom_tracked_runs_fini(struct fathom_tracked_runs *runs);

#endif
