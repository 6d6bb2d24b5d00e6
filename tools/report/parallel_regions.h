/*
 * parallel_regions: the parallel regions of OpenMP: what the threads in them do, how evenly, and what the others miss.
 *
 * What a thread does in a parallel region is what lies below its call path, but for parallel regions inside,
 * which have teams of their own. Balance is taken call path by call path and process by process, and
 * added up: what is uneven in one place does not make good what is uneven in another, for there is a barrier between.
 */
#ifndef FATHOM_TOOLS_REPORT_PARALLEL_REGIONS_H
#define FATHOM_TOOLS_REPORT_PARALLEL_REGIONS_H

#include "tools/common/profile.h"
#include "tools/report/task_constructs.h"

struct fathom_team_region {		/* all that was done in one parallel region */
	uint32_t region;
	uint32_t cnode;			/* the call path where most of it was */
	double cnode_seconds;
	double seconds;			/* of all threads */
	double use[FATHOM_USE_COUNT];	/* parts of seconds */
	double idle;			/* on top: threads that were not in it while others were */
	double even, uneven;		/* threads x average and x maximum of work */
	double visits;			/* of all threads */
	double least_threads, most_threads;	/* in a team, as far as the file tells */
	bool has_balance;		/* threads are kept apart */
};

struct fathom_teams {
	struct fathom_team_region *regions;	/* what could be saved by balance the most first */
	uint32_t count;
	double idle_outside;		/* threads of teams while their process was in no parallel region, */
	double idle_at_root;		/* and of that, while it was outside of main */
	bool is_there;			/* there was OpenMP or something else of threads */
	bool *inside;			/* of each cnode: in a parallel region */
};

/* 0, or -errno after a line was said. */
int fathom_teams_init(struct fathom_teams *teams, struct fathom_profile *profile, const struct fathom_tasks *tasks);
void fathom_teams_fini(struct fathom_teams *teams);

/* Average / maximum of the work of the threads; negative: not known. */
double fathom_team_balance(const struct fathom_team_region *region);

/* Thread-seconds that balance could save at most: they are waited away. */
double fathom_team_savable(const struct fathom_team_region *region);

bool fathom_is_parallel(const struct fathom_cube_region *region);

#endif
