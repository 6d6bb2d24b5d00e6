/*
 * counter_source: the table of functions of a source of strict metrics. Each source is one module.
 *
 * event     a counter with its name and the data that the source needs to open it.
 * reader    events of one source, which one thread opens and reads together.
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
	const char *unit;		/* this and description are constants or point into texts */
	const char *description;
	enum fathom_metric_origin origin;
	bool is_process;		/* counts for the whole process */
	bool is_signed;			/* may decrease */
	uint32_t id;			/* of its metric */
	uint32_t groups;		/* bit g is set if group g has it */
	uint64_t data[3];		/* used by the source */
	char texts[160];
};

struct fathom_metric_reader {
	const struct fathom_metric_source *source;
	const struct fathom_metric_event *events[FATHOM_METRIC_MOST_STRICT];
	uint32_t count;
	bool is_multiplexed;		/* events that do not fit at once take turns */
	uint32_t failed;		/* index of the event that could not be opened */
	/* Of rotating_reader.h: the source that reads the events, and what is added to its values, by id. */
	const struct fathom_metric_source *inner;
	const uint64_t *before;
	/* Used by the source: */
	int fds[FATHOM_METRIC_MOST_STRICT];
	void *pages[FATHOM_METRIC_MOST_STRICT];
	int64_t data[2];
	/* Of perf, by event: */
	uint8_t group[FATHOM_METRIC_MOST_STRICT];	/* of a group's leader: how many events the group has */
	double estimate[FATHOM_METRIC_MOST_STRICT];	/* estimated count while other groups had the counter */
	uint64_t waited_ns[FATHOM_METRIC_MOST_STRICT];	/* of a leader: time that the estimate covers */
};

/* The time that reading counters takes, measured at the start. */
struct fathom_reading {
	uint64_t all_ticks;	/* to read all counters of the initial thread once */
	uint64_t read_ticks;	/* to read all perf events by read(); 0: there are none */
	uint64_t rdpmc_ticks;	/* to read them by rdpmc; 0: impossible */
	bool by_rdpmc;		/* they are read by rdpmc */
};

/* The reason why an event is unavailable: the end of the message "X is not counted: ". */
struct fathom_metric_why {
	char text[256];
};

struct fathom_metric_source {
	const char *name;
	/* Fills in the event, whose name is set. Returns 0; -ENOENT if the source does not know the name; or another
	 * -errno with the reason in why if the event is unavailable. Context: start. */
	int (*find)(struct fathom_metric_event *event, struct fathom_metric_why *why);

	/* Opens the reader's events for the calling thread, or for the process; they count from now on. Returns 0, or
	 * -errno with failed and why set, and nothing is open. Context: birth. */
	int (*open)(struct fathom_metric_reader *reader, struct fathom_metric_why *why);

	/* Chooses the fastest way to read events like those of this reader, which are open, for all threads, and notes
	 * the time that it takes. NULL: there is only one way. Context: start. */
	void (*choose)(struct fathom_metric_reader *reader, struct fathom_reading *reading);

	/* Stores the readings in values, by the ids of the events. A value that cannot be read is unchanged.
	 * Context: hook, with a system call. */
	void (*read)(struct fathom_metric_reader *reader, uint64_t *values);

	/* read changes neither vector registers (platform/vectors.h) nor errno, so the caller need not save them. */
	bool keeps_vectors;

	/* Closes the events of the reader. Context: birth, finish. */
	void (*close)(struct fathom_metric_reader *reader);

	/* Calls each for all names that the source may have, whether or not they can be opened. Context: start. */
	void (*list)(void (*each)(void *context, const char *name), void *context);
};

extern const struct fathom_metric_source fathom_metric_perf;

/* Stores what perf_event_open needs to know of an event of the source perf. False: it is of another source, or happens
 * in the kernel only, where programs cannot be sampled. Context: start. */
bool fathom_metric_perf_sampled(const struct fathom_metric_event *event, uint32_t *type, uint64_t *config);
extern const struct fathom_metric_source fathom_metric_rusage;
extern const struct fathom_metric_source fathom_metric_proc;
extern const struct fathom_metric_source fathom_metric_energy;

/*
 * Loads the source PAPI, which is in a separate library, libfathom-papi, for names that no other source knows.
 * directory: where the library is; NULL: the directory of this library. NULL with the reason in why: PAPI is
 * unavailable. Context: start.
 */
const struct fathom_metric_source *fathom_metric_load_papi(const char *directory, struct fathom_metric_why *why);

/* The function that libfathom-papi exports. Context: start. */
#define FATHOM_METRIC_PAPI_ENTRY "fathom_metric_papi_source"
const struct fathom_metric_source *fathom_metric_papi_source(struct fathom_metric_why *why);

/* Moves a file descriptor to a number that the program will not get, and returns it. If that fails, closes it and
 * returns -errno. Context: birth. */
int fathom_metric_move_fd(int fd);

#endif
