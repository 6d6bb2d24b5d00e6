/*
 * activity_times: the time of a run by activity class, for the whole run and for each rank or thread.
 *
 * The times come from the activity metrics of the file if it has them, otherwise from its regions (define/activity.h).
 * They are sums over locations: "CPU time" if every location has its own core. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_COMMON_ACTIVITY_TIMES_H
#define FATHOM_TOOLS_COMMON_ACTIVITY_TIMES_H

#include "define/activity.h"
#include "tools/common/profile.h"

/* The activity classes that together make up all time. File I/O is not part of Computation here. */
extern const enum fathom_activity fathom_activity_kinds[];
enum { FATHOM_KIND_COUNT = 11 };

struct fathom_activity_times {
	double seconds[FATHOM_ACTIVITY_COUNT];	/* each contains the classes within it */
	double kind_seconds[FATHOM_KIND_COUNT];	/* these do not overlap */
	double total;
	bool by_thread;			/* units are threads, because the run has only one rank or the user chose one */
	uint32_t unit_count;
	int64_t *unit_rank;		/* rank of the process, or of the thread within it */
	double *unit_kind;		/* seconds of unit u in kind k: [u * FATHOM_KIND_COUNT + k] */
	double *unit_total;
	double *unit_init;		/* the part of it in MPI's initialisation and finalization */
};

/* Adds up the times. 0, or -errno after an error message. The profile must have the metric time. */
int fathom_activity_times_init(struct fathom_activity_times *breakdown, struct fathom_profile *profile,
			       const struct fathom_values *time);
void fathom_activity_times_fini(struct fathom_activity_times *breakdown);

/* Returns the index in fathom_activity_kinds of the kind that an activity belongs to. */
unsigned fathom_activity_kind_of(enum fathom_activity activity);

#endif
