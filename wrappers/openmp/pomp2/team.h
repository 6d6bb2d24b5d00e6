/*
 * team: the way of a parallel region from its fork to the threads of its team.
 *
 * OPARI2 gives every parallel directive a copyin of pomp_tpd_: what the forking thread has in it at the fork, all
 * threads of the team have in it at their begin. It holds the core's team. What the forking thread had in it
 * before, it gets back at the join: it may itself be in a team, whose end it has yet to tell.
 */
#ifndef FATHOM_POMP2_TEAM_H
#define FATHOM_POMP2_TEAM_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/compiler.h"

struct fathom_construct;
struct fathom_team;

/* A parallel region that the thread has forked and not yet joined. */
struct fathom_pomp2_fork {
	struct fathom_team *team;	/* NULL: not recorded */
	int64_t outer;			/* pomp_tpd_ before */
	uint32_t unrecorded_tasks;	/* before */
	struct fathom_pomp2_fork *below;	/* only of those that are too deep for the thread's own */
};

#define FATHOM_POMP2_FORKS 12	/* deeper ones are fetched under a lock */

struct fathom_pomp2_thread {
	uint32_t depth;			/* forks that are not joined */
	uint32_t unrecorded_tasks;	/* begun and not ended, and the core knows nothing of them */
	struct fathom_pomp2_fork forks[FATHOM_POMP2_FORKS];
	struct fathom_pomp2_fork *deeper;	/* the innermost first */
	uint32_t lost;			/* inside those, without memory */
};
extern FATHOM_TLS struct fathom_pomp2_thread fathom_pomp2_self FATHOM_HIDDEN;

/* Context: hook; a nesting deeper than FATHOM_POMP2_FORKS, and a team's first fork: birth. */
void fathom_pomp2_fork(const struct fathom_construct *construct, bool parallel, int threads);
void fathom_pomp2_team_begin(void);
void fathom_pomp2_team_end(void);
void fathom_pomp2_join(void);

#endif
