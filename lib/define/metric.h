/*
 * metric: something that is counted or told of besides time and visits.
 *
 * strict    a counter that is read at every enter and exit (lib/metric reads it). A call path has the sum of the
 *           differences over its visits, what was called included. All strict metrics are defined before the first
 *           event, so they are the first ones: those of threads, then those of the process, which the initial
 *           thread alone reads.
 * given     an amount that the program hands over. A call path has the sum of what was given there.
 * point     a value that the program has at some time: a temperature. A call path has the sum of what was given there,
 *           and in three metrics behind, its parts, how often that was, the least and the greatest value.
 *
 * A metric is created once and never freed, and does not change after that; any thread may read it without a lock.
 * Processes may have different ones: in files, those that read the same are one.
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
	FATHOM_METRIC_DOUBLE,		/* of given ones only */
	/* Of parts only: a double whose bits are changed so that, as a number without a sign, the one that counts is
	 * the greater one; 0: there is none. */
	FATHOM_METRIC_LEAST,
	FATHOM_METRIC_GREATEST,
};

enum fathom_metric_mode {
	FATHOM_METRIC_STRICT,
	FATHOM_METRIC_GIVEN,
	FATHOM_METRIC_POINT,
	FATHOM_METRIC_PART,		/* of the point before: what no trace has, which has all values */
};

/* The parts of a point, behind it. */
enum fathom_metric_part {
	FATHOM_METRIC_PART_COUNT = 1,
	FATHOM_METRIC_PART_LEAST,
	FATHOM_METRIC_PART_GREATEST,
	FATHOM_METRIC_PARTS,
};

/* Where it comes from; a trace says so. */
enum fathom_metric_origin {
	FATHOM_METRIC_ORIGIN_OTHER,
	FATHOM_METRIC_ORIGIN_PAPI,
	FATHOM_METRIC_ORIGIN_RUSAGE,
	FATHOM_METRIC_ORIGIN_USER,
};

enum {
	FATHOM_METRIC_MOST = 100,	/* in a process and in a run: profile/process_tree.h says why */
	FATHOM_METRIC_MOST_STRICT = 24,
};

struct fathom_metric {
	const char *name;		/* unique: "PAPI_TOT_INS", "perf::PAGE-FAULTS" */
	const char *unit;		/* "occ", "bytes", "10^-6 s"; "" for a mere number */
	const char *description;	/* one line */
	uint32_t id;			/* dense from 0, within this process */
	enum fathom_metric_type type;
	enum fathom_metric_mode mode;
	enum fathom_metric_origin origin;
	bool is_process;		/* strict: of the whole process */
	uint32_t number;		/* given, point: among these */
};

/*
 * Find the metric that reads like spec (all but id and number), or create it, a point with its parts; spec is not
 * kept, its texts are copied. NULL: no memory, or there are FATHOM_METRIC_MOST, or one of that name that is otherwise:
 * the caller drops its event.
 * Context: birth. Takes the metric lock, which nests in nothing.
 */
FATHOM_API const struct fathom_metric *fathom_metric_define(const struct fathom_metric *spec);

/* One by its name, strict or not. NULL: there is none. Context: hook. */
const struct fathom_metric *fathom_metric_named(const char *name, size_t length);

/* How many there are, and one by its id. Context: hook, signal. */
FATHOM_API uint32_t fathom_metric_count(void);
FATHOM_API const struct fathom_metric *fathom_metric_by_id(uint32_t id);

/* The memory of their texts, for a copy of it (run/run_snapshot.h). Context: signal. */
const struct fathom_arena *fathom_metric_arena(void);

/* How many of them are strict, all and those of threads: these come first. Constant once events begin.
 * Context: hook. */
FATHOM_API uint32_t fathom_metric_strict_count(void);
FATHOM_API uint32_t fathom_metric_thread_count(void);

static inline bool fathom_metric_is_extreme(enum fathom_metric_type type)
{
	return type == FATHOM_METRIC_LEAST || type == FATHOM_METRIC_GREATEST;
}

#define FATHOM_METRIC_SIGN ((uint64_t)1 << 63)

/* A number, which is one (no NaN), in the bits of an extreme. */
static inline uint64_t fathom_metric_extreme(enum fathom_metric_type type, double number)
{
	uint64_t bits;

	memcpy(&bits, &number, sizeof(bits));
	/* Numbers below zero are in the order of their bits from the largest, others behind them. */
	bits = bits & FATHOM_METRIC_SIGN ? ~bits : bits | FATHOM_METRIC_SIGN;
	return type == FATHOM_METRIC_LEAST ? ~bits : bits;
}

/* What two values make together, each in the bits of the type: the sum, or the one that counts. Context: hook. */
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

/* A value as a number. */
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
