/*
 * scope_region: the regions of loops and of inlined functions that samples found. The file scopes.cubex next to a
 * profile has them in its call tree, between the call paths of the profile.
 */
#ifndef FATHOM_TOOLS_COMMON_SCOPE_REGION_H
#define FATHOM_TOOLS_COMMON_SCOPE_REGION_H

#include <stdbool.h>

#include "cube/cube.h"

/* The descriptions by which readers know such regions. */
#define FATHOM_LOOP_DESCRIPTION "loop of the function around it, found by samples"
#define FATHOM_INLINED_DESCRIPTION "inlined into the function around it, found by samples"

/* Return whether a region is such a loop; an inlined function; one of both. The name of a loop is "loop FILE:LINE",
 * that of an inlined function is "inlined NAME". Context: tool. */
bool fathom_scope_is_loop(const struct fathom_cube_region *region);
bool fathom_scope_is_inlined(const struct fathom_cube_region *region);
bool fathom_scope_is(const struct fathom_cube_region *region);

#endif
