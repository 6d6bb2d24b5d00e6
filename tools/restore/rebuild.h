/*
 * rebuild: makes the regions, metrics and threads of a process anew, from the copy of its memory, as lib/profile
 * or lib/trace wants them to write a result.
 *
 * Whatever the copy says is checked: a pointer is only followed to memory that the copy has, each object is made once,
 * and what cannot be read is left out with all that hangs on it.
 */
#ifndef FATHOM_TOOLS_RESTORE_REBUILD_H
#define FATHOM_TOOLS_RESTORE_REBUILD_H

#include "copy.h"
#include "event/location.h"

/* For which result: then all that this result needs is made. */
enum rebuild_for { REBUILD_FOR_PROFILE, REBUILD_FOR_TRACE };

/* 0, or -errno after a line was said: nothing was recorded, or no memory. */
int rebuild(const struct copy *copy, const char *path, enum rebuild_for result);

/* For a trace. The location that was made of that at address; NULL: there is none. Then, how many regions have the ids
 * that they had in the process. */
struct fathom_location *rebuilt_location(uint64_t address);
uint32_t rebuilt_region_count(void);

#endif
