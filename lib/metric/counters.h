/*
 * counters: opens and reads the strict metrics that FATHOM_METRICS asks for.
 *
 * Each thread opens its counters at the birth of its location, and closes them when it ends. The thread that starts the
 * measurement, which runs main, also opens the counters of the whole process.
 */
#ifndef FATHOM_METRIC_COUNTERS_H
#define FATHOM_METRIC_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "metric/counter_source.h"
#include "platform/compiler.h"

enum { FATHOM_COUNTER_PARTS = 10 };	/* sources, once for threads and once for the process */

struct fathom_counters {	/* the open counters of a thread; the memory is reused for other threads */
	struct fathom_metric_reader parts[FATHOM_COUNTER_PARTS];
	uint32_t part_count;
	uint32_t group;		/* whose events are open, see fathom_metric_group_count */
	struct fathom_counter_turn *turn;	/* NULL: the group never changes */
	struct fathom_counters *next;	/* the next unused structure */
};

/* The counters of the calling thread; NULL: it has opened none. */
extern FATHOM_HIDDEN FATHOM_TLS struct fathom_counters *fathom_own_counters;

enum { FATHOM_NO_COUNTER_GROUP = UINT32_MAX };	/* the group of a thread whose counters could not be opened */

/* Which counters are wanted. */
struct fathom_counter_wishes {
	const char *lists;	/* "PAPI_TOT_INS,perf::PAGE-FAULTS,@memory"; of several groups with | between them */
	bool multiplex;		/* the processor's counters take turns, and values are estimates */
	bool says;		/* prints a message for counters that this machine does not have */
	/* Used if there are several groups: */
	uint32_t first_group;	/* that threads count first */
	uint64_t turn_ns;	/* the least time between two changes */
	uint32_t turn_bursts;	/* or the number of bursts after which the group changes earlier; 0: never */
};

/*
 * Finds the counters that are wanted, opens them for the calling thread and for the process, and defines their metrics.
 * Counters that this machine does not have are left out. Returns 0, or -EINVAL with a line in error if no machine has
 * one of the names, or the groups are wrong. Context: start.
 */
int fathom_counters_start(const struct fathom_counter_wishes *wishes, char *error, size_t error_bytes);

/*
 * A burst of the calling thread, whose counters these are, has ended, and no other one has begun. If the time of its
 * group is over, the thread counts the next group from now on. values, by id, are the last readings; they go on from
 * there. Returns whether the group has changed. Keeps errno. Only if there are several groups. Context: hook, with
 * system calls.
 */
bool fathom_counters_turn(struct fathom_counters *counters, uint64_t now, uint64_t *values);

/* Returns the counters of the calling thread, and opens them if they are not open. NULL: no memory. Keeps errno.
 * Context: birth. */
struct fathom_counters *fathom_counters_open(void);

/* Returns the time that reading the counters takes, measured at the start. NULL: there are none. Context: finish,
 * signal. */
const struct fathom_reading *fathom_counters_reading(void);

/* If the instruction that reads a counter raised the signal: switches to another way of reading counters and
 * returns true; the thread can continue. context: the third argument of the signal handler. Context: signal. */
bool fathom_counters_recover(int signal, void *context);

/* Prints the counters of libraries that stayed at 0 all the time, because PAPI accepts any name for these; and says so
 * if there are several groups and no thread has changed from one to another. Context: finish. */
void fathom_counters_say_silent(const uint64_t *values);

/* Forgets all counters in a child of fork, because they count the parent. Context: birth. */
void fathom_counters_forget(void);

/* Stores the readings of the counters of a part in values, by the ids of their metrics. A value that cannot be read is
 * unchanged. Keeps errno. Context: hook, with a system call. */
void fathom_counters_read_part(struct fathom_metric_reader *part, uint64_t *values);

#endif
