/*
 * team_records: the records of OpenMP teams and their tasks.
 *
 * OTF2 wants a team to be a communicator all members of which take part each time. So there is one for each leader,
 * level of nesting and size. Who takes part how often is counted by each location for itself.
 */
#ifndef FATHOM_TRACE_TEAM_RECORDS_H
#define FATHOM_TRACE_TEAM_RECORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "event/tasks.h"

struct fathom_trace;

/* A location's part in the teams of one communicator. Written by its thread alone, and never freed. */
struct fathom_trace_part {
	struct fathom_trace_part *next;
	const struct fathom_location *leader;
	uint32_t level;
	uint32_t size;
	uint32_t comm;			/* the number of the communicator */
	uint32_t number;		/* in its team: 0 is the leader */
	uint32_t times;			/* teams it was in */
	bool has_changed;		/* it had different numbers in them */
};

/* The number of the communicator of a team that the location is in. Context: hook; a team's first: birth. */
uint32_t fathom_trace_team_comm(struct fathom_trace *trace, const struct fathom_team *team);

/* The location's part in the communicator; NULL: it has none. Context: finish. */
const struct fathom_trace_part *fathom_trace_team_part(const struct fathom_trace *trace, uint32_t comm);

/* A record that the location executes task from now on; NULL: its implicit one. */
void fathom_trace_switch_to(struct fathom_location *self, struct fathom_trace *trace, const struct fathom_task *task,
			    uint64_t now);

/* Whether OTF2's rules for teams and tasks hold. Nothing is recorded any more. Context: finish. */
bool fathom_trace_teams_are_complete(void);

/* The functions of the substrate's table. */
void fathom_trace_fork(struct fathom_location *self, const struct fathom_team *team, uint32_t threads, uint64_t now);
void fathom_trace_team_begin(struct fathom_location *self, const struct fathom_team *team, uint32_t number,
			     uint64_t now);
void fathom_trace_team_end(struct fathom_location *self, const struct fathom_team *team, uint64_t now);
void fathom_trace_join(struct fathom_location *self, const struct fathom_team *team, uint64_t now);
void fathom_trace_task_create(struct fathom_location *self, const struct fathom_task *task, uint64_t now);
void fathom_trace_task_start(struct fathom_location *self, const struct fathom_task *task, uint64_t now);
void fathom_trace_task_switch(struct fathom_location *self, const struct fathom_task *task, uint64_t now);
void fathom_trace_task_complete(struct fathom_location *self, const struct fathom_task *task, uint64_t now);

#endif
