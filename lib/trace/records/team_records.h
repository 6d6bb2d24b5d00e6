/*
 * team_records: the records of OpenMP teams and their tasks.
 *
 * OTF2 demands that a team is a communicator, all members of which take part each time. So there is one communicator
 * for each leader, level of nesting and size of the team. Each location counts how often it took part; at the end the
 * counts of all members are compared.
 */
#ifndef FATHOM_TRACE_TEAM_RECORDS_H
#define FATHOM_TRACE_TEAM_RECORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "event/substrate.h"
#include "event/teams/tasks.h"

struct fathom_trace;

/* The membership of a location in the teams of one communicator. Its own thread alone writes it; it is never freed. */
struct fathom_trace_membership {
	struct fathom_trace_membership *next;
	const struct fathom_location *leader;
	uint32_t level;
	uint32_t size;
	uint32_t comm;			/* the number of the communicator */
	uint32_t number;		/* number of the location in its team; 0 is the leader */
	uint32_t times;			/* number of these teams that the location was in */
	bool has_changed;		/* the location had different numbers in them */
};

/* Returns the number of the communicator of a team that the location is in; UINT32_MAX: no memory. Context: hook;
 * the first team of a communicator: birth. */
uint32_t fathom_trace_team_comm(struct fathom_trace *trace, const struct fathom_team *team);

/* Returns the location's membership in the communicator; NULL: it has none, or trace is NULL. Context: finish. */
const struct fathom_trace_membership *fathom_trace_team_membership(const struct fathom_trace *trace, uint32_t comm);

/* Records that the location executes task from now on; NULL: its implicit task. Context: hook, finish. */
void fathom_trace_switch_to(struct fathom_location *self, struct fathom_trace *trace, const struct fathom_task *task,
			    uint64_t now);

/* Returns true if all members took part in all teams, and all tasks that were created are complete, as OTF2 demands.
 * Called when recording is over. Context: finish. */
bool fathom_trace_teams_are_complete(void);

/* What a location has begun to record of a team: there is a record of the begin, and not yet of the end. */
enum fathom_trace_open {
	FATHOM_TRACE_OPEN_FORK = 1,	/* no join; of the leader, as the region */
	FATHOM_TRACE_OPEN_TEAM = 2,	/* no end of the team */
	FATHOM_TRACE_OPEN_REGION = 4,	/* no leave of the parallel region */
};

/* Returns the bits of enum fathom_trace_open. word: the team's member records for its leader, team_records of the trace
 * for a worker. The thread may have been stopped in the middle of the records. Context: finish, signal. */
uint64_t fathom_trace_team_open(const struct fathom_trace *trace, uint64_t word);

/* Returns the stage of the records of teams, and of tasks that begin and end. No stage after it takes part in these
 * events. Context: start. */
struct fathom_stage fathom_trace_team_records_before(struct fathom_stage after);

/* Functions of the substrate's table (event/substrate.h). Context: hook. */
void fathom_trace_fork(struct fathom_location *self, struct fathom_team *team, uint32_t threads, uint64_t now);
void fathom_trace_join(struct fathom_location *self, struct fathom_team *team, uint64_t now);
void fathom_trace_task_create(struct fathom_location *self, const struct fathom_task *task, uint64_t now);
void fathom_trace_task_switch(struct fathom_location *self, const struct fathom_task *task, uint64_t now);

#endif
