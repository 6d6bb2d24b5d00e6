/*
 * profile_columns: the threads that the columns of a profile stand for: one thread each, or several.
 *
 * With FATHOM_THREADS (thread aggregation) a process writes fewer columns than it had threads: the sum of its
 * threads; statistics over them; the initial, the fastest and the slowest thread and the sum of the others; or a sum
 * for each group of threads that visited the same call paths. Files of Score-P that were aggregated in these ways are
 * recognised by the names of their columns. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_COMMON_PROFILE_COLUMNS_H
#define FATHOM_TOOLS_COMMON_PROFILE_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fathom_profile;

enum fathom_aggregation {
	FATHOM_AGGREGATION_ALL,		/* no aggregation: every thread has its column */
	FATHOM_AGGREGATION_SUM,
	FATHOM_AGGREGATION_SET,		/* values are tuples: statistics over the threads that visited the call path */
	FATHOM_AGGREGATION_KEY,
	FATHOM_AGGREGATION_CALLTREE,
};

struct fathom_thread_columns {
	enum fathom_aggregation aggregation;
	int32_t count;		/* metric: threads that visited a call path; -1: there is none */
	double *weight;		/* of each location: how many threads it stands for, at least 1; NULL: 1 each */
};

/* Statistics of a value over threads. If count is 0 the other members mean nothing. */
struct fathom_statistics {
	double count;		/* of threads */
	double least, most;
	double sum, squares;
};

/* Finds out how the threads of a profile were aggregated. 0, or -errno after an error message. */
int fathom_threads_init(struct fathom_thread_columns *threads, struct fathom_profile *profile);
void fathom_threads_fini(struct fathom_thread_columns *threads);

/* How many threads a location stands for. */
double fathom_threads_weight(const struct fathom_profile *profile, uint32_t location);

/* "all", "sum", "set", "key", "calltree". */
const char *fathom_aggregation_name(enum fathom_aggregation aggregation);

/* What a column is called: "slowest thread: 5", its numbers if it stands for others; of the file or the caller. */
struct fathom_cube_location;
const char *fathom_threads_label(const struct fathom_cube_location *location, char *text, size_t bytes);

/* How many threads of each location came to a call path; row has room for all locations. 0 or -errno
 * after an error message. */
int fathom_threads_row(struct fathom_profile *profile, uint32_t cnode, double *row);

/* The first thread's column of the process that a location belongs to. */
uint32_t fathom_threads_initial(const struct fathom_profile *profile, uint32_t location);

/* Statistics of the own values of a metric over the threads looked at that visited a call path. false:
 * cannot be known (threads were added up), or *err is set after an error message. */
bool fathom_threads_statistics(struct fathom_profile *profile, uint32_t metric, uint32_t cnode,
			       struct fathom_statistics *statistics, int *err);

/* 0 where there is nothing to divide by. The deviation is that of the threads themselves (divided by n). */
double fathom_statistics_mean(const struct fathom_statistics *statistics);
double fathom_statistics_deviation(const struct fathom_statistics *statistics);

#endif
