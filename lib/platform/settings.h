/*
 * settings: the environment variables FATHOM_*, defined in one table.
 *
 * The table in settings.c is the only place that contains the name, type, default, range and meaning of a variable. The
 * values below, `fathom config`, the man page and all checks use it. A new setting needs a row there and a member here.
 */
#ifndef FATHOM_PLATFORM_SETTINGS_H
#define FATHOM_PLATFORM_SETTINGS_H

#include <stddef.h>
#include <stdint.h>

enum fathom_mode { FATHOM_MODE_NONE = 0, FATHOM_MODE_PROFILE = 1, FATHOM_MODE_TRACE = 2 };	/* bits */
enum fathom_threads { FATHOM_THREADS_ALL, FATHOM_THREADS_SUM, FATHOM_THREADS_SET, FATHOM_THREADS_KEY,
		      FATHOM_THREADS_CALLTREE };
enum fathom_thread_reuse { FATHOM_REUSE_NO, FATHOM_REUSE_SAME, FATHOM_REUSE_YES };
enum fathom_recursion { FATHOM_RECURSION_EXACT, FATHOM_RECURSION_FOLD };

/* Groups of MPI calls that FATHOM_MPI can name; bits. */
enum fathom_mpi_group {
	FATHOM_MPI_GROUP_P2P = 1 << 0,		/* messages, probes */
	FATHOM_MPI_GROUP_REQUEST = 1 << 1,	/* wait, test, start, cancel */
	FATHOM_MPI_GROUP_COLL = 1 << 2,
	FATHOM_MPI_GROUP_RMA = 1 << 3,
	FATHOM_MPI_GROUP_IO = 1 << 4,
	FATHOM_MPI_GROUP_COMM = 1 << 5,		/* make and free communicators, groups, topologies */
	FATHOM_MPI_GROUP_ENV = 1 << 6,		/* init, finalize, sessions, spawn, abort */
	FATHOM_MPI_GROUP_TYPE = 1 << 7,		/* datatypes, operations, packing */
	FATHOM_MPI_GROUP_MISC = 1 << 8,		/* info, errors, attributes, names */
	FATHOM_MPI_GROUP_INQUIRY = 1 << 9,	/* rank, size, get_count: cheaper than their measurement */
	FATHOM_MPI_GROUP_TOOL = 1 << 10,	/* MPI_T */
};

/* The calls of thread functions that FATHOM_PTHREAD selects. */
enum fathom_pthread_calls { FATHOM_PTHREAD_OFF, FATHOM_PTHREAD_THREADS, FATHOM_PTHREAD_ALL };

/* How processes under the same node of the system find each other; see system/builder.h. */
enum fathom_split {
	FATHOM_SPLIT_CHAIN,	/* each process knows only its neighbours, which needs little memory */
	FATHOM_SPLIT_COMM,	/* by splitting the communicator, which may need much memory */
};

/* Whether threads count several groups of counters one after the other. */
enum fathom_rotation {
	FATHOM_ROTATION_OFF,		/* each process counts the group of its rank */
	FATHOM_ROTATION_TIME,		/* all begin with the first group */
	FATHOM_ROTATION_TIME_SPACE,	/* each begins with the group of its rank */
};

