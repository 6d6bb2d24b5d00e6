/*
 * user: what the two languages of the program's own calls have in common.
 */
#ifndef FATHOM_USER_USER_H
#define FATHOM_USER_USER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fathom_region;
struct fathom_metric;

/* The region that begins at a place of the source. kind: as in fathom.h. NULL: no memory. Context: birth. */
const struct fathom_region *fathom_user_region(const char *name, const char *file, unsigned line, unsigned kind);

/* The region called name ends. Where regions are not nested, that is said. file may be NULL, and need not end with
 * a NUL. Context: hook. */
void fathom_user_leave(const char *name, size_t length, const char *file, size_t file_length, unsigned line);

/* The region that begins somewhere under a name that is not known before. Context: hook, birth where it is new. */
struct fathom_user_name {
	const char *name;		/* need not end with a NUL; so the file */
	size_t length;
	const char *file;		/* NULL: not known */
	size_t file_length;
	unsigned line;
	unsigned kind;
};
const struct fathom_region *fathom_user_named_region(const struct fathom_user_name *name);

/* What the program says of a metric where it gives a value. */
struct fathom_user_metric {
	const char *name, *unit, *description;		/* need not end with a NUL; so the file */
	size_t name_length, unit_length, description_length;
	const char *file;		/* NULL: not known */
	size_t file_length;
	unsigned line;
	unsigned type;			/* enum fathom_metric_type */
	bool is_point;
};

/* The metric that is meant. What does not fit to what was said of it before is said at the end. NULL: there can be
 * none. Context: hook, birth where it is new. */
const struct fathom_metric *fathom_user_metric(const struct fathom_user_metric *said);

/* A double that is no number was given, in Fortran. Context: birth. */
void fathom_user_note_nan(const char *name, size_t length);

/* A value of it, in the bits of type, which may be another one than the metric's. Context: hook. */
void fathom_user_give(const struct fathom_metric *metric, unsigned type, uint64_t bits);

/* What the program says of a topology, or where a place in it is given. */
struct fathom_user_topology {
	const char *name;		/* need not end with a NUL; so the others */
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

/* It is defined; or the process, or this thread, is at that place in it. What cannot be is said at the end.
 * Context: birth. */
void fathom_user_define_topology(const struct fathom_user_topology *said);
void fathom_user_place(const struct fathom_user_topology *said, const int *at, bool is_thread);

#endif
