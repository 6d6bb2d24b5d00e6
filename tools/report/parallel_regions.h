/*
 * parallel_regions: the parallel regions of OpenMP: the use of the time in them, the balance of their threads, and
 * the threads that were idle meanwhile.
 *
 * The time of a parallel region is that of the call paths below it, without nested parallel regions, which have teams
 * of their own. Balance is taken for each call path and process, and added up: uneven work in one place does not make
 * good uneven work in another place, because there is a barrier between them. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_REPORT_PARALLEL_REGIONS_H
#define FATHOM_TOOLS_REPORT_PARALLEL_REGIONS_H

#include "tools/common/profile.h"
#include "tools/report/task_constructs.h"

/* The executions of one parallel region, added up. */
struct fathom_team_region {
	uint32_t region;
	uint32_t cnode;			/* the call path with most of its time */
	double cnode_seconds;
	double seconds;			/* of all threads */
	double use[FATHOM_USE_COUNT];	/* parts of seconds */
	double idle;			/* not part of seconds: threads that were not in the region while others were */
	double even, uneven;		/* threads x average and x maximum of work */
	double visits;			/* of all threads */
	double least_threads, most_threads;	/* in a team, as far as the file tells */
	bool has_balance;		/* threads are kept apart */
};

/* All parallel regions of a profile. */
struct fathom_teams {
	struct fathom_team_region *regions;	/* sorted: where balance could save most time comes first */
	uint32_t count;
	double idle_outside;		/* threads of teams while their process was in no parallel region; */
	double idle_at_root;		/* the part of it while the process was outside of main */
	bool is_there;			/* the profile has OpenMP or other threads */
	bool *inside;			/* by cnode: in a parallel region */
};

/* 0, or -errno after an error message. */
int fathom_teams_init(struct fathom_teams *teams, struct fathom_profile *profile, const struct fathom_tasks *tasks);
void fathom_teams_fini(struct fathom_teams *teams);

/* Average / maximum of the work of the threads; negative: not known. */
double fathom_team_balance(const struct fathom_team_region *region);

/* Thread-seconds that balance could save at most. */
double fathom_team_savable(const struct fathom_team_region *region);

/* Returns whether a region is a parallel region of OpenMP. */
bool fathom_is_parallel(const struct fathom_cube_region *region);

#endif
