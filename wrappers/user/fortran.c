/*
 * The program's own calls, from Fortran: see include/fathom/fathom.F90. Names are as Fortran compilers spell
 * external procedures; texts come without a NUL, their lengths behind all arguments.
 */
#define FATHOM_USER
#include "fathom/fathom.h"

#include <string.h>

#include "define/parameter.h"
#include "define/region.h"
#include "event/event.h"
#include "platform/compiler.h"
#include "user/fortran.h"
#include "user/user.h"

/* Fortran fills texts with blanks. */
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

/* --- the module's forms -------------------------------------------------------------------------- */

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

int32_t fathom_recording_(void)
{
	return fathom_event_is_recording();
}

/* --- the preprocessor's forms, which tell where they stand --------------------------------------- */

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
