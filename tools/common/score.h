/*
 * score: `fathom score`, how large the trace of a run would be, from its profile, and what to leave out of it.
 *
 * record     what a trace has of an event; its size follows from OTF2's encoding, see score_size.h.
 * name       regions of the same linker name: what one rule of a filter is about.
 * relevant   a name with a region that is MPI, OpenMP or a thread call, or on the way to one anywhere.
 *
 * Only files of events are predicted. Definitions come on top: some hundred bytes a thread and region.
 */
#ifndef FATHOM_TOOLS_COMMON_SCORE_H
#define FATHOM_TOOLS_COMMON_SCORE_H

#include <stdbool.h>
#include <stdint.h>

#include "filter/filter.h"
#include "tools/common/activity_times.h"
#include "tools/common/profile.h"
#include "tools/common/text_layout.h"

/* Metrics of the program that are looked at; in a profile there are fewer. */
enum { FATHOM_SCORE_GIVEN = 128, FATHOM_SCORE_VALUES = 11 };

/* The values of a call path at one location. */
struct fathom_score_values {
	double visits;
	double sent, received;			/* messages */
	double bytes_sent, bytes_received;	/* by messages and collective operations */
	double bytes_put, bytes_get;
	double bytes_read, bytes_written;	/* from and to files */
	double amounts, real_amounts;		/* how many amounts the program gave in all, and of type double */
	double given[FATHOM_SCORE_GIVEN];	/* values of the metrics in struct fathom_score's given */
	uint32_t location;
};

struct fathom_score_cost {
	double events, bytes;
};

/* How the records of a region's visits look. */
enum fathom_score_shape {
	FATHOM_SCORE_PLAIN,		/* enter and leave */
	FATHOM_SCORE_NONE,		/* no records: the visits show in other records */
	FATHOM_SCORE_PROGRAM,
	FATHOM_SCORE_PARALLEL,
	FATHOM_SCORE_FORK,		/* what the leader of a team does to fork and join */
	FATHOM_SCORE_TASK,		/* one visit: begin and end of a task */
	FATHOM_SCORE_TASK_CREATE,
	FATHOM_SCORE_COLLECTIVE,
	FATHOM_SCORE_REQUEST,		/* a collective that is completed elsewhere */
	FATHOM_SCORE_COMM,		/* makes or frees a communicator */
	FATHOM_SCORE_INIT,		/* MPI_Init, MPI_Finalize */
	FATHOM_SCORE_RMA,		/* an operation of one side, and its completion elsewhere */
	FATHOM_SCORE_RMA_ALL,		/* makes or frees a window, or is a fence */
	FATHOM_SCORE_RMA_LOCK,
	FATHOM_SCORE_RMA_GROUP,		/* begins or ends an epoch of some */
	FATHOM_SCORE_IO,		/* reads or writes */
	FATHOM_SCORE_IO_HANDLE,		/* opens or closes */
	FATHOM_SCORE_THREAD_CREATE,
	FATHOM_SCORE_JOIN,
	FATHOM_SCORE_LOCK,		/* acquires a lock, or lends it to others */
};

struct fathom_score_name {
	uint32_t region;		/* the first region of that name */
	double visits;
	double seconds;			/* inclusive time */
	struct fathom_score_cost cost;	/* of all processes */
	bool relevant;
	bool can_drop;			/* a filter can leave it out */
	bool dropped;			/* the filter proposed leaves it out */
};

struct fathom_score_process {
	int64_t rank;
	uint32_t locations;
	struct fathom_score_cost cost;
	double kinds[FATHOM_KIND_COUNT];	/* bytes by activity */
	double rest;			/* bytes with the filter */
};

struct fathom_score_options {
	const char *target;
	const char *filter;		/* file to be written, NULL: none */
	const char *with;		/* file to be read, NULL: none */
	double limit;			/* bytes a process, 0: what is worth it */
	int64_t top;			/* regions listed, -1: some */
	int width;
	enum fathom_colour colour;
	bool json;
};

struct fathom_score {
	struct fathom_score_options options;
	struct fathom_filter rules;	/* of options.with; none: what is dropped is chosen */
	struct fathom_profile profile;
	double tasks, task_creators;	/* explicit tasks, and locations that make some */
	double *counter_bytes;		/* by location: of the readings of its counters at an event; NULL: none are */
	double *counter_records;	/* and how many records they are */
	struct fathom_score_given {	/* what the program gave */
		int32_t metric;		/* at points: how often; amounts: their sum */
		bool is_amount;
		bool is_real;
		double bytes;		/* of a record; of an amount without the value */
	} given[FATHOM_SCORE_GIVEN];
	uint32_t given_count;
	uint8_t *shapes;		/* by cnode: enum fathom_score_shape */
	uint32_t *name_of;		/* by region */
	struct fathom_score_name *names;
	uint32_t name_count;
	uint32_t *order;		/* of names: those that cost most first */
	struct fathom_score_process *processes;	/* in the order of the file */
	uint32_t process_count;
	struct fathom_score_cost total;
	double kinds[FATHOM_KIND_COUNT];	/* bytes, */
	double kind_events[FATHOM_KIND_COUNT];
	uint32_t largest;		/* process */
	uint32_t dropped_count;
	struct fathom_score_cost dropped;
	double rest_most;		/* bytes of the largest process with the filter */
	bool over_limit;		/* still, with everything dropped that can be */
};

/* Predicts the trace from score->profile, which is open. 0, or -errno after an error message. */
int fathom_score_analyse(struct fathom_score *score);
void fathom_score_fini(struct fathom_score *score);

/* The name that the compiler gave a region, else its name: filter rules are about these. */
const char *fathom_score_linker_name(const struct fathom_cube_region *region);

#endif
