/*
 * folds: what the instances of a region, or of a kind of bursts, have in common over their time, as if there were one.
 *
 * The time of an instance is 0 at its begin and 1 at its end. A fold has the instances of one mode: those of similar
 * duration. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_FOLD_FOLDS_H
#define FATHOM_TOOLS_FOLD_FOLDS_H

#include "folding/monotone_fit.h"
#include "otf2/entry_table.h"
#include "tools/fold/instances.h"

enum { FATHOM_FOLD_COLUMNS = 40 };	/* of the time, for samples */

struct fathom_folded_counter {
	struct fathom_fit_points points;
	struct fathom_fit fit;
	uint64_t instances;	/* that have readings at their begin and end */
	double sum;		/* of the counts of these instances */
};

struct fathom_folded_place {	/* samples in a line of a region */
	struct fathom_table_entry entry;	/* region (index), line, 0 */
	uint32_t file;		/* id of a string; UINT32_MAX: unknown */
	uint64_t samples[FATHOM_FOLD_COLUMNS];
	uint64_t total;
};

struct fathom_fold {
	const char *name;	/* of the subject */
	uint32_t subject, mode, modes;	/* this mode, from 1, of so many of the subject */
	uint64_t instances, left_out;	/* left_out: instances of the subject that are in no mode */
	uint32_t threads;	/* with an instance */
	double seconds;		/* of all instances */
	struct fathom_folded_counter *counters;	/* by counter */
	struct fathom_table place_table;
	struct fathom_folded_place **places;	/* those with most samples first; made at the end */
	uint32_t place_count;
	uint64_t samples;
};

struct fathom_fold_counter {
	const char *name, *unit;	/* live as long as the trace */
	double factor;		/* a value times it is in the unit */
};

struct fathom_folds {
	struct fathom_otf2_archive *trace;	/* open while the folds exist */
	struct fathom_fold *folds;
	uint32_t count;
	struct fathom_fold_counter *counters;	/* that grow from the start of the run, by name */
	uint32_t counter_count;
	int32_t instructions, cycles;	/* indices; -1: not counted */
};

/* Divides the instances into modes, each a fold, and notes which counters the trace has. */
void fathom_folds_make(struct fathom_folds *folds, struct fathom_otf2_archive *trace,
		       struct fathom_instances *instances);
void fathom_folds_fini(struct fathom_folds *folds);

/* Fits the counters and sorts the places, when everything was read. */
void fathom_folds_finish(struct fathom_folds *folds);

/* Returns the mean duration of an instance in seconds, and the mean count of a counter. */
double fathom_fold_duration(const struct fathom_fold *fold);
double fathom_folded_mean(const struct fathom_folded_counter *counter);

/* Returns the rate of a counter at a place of the time, from 0 to 1, in counts per second; not a number: there is no
 * fit. */
double fathom_fold_rate(const struct fathom_fold *fold, uint32_t counter, double x);

#endif
