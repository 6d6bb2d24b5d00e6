/*
 * metric: a quantity other than time and visits, which fathom counts or the program gives.
 *
 * strict    a counter that lib/metric reads at each enter and exit. A call path has the sum of the differences over
 *           its visits, including called regions. All strict metrics are defined before the first event and have the
 *           lowest ids: first those of threads, then those of the process, which only the initial thread reads.
 * given     an amount that the program gives. A call path has the sum of the amounts given there.
 * point     a value that the program has at one moment: a temperature. A call path has the sum of the values given
 *           there, and in three further metrics, the parts, their number, the smallest and the largest value.
 * found     a result of the search for wait states, which fathom computes at the end of the run.
 *
 * A metric is created once and never freed, and does not change after that; any thread may read it without a lock.
 * Processes may have different metrics; metrics with equal members are one metric in the file.
 */
#ifndef FATHOM_DEFINE_METRIC_H
#define FATHOM_DEFINE_METRIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "platform/arena.h"
#include "platform/compiler.h"

enum fathom_metric_type {
	FATHOM_METRIC_UINT64,
	FATHOM_METRIC_INT64,
	FATHOM_METRIC_DOUBLE,		/* only of given metrics */
	/* Only of parts: a double whose bits are mapped so that the smaller (larger) double is the larger unsigned
	 * number; 0: there is no value. */
	FATHOM_METRIC_LEAST,
	FATHOM_METRIC_GREATEST,
};

enum fathom_metric_mode {
	FATHOM_METRIC_STRICT,
	FATHOM_METRIC_GIVEN,
	FATHOM_METRIC_POINT,
	FATHOM_METRIC_FOUND,		/* found by the search for wait states at the end; not in traces */
	FATHOM_METRIC_PART,		/* a part of the point before it; traces have the values themselves */
};

/* The parts of a point have the ids behind it, in this order. */
enum fathom_metric_part {
	FATHOM_METRIC_PART_COUNT = 1,
	FATHOM_METRIC_PART_LEAST,
	FATHOM_METRIC_PART_GREATEST,
	FATHOM_METRIC_PARTS,
};

/* The origin of a metric, which a trace records. */
enum fathom_metric_origin {
	FATHOM_METRIC_ORIGIN_OTHER,
	FATHOM_METRIC_ORIGIN_PAPI,
	FATHOM_METRIC_ORIGIN_RUSAGE,
	FATHOM_METRIC_ORIGIN_USER,
};

enum {
	FATHOM_METRIC_MOST = 90,	/* in a process and in a run, see profile/process_tree/process_tree.h */
	FATHOM_METRIC_MOST_STRICT = 24,
	FATHOM_METRIC_MOST_GROUPS = 16,
};

struct fathom_metric {
	const char *name;		/* unique: "PAPI_TOT_INS", "perf::PAGE-FAULTS" */
	const char *unit;		/* "occ", "bytes", "10^-6 s"; "": a number without a unit */
	const char *description;	/* one line */
	uint32_t id;			/* dense from 0, within this process */
	enum fathom_metric_type type;
	enum fathom_metric_mode mode;
	enum fathom_metric_origin origin;
	bool is_process;		/* of a strict metric: counts for the whole process */
	uint32_t number;		/* of a given metric or point: its number among these */
	uint32_t groups;		/* of a strict metric: bit g: group g has it, see fathom_metric_group_count */
};

/*
 * Returns the metric whose members except id and number equal those of spec; creates it if there is none, a point with
 * its parts. The function copies spec's texts. NULL: no memory, there are FATHOM_METRIC_MOST metrics already, or a
 * different metric has the name; the caller drops its event. Context: birth. Takes the metric lock, in which no other
 * lock is taken.
 */
FATHOM_API const struct fathom_metric *fathom_metric_define(const struct fathom_metric *spec);

/* Returns the metric of that name, strict or not. NULL: there is none. Context: hook. */
const struct fathom_metric *fathom_metric_named(const char *name, size_t length);

/* Return the number of metrics, and the metric with an id. Context: hook, signal. */
FATHOM_API uint32_t fathom_metric_count(void);
FATHOM_API const struct fathom_metric *fathom_metric_by_id(uint32_t id);

/* Returns the arena with the texts of the metrics, for run snapshots (run/run_snapshot.h). Context: signal. */
const struct fathom_arena *fathom_metric_arena(void);

/* Return the number of strict metrics, and of those of threads, which come first. Constant from the first event on.
 * Context: hook. */
FATHOM_API uint32_t fathom_metric_strict_count(void);
FATHOM_API uint32_t fathom_metric_thread_count(void);

/*
 * The number of groups of strict metrics, constant from the first event on; 1: threads count all metrics all the time.
 * If there are more groups, a thread counts those of one group at a time (struct fathom_meter has its number), and
 * later those of the next one. The metrics of the process belong to all groups. Context: hook, start.
 */
FATHOM_API uint32_t fathom_metric_group_count(void);
void fathom_metric_set_group_count(uint32_t count);

/* Returns whether values of the type are a minimum or a maximum. Context: hook. */
static inline bool fathom_metric_is_extreme(enum fathom_metric_type type)
{
	return type == FATHOM_METRIC_LEAST || type == FATHOM_METRIC_GREATEST;
}

#define FATHOM_METRIC_SIGN ((uint64_t)1 << 63)

/* Maps a number, which is not NaN, to the bits of a minimum or maximum. Context: hook. */
static inline uint64_t fathom_metric_extreme(enum fathom_metric_type type, double number)
{
	uint64_t bits;

	memcpy(&bits, &number, sizeof(bits));
	/* For negative numbers, larger bits mean a smaller number; for others, a larger one. */
	bits = bits & FATHOM_METRIC_SIGN ? ~bits : bits | FATHOM_METRIC_SIGN;
	return type == FATHOM_METRIC_LEAST ? ~bits : bits;
}

/* Combines two values in the bits of the type: the sum, the minimum or the maximum. Context: hook. */
static inline uint64_t fathom_metric_sum(enum fathom_metric_type type, uint64_t a, uint64_t b)
{
	double x, y;

	if (fathom_metric_is_extreme(type))
		return a > b ? a : b;
	if (type != FATHOM_METRIC_DOUBLE)
		return a + b;
	memcpy(&x, &a, sizeof(x));
	memcpy(&y, &b, sizeof(y));
	x += y;
	memcpy(&a, &x, sizeof(a));
	return a;
}

/* Converts the bits of a value to a number. Context: finish, signal. */
static inline double fathom_metric_number(enum fathom_metric_type type, uint64_t bits)
{
	double number;

	if (type == FATHOM_METRIC_UINT64)
		return (double)bits;
	if (type == FATHOM_METRIC_INT64)
		return (double)(int64_t)bits;
	if (type == FATHOM_METRIC_LEAST)
		bits = ~bits;
	if (fathom_metric_is_extreme(type))
		bits = bits >> 63 ? bits & ~FATHOM_METRIC_SIGN : ~bits;
	memcpy(&number, &bits, sizeof(number));
	return number;
}

#endif
