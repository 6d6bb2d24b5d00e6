/*
 * thread_aggregation: the threads of a process as the locations of the file, each as one or several as one.
 *
 * thread     a location of the snapshot, by its number there; 0 is the initial one.
 * location   a column of the file.
 *
 * What FATHOM_THREADS makes of the threads (n of them):
 *
 *	all		n locations: each thread
 *	sum		1: the sum
 *	set		1: statistics over the threads that visited a call path
 *	key		4: the initial thread, the fastest and the slowest of the others by the time they worked,
 *			and the sum of the rest; fewer where there are fewer threads
 *	calltree	one for each group of threads that visited the same call paths: the sum of the group
 *
 * Every process does this with what it has; no message is sent. Times stay integers, so the locations of a
 * process sum up to the same in all strategies, to the last bit.
 *
 * All locations of a snapshot are threads of processors. What else there may be one day (streams of
 * accelerators, metrics of the whole process) must never be put together with these: it is to keep locations of
 * its own behind theirs, given in fathom_aggregate_finish.
 */
#ifndef FATHOM_PROFILE_THREAD_AGGREGATION_H
#define FATHOM_PROFILE_THREAD_AGGREGATION_H

#include <stddef.h>
#include <stdint.h>

#include "platform/settings.h"
#include "profile/process_tree.h"

/* What a value consists of where it is statistics; else it is one number. */
enum fathom_statistic {
	FATHOM_STATISTIC_COUNT,
	FATHOM_STATISTIC_MIN,
	FATHOM_STATISTIC_MAX,
	FATHOM_STATISTIC_SUM,
	FATHOM_STATISTIC_SQUARES,	/* the sum of the squares: the bits of a double, as it may need 128 bits */
	FATHOM_STATISTICS
};

struct fathom_aggregate {
	enum fathom_threads threads;
	uint32_t thread_count;
	uint32_t value_count;		/* the snapshot's */
	uint32_t location_count;	/* known after fathom_aggregate_finish */
	uint32_t *location_of;		/* by thread */
	/* Until then: */
	const struct fathom_tree *tree;
	uint64_t *work;			/* key: by thread, units of time spent working */
	uint8_t *is_task;		/* key: by call path, whether it is in the tree of explicit tasks */
	uint32_t *first;		/* calltree: by group, the lowest thread */
	uint32_t *split;		/* calltree: by group, the one that leaves it at this call path; 0: none */
	uint32_t group_count;
};

/* What FATHOM_THREADS says, for all that follows. Context: start. */
void fathom_aggregate_choose(enum fathom_threads threads);
enum fathom_threads fathom_aggregate_chosen(void);

/* Begin; then all call paths of the snapshot are shown, root first, each with its region and what
 * fathom_process_tree_values gave; then finish. Memory comes from arena. 0 or -ENOMEM. Context: finish, signal. */
int fathom_aggregate_init(struct fathom_aggregate *aggregate, struct fathom_arena *arena,
			  const struct fathom_process_tree *process, enum fathom_threads threads);
void fathom_aggregate_add_path(struct fathom_aggregate *aggregate, uint32_t path, const struct fathom_region *region,
			       const uint64_t *values);
int fathom_aggregate_finish(struct fathom_aggregate *aggregate, struct fathom_arena *arena);

/*
 * For each location its name and the numbers of its threads ("0,2-7"; "" where it is a thread itself), each
 * with a NUL behind; *bytes: how long that is. NULL: out of memory.
 */
char *fathom_aggregate_names(const struct fathom_aggregate *aggregate, struct fathom_arena *arena,
			     const struct fathom_process_tree *process, size_t *bytes);

/* How many numbers a value of a location, of that type, is; 0: the strategy has no such value. */
uint32_t fathom_aggregate_width(enum fathom_threads threads, uint32_t value, enum fathom_metric_type type);

/* Into sum, what a thread has in parts of one call path: values[value_count][thread]. */
void fathom_aggregate_add(const struct fathom_aggregate *aggregate, uint64_t *sum, const uint64_t *part);

/*
 * From values[value_count][thread] of a call path what its locations have: for each value
 * the row [location][width], at cells + fathom_aggregate_offset(). Returns the
 * rows that say anything: bits by value.
 */
fathom_presence fathom_aggregate_cells(const struct fathom_aggregate *aggregate, const uint64_t *values,
				       uint64_t *cells);
size_t fathom_aggregate_offset(const struct fathom_aggregate *aggregate, uint32_t value);	/* value_count: all */

/* What a location has that never came to a call path. */
static inline uint64_t fathom_aggregate_neutral(uint32_t value)
{
	return value == FATHOM_VALUE_MIN ? UINT64_MAX : 0;
}

#endif
