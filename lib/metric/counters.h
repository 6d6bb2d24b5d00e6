/*
 * counters: the strict metrics that FATHOM_METRICS asks for, opened and read.
 *
 * Each thread opens its own when it first has a location, and closes them when it ends. Those of the whole process
 * are with the thread that starts the measurement, which is the one that runs main.
 */
#ifndef FATHOM_METRIC_COUNTERS_H
#define FATHOM_METRIC_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "metric/counter_source.h"
#include "platform/compiler.h"

enum { FATHOM_COUNTER_PARTS = 10 };	/* sources, twice: of threads and of the process */

struct fathom_counters {	/* what a thread has open; the memory is used again for other threads */
	struct fathom_metric_reader parts[FATHOM_COUNTER_PARTS];
	uint32_t part_count;
	struct fathom_counters *next;	/* a spare one */
};

/* The calling thread's; NULL: it has opened none. */
extern FATHOM_HIDDEN FATHOM_TLS struct fathom_counters *fathom_own_counters;

/*
 * Find out what list asks for ("PAPI_TOT_INS,perf::PAGE-FAULTS,@memory"), open it for the calling thread and for the
 * process, and define its metrics. What this machine does not give is left out, and said if says is true. 0; or
 * -EINVAL with a line in error: the list names something that exists nowhere. Context: start.
 */
int fathom_counters_start(const char *list, bool multiplex, bool says, char *error, size_t error_bytes);

/* The calling thread's, opened now if it has none; NULL: no memory. Keeps errno. Context: birth. */
struct fathom_counters *fathom_counters_open(void);

/* What reading the counters takes, as measured at the start. NULL: none are read. Context: finish, signal. */
const struct fathom_reading *fathom_counters_reading(void);

/* If reading a counter raised the signal: from now on counters are read in another way, the thread can go on, and the
 * result is true. context: what the signal's handler was given. Context: signal. */
bool fathom_counters_recover(int signal, void *context);

/* Say which counters that any name is taken for (those of libraries) stayed at 0 all the time. Context: finish. */
void fathom_counters_say_silent(const uint64_t *values);

/* In a forked child: they count the parent, and are none of ours. */
void fathom_counters_forget(void);

/* Put what the counters of a part stand at into values, by the metrics' ids; what cannot be read stays as it is. Keeps
 * errno.
 * Context: hook, with a system call. */
void fathom_counters_read_part(struct fathom_metric_reader *part, uint64_t *values);

#endif
