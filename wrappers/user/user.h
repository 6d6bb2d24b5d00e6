/* user: the parts that the entry points for C (user.c) and for Fortran (fortran.c) share. */
#ifndef FATHOM_USER_USER_H
#define FATHOM_USER_USER_H

#include <stddef.h>

struct fathom_region;

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

#endif
