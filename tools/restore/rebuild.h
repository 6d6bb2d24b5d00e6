/*
 * rebuild: makes the regions, metrics and threads of a process anew, from the copy of its memory, as lib/profile
 * or lib/trace wants them to write a result.
 *
 * Nothing in the copy is trusted. A pointer is followed only to memory that the copy has, each object is made once,
 * and an object that cannot be read is left out with everything below it.
 */
#ifndef FATHOM_TOOLS_RESTORE_REBUILD_H
#define FATHOM_TOOLS_RESTORE_REBUILD_H

#include "copy.h"
#include "event/location.h"

/* The result that the objects are needed for. */
enum rebuild_for { REBUILD_FOR_PROFILE, REBUILD_FOR_TRACE };

/* Makes the objects. path is that of the snapshot, for messages. 0, or -errno after a message: nothing was recorded,
 * or no memory. */
int rebuild(const struct copy *copy, const char *path, enum rebuild_for result);

/* Returns the location that was made of the one at address. NULL: there is none. */
struct fathom_location *rebuilt_location(uint64_t address);

/* Returns how many regions there are that have the same id as in the process. For a trace only. */
uint32_t rebuilt_region_count(void);

#endif
