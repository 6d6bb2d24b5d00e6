/*
 * region_calls: the call tree as a graph of regions: the own values of each region, and the calls from one region
 * to another with their inclusive values.
 *
 * A value is counted once where a region, or a pair of caller and callee, stands below itself in the call tree: the
 * outermost one has it. A direct recursion has calls, but no inclusive value. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_EXPORT_REGION_CALLS_H
#define FATHOM_TOOLS_EXPORT_REGION_CALLS_H

#include <stddef.h>
#include <stdint.h>

#include "tools/common/hash_index.h"

struct fathom_region_call {
	uint32_t caller, callee;	/* regions */
	int64_t calls;
	int64_t own;			/* own values of the callee in these calls */
	int64_t inclusive;
	uint32_t open;			/* used while the tree is walked */
};

struct fathom_region_sum {
	int64_t own, inclusive;
	int64_t calls;			/* without direct recursion */
	int64_t recursive_calls;	/* by itself */
	size_t first_call;		/* in calls: the calls of this caller end where those of the next one begin */
	uint32_t open;			/* used while the tree is walked */
	uint32_t call_paths;		/* number of its call paths */
};

struct fathom_region_calls {
	struct fathom_region_sum *regions;	/* by region, with one more at the end for its first_call */
	struct fathom_region_call *calls;	/* by caller, then by inclusive value, the largest first */
	size_t call_count, call_room;
	struct fathom_index index;
};

struct fathom_export_profile;
void fathom_region_calls_init(struct fathom_region_calls *graph, const struct fathom_export_profile *source);
void fathom_region_calls_fini(struct fathom_region_calls *graph);

#endif
