/* user: the parts that the entry points for C (user.c) and for Fortran (fortran.c) share. */
#ifndef FATHOM_USER_USER_H
#define FATHOM_USER_USER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config.h"

struct fathom_region;
struct fathom_metric;

/* Returns the region that begins at a line of a source. kind: as in fathom.h. NULL: no memory. Context: birth. */
const struct fathom_region *fathom_user_region(const char *name, const char *file, unsigned line, unsigned kind);

/* Exits the region called name. If the program does not nest its regions, the function notes this for the report at the
 * end. file may be NULL, and need not end with a NUL. Context: hook. */
void fathom_user_leave(const char *name, size_t length, const char *file, size_t file_length, unsigned line);

/* A region whose name is passed with each call. */
struct fathom_user_name {
	const char *name;		/* name and file need not end with a NUL */
	size_t length;
	const char *file;		/* NULL: not known */
	size_t file_length;
	unsigned line;
	unsigned kind;
};

/* Returns the region of this name, file and kind. NULL: no memory. Context: hook; a new name: birth. */
const struct fathom_region *fathom_user_named_region(const struct fathom_user_name *name);

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

/* A topology as the program describes it, or the numbers of a place in it. */
struct fathom_user_topology {
	const char *name;		/* no text here need end with a NUL */
	size_t length;
	const char *file;		/* NULL: not known */
	size_t file_length;
	unsigned line;
	int count;			/* of dimensions, or of numbers */
	const int *sizes;
	const int *periodic;		/* NULL: none is */
	const char *const *names;	/* of dimensions; NULL: they have none */
	const size_t *name_lengths;
};

#ifndef FATHOM_WITHOUT_TOPOLOGIES

/* Define a topology; set the position of the process, or of the calling thread, in a topology. Impossible values are
 * noted for the report at the end. Context: birth. */
void fathom_user_define_topology(const struct fathom_user_topology *given);
void fathom_user_place(const struct fathom_user_topology *given, const int *at, bool is_thread);

#else

/* configure --without-topologies: the program may describe topologies, and nothing is recorded. */
static inline void fathom_user_define_topology(const struct fathom_user_topology *given)
{
	(void)given;
}

static inline void fathom_user_place(const struct fathom_user_topology *given, const int *at, bool is_thread)
{
	(void)given;
	(void)at;
	(void)is_thread;
}

#endif

#endif
