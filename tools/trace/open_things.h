/*
 * open_things: the data of open_state, which follows the events, and of open_writing, which writes events that open and
 * close what is open.
 */
#ifndef FATHOM_TOOLS_TRACE_OPEN_THINGS_H
#define FATHOM_TOOLS_TRACE_OPEN_THINGS_H

#include "otf2/selection.h"
#include "tools/trace/copy_plan.h"

struct fathom_open_item {	/* an event that opened something */
	struct fathom_otf2_event event;
	uint64_t number;
	OTF2_StringRef *arguments;	/* of ProgramBegin; NULL: none */
};

struct fathom_open_items {	/* in the order of the events */
	struct fathom_open_item *list;
	size_t count, room;
};

struct fathom_open_task {	/* an explicit task that is not complete */
	struct fathom_table_entry entry;	/* process, team, creator << 32 | number */
	struct fathom_open_item creation;		/* its event is valid if it was created */
	struct fathom_open_items items;
	uint32_t location;		/* where it ran last */
	bool is_created, is_started;
};

struct fathom_open_thread {	/* a created thread */
	struct fathom_table_entry entry;	/* process, team, number */
	struct fathom_open_item creation;
	bool is_created, is_ended;
};

/* A communicator, window or handle that exists in a process, or a request. */
struct fathom_open_single {
	struct fathom_table_entry entry;	/* process, id */
	struct fathom_open_item item;
	bool is_left_out;
};

struct fathom_open_access {	/* a one-sided operation */
	struct fathom_table_entry entry;	/* process, window, id */
	struct fathom_otf2_event event;
	bool is_local, is_remote;	/* its completion here, or at the target, is missing */
};

struct fathom_open_lock {
	struct fathom_table_entry entry;	/* process, paradigm, lock */
	uint32_t last, held;		/* numbers of the last acquisition, and of the first that is not released */
	uint32_t depth;			/* acquisitions that are not released */
	uint32_t before;		/* number of acquisitions before the window */
};

/* The last values of a metric that has values at each enter and leave. */
struct fathom_open_strict {
	struct fathom_open_strict *next;
	struct fathom_otf2_event event;
	OTF2_Type types[UINT8_MAX];
	OTF2_MetricValue values[UINT8_MAX];
};

struct fathom_open_team {	/* by communicator: how often each member began and ended its part */
	uint64_t *begun, *ended;
	uint32_t size;
};

struct fathom_open_place {	/* a location */
	struct fathom_open_items items;
	struct fathom_open_task *task;		/* the explicit task that runs; NULL: the implicit one */
	bool after_task;		/* a task is complete, and no event says yet what runs next */
	uint64_t after_team;		/* its team */
	struct fathom_open_strict *strict;
	bool in_collective, skips_collective;		/* the collective operation that is open is left out */
	bool in_window_collective, skips_window_collective;
};

struct fathom_open_state {
	struct fathom_otf2_selection *selection;
	const struct fathom_copy_plan *plan;
	struct fathom_otf2_defs *defs;
	struct fathom_open_place *places;
	struct fathom_open_team **teams;
	size_t place_count, comm_count;
	struct fathom_table tasks, threads, comms, windows, handles, requests, file_operations, accesses,
		locks;
	bool is_inside;			/* the window has begun */
};

#endif
