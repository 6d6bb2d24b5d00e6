/* fortran: the functions that the Fortran module calls. Numbers are passed by address; the lengths of texts are passed
 * behind all other arguments. fathom/fathom.h describes each function under its name in C. Context of all: hook; a new
 * name: birth. */
#ifndef FATHOM_USER_FORTRAN_H
#define FATHOM_USER_FORTRAN_H

#include <stddef.h>
#include <stdint.h>

#include "platform/compiler.h"

/* Begin and end a region. */
FATHOM_API void fathom_region_begin_(const char *name, size_t length);
FATHOM_API void fathom_region_end_(const char *name, size_t length);

/* Begin and end a region that is a function. */
FATHOM_API void fathom_function_begin_(const char *name, size_t length);
FATHOM_API void fathom_function_end_(const char *name, size_t length);

/* Begin and end a region that is a loop. */
FATHOM_API void fathom_loop_begin_(const char *name, size_t length);
FATHOM_API void fathom_loop_end_(const char *name, size_t length);

/* Begin and end a phase; number is that of its iteration. */
FATHOM_API void fathom_phase_begin_i4_(const char *name, const int32_t *number, size_t length);
FATHOM_API void fathom_phase_begin_i8_(const char *name, const int64_t *number, size_t length);
FATHOM_API void fathom_phase_end_(const char *name, size_t length);

/* Give a parameter to the innermost region. */
FATHOM_API void fathom_parameter_i4_(const char *name, const int32_t *value, size_t length);
FATHOM_API void fathom_parameter_i8_(const char *name, const int64_t *value, size_t length);
FATHOM_API void fathom_parameter_text_(const char *name, const char *value, size_t length, size_t value_length);

/* Give a value to a metric. */
FATHOM_API void fathom_metric_i4_(const char *name, const char *unit, const char *text, const int32_t *value,
				  size_t length, size_t unit_length, size_t text_length);
FATHOM_API void fathom_metric_i8_(const char *name, const char *unit, const char *text, const int64_t *value,
				  size_t length, size_t unit_length, size_t text_length);
FATHOM_API void fathom_metric_r4_(const char *name, const char *unit, const char *text, const float *value,
				  size_t length, size_t unit_length, size_t text_length);
FATHOM_API void fathom_metric_r8_(const char *name, const char *unit, const char *text, const double *value,
				  size_t length, size_t unit_length, size_t text_length);

/* Give a metric its value at this point of the program. */
FATHOM_API void fathom_point_i4_(const char *name, const char *unit, const char *text, const int32_t *value,
				  size_t length, size_t unit_length, size_t text_length);
FATHOM_API void fathom_point_i8_(const char *name, const char *unit, const char *text, const int64_t *value,
				  size_t length, size_t unit_length, size_t text_length);
FATHOM_API void fathom_point_r4_(const char *name, const char *unit, const char *text, const float *value,
				  size_t length, size_t unit_length, size_t text_length);
FATHOM_API void fathom_point_r8_(const char *name, const char *unit, const char *text, const double *value,
				  size_t length, size_t unit_length, size_t text_length);

/* Defines a topology. */
FATHOM_API void fathom_topology_(const char *name, const int32_t *count, const int32_t *sizes, const int32_t *periodic,
				 const char *names, size_t length, size_t names_length);

/* Put the process, or the calling thread, at a place in a topology. */
FATHOM_API void fathom_topology_process_(const char *name, const int32_t *count, const int32_t *at, size_t length);
FATHOM_API void fathom_topology_thread_(const char *name, const int32_t *count, const int32_t *at, size_t length);

/* Pause the recording of the calling thread, and continue it. */
FATHOM_API void fathom_recording_off_(void);
FATHOM_API void fathom_recording_on_(void);

/* Makes the newest events of a trace stay in full. */
FATHOM_API void fathom_trace_keep_(void);

/* Returns 1 if the calling thread records, else 0. */
FATHOM_API int32_t fathom_recording_(void);

/* Begin and end a region at a line of a file, as the preprocessor's macros do. */
FATHOM_API void fathom_begin_at_(const char *name, const int32_t *kind, const int64_t *number, const char *file,
				 const int32_t *line, size_t length, size_t file_length);
FATHOM_API void fathom_end_at_(const char *name, const char *file, const int32_t *line, size_t length,
			       size_t file_length);

#endif
