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
	struct fathom_counters *next;	/* the next unused structure */
};

/* The counters of the calling thread; NULL: it has opened none. */
extern FATHOM_HIDDEN FATHOM_TLS struct fathom_counters *fathom_own_counters;

/*
 * Finds the counters of list ("PAPI_TOT_INS,perf::PAGE-FAULTS,@memory"), opens them for the calling thread and for the
 * process, and defines their metrics. Counters that this machine does not have are left out, with a message if says is
 * true. Returns 0, or -EINVAL with a line in error if no machine has one of the names. Context: start.
 */
int fathom_counters_start(const char *list, bool multiplex, bool says, char *error, size_t error_bytes);

/* Returns the counters of the calling thread, and opens them if they are not open. NULL: no memory. Keeps errno.
 * Context: birth. */
struct fathom_counters *fathom_counters_open(void);

/* Returns the time that reading the counters takes, measured at the start. NULL: there are none. Context: finish,
 * signal. */
const struct fathom_reading *fathom_counters_reading(void);

/* If the instruction that reads a counter raised the signal: switches to another way of reading counters and
 * returns true; the thread can continue. context: the third argument of the signal handler. Context: signal. */
bool fathom_counters_recover(int signal, void *context);

/* Prints the counters of libraries that stayed at 0 all the time: PAPI accepts any name for these. Context: finish. */
void fathom_counters_say_silent(const uint64_t *values);

/* Forgets all counters in a child of fork, because they count the parent. Context: birth. */
void fathom_counters_forget(void);

/* Stores the readings of the counters of a part in values, by the ids of their metrics. A value that cannot be read is
 * unchanged. Keeps errno. Context: hook, with a system call. */
void fathom_counters_read_part(struct fathom_metric_reader *part, uint64_t *values);

#endif
