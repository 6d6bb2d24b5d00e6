/*
 * fathom.h: what a program can tell the measurement itself, in C and C++. See doc/guides/api.md and fathom_user(3).
 *
 * All of it is macros that are nothing unless FATHOM_USER is defined, which the fathom command does when it
 * compiles. Where it is defined and the program runs without fathom's libraries, each costs one test.
 *
 * Names are string literals. A macro finds out once for each place in the source, safely in several threads, what it
 * means to the library.
 */
#ifndef FATHOM_FATHOM_H
#define FATHOM_FATHOM_H

#pragma GCC system_header /* variadic macros: no complaints in old dialects */

#ifdef FATHOM_USER

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A place in the source: what fathom knows of it. For the macros below only, as all that ends with an underscore. */
struct fathom_place_ {
	const void *known;	/* the library's; NULL until the place was met */
	const char *name;
	const char *file;
	unsigned line;
	unsigned kind;
};

enum { FATHOM_KIND_FUNCTION_ = 1, FATHOM_KIND_REGION_, FATHOM_KIND_LOOP_, FATHOM_KIND_PHASE_ };

#define FATHOM_WEAK_ __attribute__((__weak__, __visibility__("default")))

FATHOM_WEAK_ void fathom_user_begin(struct fathom_place_ *place);
FATHOM_WEAK_ void fathom_user_begin_iteration(struct fathom_place_ *place, uint64_t number);
FATHOM_WEAK_ void fathom_user_end(struct fathom_place_ *place);
FATHOM_WEAK_ void fathom_user_begin_named(const char *name, const char *file, unsigned line);
FATHOM_WEAK_ void fathom_user_end_named(const char *name, const char *file, unsigned line);
FATHOM_WEAK_ void fathom_user_record(int on);
FATHOM_WEAK_ int fathom_user_is_recording(void);
FATHOM_WEAK_ void fathom_user_keep_trace(void);
FATHOM_WEAK_ void fathom_user_integer(struct fathom_place_ *place, int64_t value);
FATHOM_WEAK_ void fathom_user_unsigned(struct fathom_place_ *place, uint64_t value);
FATHOM_WEAK_ void fathom_user_string(struct fathom_place_ *place, const char *value);

/* The same of a metric. */
struct fathom_metric_place_ {
	const void *known;
	const char *name;
	const char *unit;
	const char *description;
	const char *file;
	unsigned line;
	unsigned is_point;
};

FATHOM_WEAK_ void fathom_user_metric_int(struct fathom_metric_place_ *place, int64_t value);
FATHOM_WEAK_ void fathom_user_metric_uint(struct fathom_metric_place_ *place, uint64_t value);
FATHOM_WEAK_ void fathom_user_metric_double(struct fathom_metric_place_ *place, double value);

FATHOM_WEAK_ void fathom_user_topology(const char *name, int count, const int *sizes, const int *periodic,
				       const char *const *names, const char *file, unsigned line);
FATHOM_WEAK_ void fathom_user_coordinates(const char *name, int count, const int *at, int is_thread, const char *file,
					  unsigned line);

#define FATHOM_PLACE_(place, name, kind) static struct fathom_place_ place = { NULL, name, __FILE__, __LINE__, kind }
#define FATHOM_JOIN_AGAIN_(a, b) a##b
#define FATHOM_JOIN_(a, b) FATHOM_JOIN_AGAIN_(a, b)
/* Several of them on a line, or from one macro of the program's, are apart. */
#ifdef __COUNTER__
#define FATHOM_NUMBER_ __COUNTER__
#else
#define FATHOM_NUMBER_ __LINE__
#endif

/* A call that knows its place. */
#define FATHOM_AT_(kind, name, function, ...) \
	do { \
		FATHOM_PLACE_(fathom_place_, name, kind); \
		if (function) \
			function(__VA_ARGS__); \
	} while (0)

