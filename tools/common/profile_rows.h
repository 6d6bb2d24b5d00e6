/*
 * profile_rows: an open profile, and the rows of its values: the own values of a call path, by location. profile.h has
 * the functions that open a profile. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_COMMON_PROFILE_ROWS_H
#define FATHOM_TOOLS_COMMON_PROFILE_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "cube/reader/reader.h"

/* How the threads of a profile were aggregated, see profile_columns.h. */
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
	double *weight;		/* by location: the number of its threads, at least 1; NULL: 1 each */
};

/* An open profile. */
struct fathom_profile {
	const char *path;
	struct fathom_cube_reader *reader;
	const struct fathom_cube *cube;
	int64_t rank;			/* the rank whose values are read; -1: all ranks */
	uint32_t first_location;	/* of that rank; */
	uint32_t location_end;		/* end of the locations of that rank; if all ranks are read, of all locations */
	uint32_t process_count;		/* groups that are processes */
	struct fathom_thread_columns threads;	/* number of threads of each location */
	uint32_t thread_count;		/* of processes, if the file contains it */
	uint32_t least_threads, most_threads;	/* of a process */
	int32_t time, visits;		/* metrics; -1: the file lacks it, or its values are not usable */
	bool odd_times;			/* the values of the metric time are no times: see profile.c */
	bool is_ours;			/* fathom wrote it */
	uint32_t *first_child;		/* children of cnode c: child[first_child[c]] up to ... */
	uint32_t *child;		/* ... child[first_child[c + 1] - 1] */
	uint32_t *depth;		/* 0: a root */
	uint32_t *subtree_end;		/* the first cnode behind those below (and including) cnode c */
	bool *in_tasks;			/* in the tree of explicit tasks */
	bool *counted;			/* by cnode: the call path is added up, see the head of this file */
};

/* Returns whether the file has values of the metric that are plain numbers. */
bool fathom_profile_can_read(const struct fathom_cube_metric *metric);

/* Returns an own value that is the difference of inclusive ones: 0 if rounding explains it. Of 0.3 less 0.1 and 0.2,
 * -3e-17 would remain. */
double fathom_own_value(double difference, double inclusive);

/* Reads the own values of a call path, one for each location. 0, or -errno after an error message. */
int fathom_profile_own_row(struct fathom_profile *profile, uint32_t metric, uint32_t cnode, double *row);

/* Reads count of these values, from location first on: as many at a time as fathom_cube_reader_piece says, or all. */
int fathom_profile_own_part(struct fathom_profile *profile, uint32_t metric, uint32_t cnode, uint32_t first,
			    uint32_t count, double *values);

#endif