struct fathom_settings {
	uint64_t mode;		/* bits of enum fathom_mode */
	const char *dir;	/* the directory for experiment directories */
	const char *name;	/* of the experiment directory; NULL: from program, date and a random number */
	const char *filter;	/* file of rules for regions; NULL: all are recorded */
	uint64_t clock;		/* enum fathom_clock_kind */
	uint64_t recursion;	/* enum fathom_recursion */
	uint64_t threads;	/* enum fathom_threads */
	uint64_t io;		/* 1: input and output calls are recorded, if the library for them is there */
	uint64_t idleness;	/* 1: the blame for idle threads is recorded */
	uint64_t thread_reuse;	/* enum fathom_thread_reuse */
	uint64_t ranks_per_writer;	/* of the profile */
	uint64_t nodes;		/* most call paths of a process, over all threads */
	uint64_t phase_clusters;	/* most trees for the iterations of a phase; 0: any number */
	const char *system_tree;	/* path of this process, see pattern.h; NULL: ask the system */
	uint64_t system_split;	/* enum fathom_split */
	uint64_t verbose;	/* 0, 1, 2 */
	uint64_t trace_memory;	/* bytes of events that a process keeps before it writes them; 0: automatic */
	uint64_t trace_limit;	/* bytes of events of a thread, after which functions are left out; 0: no limit */
	uint64_t trace_samples;	/* most samples in a trace, in a second of a thread's processor time; 0: none */
	uint64_t trace_tests;	/* 1: traces contain tests of requests that are incomplete */
	const char *trace_ring;	/* which events of a thread are its newest, see ring_setting.h */
	uint64_t trace_older;	/* 1: events that leave the ring are dropped; 0: they are reduced */
	uint64_t trace_slow;	/* iterations this much longer than most are kept in full; 0: none */
	uint64_t trace_signal;	/* number of the signal after which the newest events stay in full; 0: none */
	const char *trace_window;	/* when a trace has all functions, see window_setting.h */
	uint64_t trace_repeat;		/* number of periods of a repetition that traces have whole; 0: all of them */
	uint64_t trace_index;	/* 1: an index is made of the trace at the end */
	uint64_t trace_compress;	/* 1: a compressed file is made of the trace at the end */
	uint64_t trace_deviation;	/* by how much times in this file may deviate, ticks */
	uint64_t trace_granularity;	/* shorter visits of functions may be left out of traces, ns; 0: none */
	uint64_t trace_tick;	/* resolution of the times in traces, ns */
	uint64_t mpi;		/* bits of enum fathom_mpi_group */
	uint64_t pthread;	/* enum fathom_pthread_calls */
	const char *metrics;	/* names of counters and groups, with commas; NULL: none */
	uint64_t multiplex;	/* 1: counters that do not fit at once take turns */
	uint64_t rotate;	/* enum fathom_rotation */
	uint64_t rotate_time;	/* shortest turn of a group of counters, ns */
	uint64_t rotate_bursts;	/* or after so many bursts; 0: only after that time */
	uint64_t overhead;	/* the budget, in 1/1000 of a percent; 0: none */
	uint64_t patch;		/* 1: take hooks out of running code */
	uint64_t signals;	/* 1: save the measurement when a fatal signal ends the program */
	const char *snapshot;	/* off, a time, or a directory, see fathom_setting_period */
	uint64_t waits;		/* bytes of memory for operation logs; 0: wait states are not searched */
	uint64_t bursts;	/* bytes of memory for bursts; 0: bursts are not recorded */
	uint64_t messages;	/* most partners of a thread whose messages are counted apart; 0: none are counted */
	const char *sampling;	/* see sampling_setting.h */
};

/* Most bytes of a name: with the suffixes that fathom appends, it must fit into the 255 bytes of file systems. */
enum { FATHOM_NAME_BYTES = 200 };

enum fathom_setting_type {
	FATHOM_SETTING_TEXT,	/* one line of text that is not empty */
	FATHOM_SETTING_NAME,	/* the last part of a path: see FATHOM_NAME_BYTES */
	FATHOM_SETTING_PATTERN,	/* see pattern.h */
	FATHOM_SETTING_NUMBER,	/* decimal, k M G for powers of 1000 */
	FATHOM_SETTING_SIZE,	/* off (0), one of the words, or a number of bytes as above */
	FATHOM_SETTING_TIME,	/* decimal, with ns, us, ms or s; in ns */
	FATHOM_SETTING_PERIOD,	/* off, a time, or a directory: a text with / in it */
	FATHOM_SETTING_SAMPLING,	/* see sampling_setting.h */
	FATHOM_SETTING_WINDOW,	/* see window_setting.h */
	FATHOM_SETTING_RING,	/* see ring_setting.h */
	FATHOM_SETTING_SHARE,	/* off (0), or a percentage; in 1/1000 of a percent */
	FATHOM_SETTING_CHOICE,	/* one of the words */
	FATHOM_SETTING_WORDS,	/* any of the words, with commas between; bits are or-ed */
	FATHOM_SETTING_BUILD,	/* read by the driver or the plugin, not by a measured program */
};

struct fathom_setting_word {
	const char *word;
	uint64_t value;
};

struct fathom_setting {
	const char *name;	/* whole: "FATHOM_MODE" */
	enum fathom_setting_type type;
	const char *fallback;	/* the default as a user would write it; NULL: not set */
	const struct fathom_setting_word *words;	/* ends with a NULL word; NULL for other types */
	uint64_t least, most;	/* of a number */
	const char *what;	/* description in one sentence */
	size_t offset;		/* of the member of struct fathom_settings */
	const char *left_out;	/* the part that this build was configured without and the setting belongs to; NULL:
				 * the setting can be used */
};

/* All settings, in the order in which people should read them. */
extern const struct fathom_setting fathom_setting_table[];
extern const size_t fathom_setting_count;

/*
 * Fills in settings from an environment in the form of environ. Returns 0, or -EINVAL with one line in error that
 * names the variable, its value and the allowed values. Values are not copied. Unknown names that begin with FATHOM_
 * are errors, which name the nearest known name. Context: start; does not allocate.
 */
int fathom_settings_read(struct fathom_settings *settings, char *const *environment, char *error, size_t error_bytes);

/* Returns the time of a setting of type FATHOM_SETTING_PERIOD in ns; 0: off, or a directory. Context: start. */
uint64_t fathom_setting_period(const char *text);

/* Writes the allowed values for people: "profile or none", "a number from 1 to 5k". Returns text. Context: start. */
const char *fathom_setting_allowed(const struct fathom_setting *setting, char *text, size_t bytes);

#endif
