/*
 * extraction: turns the events of a trace, in the order of time, into call paths with their times and visits, and into
 * the operation log of each location.
 *
 * extraction.c handles regions, time and tasks; message_parts.c, window_parts.c and team_parts.c handle what MPI calls,
 * one-sided communication and threads did.
 * Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_ANALYZE_EXTRACTION_H
#define FATHOM_TOOLS_ANALYZE_EXTRACTION_H

#include <stdbool.h>

#include "otf2/archive_reader.h"
#include "otf2/region_stacks.h"
#include "tools/analyze/call_tree.h"
#include "tools/analyze/neighborhoods.h"
#include "tools/analyze/operation_log.h"

/* How a region matters to the search. */
enum fathom_region_use {
	FATHOM_USE_NONE,
	FATHOM_USE_MPI,			/* an MPI call */
	FATHOM_USE_MPI_TEST,		/* an MPI call that never waits for others */
	FATHOM_USE_MPI_INIT,
	FATHOM_USE_MPI_FINALIZE,
	FATHOM_USE_MPI_NEIGHBOR,	/* a neighbourhood operation */
	FATHOM_USE_MPI_POST,		/* MPI_Win_post, start, complete, wait and test */
	FATHOM_USE_MPI_START,
	FATHOM_USE_MPI_COMPLETE,
	FATHOM_USE_MPI_WIN_WAIT,
	FATHOM_USE_BARRIER,		/* of OpenMP */
	FATHOM_USE_IMPLICIT_BARRIER,
	FATHOM_USE_CRITICAL,		/* a construct whose body a lock protects */
	FATHOM_USE_LOCK,		/* a call that may acquire or release a lock */
	FATHOM_USE_CONDITION,		/* a call that waits for a condition, and releases a lock meanwhile */
};

/* A team that a location is in. The first one of each location stands for the time outside of all teams. */
struct fathom_extraction_team {
	uint32_t anchor;	/* the call path below which the team's calls are; FATHOM_NO_CALL_PATH: none */
	uint32_t instance;	/* number of the team in its process */
	uint32_t number;	/* of this location in the team */
	uint32_t barriers;	/* number of barriers that this location has begun */
	bool is_known;		/* instance is known: the trace has the fork */
};

struct fathom_extraction_location {
	uint32_t process;	/* index */
	bool is_hosted;		/* this process analyzes the location */
	bool is_in_program;	/* between its program begin and program end */
	uint64_t first, last;	/* times of its first and last event; 0: it has none */
	uint64_t since;		/* the time up to which its time is charged */
	bool is_off;		/* its measurement is off */
	uint32_t paused_path;	/* where measurement was last switched off; FATHOM_NO_CALL_PATH: in no region */
	uint32_t off_path;	/* the call path that has the time without measurement; FATHOM_NO_CALL_PATH: none */
	uint64_t on_since;	/* the time at which measurement was last switched on; 0: never */
	struct fathom_call_values *values;	/* by call path */
	uint64_t *map_ticks;	/* by call path: time since the last time map */
	uint32_t value_room;	/* of both arrays */
	uint32_t *touched;	/* the call paths whose map_ticks are not 0 */
	uint32_t touched_count;
	size_t touched_room;
	struct fathom_extraction_team *teams;	/* as many as the stacks of the location have */
	size_t team_room;
	struct fathom_operation_log log;
	struct {
		enum fathom_region_use use;	/* FATHOM_USE_NONE: no operation is open */
		uint32_t path;
		uint64_t begin;
		uint64_t own_ticks;	/* time in path itself */
		uint64_t task_ticks;	/* of a barrier: time in which it executed tasks */
		uint32_t record;	/* FATHOM_WAITS_NO_RECORD: the operation has no part, so it is not in the log */
	} open;				/* the operation that the location is in */
	uint64_t nested;		/* number of parts within an operation of another kind, which are dropped */
};

/* A team between its fork and its join. */
struct fathom_extraction_fork {
	uint32_t process, location, anchor, instance, size, begun;
	bool has_comm;
	uint64_t comm;
};

/* The counters of a trace (counter_parts.c). */
struct fathom_counters {
	struct fathom_table readings;	/* by location and counter: the last value */
	struct fathom_table amounts;	/* by location, call path and counter */
};

