/*
 * burst_regions: which regions of a trace are calls of a parallel runtime, and which divide bursts.
 */
#ifndef FATHOM_BURSTS_BURST_REGIONS_H
#define FATHOM_BURSTS_BURST_REGIONS_H

#include <stdbool.h>

#include "otf2/definition_index.h"

/* Finds out whether the own time of a region is that of a call and no computation (*is_runtime), and whether its begin
 * and end divide bursts (*is_boundary), which holds for calls and for constructs whose body is computation. Context:
 * tool. */
void fathom_burst_region_look(const struct fathom_otf2_defs *defs, const struct fathom_otf2_region *region,
			      bool *is_runtime, bool *is_boundary);

#endif
