/*
 * region_merging: which regions of an array are the same by some of their properties.
 *
 * Regions that a process tells apart may be one in the file. A static function of a header, which was compiled into
 * several objects, reads the same at several places of the code. And in the file a region has no parameters: its call
 * paths have them.
 */
#ifndef FATHOM_PROFILE_REGION_MERGING_H
#define FATHOM_PROFILE_REGION_MERGING_H

#include <stdint.h>

#include "define/region.h"
#include "platform/arena.h"

struct fathom_distinct_regions {
	uint32_t *index;	/* by region of the array: the number of the distinct region that it is */
	uint32_t *region;	/* by number: the first region of the array that is this one; ascending */
	uint32_t count;		/* of distinct regions */
};

/*
 * Numbers the distinct regions among the count regions of the array, in the order of their first appearance. mask says
 * which properties tell regions apart (define/region.h). The memory is the arena's. 0 or -ENOMEM.
 * Context: finish, signal.
 */
int fathom_distinct_regions_find(struct fathom_distinct_regions *distinct, struct fathom_arena *arena,
				 const struct fathom_region *regions, uint32_t count, uint32_t mask);

#endif
