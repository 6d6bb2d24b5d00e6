/*
 * fortran: the functions of fathom's API for Fortran (include/fathom/fathom.F90). Their names are as Fortran compilers
 * spell external procedures. Texts have no NUL; their lengths are passed behind all other arguments.
 */
#define FATHOM_USER
#include "fathom/fathom.h"

#include <string.h>

#include "define/metric.h"
#include "define/parameter.h"
#include "define/region.h"
#include "define/topology.h"
#include "event/event.h"
#include "platform/compiler.h"
#include "user/fortran.h"
#include "user/metric.h"
#include "user/topology.h"
#include "user/user.h"

/* Returns the length of a text without the blanks with which Fortran fills it. */
static size_t trimmed(const char *text, size_t length)
{
	while (length && text[length - 1] == ' ')
		length--;
	return length;
}

static void begin(const struct fathom_user_name *name, int64_t number)
{
	struct fathom_user_name trim = *name;
	const struct fathom_region *region;

	trim.length = trimmed(name->name, name->length);
	region = fathom_user_named_region(&trim);
	if (unlikely(!region))
		return;
	fathom_event_enter_block(region);
	if (name->kind == FATHOM_KIND_PHASE_ && likely(fathom_event_innermost() == region))
		fathom_event_iteration((uint64_t)number);
}

static void begin_here(const char *name, size_t length, unsigned kind, int64_t number)
{
	begin(&(struct fathom_user_name){ .name = name, .length = length, .kind = kind }, number);
}

static void end(const char *name, size_t length, const char *file, size_t file_length, unsigned line)
{
	fathom_user_leave(name, trimmed(name, length), file, file_length, line);
}

static void give(const char *name, size_t length, enum fathom_parameter_kind kind,
		 const struct fathom_parameter_value *value)
{
	const struct fathom_parameter *parameter = fathom_parameter_define(name, trimmed(name, length), kind);

	if (likely(parameter))
		fathom_event_parameter(parameter, value);
}

/* --- the functions of the module ----------------------------------------------------------------- */

void fathom_region_begin_(const char *name, size_t length)
{
	begin_here(name, length, FATHOM_KIND_REGION_, 0);
}

void fathom_region_end_(const char *name, size_t length)
{
	end(name, length, NULL, 0, 0);
}

void fathom_function_begin_(const char *name, size_t length)
{
	begin_here(name, length, FATHOM_KIND_FUNCTION_, 0);
}

void fathom_function_end_(const char *name, size_t length)
{
	end(name, length, NULL, 0, 0);
}

void fathom_loop_begin_(const char *name, size_t length)
{
	begin_here(name, length, FATHOM_KIND_LOOP_, 0);
}

void fathom_loop_end_(const char *name, size_t length)
{
	end(name, length, NULL, 0, 0);
}

void fathom_phase_begin_i4_(const char *name, const int32_t *number, size_t length)
{
	begin_here(name, length, FATHOM_KIND_PHASE_, *number);
}

void fathom_phase_begin_i8_(const char *name, const int64_t *number, size_t length)
{
	begin_here(name, length, FATHOM_KIND_PHASE_, *number);
}

void fathom_phase_end_(const char *name, size_t length)
{
	end(name, length, NULL, 0, 0);
}

void fathom_parameter_i4_(const char *name, const int32_t *value, size_t length)
{
	give(name, length, FATHOM_PARAMETER_KIND_INTEGER, &(struct fathom_parameter_value){ .integer = *value });
}

void fathom_parameter_i8_(const char *name, const int64_t *value, size_t length)
{
	give(name, length, FATHOM_PARAMETER_KIND_INTEGER, &(struct fathom_parameter_value){ .integer = *value });
}

void fathom_parameter_text_(const char *name, const char *value, size_t length, size_t value_length)
{
	const struct fathom_parameter_value given = fathom_parameter_text(value, trimmed(value, value_length));

	give(name, length, FATHOM_PARAMETER_KIND_TEXT, &given);
}

void fathom_recording_off_(void)
{
	fathom_event_record(false);
}

void fathom_recording_on_(void)
{
	fathom_event_record(true);
}

void fathom_trace_keep_(void)
{
	fathom_event_keep_newest();
}

int32_t fathom_recording_(void)
{
	return fathom_event_is_recording();
}

/* --- metrics ------------------------------------------------------------------------------------- */

/* The texts of a metric, as the program passes them. */
struct texts {
	const char *name, *unit, *description;
	size_t length, unit_length, description_length;
};

static void give_metric(const struct texts *texts, bool is_point, enum fathom_metric_type type, uint64_t bits)
{
	const struct fathom_user_metric given = {
		.name = texts->name,
		.unit = texts->unit,
		.description = texts->description,
		.name_length = trimmed(texts->name, texts->length),
		.unit_length = trimmed(texts->unit, texts->unit_length),
		.description_length = trimmed(texts->description, texts->description_length),
		.type = type,
		.is_point = is_point,
	};
	const struct fathom_metric *metric = fathom_user_metric(&given);

	if (likely(metric))
		fathom_user_give(metric, type, bits);
}

