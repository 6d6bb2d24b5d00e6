/*
 * score_data: the data of `fathom score`: the predicted records of the trace of a run.
 *
 * record: a record of the trace; its size follows from OTF2's encoding, see score_size.h.
 *
 * name: the regions with one linker name, to which the rules of a filter apply together.
 *
 * relevant: a name with a region that is an MPI call, an OpenMP construct or a thread call, or that is above one on any
 * call path.
 */
#ifndef FATHOM_TOOLS_COMMON_SCORE_DATA_H
#define FATHOM_TOOLS_COMMON_SCORE_DATA_H

#include <stdbool.h>
#include <stdint.h>

#include "filter/filter.h"
#include "tools/common/activity_times.h"
#include "tools/common/profile.h"
#include "tools/common/text_layout.h"

/* The limit of metrics of the program that are predicted; profiles have fewer. */
enum { FATHOM_SCORE_GIVEN = 128, FATHOM_SCORE_VALUES = 12 };

/* The values of a call path at one location. */
struct fathom_score_values {
	double visits;
	double sent, received;			/* messages */
	double bytes_sent, bytes_received;	/* by messages and collective operations */
	double bytes_put, bytes_get;
	double bytes_read, bytes_written;	/* from and to files */
	double sampled;				/* own samples, or own time; see struct fathom_score */
	double amounts, real_amounts;		/* how many amounts the program gave in all, and of type double */
	double given[FATHOM_SCORE_GIVEN];	/* values of the metrics in struct fathom_score's given */
	uint32_t location;
};

struct fathom_score_cost {
	double events, bytes;
};

/* The records that a visit of a region has. */
enum fathom_score_shape {
	FATHOM_SCORE_PLAIN,		/* enter and leave */
	FATHOM_SCORE_NONE,		/* no records: the visits are contained in other records */
	FATHOM_SCORE_PROGRAM,
	FATHOM_SCORE_PARALLEL,
	FATHOM_SCORE_FORK,		/* the fork and join of the leader of a team */
	FATHOM_SCORE_TASK,		/* one visit: begin and end of a task */
	FATHOM_SCORE_TASK_CREATE,
	FATHOM_SCORE_COLLECTIVE,
	FATHOM_SCORE_REQUEST,		/* a collective operation that is completed by another call */
	FATHOM_SCORE_COMM,		/* makes or frees a communicator */
	FATHOM_SCORE_INIT,		/* MPI_Init, MPI_Finalize */
	FATHOM_SCORE_RMA,		/* a one-sided operation, and its completion by another call */
	FATHOM_SCORE_RMA_ALL,		/* makes or frees a window, or is a fence */
	FATHOM_SCORE_RMA_LOCK,
	FATHOM_SCORE_RMA_GROUP,		/* begins or ends an epoch with a group of processes */
	FATHOM_SCORE_IO,		/* reads or writes */
	FATHOM_SCORE_IO_HANDLE,		/* opens or closes */
	FATHOM_SCORE_THREAD_CREATE,
	FATHOM_SCORE_JOIN,
	FATHOM_SCORE_LOCK,		/* acquires a lock, or releases it for a condition variable */
};

struct fathom_score_name {
	uint32_t region;		/* the first region of that name */
	double visits;
	double seconds;			/* inclusive time */
	struct fathom_score_cost cost;	/* of all processes */
	bool relevant;
	bool can_drop;			/* a filter can leave it out */
	bool dropped;			/* the proposed filter leaves it out */
};

struct fathom_score_process {
	int64_t rank;
	uint32_t locations;
	struct fathom_score_cost cost;
	double kinds[FATHOM_KIND_COUNT];	/* bytes by activity */
	double rest;			/* bytes with the filter */
};

/* The tool for which a filter is written. */
enum fathom_score_as { FATHOM_SCORE_AS_FATHOM, FATHOM_SCORE_AS_TAU, FATHOM_SCORE_AS_SCOREP };

struct fathom_score_options {
	const char *target;
	const char *filter;		/* file to be written, NULL: none */
	enum fathom_score_as as;	/* format of the file to be written */
	const char *with;		/* file to be read, NULL: none */
	double samples;			/* FATHOM_TRACE_SAMPLES of the trace; 0: it has no samples */
	double limit;			/* bytes for each process; 0: the functions that are worth it are dropped */
	int64_t top;			/* number of regions listed; -1: the default */
	int width;
	enum fathom_colour colour;
	bool json;
};

struct fathom_score {
	struct fathom_score_options options;
	struct fathom_filter rules;	/* of options.with; none: the functions to drop are chosen */
	struct fathom_profile profile;
	const char *sampled_by;		/* the metric that predicts samples: samples if the profile has them, else time;
					 * NULL: the trace is to have no samples */
	double samples_each;		/* of the trace, for each unit of that metric */
	double tasks, task_creators;	/* explicit tasks, and locations that create tasks */
	double *counter_bytes;	/* by location: bytes of the readings of its counters at an event; NULL: no counters */
	double *counter_records;	/* by location: records of these readings */
	struct fathom_score_given {	/* a metric whose values the program gave */
		int32_t metric;		/* for points: their number; for amounts: their sum */
		bool is_amount;
		bool is_real;
		double bytes;		/* of a record; for an amount without the value */
	} given[FATHOM_SCORE_GIVEN];
	uint32_t given_count;
	uint8_t *shapes;		/* by cnode: enum fathom_score_shape */
	uint32_t *name_of;		/* by region */
	struct fathom_score_name *names;
	uint32_t name_count;
	uint32_t *order;		/* of names: the names with most bytes come first */
	struct fathom_score_process *processes;	/* in the order of the file */
	uint32_t process_count;
	struct fathom_score_cost total;
	double kinds[FATHOM_KIND_COUNT];	/* bytes, */
	double kind_events[FATHOM_KIND_COUNT];
	uint32_t largest;		/* index of the process with most bytes */
	uint32_t dropped_count;
	struct fathom_score_cost dropped;
	double rest_most;		/* bytes of the largest process with the filter */
	bool over_limit;	/* the limit is exceeded even if all functions that can be dropped are dropped */
};

#endif
