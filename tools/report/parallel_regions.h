/*
 * parallel_regions: the parallel regions of OpenMP: the use of the time in them, the balance of their threads, and the
 * time during which threads were idle.
 *
 * The time of a parallel region is the time of the call paths below it, without nested parallel regions, which have
 * their own teams. Balance is computed for each call path and process, and added up: uneven work on one call path
 * cannot compensate uneven work on another, because there is a barrier between them. Context of all functions: tool.
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
	double idle;	/* not part of seconds: time of threads outside of the region while other threads were inside */
	double even, uneven;		/* threads x average of work, and threads x maximum of work */
	double visits;			/* of all threads */
	double least_threads, most_threads;	/* in a team, if the file contains this */
	bool has_balance;		/* the file has a column for each thread */
};

/* All parallel regions of a profile. */
struct fathom_teams {
	/* Sorted: the region in which balance could save most time comes first. */
	struct fathom_team_region *regions;
	uint32_t count;
	double idle_outside;		/* time of threads of teams while their process was in no parallel region */
	double idle_at_root;		/* the part of it while the process was outside of main */
	bool is_there;			/* the profile has OpenMP or other threads */
	bool *inside;			/* by cnode: in a parallel region */
};

/* Reads the parallel regions. 0, or -errno after an error message. */
int fathom_teams_init(struct fathom_teams *teams, struct fathom_profile *profile, const struct fathom_tasks *tasks);
void fathom_teams_fini(struct fathom_teams *teams);

/* Returns average / maximum of the work of the threads; negative: unknown. */
double fathom_team_balance(const struct fathom_team_region *region);

/* Returns the thread-seconds that perfect balance would save. */
double fathom_team_savable(const struct fathom_team_region *region);

/* Returns whether a region is a parallel region of OpenMP. */
bool fathom_is_parallel(const struct fathom_cube_region *region);

#endif
