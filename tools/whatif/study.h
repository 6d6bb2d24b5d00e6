/*
 * study: the replays of a what-if: of the run as it was, and of the run as the options ask for.
 * Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_WHATIF_STUDY_H
#define FATHOM_TOOLS_WHATIF_STUDY_H

#include "replay/calibration.h"
#include "replay/replay.h"
#include "tools/whatif/trace_program.h"
#include "tools/whatif/whatif_options.h"

/* How well a run uses its processes, as in tools/common/efficiency.h; the time in MPI_Init is left out. */
struct fathom_study_efficiency {
	double balance;		/* mean / maximum of the computation of processes */
	double communication;	/* this maximum / run time */
	double serialisation;	/* this maximum / run time on an ideal network; negative: not known */
	double transfer;	/* run time on an ideal network / run time; negative: not known */
	double parallel;	/* mean computation / run time */
};

struct fathom_study_run {
	double seconds;			/* from the first event to the last one */
	double start_seconds;		/* the longest time of a process in MPI_Init */
	double ideal_seconds;		/* seconds on an ideal network; negative: not known */
	struct fathom_study_efficiency efficiency;
	struct fathom_replay_result result;	/* empty for the measured run */
};

struct fathom_sweep {			/* speed-ups over bandwidths and factors of --faster */
	double *bandwidths;
	size_t bandwidth_count;
	double *factors;
	size_t factor_count;
	double *speed_ups;		/* [factor x bandwidth_count + bandwidth], relative to the replayed run */
};

struct fathom_study {
	const struct fathom_whatif_options *options;
	struct fathom_trace_program *made;
	struct fathom_machine measured_machine, machine;	/* as estimated, and as asked for */
	struct fathom_calibration calibration;
	uint32_t busy_threads;		/* that have records, on the node of the measured run that has most of them */
	uint32_t processors;		/* of a node of the measured run; 0: unknown */
	double measured_slice;		/* seconds of the slices in which processes shared them; 0: they did not */
	struct fathom_study_run measured, replayed, predicted;
	bool has_prediction;		/* the options ask for a change */
	double *group_speed, *task_speed;	/* of the prediction */
	struct fathom_balance balance;
	struct fathom_sweep sweep;
};

/* Runs all replays. The program must be complete. machine: of --machine, NULL if there is none; the prediction begins
 * with it. 0, or -errno after an error message. */
int fathom_study_run(struct fathom_study *study, struct fathom_trace_program *made,
		     const struct fathom_whatif_options *options, const struct fathom_machine *machine);
void fathom_study_fini(struct fathom_study *study);

/* Returns the relative error of the replay on the machine of the run, without the time in MPI_Init, which is not
 * predicted: 0.05 is 5 % too long. */
double fathom_study_error(const struct fathom_study *study);

/* A call path of MPI and what processes wait there in a run. */
struct fathom_study_wait {
	uint32_t path;
	double wait_seconds, transfer_seconds;	/* sums over the processes */
	double before_seconds;			/* wait_seconds in the replayed run */
	uint32_t rank;				/* the process that waits longest, */
	double rank_seconds;			/* and its time */
};

/* Returns the call paths with waiting or transfer in the prediction, or with waiting in the replayed run; the longest
 * sum comes first. The caller frees them. */
struct fathom_study_wait *fathom_study_waits(const struct fathom_study *study, size_t *count);

#endif
