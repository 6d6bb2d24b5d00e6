/*
 * metric: metrics that the program defines. The first call for a name decides the metric's type, mode and unit. Values
 * that later calls give with another type are converted; the end of the run reports this once.
 */
#define FATHOM_USER
#include "fathom/fathom.h"

#include <stdbool.h>
#include <string.h>

#include "define/metric.h"
#include "event/event.h"
#include "event/nesting.h"
#include "platform/compiler.h"
#include "platform/log.h"
#include "user/metric.h"

enum { TEXT_BYTES = 256 };	/* longer names, units and descriptions are cut */

/* --- which metric it is -------------------------------------------------------------------------- */

static const char *const type_names[] = {
	[FATHOM_METRIC_UINT64] = "uint64",
	[FATHOM_METRIC_INT64] = "int64",
	[FATHOM_METRIC_DOUBLE] = "double",
};

/* Notes a line for the report at the end: "metric NAME (FILE:LINE)", followed by what. */
static FATHOM_COLD void note(const struct fathom_user_metric *given, const char *what)
{
	const char *file = given->file ? given->file : "";
	size_t slash = given->file_length;
	char line[2 * TEXT_BYTES], place[TEXT_BYTES / 2] = "";

	while (slash && file[slash - 1] != '/')
		slash--;
	if (given->file)
		fathom_format(place, sizeof(place), " (%.*s:%u)", (int)(given->file_length - slash), file + slash,
			      given->line);
	fathom_format(line, sizeof(line), "metric %.*s%s %s", (int)(given->name_length ? given->name_length : 2),
		      given->name_length ? given->name : "\"\"", place, what);
	fathom_nesting_note_line(line);
}

static const char *kind_name(bool is_point)
{
	return is_point ? "a value at a point" : "an amount";
}

/* metric has the name of the given one, but differs from it: notes this, and returns metric. NULL: the program cannot
 * give values of metric. */
static FATHOM_COLD const struct fathom_metric *report_difference(const struct fathom_user_metric *given,
								 const struct fathom_metric *metric)
{
	bool is_point = metric->mode == FATHOM_METRIC_POINT;
	char what[2 * TEXT_BYTES];

	if (metric->mode != FATHOM_METRIC_GIVEN && !is_point) {
		note(given, "has the name of a counter or of a part of another metric: it is not recorded");
		return NULL;
	}
	if (is_point != given->is_point || metric->type != given->type) {
		fathom_format(what, sizeof(what), "is given as %s (%s), but was %s (%s) before: recorded as before",
			      kind_name(given->is_point), type_names[given->type], kind_name(is_point),
			      type_names[metric->type]);
		note(given, what);
	} else {
		fathom_format(what, sizeof(what), "is given in \"%.*s\", but was in \"%s\" before: its unit stays",
			      (int)given->unit_length, given->unit, metric->unit);
		note(given, what);
	}
	return metric;
}

static bool is_same(const struct fathom_user_metric *given, const struct fathom_metric *metric)
{
	return metric->type == given->type && strlen(metric->unit) == given->unit_length &&
	       !memcmp(metric->unit, given->unit, given->unit_length) &&
	       metric->mode == (given->is_point ? FATHOM_METRIC_POINT : FATHOM_METRIC_GIVEN);
}

static void cut(char *text, const char *given, size_t length)
{
	fathom_format(text, TEXT_BYTES, "%.*s", (int)(length < TEXT_BYTES ? length : TEXT_BYTES - 1), given);
}

static FATHOM_COLD const struct fathom_metric *define(const struct fathom_user_metric *given)
{
	char name[TEXT_BYTES], unit[TEXT_BYTES], description[TEXT_BYTES];
	const struct fathom_metric spec = {
		.name = name,
		.unit = unit,
		.description = description,
		.type = (enum fathom_metric_type)given->type,
		.mode = given->is_point ? FATHOM_METRIC_POINT : FATHOM_METRIC_GIVEN,
		.origin = FATHOM_METRIC_ORIGIN_USER,
	};
	const struct fathom_metric *metric;
	char what[TEXT_BYTES];

	cut(name, given->name, given->name_length);
	cut(unit, given->unit, given->unit_length);
	cut(description, given->description, given->description_length);
	if (!*name) {
		note(given, "has no name: it is not recorded");
		return NULL;
	}
	metric = fathom_metric_define(&spec);
	if (metric)
		return metric;
	/* Another thread may have defined a metric of this name meanwhile, with other properties. */
	metric = fathom_metric_named(name, strlen(name));
	if (metric)
		return report_difference(given, metric);
	fathom_format(what, sizeof(what), "is one too many and is not recorded: there are at most %u in a process, and "
		      "one for values at points counts as %u", (unsigned)FATHOM_METRIC_MOST,
		      (unsigned)FATHOM_METRIC_PARTS);
	note(given, what);
	return NULL;
}

