/*
 * counter_source: where strict metrics come from: one module each, behind one table of functions.
 *
 * event     a counter by its name, and what the source must know to open it.
 * reader    events of one source, opened by the thread that will read them, all at once.
 */
#ifndef FATHOM_METRIC_COUNTER_SOURCE_H
#define FATHOM_METRIC_COUNTER_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "define/metric.h"

struct fathom_metric_event {
	char name[128];
	const struct fathom_metric_source *source;
	const char *unit;		/* this and the next live as long as the program, or in texts */
	const char *description;
	enum fathom_metric_origin origin;
	bool is_process;		/* of the whole process */
	bool is_signed;			/* may count down */
	uint32_t id;			/* of its metric */
	uint64_t data[3];		/* the source's */
	char texts[160];
};

struct fathom_metric_reader {
	const struct fathom_metric_source *source;
	const struct fathom_metric_event *events[FATHOM_METRIC_MOST_STRICT];
	uint32_t count;
	bool is_multiplexed;		/* counters that do not fit at once take turns */
	uint32_t failed;		/* which event it was that could not be opened */
	/* What the source keeps: */
	int fds[FATHOM_METRIC_MOST_STRICT];
	void *pages[FATHOM_METRIC_MOST_STRICT];
	int64_t data[2];
	/* Of perf, by event: */
	uint8_t group[FATHOM_METRIC_MOST_STRICT];	/* of a group's leader: how many events the group has */
	double estimate[FATHOM_METRIC_MOST_STRICT];	/* what it would have counted while others had its counter */
	uint64_t waited_ns[FATHOM_METRIC_MOST_STRICT];	/* of a leader: how long others had, as far as estimated */
};

/* What it takes to read counters, as it was measured at the start. */
struct fathom_reading {
	uint64_t all_ticks;	/* to read all counters of the initial thread once */
	uint64_t read_ticks;	/* to read perf's by read(); 0: there are none */
	uint64_t rdpmc_ticks;	/* to read the same by rdpmc; 0: that is impossible */
	bool by_rdpmc;		/* how they are read */
};

/* Why something is not to be had, for people: the end of "X is not counted: ". */
struct fathom_metric_why {
	char text[256];
};

struct fathom_metric_source {
	const char *name;
	/* Fill in the event that has its name. 0; -ENOENT: no such name here; else -errno and why: it is known, but
	 * not to be had. Context: start. */
	int (*find)(struct fathom_metric_event *event, struct fathom_metric_why *why);

	/* Open the reader's events for the calling thread (those of the process: for all); they count from now on. 0,
	 * or -errno with failed and why, and nothing is open. Context: birth. */
	int (*open)(struct fathom_metric_reader *reader, struct fathom_metric_why *why);

	/* Find the quickest way of reading events like those of this reader, which are open, for all threads, and note
	 * what it takes. NULL: there is but one way. Context: start. */
	void (*choose)(struct fathom_metric_reader *reader, struct fathom_reading *reading);

	/* Put what they stand at into values, by the events' ids. What cannot be read keeps its value.
	 * Context: hook, with a system call. */
	void (*read)(struct fathom_metric_reader *reader, uint64_t *values);

	/* That function leaves vector registers as they are (platform/vectors.h), and errno: the caller need not keep
	 * them. */
	bool keeps_vectors;

	void (*close)(struct fathom_metric_reader *reader);

	/* Name what there might be, the names alone; each is to be found and opened. Context: start. */
	void (*list)(void (*each)(void *context, const char *name), void *context);
};

extern const struct fathom_metric_source fathom_metric_perf;
extern const struct fathom_metric_source fathom_metric_rusage;
extern const struct fathom_metric_source fathom_metric_proc;
extern const struct fathom_metric_source fathom_metric_energy;

/*
 * PAPI is in a library of its own, libfathom-papi, loaded where a name is asked for that the others do not know. NULL,
 * and why: it cannot be had. directory: where it is; NULL: beside the library that this is code of. Context: start.
 */
const struct fathom_metric_source *fathom_metric_load_papi(const char *directory, struct fathom_metric_why *why);

/* What that library shows. */
#define FATHOM_METRIC_PAPI_ENTRY "fathom_metric_papi_source"
const struct fathom_metric_source *fathom_metric_papi_source(struct fathom_metric_why *why);

/* A file descriptor moved away from the numbers that the program will get; closed if that cannot be done: then -errno.
 * Context: birth. */
int fathom_metric_move_fd(int fd);

#endif