/* The scope that the macro stands in, to its end, however it is left. */
#define FATHOM_BEGIN_(place, number) \
	if (fathom_user_begin) \
	fathom_user_begin(&place)
#define FATHOM_BEGIN_ITERATION_(place, number) \
	if (fathom_user_begin_iteration) \
	fathom_user_begin_iteration(&place, number)
#ifdef __cplusplus
#define FATHOM_SCOPE_OF_(place, scope, kind, name, begin, number) \
	FATHOM_PLACE_(place, name, kind); \
	const ::fathom_scope_ scope(&place); \
	begin(place, number)
#else
#define FATHOM_SCOPE_OF_(place, scope, kind, name, begin, number) \
	FATHOM_PLACE_(place, name, kind); \
	__attribute__((__cleanup__(fathom_end_scope_), __unused__)) \
	struct fathom_place_ *scope = &place; \
	begin(place, number)

/* Not instrumented, however little is left out: the end of a region must not be inside of another one. */
static __inline__ __attribute__((__always_inline__, __unused__, __no_instrument_function__)) void
fathom_end_scope_(struct fathom_place_ **place)
{
	if (fathom_user_end)
		fathom_user_end(*place);
}
#endif

#define FATHOM_SCOPE_AT_(n, kind, name, begin, number) \
	FATHOM_SCOPE_OF_(FATHOM_JOIN_(fathom_place_, n), FATHOM_JOIN_(fathom_scope_, n), kind, name, begin, number)
#define FATHOM_SCOPE_(kind, name, begin, number) FATHOM_SCOPE_AT_(FATHOM_NUMBER_, kind, name, begin, number)

/* --- regions ------------------------------------------------------------------------------------- */

/* From here to the end of the scope: a region named like the function, or as given. */
#define FATHOM_FUNCTION() FATHOM_SCOPE_(FATHOM_KIND_FUNCTION_, __func__, FATHOM_BEGIN_, 0)
#define FATHOM_REGION(name) FATHOM_SCOPE_(FATHOM_KIND_REGION_, "" name "", FATHOM_BEGIN_, 0)
#define FATHOM_LOOP(name) FATHOM_SCOPE_(FATHOM_KIND_LOOP_, "" name "", FATHOM_BEGIN_, 0)

/* The same from one place to another one; the end may be in another scope or function. */
#define FATHOM_REGION_BEGIN(name) FATHOM_AT_(FATHOM_KIND_REGION_, "" name "", fathom_user_begin, &fathom_place_)
#define FATHOM_REGION_END(name) FATHOM_AT_(FATHOM_KIND_REGION_, "" name "", fathom_user_end, &fathom_place_)
#define FATHOM_LOOP_BEGIN(name) FATHOM_AT_(FATHOM_KIND_LOOP_, "" name "", fathom_user_begin, &fathom_place_)
#define FATHOM_LOOP_END(name) FATHOM_REGION_END(name)

/* The same with a name that is known only when the program runs: it is looked for each time. */
#define FATHOM_NAMED_BEGIN(name) \
	((void)(fathom_user_begin_named ? (fathom_user_begin_named(name, __FILE__, __LINE__), 0) : 0))
#define FATHOM_NAMED_END(name) \
	((void)(fathom_user_end_named ? (fathom_user_end_named(name, __FILE__, __LINE__), 0) : 0))

/* An iteration of a phase, which has a number. Iterations are kept apart, see FATHOM_PHASE_CLUSTERS. */
#define FATHOM_PHASE(name, number) \
	FATHOM_SCOPE_(FATHOM_KIND_PHASE_, "" name "", FATHOM_BEGIN_ITERATION_, (uint64_t)(number))
#define FATHOM_PHASE_BEGIN(name, number) \
	FATHOM_AT_(FATHOM_KIND_PHASE_, "" name "", fathom_user_begin_iteration, &fathom_place_, (uint64_t)(number))
#define FATHOM_PHASE_END(name) FATHOM_REGION_END(name)

