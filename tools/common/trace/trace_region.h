/*
 * trace_region: a region of a trace in the form of profiles.
 */
#ifndef FATHOM_TOOLS_COMMON_TRACE_REGION_H
#define FATHOM_TOOLS_COMMON_TRACE_REGION_H

#include "cube/cube.h"
#include "otf2/archive_reader.h"

/* Returns a region in the form of profiles, with words for its role and paradigm. The texts live as long as the trace.
 * Context: tool. */
struct fathom_cube_region fathom_otf2_region_words(const struct fathom_otf2_archive *trace,
						   const struct fathom_otf2_region *region);

#endif
