/*
 * teams: checks of threads: forks and joins, teams, tasks, created threads.
 *
 * The n-th part that a member takes in a team belongs to the n-th fork of that team. The team of a fork is known from
 * the team begin of its master. Parts must lie between fork and join.
 */
#ifndef FATHOM_TOOLS_CHECK_TEAMS_H
#define FATHOM_TOOLS_CHECK_TEAMS_H

struct fathom_check;
struct fathom_otf2_event;

/* Prepares the data of this part. */
void fathom_check_teams_init(struct fathom_check *check);

/* Checks an event of this part. Its definitions exist. */
void fathom_check_teams_event(struct fathom_check *check, const struct fathom_otf2_event *event);

/* Reports operations that are still open at the end of the trace, and frees the data of this part. */
void fathom_check_teams_finish(struct fathom_check *check);

#endif
