/*
 * thread_aggregation: maps the threads of a process to locations of the file: each thread to one location, or several
 * threads to one.
 *
 * thread     a location of the process tree, by its number there; 0 is the initial thread.
 * location   a column of the file.
 *
 * FATHOM_THREADS selects the locations for n threads:
 *
 *	all		n locations: each thread
 *	sum		1: the sum of all threads
 *	set		1: statistics over the threads that visited a call path
 *	key		4: the initial thread, the fastest and the slowest of the others by the time they worked,
 *			and the sum of the rest; fewer if there are fewer threads
 *	calltree	one for each group of threads that visited the same call paths: the sum of the group
 *
 * Every process does this by itself; no message is sent. Times are integers, so the locations of a process have
 * exactly the same sum with all strategies.
 *
 * All locations of a process tree are threads that run on processors. Other kinds of locations (streams of
 * accelerators, metrics of the whole process) must never be merged with these: a later version should give them
 * locations of their own behind those of the threads, in fathom_aggregate_finish.
 */
#ifndef FATHOM_PROFILE_THREAD_AGGREGATION_H
#define FATHOM_PROFILE_THREAD_AGGREGATION_H

#include <stddef.h>
#include <stdint.h>

#include "platform/settings.h"
#include "profile/process_tree/process_tree.h"

/* The numbers that a value consists of if it is statistics over threads; any other value is one number. */
enum fathom_statistic {
	FATHOM_STATISTIC_COUNT,
	FATHOM_STATISTIC_MIN,
	FATHOM_STATISTIC_MAX,
	FATHOM_STATISTIC_SUM,
	FATHOM_STATISTIC_SQUARES,	/* sum of the squares: the bits of a double, as an integer would need 128
					 * bits */
	FATHOM_STATISTICS
};

struct fathom_aggregate {
	enum fathom_threads threads;
	uint32_t thread_count;
	uint32_t value_count;		/* number of values of the process tree */
	uint32_t location_count;	/* valid after fathom_aggregate_finish */
	uint32_t *location_of;		/* its location, by thread */
	/* Used before fathom_aggregate_finish only: */
	const struct fathom_tree *tree;
	uint64_t *work;			/* key: by thread, the time spent working, in units */
	uint8_t *is_task;		/* key: by call path, whether it is in the tree of explicit tasks */
	uint32_t *first;		/* calltree: by group, its lowest thread */
	uint32_t *split;		/* calltree: by group, the group that is split off at this call path; 0: none */
	uint32_t group_count;
};

/* fathom_aggregate_choose sets the strategy of FATHOM_THREADS; fathom_aggregate_chosen returns it. Context: start;
 * any. */
void fathom_aggregate_choose(enum fathom_threads threads);
enum fathom_threads fathom_aggregate_chosen(void);

/* The aggregation has three steps: init; then add_path for all call paths of the process tree, root first, each with
 * its region and the values from fathom_process_tree_values; then finish. Memory comes from arena. 0 or -ENOMEM.
 * Context: finish, signal. */
int fathom_aggregate_init(struct fathom_aggregate *aggregate, struct fathom_arena *arena,
			  const struct fathom_process_tree *process, enum fathom_threads threads);
void fathom_aggregate_add_path(struct fathom_aggregate *aggregate, uint32_t path, const struct fathom_region *region,
			       const uint64_t *values);
int fathom_aggregate_finish(struct fathom_aggregate *aggregate, struct fathom_arena *arena);

/* Returns, for each location, its name and the numbers of its threads ("0,2-7"; "" if the location is a thread
 * itself), each with a NUL, one after the other; *bytes is their length. NULL: no memory. Context: finish, signal. */
char *fathom_aggregate_names(const struct fathom_aggregate *aggregate, struct fathom_arena *arena,
			     const struct fathom_process_tree *process, size_t *bytes);

/* Returns how many numbers a value of this type consists of at a location. 0: the strategy does not have this value.
 * Any context. */
uint32_t fathom_aggregate_width(enum fathom_threads threads, uint32_t value, enum fathom_metric_type type);

/* Adds part, the values of a second node of the same call path, to sum. Both are values[value_count][thread].
 * Context: finish, signal. */
void fathom_aggregate_add(const struct fathom_aggregate *aggregate, uint64_t *sum, const uint64_t *part);

/* Makes the values of the locations at a call path from those of the threads, values[value_count][thread]: for each
 * value the row [location][width], at cells + fathom_aggregate_offset(value). Returns which rows have a value that is
 * not neutral, as bits by value. fathom_aggregate_offset(value_count) is the size of all rows. Context: finish,
 * signal. */
fathom_presence fathom_aggregate_cells(const struct fathom_aggregate *aggregate, const uint64_t *values,
				       uint64_t *cells);
size_t fathom_aggregate_offset(const struct fathom_aggregate *aggregate, uint32_t value);

/* Returns the value of a location that never visited a call path. Any context. */
static inline uint64_t fathom_aggregate_neutral(uint32_t value)
{
	return value == FATHOM_VALUE_MIN ? UINT64_MAX : 0;
}

#endif
