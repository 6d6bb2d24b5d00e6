/*
 * region_merging: finds regions of an array that are equal in some of their properties.
 *
 * Regions that are different in a process may be one region in the file. For instance, a static function of a header
 * that was compiled into several objects has the same name and source at several addresses. And in the file, regions
 * have no parameters; their call paths have them.
 */
#ifndef FATHOM_PROFILE_REGION_MERGING_H
#define FATHOM_PROFILE_REGION_MERGING_H

#include <stdint.h>

#include "define/region.h"
#include "platform/arena.h"

struct fathom_distinct_regions {
	uint32_t *index;	/* by region of the array: the number of its distinct region */
	uint32_t *region;	/* by number: the first region of the array that belongs to it; ascending */
	uint32_t count;		/* number of distinct regions */
};

/*
 * Numbers the distinct regions among the count regions of the array, in the order of their first appearance. mask
 * selects the properties that are compared (define/region.h). The memory is taken from arena. 0 or -ENOMEM.
 * Context: finish, signal.
 */
int fathom_distinct_regions_find(struct fathom_distinct_regions *distinct, struct fathom_arena *arena,
				 const struct fathom_region *regions, uint32_t count, uint32_t mask);

#endif
