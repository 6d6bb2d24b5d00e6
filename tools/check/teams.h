/*
 * teams: checks of threads: forks and joins, teams, tasks, created threads.
 *
 * The n-th part that a member takes in a team belongs to the n-th fork of that team; the team begin of the fork's
 * master tells which team the fork is of. Parts lie between fork and join.
 */
#ifndef FATHOM_TOOLS_CHECK_TEAMS_H
#define FATHOM_TOOLS_CHECK_TEAMS_H

struct fathom_check;
struct fathom_otf2_event;

/* Prepares what this part keeps. */
void fathom_check_teams_init(struct fathom_check *check);

/* Looks at an event of this part, whose definitions exist. */
void fathom_check_teams_event(struct fathom_check *check, const struct fathom_otf2_event *event);

/* Reports what is still open at the end of the trace, and frees what this part kept. */
void fathom_check_teams_finish(struct fathom_check *check);

#endif
