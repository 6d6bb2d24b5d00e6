/* metric: values of metrics that the program gives. */
#ifndef FATHOM_USER_METRIC_H
#define FATHOM_USER_METRIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fathom_metric;

/* A metric as the program describes it in a call that gives a value. */
struct fathom_user_metric {
	const char *name, *unit, *description;		/* these and file need not end with a NUL */
	size_t name_length, unit_length, description_length;
	const char *file;		/* NULL: not known */
	size_t file_length;
	unsigned line;
	unsigned type;			/* enum fathom_metric_type */
	bool is_point;
};

/* Returns the metric with the given name. If the description differs from that of an earlier call, the function notes
 * this for the report at the end. NULL: no further metric can be defined. Context: hook; a new metric: birth. */
const struct fathom_metric *fathom_user_metric(const struct fathom_user_metric *given);

/* Notes that Fortran gave a value that is not a number (NaN). Context: birth. */
void fathom_user_note_nan(const char *name, size_t length);

/* Gives the metric a value: the bits of a number of type (enum fathom_metric_type), which may differ from the
 * metric's type. Context: hook. */
void fathom_user_give(const struct fathom_metric *metric, unsigned type, uint64_t bits);

#endif
