/*
 * census: the OpenMP constructs of a source, to be named where they will not be measured.
 */
#ifndef FATHOM_OPARI_CENSUS_H
#define FATHOM_OPARI_CENSUS_H

#include <stddef.h>

struct fathom_census_entry {
	char name[64];
	size_t count;
	unsigned long line;	/* of the first one */
};

struct fathom_census {
	struct fathom_census_entry list[24];
	size_t count;
	size_t others;		/* constructs of kinds that had no place */
};

void fathom_census_add(struct fathom_census *census, const char *name, unsigned long line);

/* "2 parallel for (from line 8), 1 critical (line 20)", a string to free; NULL if there are none. */
char *fathom_census_text(const struct fathom_census *census);

#endif