static void give_number(const struct texts *texts, bool is_point, double number)
{
	uint64_t bits;

	memcpy(&bits, &number, sizeof(bits));
	if (number == number)
		give_metric(texts, is_point, FATHOM_METRIC_DOUBLE, bits);
	else
		fathom_user_note_nan(texts->name, trimmed(texts->name, texts->length));
}

void fathom_metric_i4_(const char *name, const char *unit, const char *text, const int32_t *value, size_t length,
		       size_t unit_length, size_t text_length)
{
	const struct texts texts = { name, unit, text, length, unit_length, text_length };

	give_metric(&texts, false, FATHOM_METRIC_INT64, (uint64_t)(int64_t)*value);
}

void fathom_metric_i8_(const char *name, const char *unit, const char *text, const int64_t *value, size_t length,
		       size_t unit_length, size_t text_length)
{
	const struct texts texts = { name, unit, text, length, unit_length, text_length };

	give_metric(&texts, false, FATHOM_METRIC_INT64, (uint64_t)(int64_t)*value);
}

void fathom_metric_r4_(const char *name, const char *unit, const char *text, const float *value, size_t length,
		       size_t unit_length, size_t text_length)
{
	const struct texts texts = { name, unit, text, length, unit_length, text_length };

	give_number(&texts, false, *value);
}

void fathom_metric_r8_(const char *name, const char *unit, const char *text, const double *value, size_t length,
		       size_t unit_length, size_t text_length)
{
	const struct texts texts = { name, unit, text, length, unit_length, text_length };

	give_number(&texts, false, *value);
}

void fathom_point_i4_(const char *name, const char *unit, const char *text, const int32_t *value, size_t length,
		       size_t unit_length, size_t text_length)
{
	const struct texts texts = { name, unit, text, length, unit_length, text_length };

	give_metric(&texts, true, FATHOM_METRIC_INT64, (uint64_t)(int64_t)*value);
}

void fathom_point_i8_(const char *name, const char *unit, const char *text, const int64_t *value, size_t length,
		       size_t unit_length, size_t text_length)
{
	const struct texts texts = { name, unit, text, length, unit_length, text_length };

	give_metric(&texts, true, FATHOM_METRIC_INT64, (uint64_t)(int64_t)*value);
}

void fathom_point_r4_(const char *name, const char *unit, const char *text, const float *value, size_t length,
		       size_t unit_length, size_t text_length)
{
	const struct texts texts = { name, unit, text, length, unit_length, text_length };

	give_number(&texts, true, *value);
}

void fathom_point_r8_(const char *name, const char *unit, const char *text, const double *value, size_t length,
		       size_t unit_length, size_t text_length)
{
	const struct texts texts = { name, unit, text, length, unit_length, text_length };

	give_number(&texts, true, *value);
}

/* --- topologies ---------------------------------------------------------------------------------- */

/* Defines a topology. periodic is an array of logicals. names is an array of texts of names_length characters each. */
void fathom_topology_(const char *name, const int32_t *count, const int32_t *sizes, const int32_t *periodic,
		      const char *names, size_t length, size_t names_length)
{
	const char *starts[FATHOM_TOPOLOGY_MOST_DIMENSIONS];
	size_t lengths[FATHOM_TOPOLOGY_MOST_DIMENSIONS];
	const struct fathom_user_topology given = {
		.name = name,
		.length = trimmed(name, length),
		.count = *count,
		.sizes = sizes,
		.periodic = periodic,
		.names = starts,
		.name_lengths = lengths,
	};

	for (int d = 0; d < *count && d < FATHOM_TOPOLOGY_MOST_DIMENSIONS; d++) {
		starts[d] = names + (size_t)d * names_length;
		lengths[d] = trimmed(starts[d], names_length);
	}
	fathom_user_define_topology(&given);
}

static void place(const char *name, size_t length, int count, const int32_t *at, bool is_thread)
{
	const struct fathom_user_topology given = { .name = name, .length = trimmed(name, length), .count = count };

	fathom_user_place(&given, at, is_thread);
}

void fathom_topology_process_(const char *name, const int32_t *count, const int32_t *at, size_t length)
{
	place(name, length, *count, at, false);
}

void fathom_topology_thread_(const char *name, const int32_t *count, const int32_t *at, size_t length)
{
	place(name, length, *count, at, true);
}

/* --- the functions of the preprocessor's macros, which pass file and line ------------------------ */

void fathom_begin_at_(const char *name, const int32_t *kind, const int64_t *number, const char *file,
		      const int32_t *line, size_t length, size_t file_length)
{
	const struct fathom_user_name given = {
		.name = name,
		.length = length,
		.file = file,
		.file_length = file_length,
		.line = (unsigned)*line,
		.kind = (unsigned)*kind,
	};

	begin(&given, *number);
}

void fathom_end_at_(const char *name, const char *file, const int32_t *line, size_t length, size_t file_length)
{
	end(name, length, file, file_length, (unsigned)*line);
}
