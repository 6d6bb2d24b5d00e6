/*
 * rebuild: makes the regions, metrics and threads of a process anew, from the copy of its memory, as lib/profile wants
 * them to write a profile.
 *
 * Whatever the copy says is checked: a pointer is only followed to memory that the copy has, each object is made once,
 * and what cannot be read is left out with all that hangs on it.
 */
#ifndef FATHOM_TOOLS_RESTORE_REBUILD_H
#define FATHOM_TOOLS_RESTORE_REBUILD_H

#include "copy.h"

/* 0, or -errno after a line was said: nothing was recorded, or no memory. */
int rebuild(const struct copy *copy, const char *path);

#endif
