/* names: finds the names of the functions of a process that has ended, in the files of its program and libraries, if
 * these files have not changed. */
#ifndef FATHOM_TOOLS_RESTORE_NAMES_H
#define FATHOM_TOOLS_RESTORE_NAMES_H

#include <stdbool.h>

#include "copy.h"

struct fathom_region;

/* Prepares the search. copy must live as long as names_resolve is called. */
void names_init(const struct copy *copy);

/* Finds the names of a region; this is a fathom_region_resolver (run/runtime.h). */
void names_resolve(struct fathom_region *region, bool may_allocate);

#endif