/* --- parameters ---------------------------------------------------------------------------------- */

/* What happens from here to the end of the region that this is in is kept apart by the value. */
#define FATHOM_PARAMETER_INT(name, value) \
	FATHOM_AT_(0, "" name "", fathom_user_integer, &fathom_place_, (int64_t)(value))
#define FATHOM_PARAMETER_UINT(name, value) \
	FATHOM_AT_(0, "" name "", fathom_user_unsigned, &fathom_place_, (uint64_t)(value))
#define FATHOM_PARAMETER_STRING(name, value) \
	FATHOM_AT_(0, "" name "", fathom_user_string, &fathom_place_, value)

/* --- metrics ------------------------------------------------------------------------------------- */

/* An amount that belongs to the innermost region: cells updated, bytes packed. Regions have the sum. */
#define FATHOM_METRIC_INT(name, unit, description, value) \
	FATHOM_GIVE_(0, name, unit, description, fathom_user_metric_int, (int64_t)(value))
#define FATHOM_METRIC_UINT(name, unit, description, value) \
	FATHOM_GIVE_(0, name, unit, description, fathom_user_metric_uint, (uint64_t)(value))
#define FATHOM_METRIC_DOUBLE(name, unit, description, value) \
	FATHOM_GIVE_(0, name, unit, description, fathom_user_metric_double, (double)(value))

/* A value that something has at this point: a residual, the length of a queue. Regions have how often that was, and
 * the least, greatest and mean value. */
#define FATHOM_POINT_INT(name, unit, description, value) \
	FATHOM_GIVE_(1, name, unit, description, fathom_user_metric_int, (int64_t)(value))
#define FATHOM_POINT_UINT(name, unit, description, value) \
	FATHOM_GIVE_(1, name, unit, description, fathom_user_metric_uint, (uint64_t)(value))
#define FATHOM_POINT_DOUBLE(name, unit, description, value) \
	FATHOM_GIVE_(1, name, unit, description, fathom_user_metric_double, (double)(value))

#define FATHOM_GIVE_(is_point, name, unit, description, function, value) \
	do { \
		static struct fathom_metric_place_ fathom_place_ = { \
			NULL, "" name "", "" unit "", "" description "", __FILE__, __LINE__, is_point \
		}; \
		if (function) \
			function(&fathom_place_, value); \
	} while (0)

/* --- topologies ---------------------------------------------------------------------------------- */

/* The work is laid out in a grid of count dimensions (up to 8) with so many places each. periodic (an int each) and
 * names (a text each) may be NULL: none is periodic, they have no names. All that are in the grid say it first. */
#define FATHOM_TOPOLOGY(name, count, sizes, periodic, names) \
	((void)(fathom_user_topology ? \
			(fathom_user_topology(name, count, sizes, periodic, names, __FILE__, __LINE__), 0) : 0))

/* The process, or this thread, is at that place of it: count numbers from 0 on. */
#define FATHOM_TOPOLOGY_PROCESS(name, count, place) FATHOM_TOPOLOGY_AT_(name, count, place, 0)
#define FATHOM_TOPOLOGY_THREAD(name, count, place) FATHOM_TOPOLOGY_AT_(name, count, place, 1)
#define FATHOM_TOPOLOGY_AT_(name, count, place, is_thread) \
	((void)(fathom_user_coordinates ? \
			(fathom_user_coordinates(name, count, place, is_thread, __FILE__, __LINE__), 0) : 0))

/* --- recording ----------------------------------------------------------------------------------- */

/* From here on nothing that this thread does is recorded, nor what is done in teams that it forks and by threads that
 * it creates; until it says otherwise. MPI calls still are where a trace is written: messages need both ends. */
#define FATHOM_RECORDING_OFF() ((void)(fathom_user_record ? (fathom_user_record(0), 0) : 0))
#define FATHOM_RECORDING_ON() ((void)(fathom_user_record ? (fathom_user_record(1), 0) : 0))

