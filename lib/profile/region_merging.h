/*
 * region_merging: regions without their parameters, as files want it: a region once, and its parameters at the call
 * paths.
 */
#ifndef FATHOM_PROFILE_REGION_MERGING_H
#define FATHOM_PROFILE_REGION_MERGING_H

#include <stdint.h>

#include "cube/cube.h"
#include "define/region.h"
#include "platform/arena.h"

struct fathom_plain {
	uint32_t *index;	/* by region: which of the plain ones it is */
	uint32_t *region;	/* by plain one: a region that reads like it but for parameters */
	uint32_t count;
};

/* All from arena. 0 or -ENOMEM. Context: finish, signal. */
int fathom_plain_init(struct fathom_plain *plain, struct fathom_arena *arena, const struct fathom_region *regions,
		      uint32_t count);

/* How many parameters there are in the text of a region; and these, from first on. 0 or -ENOMEM. Context: finish,
 * signal. */
uint32_t fathom_plain_count(const char *parameters);
int fathom_plain_read(const char *parameters, struct fathom_cube_parameter *first, struct fathom_arena *arena);

#endif
