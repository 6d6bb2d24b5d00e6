/*
 * construct_counts: counts the OpenMP constructs of a source, for the message that they will not be measured.
 */
#ifndef FATHOM_OPARI_CONSTRUCT_COUNTS_H
#define FATHOM_OPARI_CONSTRUCT_COUNTS_H

#include <stddef.h>

struct fathom_construct_counts_entry {
	char name[64];
	size_t count;
	unsigned long line;	/* of the first one */
};

struct fathom_construct_counts {
	struct fathom_construct_counts_entry list[24];
	size_t count;
	size_t others;		/* constructs of further kinds, for which list has no room */
};

/* Counts a construct. */
void fathom_construct_counts_add(struct fathom_construct_counts *counts, const char *name, unsigned long line);

/* Returns "2 parallel for (from line 8), 1 critical (line 20)"; the caller frees it. NULL: there are no constructs. */
char *fathom_construct_counts_text(const struct fathom_construct_counts *counts);

#endif
