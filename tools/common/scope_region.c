#include "tools/common/scope_region.h"

#include <string.h>

bool fathom_scope_is_loop(const struct fathom_cube_region *region)
{
	return strcmp(region->description, FATHOM_LOOP_DESCRIPTION) == 0;
}

bool fathom_scope_is_inlined(const struct fathom_cube_region *region)
{
	return strcmp(region->description, FATHOM_INLINED_DESCRIPTION) == 0;
}

bool fathom_scope_is(const struct fathom_cube_region *region)
{
	return fathom_scope_is_loop(region) || fathom_scope_is_inlined(region);
}
