/*
 * profile_columns: the threads of each column of a profile: one thread, or several.
 *
 * With FATHOM_THREADS (thread aggregation) a process writes fewer columns than it had threads: the sum of its threads;
 * statistics over them; the initial, the fastest and the slowest thread and the sum of the other threads; or a sum for
 * each group of threads that visited the same call paths. Files of Score-P that were aggregated in these ways are
 * recognised by the names of their columns. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_COMMON_PROFILE_COLUMNS_H
#define FATHOM_TOOLS_COMMON_PROFILE_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/common/profile_rows.h"

/* Statistics of a value over threads. If count is 0 the other members are undefined. */
struct fathom_statistics {
	double count;		/* of threads */
	double least, most;
	double sum, squares;
};

/* Finds out how the threads of a profile were aggregated. 0, or -errno after an error message. */
int fathom_threads_init(struct fathom_thread_columns *threads, struct fathom_profile *profile);
void fathom_threads_fini(struct fathom_thread_columns *threads);

/* Returns the number of threads of a location. */
double fathom_threads_weight(const struct fathom_profile *profile, uint32_t location);

/* Returns the name: "all", "sum", "set", "key", "calltree". */
const char *fathom_aggregation_name(enum fathom_aggregation aggregation);

/* Returns the name of a column: "slowest thread: 5", with the numbers of its threads if there are several. The result
 * belongs to the file or the caller. */
struct fathom_cube_location;
const char *fathom_threads_label(const struct fathom_cube_location *location, char *text, size_t bytes);

/* Reads how many threads of each location visited a call path; row has room for all locations. 0, or -errno after an
 * error message. */
int fathom_threads_row(struct fathom_profile *profile, uint32_t cnode, double *row);

/* Returns the column of the first thread in the process of a location. */
uint32_t fathom_threads_initial(const struct fathom_profile *profile, uint32_t location);

/* Reads statistics of the own values of a metric over the chosen threads that visited a call path. False: the file
 * lacks them because threads were added up, or *err is set after an error message. */
bool fathom_threads_statistics(struct fathom_profile *profile, uint32_t metric, uint32_t cnode,
			       struct fathom_statistics *statistics, int *err);

/* Return the mean and the standard deviation; 0 if there is no value. The deviation is that of the threads themselves
 * (divided by n). */
double fathom_statistics_mean(const struct fathom_statistics *statistics);
double fathom_statistics_deviation(const struct fathom_statistics *statistics);

#endif
