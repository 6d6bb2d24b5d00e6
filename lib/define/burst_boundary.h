/*
 * burst_boundary: which regions divide bursts, which are stretches of computation. bursts/burst_regions.h says the same
 * of the regions of a trace.
 */
#ifndef FATHOM_DEFINE_BURST_BOUNDARY_H
#define FATHOM_DEFINE_BURST_BOUNDARY_H

#include <stdbool.h>

#include "define/region.h"

/* Returns whether the begin and end of a region divide bursts. Context: hook. */
static inline bool fathom_region_divides_bursts(const struct fathom_region *region)
{
	const uint32_t boundaries = 1u << FATHOM_PARADIGM_MPI | 1u << FATHOM_PARADIGM_OPENMP |
				    1u << FATHOM_PARADIGM_PTHREAD | 1u << FATHOM_PARADIGM_IO;

	return boundaries >> region->paradigm & 1;
}

/* Returns whether the own time of a region that divides bursts is computation of the program: the body of an OpenMP
 * construct. Context: hook. */
static inline bool fathom_region_is_burst_body(const struct fathom_region *region)
{
	const uint64_t bodies = 1ull << FATHOM_ROLE_FUNCTION | 1ull << FATHOM_ROLE_LOOP | 1ull << FATHOM_ROLE_CODE |
				1ull << FATHOM_ROLE_PARALLEL | 1ull << FATHOM_ROLE_SECTIONS |
				1ull << FATHOM_ROLE_SECTION | 1ull << FATHOM_ROLE_WORKSHARE |
				1ull << FATHOM_ROLE_SINGLE_SBLOCK | 1ull << FATHOM_ROLE_MASTER |
				1ull << FATHOM_ROLE_CRITICAL_SBLOCK | 1ull << FATHOM_ROLE_ORDERED_SBLOCK |
				1ull << FATHOM_ROLE_TASK;

	return region->paradigm == FATHOM_PARADIGM_OPENMP && bodies >> region->role & 1;
}

#endif
