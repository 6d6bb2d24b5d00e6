/*
 * search_input: what a host of the search for wait states has, and what the search gives back (search.h).
 */
#ifndef FATHOM_WAITS_SEARCH_INPUT_H
#define FATHOM_WAITS_SEARCH_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "waits/operation.h"
#include "waits/wait_patterns.h"

/* A communicator or window, as one process knows it. */
struct fathom_waits_communicator {
	uint64_t identity;	/* equal at all members, and different from all other communicators and windows */
	uint32_t count;		/* of members; 0: not known, then collective operations on it are left out */
	uint32_t position;	/* of this process among the members */
	const uint32_t *ranks;	/* by position: rank in the world; NULL: it is first + position * stride */
	uint32_t first, stride;
	bool is_inter;		/* an intercommunicator: the members are those of the own group, messages are searched,
				 * and collective operations are left out */
};

enum { FATHOM_WAITS_DIMENSIONS = 8 };	/* a grid has at most this many */

/* A grid in which the members of a communicator have positions. */
struct fathom_waits_grid {
	uint32_t comm;			/* number of the communicator in the process */
	uint32_t dimension_count;
	const uint32_t *sizes;		/* by dimension */
	const bool *are_periodic;	/* NULL: no dimension is periodic */
	const uint32_t *at;		/* [position in the communicator][dimension]; NULL: the members are in the
					 * order of the grid, the last dimension running fastest */
};

/* A location and its log. The search reads the log forward and backward and does not change it; it may be a file that
 * is mapped into memory. */
struct fathom_waits_location {
	uint32_t number;	/* of the thread in its process; the initial thread is number 0 */
	uint32_t count;		/* of records, at most FATHOM_WAITS_NO_RECORD - 1 */
	const struct fathom_waits_record *records;
	uint32_t file_records;	/* so many records at the begin are pages of a file: the search gives their memory
				 * back */
	uint64_t lost;		/* number of operations that are missing in the log because there was no room */
	uint64_t begin, end;	/* of the location's life, in ticks; 0: as the first and last operation of the log */
};

/* A process of the measured program. */
struct fathom_waits_process {
	uint32_t rank;		/* in the world */
	uint32_t location_count;
	const struct fathom_waits_location *locations;	/* in ascending order of their numbers */
	uint32_t communicator_count;
	const struct fathom_waits_communicator *communicators;	/* by the numbers in the parts */
	uint32_t window_count;
	const struct fathom_waits_communicator *windows;	/* by the numbers in parts FATHOM_WAITS_RMA */
	const struct fathom_waits_grid *grid;	/* NULL: the process has no position in a grid */
};

/* A single wait state, or a piece of the critical path: an interval of a location. */
struct fathom_waits_interval_found {
	const struct fathom_waits_process *process;
	const struct fathom_waits_location *location;
	enum fathom_waits_pattern pattern;	/* of the waiting, or FATHOM_WAITS_CRITICAL_PATH */
	double begin, end;			/* in seconds on the common clock */
	uint32_t cause_rank;			/* the process that the location waited for; FATHOM_WAITS_NO_HOST: it
						 * is not known, or this is a piece of the critical path */
	uint32_t cause_thread;			/* index of the location there */
};

/* What a host searches in. */
struct fathom_waits_input {
	uint32_t world_size;			/* number of processes of the measured program */
	uint32_t process_count;
	const struct fathom_waits_process *processes;	/* that this host has, in ascending order of their ranks */
	void *context;				/* for the functions */

	/* Returns the rank in comm of the host that has a process, or FATHOM_WAITS_NO_HOST: nobody has it. All hosts
	 * give the same answers. NULL: each rank of comm has the process of its own rank. */
	uint32_t (*host)(void *context, uint32_t rank);

	/* Converts ticks of a process's clock to seconds on a clock that all processes have in common, and that was 0
	 * near the begin of the run (a double cannot hold seconds since 1970 precisely). Monotonic. */
	double (*seconds)(void *context, const struct fathom_waits_process *process, uint64_t ticks);

	/* Returns a hash of the regions on a call path from its root, equal in all processes. */
	uint64_t (*digest)(void *context, const struct fathom_waits_process *process,
			   const struct fathom_waits_location *location, uint64_t call_path);

	/* Takes a result: called at the end of the search, once for each location, call path and pattern whose value is
	 * not 0. Locations come in the order of the input. value: seconds, or a number where the pattern is a count. */
	void (*add)(void *context, const struct fathom_waits_process *process,
		    const struct fathom_waits_location *location, uint64_t call_path, enum fathom_waits_pattern pattern,
		    double value);

	/* Takes a wait state of messages: an operation of process waited so many seconds for the process with this rank
	 * in the world, as the receiver of a message, or else as the sender. NULL: not needed. */
	void (*add_partner)(void *context, const struct fathom_waits_process *process, uint32_t rank, bool is_receiver,
			    double seconds);

	/* Takes a single wait state or a piece of the critical path, in any order. The sum of the wait states of a
	 * pattern is what add gets, but for parts that belong to no single time. NULL: not needed. */
	void (*add_interval)(void *context, const struct fathom_waits_interval_found *found);

	/* A directory for files that have no name. They take what the search knows of the operations, 48 bytes for
	 * each record, beyond scratch_from bytes in all locations (0: 32 MB). The search then gives the memory
	 * back when it has gone through a part of the records. NULL: none. */
	const char *scratch;
	size_t scratch_from;
	uint32_t window_records;	/* the size of such a part, equal at all hosts; 0: 100000 */

	double least_wait;	/* in seconds; shorter waiting is counted, but its causes are not searched */
};

#define FATHOM_WAITS_NO_HOST UINT32_MAX

/* What the search did: sums over all processes, equal at all hosts. */
struct fathom_waits_summary {
	uint64_t operations;
	uint64_t messages;		/* that have both ends */
	uint64_t unmatched_sends;
	uint64_t unmatched_receives;
	uint64_t collectives;		/* shares of processes in complete collective operations */
	uint64_t incomplete_collectives;	/* shares in operations that not all members took part in */
	uint64_t skipped_collectives;	/* on intercommunicators and on communicators that are not known */
	uint64_t clock_violations;	/* messages that end before they begin */
	uint64_t forced;		/* operations whose causes were given up because locations wait in a circle */
	uint64_t lost;			/* sum of the member lost of all locations */
	uint64_t unhosted;		/* messages and shares for processes that nobody has */
	double waiting;			/* seconds of all wait states whose causes were searched */
	double delays;			/* sum of all delay costs */
	double unexplained;		/* the part of waiting that no delay explains */
	double begin, end;		/* the first and last time in the logs */
};

#endif
