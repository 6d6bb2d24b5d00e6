/*
 * paraver_calls: the numbers that Paraver's traces give to states, to MPI calls and to the types of events.
 *
 * The numbers are those of the configuration files that come with Paraver. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_EXPORT_PARAVER_CALLS_H
#define FATHOM_TOOLS_EXPORT_PARAVER_CALLS_H

#include <stdint.h>
#include <stdio.h>

enum fathom_paraver_state {
	FATHOM_PARAVER_IDLE = 0, FATHOM_PARAVER_RUNNING = 1, FATHOM_PARAVER_NOT_CREATED = 2, FATHOM_PARAVER_WAITING = 3,
	FATHOM_PARAVER_SENDING = 4, FATHOM_PARAVER_SYNCHRONISING = 5, FATHOM_PARAVER_TESTING = 6,
	FATHOM_PARAVER_SCHEDULING = 7, FATHOM_PARAVER_WAIT = 8, FATHOM_PARAVER_IMMEDIATE_SEND = 10,
	FATHOM_PARAVER_IMMEDIATE_RECEIVE = 11, FATHOM_PARAVER_IO = 12, FATHOM_PARAVER_GROUP = 13,
	FATHOM_PARAVER_OTHERS = 15, FATHOM_PARAVER_SEND_RECEIVE = 16, FATHOM_PARAVER_ONE_SIDED = 25,
	FATHOM_PARAVER_STATES
};

enum {				/* types of events */
	FATHOM_PARAVER_POINT_TO_POINT = 50000001, FATHOM_PARAVER_COLLECTIVE = 50000002, FATHOM_PARAVER_OTHER = 50000003,
	FATHOM_PARAVER_RMA = 50000004, FATHOM_PARAVER_MPI_IO = 50000005, FATHOM_PARAVER_BYTES_SENT = 50100001,
	FATHOM_PARAVER_BYTES_RECEIVED = 50100002, FATHOM_PARAVER_ROOT = 50100003,
	FATHOM_PARAVER_COMMUNICATOR = 50100004,
	FATHOM_PARAVER_FUNCTION = 60000019, FATHOM_PARAVER_COUNTER = 44000000
};

struct fathom_paraver_call {
	const char *name;	/* without "MPI_" */
	uint32_t type;		/* of its events */
	uint32_t value;
	enum fathom_paraver_state state;
};

/* Returns what is known of an MPI call, by its name ("MPI_Send"). Never NULL: a call without a number of its own has
 * value 0, and its state is that of its group. */
const struct fathom_paraver_call *fathom_paraver_call_of(const char *name);

/* Writes the parts of a .pcf file that do not depend on the trace, and the types and values of MPI calls. */
void fathom_paraver_write_header(FILE *out);
void fathom_paraver_write_calls(FILE *out);

#endif