const struct fathom_metric *fathom_user_metric(const struct fathom_user_metric *given)
{
	size_t length = given->name_length < TEXT_BYTES ? given->name_length : TEXT_BYTES - 1;
	const struct fathom_metric *metric = fathom_metric_named(given->name, length);

	if (unlikely(!metric))
		return define(given);
	return likely(is_same(given, metric)) ? metric : report_difference(given, metric);
}

void fathom_user_note_nan(const char *name, size_t length)
{
	const struct fathom_user_metric given = { .name = name, .name_length = length };

	note(&given, "was given a value that is no number: the value is not recorded");
}

/* --- values -------------------------------------------------------------------------------------- */

static uint64_t bits_of(double number)
{
	uint64_t bits;

	memcpy(&bits, &number, sizeof(bits));
	return bits;
}

/* Converts a number to an integer type; a number out of range becomes the nearest number of the type. */
static uint64_t integer_of(double number, enum fathom_metric_type type)
{
	if (type == FATHOM_METRIC_INT64)
		return (uint64_t)(number >= 0x1p63 ? INT64_MAX : number < -0x1p63 ? INT64_MIN : (int64_t)number);
	return number >= 0x1p64 ? UINT64_MAX : number < 0 ? 0 : (uint64_t)number;
}

static FATHOM_COLD uint64_t convert(enum fathom_metric_type from, enum fathom_metric_type to, uint64_t bits)
{
	double number = fathom_metric_number(from, bits);

	if (to == FATHOM_METRIC_DOUBLE)
		return bits_of(number);
	if (from == FATHOM_METRIC_DOUBLE)
		return integer_of(number, to);
	/* From one integer type to the other: only a number whose highest bit is set does not fit. */
	if (!(bits >> 63))
		return bits;
	return to == FATHOM_METRIC_INT64 ? INT64_MAX : 0;
}

void fathom_user_give(const struct fathom_metric *metric, unsigned type, uint64_t bits)
{
	if (unlikely(metric->type != type))
		bits = convert((enum fathom_metric_type)type, metric->type, bits);
	fathom_event_metric(metric, bits);
}

/* --- from C and C++ ------------------------------------------------------------------------------ */

static struct fathom_user_metric given_at(const struct fathom_metric_place_ *place, enum fathom_metric_type type)
{
	return (struct fathom_user_metric){
		.name = place->name,
		.unit = place->unit,
		.description = place->description,
		.name_length = strlen(place->name),
		.unit_length = strlen(place->unit),
		.description_length = strlen(place->description),
		.file = place->file,
		.file_length = strlen(place->file),
		.line = place->line,
		.type = type,
		.is_point = place->is_point,
	};
}

static FATHOM_COLD const struct fathom_metric *bind(struct fathom_metric_place_ *place, enum fathom_metric_type type)
{
	const struct fathom_user_metric given = given_at(place, type);
	const struct fathom_metric *metric = fathom_user_metric(&given);

	/* Pairs with the load in give(). */
	__atomic_store_n(&place->known, metric, __ATOMIC_RELEASE);
	return metric;
}

static void give(struct fathom_metric_place_ *place, enum fathom_metric_type type, uint64_t bits)
{
	/* Pairs with the store in bind(). */
	const struct fathom_metric *metric = __atomic_load_n(&place->known, __ATOMIC_ACQUIRE);

	if (unlikely(!metric))
		metric = bind(place, type);
	if (likely(metric))
		fathom_user_give(metric, type, bits);
}

FATHOM_API void fathom_user_metric_int(struct fathom_metric_place_ *place, int64_t value)
{
	give(place, FATHOM_METRIC_INT64, (uint64_t)value);
}

FATHOM_API void fathom_user_metric_uint(struct fathom_metric_place_ *place, uint64_t value)
{
	give(place, FATHOM_METRIC_UINT64, value);
}

FATHOM_API void fathom_user_metric_double(struct fathom_metric_place_ *place, double value)
{
	struct fathom_user_metric given;

	if (likely(value == value)) {
		give(place, FATHOM_METRIC_DOUBLE, bits_of(value));
		return;
	}
	given = given_at(place, FATHOM_METRIC_DOUBLE);
	note(&given, "was given a value that is no number: the value is not recorded");
}