/* Whether what this thread does is recorded now. */
#define FATHOM_RECORDING() (fathom_user_is_recording ? fathom_user_is_recording() : 0)

/* Makes the newest events of all threads stay in the trace in full, if FATHOM_TRACE_RING is set. A signal handler may
 * call it. */
#define FATHOM_TRACE_KEEP() ((void)(fathom_user_keep_trace ? (fathom_user_keep_trace(), 0) : 0))

#ifdef __cplusplus
}

/* Ends what the macro began. */
class fathom_scope_ {
public:
	__attribute__((__no_instrument_function__)) explicit fathom_scope_(fathom_place_ *begun) : place(begun) {}
	__attribute__((__no_instrument_function__)) ~fathom_scope_()
	{
		if (fathom_user_end)
			fathom_user_end(place);
	}

private:
	fathom_scope_(const fathom_scope_ &);
	fathom_scope_ &operator=(const fathom_scope_ &);
	fathom_place_ *place;
};
#endif

#else /* not compiled by fathom: nothing is left of it */

#define FATHOM_NOTHING_ do { } while (0)
#define FATHOM_UNUSED_(value) do { (void)sizeof(value); } while (0)	/* not evaluated, but no warning either */

#define FATHOM_FUNCTION() FATHOM_NOTHING_
#define FATHOM_REGION(name) FATHOM_NOTHING_
#define FATHOM_LOOP(name) FATHOM_NOTHING_
#define FATHOM_REGION_BEGIN(name) FATHOM_NOTHING_
#define FATHOM_REGION_END(name) FATHOM_NOTHING_
#define FATHOM_LOOP_BEGIN(name) FATHOM_NOTHING_
#define FATHOM_LOOP_END(name) FATHOM_NOTHING_
#define FATHOM_NAMED_BEGIN(name) FATHOM_UNUSED_(name)
#define FATHOM_NAMED_END(name) FATHOM_UNUSED_(name)
#define FATHOM_PHASE(name, number) FATHOM_UNUSED_(number)
#define FATHOM_PHASE_BEGIN(name, number) FATHOM_UNUSED_(number)
#define FATHOM_PHASE_END(name) FATHOM_NOTHING_
#define FATHOM_PARAMETER_INT(name, value) FATHOM_UNUSED_(value)
#define FATHOM_PARAMETER_UINT(name, value) FATHOM_UNUSED_(value)
#define FATHOM_PARAMETER_STRING(name, value) FATHOM_UNUSED_(value)
#define FATHOM_METRIC_INT(name, unit, description, value) FATHOM_UNUSED_(value)
#define FATHOM_METRIC_UINT(name, unit, description, value) FATHOM_UNUSED_(value)
#define FATHOM_METRIC_DOUBLE(name, unit, description, value) FATHOM_UNUSED_(value)
#define FATHOM_POINT_INT(name, unit, description, value) FATHOM_UNUSED_(value)
#define FATHOM_POINT_UINT(name, unit, description, value) FATHOM_UNUSED_(value)
#define FATHOM_POINT_DOUBLE(name, unit, description, value) FATHOM_UNUSED_(value)
#define FATHOM_TOPOLOGY(name, count, sizes, periodic, names) \
	do { (void)sizeof(sizes); (void)sizeof(periodic); (void)sizeof(names); } while (0)
#define FATHOM_TOPOLOGY_PROCESS(name, count, place) FATHOM_UNUSED_(place)
#define FATHOM_TOPOLOGY_THREAD(name, count, place) FATHOM_UNUSED_(place)
#define FATHOM_RECORDING_OFF() FATHOM_NOTHING_
#define FATHOM_RECORDING_ON() FATHOM_NOTHING_
#define FATHOM_RECORDING() 0
#define FATHOM_TRACE_KEEP() FATHOM_NOTHING_

#endif
#endif
