/*
 * thread_regions: the regions that are open in a thread of a Paraver trace, and what an event of the trace means for
 * them. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_IMPORT_THREAD_REGIONS_H
#define FATHOM_TOOLS_IMPORT_THREAD_REGIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How the values of a type follow each other. */
enum fathom_paraver_style {
	FATHOM_PARAVER_NESTED,		/* a value enters a region, 0 leaves the innermost one */
	FATHOM_PARAVER_OUTER,		/* the same, but after a leave the value is that of the region around */
	FATHOM_PARAVER_ONE,		/* one region is open at a time, and a value replaces it */
};

struct fathom_open_region {
	uint32_t type;		/* index */
	uint64_t value;
};

struct fathom_thread_regions {	/* all zero: none is open */
	struct fathom_open_region *open;	/* the innermost is the last */
	size_t count, room;
};

/* Returns how many regions an event of a type with that value leaves, and in *enters whether it enters one. */
size_t fathom_thread_regions_left(const struct fathom_thread_regions *regions, uint32_t type,
				  enum fathom_paraver_style style, uint64_t value, bool *enters);

#endif
