/*
 * sites: where a function calls the hooks, for itself; not what was inlined into it.
 */
#ifndef FATHOM_WRAPPERS_COMPILER_SITES_H
#define FATHOM_WRAPPERS_COMPILER_SITES_H

#include "patch.h"

struct fathom_site {
	uint8_t *at;			/* the byte that is to change: the first of the operation code */
	uint8_t was;
	uint8_t becomes;
	enum fathom_patch_parts part;	/* one of them */
};

/* Where function, which begins at its address, ends. NULL: not known. Context: birth. */
const uint8_t *fathom_function_end(const void *function);

/*
 * The calls of function, as many as there is room for: their number. -ENOENT: its end is not known; -EILSEQ: its code
 * cannot be read. Context: birth.
 */
int fathom_sites_find(const void *function, const struct fathom_patch_hooks *hooks, struct fathom_site *sites,
		      int room);

#endif
