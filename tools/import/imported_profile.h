/*
 * imported_profile: a profile that is put together piece by piece and then written as a .cubex file.
 *
 * A reader of another tool's format adds regions, call paths, threads, metrics and values in any order; the writer
 * sorts them. Values that are added for the same metric, call path and thread are summed up. Texts are copied. Out of
 * memory ends the program. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_IMPORT_IMPORTED_PROFILE_H
#define FATHOM_TOOLS_IMPORT_IMPORTED_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cube/cube.h"
#include "tools/common/hash_index.h"

enum { FATHOM_IMPORTED_NO_PATH = UINT32_MAX };	/* the parent of a root */

struct fathom_imported_path {
	uint32_t parent;	/* smaller than its own number, or FATHOM_IMPORTED_NO_PATH */
	uint32_t region;
};

struct fathom_imported_thread {
	int64_t node, context, thread;	/* as TAU numbers them; others: the rank, 0 and the number of the thread */
};

struct fathom_imported_value {
	uint32_t metric, path, thread;
	double value;		/* own, that is exclusive */
};

struct fathom_imported_profile {	/* all zero: empty and ready */
	struct fathom_cube_metric *metrics;
	struct fathom_cube_region *regions;
	struct fathom_imported_path *paths;
	struct fathom_imported_thread *threads;
	struct fathom_imported_value *values;
	size_t metric_count, region_count, path_count, thread_count, value_count;
	size_t metric_room, region_room, path_room, thread_room, value_room;
	struct fathom_index region_index, path_index, thread_index;
};

/* Return the number of an object with these properties, which is added if it is new. A metric is found by its unique
 * name, which is made of name; title is what people read; a region by name, file and line (-1: not known). */
uint32_t fathom_imported_metric(struct fathom_imported_profile *profile, const char *name, const char *title,
				const char *unit, enum fathom_cube_dtype dtype);
uint32_t fathom_imported_region(struct fathom_imported_profile *profile, const struct fathom_cube_region *region);
uint32_t fathom_imported_path(struct fathom_imported_profile *profile, uint32_t parent, uint32_t region);
uint32_t fathom_imported_thread(struct fathom_imported_profile *profile, int64_t node, int64_t context, int64_t thread);

void fathom_imported_add(struct fathom_imported_profile *profile, uint32_t metric, uint32_t path, uint32_t thread,
			 double value);

/* Writes the profile, in which there must be a metric, a call path and a thread, to path, which must not exist. source:
 * what it was made of, for an attribute of the file. 0, or -errno after an error message. */
int fathom_imported_write(struct fathom_imported_profile *profile, const char *path, const char *source);

void fathom_imported_fini(struct fathom_imported_profile *profile);

#endif