struct fathom_extraction {
	struct fathom_otf2_archive *trace;
	struct fathom_call_tree tree;
	struct fathom_otf2_stacks stacks;	/* of call paths in place of regions */
	struct fathom_extraction_location *locations;
	uint32_t location_count;
	enum fathom_region_use *uses;	/* by index of region */
	uint32_t region_count;		/* of defined regions */
	uint32_t program_region;	/* region_count: the trace does not define it */
	uint32_t tasks_region;		/* behind all defined ones: the region above the call paths of tasks */
	uint32_t off_region;		/* behind tasks_region: the region that has the time without measurement */
	const char *program;		/* name of the program; "" if the trace does not have it */
	char command[4096];
	struct fathom_table requests;	/* by process and request */
	struct fathom_table creations;	/* by process, team and thread: where a thread was created */
	struct fathom_extraction_fork *forks;
	size_t fork_count, fork_room;
	uint32_t *instances;		/* by process: number of teams until now */
	struct fathom_table task_stubs;	/* by location: the stub of the task that it runs */
	struct fathom_counters counters;
	uint64_t events, kinds[FATHOM_RECORD_COUNT];
	uint64_t first, last;		/* times of the whole trace */
	uint64_t unmatched_requests;	/* completions of requests that did not begin */
	struct fathom_neighborhoods neighborhoods;
	uint64_t unknown_neighborhoods;	/* neighbourhood operations whose neighbours the trace does not have */
	bool without_logs;
};

/* Prepare the extraction of an open trace whose definitions are read, and free everything. */
void fathom_extraction_init(struct fathom_extraction *extraction, struct fathom_otf2_archive *trace);
void fathom_extraction_fini(struct fathom_extraction *extraction);

/* Takes an event; the function for fathom_otf2_read_events. */
bool fathom_extraction_take(void *extraction, const struct fathom_otf2_event *event);

/* Closes all regions and operations that are still open, at the time of the location's last event. */
void fathom_extraction_finish(struct fathom_extraction *extraction);

/* Charges the time of the location since its last change to its innermost call path. */
void fathom_extraction_charge(struct fathom_extraction *extraction, const struct fathom_otf2_event *event);

/* Returns the values of a location at a call path. They move when a call path gets values for the first time. */
struct fathom_call_values *fathom_extraction_values(struct fathom_extraction *extraction, uint32_t location,
						    uint32_t path);

/* Returns the innermost call path of a location; FATHOM_NO_CALL_PATH: it is in no region. */
uint32_t fathom_extraction_path(struct fathom_extraction *extraction, uint32_t location);

/* Returns the team that the location works in. */
struct fathom_extraction_team *fathom_extraction_team(struct fathom_extraction *extraction, uint32_t location);

/* Adds a part to the open operation of the event's location; if none is open, adds an operation without duration.
 * posted of the part becomes the record of the operation if it is FATHOM_SAME_RECORD. Returns this record;
 * FATHOM_WAITS_NO_RECORD: the part was dropped. */
#define FATHOM_SAME_RECORD (FATHOM_WAITS_NO_RECORD - 1)
uint32_t fathom_extraction_part(struct fathom_extraction *extraction, const struct fathom_otf2_event *event,
				struct fathom_waits_part part);

/* Opens an operation in the innermost call path of the location; ends the open operation. */
void fathom_extraction_begin(struct fathom_extraction *extraction, const struct fathom_otf2_event *event,
			     enum fathom_region_use use);
void fathom_extraction_end(struct fathom_extraction *extraction, uint32_t location, uint64_t time);

/* message_parts.c and team_parts.c: the sizes of the entries in the tables of requests and creations. */
extern const size_t fathom_extraction_request_bytes, fathom_extraction_creation_bytes;

/* message_parts.c, window_parts.c and team_parts.c: take an event of the part of the table of records that the name
 * says. */
void fathom_extraction_message(struct fathom_extraction *extraction, const struct fathom_otf2_event *event);
void fathom_extraction_window(struct fathom_extraction *extraction, const struct fathom_otf2_event *event);
void fathom_extraction_thread(struct fathom_extraction *extraction, const struct fathom_otf2_event *event);
void fathom_extraction_lock(struct fathom_extraction *extraction, const struct fathom_otf2_event *event);

/* counter_parts.c: takes an event of the kind FATHOM_RECORD_METRIC. A counter that counts from the start of the run is
 * charged with its growth since the location's last value, to the innermost call path; an amount that the program gives
 * is charged as it is. Single values (temperatures, queue lengths) cannot be summed up and are left out. */
void fathom_extraction_counters(struct fathom_extraction *extraction, const struct fathom_otf2_event *event);
void fathom_counters_init(struct fathom_counters *counters);
void fathom_counters_fini(struct fathom_counters *counters);

/* team_parts.c: adds the part of a barrier that the location has entered. */
void fathom_extraction_barrier(struct fathom_extraction *extraction, const struct fathom_otf2_event *event,
			       bool is_implicit);

#endif
