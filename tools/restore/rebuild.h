/*
 * rebuild: restores the regions, metrics and threads of a process from the copy of its memory, in the form from which
 * lib/profile or lib/trace writes a result.
 *
 * The copy may be damaged in any way. A pointer is followed only to memory that the copy has, each object is made once,
 * and an object that cannot be read is left out with everything below it.
 */
#ifndef FATHOM_TOOLS_RESTORE_REBUILD_H
#define FATHOM_TOOLS_RESTORE_REBUILD_H

#include "copy.h"
#include "event/location.h"

/* The result for which the objects are needed. */
enum rebuild_for { REBUILD_FOR_PROFILE, REBUILD_FOR_TRACE };

/* Restores the objects. path is the path of the snapshot, for messages. 0, or -errno after a message: the process has
 * recorded nothing, or there is no memory. */
int rebuild(const struct copy *copy, const char *path, enum rebuild_for result);

/* Returns the location that was made of the location at address. NULL: there is none. */
struct fathom_location *rebuilt_location(uint64_t address);

/* Returns the number of regions that have the same id as in the process. For a trace only. */
uint32_t rebuilt_region_count(void);

#endif
