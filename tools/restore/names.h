/*
 * names: what functions of a process that has ended are called: from the files of its program and libraries, if these
 * still are what they were.
 */
#ifndef FATHOM_TOOLS_RESTORE_NAMES_H
#define FATHOM_TOOLS_RESTORE_NAMES_H

#include <stdbool.h>

#include "copy.h"

struct fathom_region;

/* copy must live as long as names are asked for. */
void names_init(const struct copy *copy);

/* A fathom_region_resolver (run/runtime.h). */
void names_resolve(struct fathom_region *region, bool may_allocate);

#endif
