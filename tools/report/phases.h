/*
 * phases: the iterations of a profile's phases (dynamic regions), one after the other, with their values.
 *
 * phase      a call path whose children are iterations ("instance=7"), or clusters of similar ones ("cluster=2").
 * map        which iterations of a thread are in which cluster, and how long each took: attributes
 *            "fathom::iterations:CNODE:RANK:THREAD" of the file, see doc/guides/api.md.
 * run        one visit of an iteration, by one thread: of MPI programs each rank runs iteration 7, of a rank's OpenMP
 *            threads only the one that began it.
 *
 * The values of a cluster are divided among its iterations in equal parts, except time, which the maps have. So sums
 * over all iterations equal those over all clusters. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_REPORT_PHASES_H
#define FATHOM_TOOLS_REPORT_PHASES_H

#include "tools/common/profile.h"
#include "tools/report/iteration_maps.h"

struct fathom_phase {
	uint32_t cnode;
	uint32_t count;			/* iterations with different numbers; 0: the file does not distinguish them */
	uint64_t *numbers;		/* ascending */
	double *runs;			/* by iteration: how often threads ran it */
	uint32_t cluster_count;		/* 0: the file has each iteration by itself */
	double *cluster_runs;		/* by cluster: runs of all its iterations */
	uint32_t first_map, map_end;
	double lost_runs;		/* runs in clusters by threads whose map the file does not have */
};

struct fathom_phases {
	struct fathom_profile *profile;
	struct fathom_phase *phases;	/* in the order of call paths */
	uint32_t count;
	struct fathom_phase_map *maps;	/* in the order of call paths, ranks and threads */
	uint32_t map_count;
};

struct fathom_phase_values {		/* of a metric, by iteration */
	const struct fathom_cube_metric *metric;
	bool is_time;			/* values of the threads that ran an iteration, else of all threads */
	bool is_ratio;			/* sum and total are ratios; the other members mean nothing */
	double *sum;
	double *least, *most;		/* of a run if is_time, else of a rank */
	int64_t *most_rank;
	double total;			/* the sum over all iterations of the phase */
	double unplaced;		/* the part of total that no map gives to an iteration */
};

/* Finds all phases and reads their maps. 0, or -errno after an error message. */
int fathom_phases_find(struct fathom_phases *phases, struct fathom_profile *profile);
void fathom_phases_fini(struct fathom_phases *phases);

/* Reads the values of a metric that adds up, or of a ratio of two such metrics. 0, or -errno after an error message. */
int fathom_phase_read(const struct fathom_phases *phases, const struct fathom_phase *phase, uint32_t metric,
		      struct fathom_phase_values *values);
void fathom_phase_values_free(struct fathom_phase_values *values);

/* Returns the value of iteration i. For time, this is the mean over its runs. */
double fathom_phase_value(const struct fathom_phase *phase, const struct fathom_phase_values *values, uint32_t i);

/* Returns the change from the first to the last iteration, by linear regression, in parts of the mean. 0 if the change
 * cannot be computed. */
double fathom_phase_trend(const double *values, uint32_t count);

/* Return whether a call path is a phase, and whether it is an iteration or a cluster of iterations. */
bool fathom_phase_is(const struct fathom_profile *profile, uint32_t cnode);
bool fathom_phase_is_part(const struct fathom_profile *profile, uint32_t cnode);

/* Returns the region to which the time of a call path is charged: its own, or for an iteration or cluster the region of
 * the phase. */
uint32_t fathom_phase_region(const struct fathom_profile *profile, uint32_t cnode);

/* Returns whether phases have values of a metric that can be read. */
bool fathom_phases_has(const struct fathom_profile *profile, uint32_t metric);

#endif
