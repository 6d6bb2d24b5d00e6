/*
 * merged_definitions: merges the definitions of several profiles of one run.
 *
 * Profiles are added one by one; equal definitions are kept once: metrics of the same unique name;
 * regions of the same names, place, paradigm and role; call paths of the same regions and
 * parameters; system nodes of the same names. Then fathom_definitions_finish puts the definitions into the
 * order of the file, and from then on the definitions of the same profiles can be located in it.
 *
 * A profile holds one process. Call paths keep the order in which they were first met, so the
 * result depends only on the order of adding. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_MERGE_MERGED_DEFINITIONS_H
#define FATHOM_TOOLS_MERGE_MERGED_DEFINITIONS_H

#include "cube/cube.h"
#include "platform/arena.h"
#include "tools/common/hash_index.h"

/* The key of an attribute with the map of iterations of a thread; "CNODE:RANK:THREAD" follows. */
#define FATHOM_ITERATIONS_KEY "fathom::iterations:"

/* An attribute whose key begins with FATHOM_ITERATIONS_KEY. */
struct fathom_definitions_iterations {
	uint32_t cnode;			/* in order of arrival */
	const char *rest, *value;	/* rest: the part of its key behind the call path */
};

struct fathom_definitions {
	struct fathom_cube cube;	/* in order of arrival until fathom_definitions_finish */
	const char *threads;		/* how the processes aggregated threads: "all", "sum", ... */
	struct fathom_index region_index, cnode_index, node_index;
	struct fathom_definitions_iterations *iterations;
	size_t iterations_count, iterations_room;
	size_t attribute_room, metric_room, region_room, cnode_room, parameter_room, node_room, group_room,
		location_room, topology_room;
	uint32_t *final_cnode;		/* by order of arrival; NULL before finish */
	uint32_t *final_metric;
	uint32_t *first_column;		/* by process, in order of arrival */
	struct fathom_arena texts;
};

/* The numbers of a profile's definitions in the merged ones. */
struct fathom_definitions_map {
	uint32_t *metric;
	uint32_t *cnode;
};

/* Adds the profile of a rank. 0, or -EINVAL with the reason in why (of bytes bytes). */
int fathom_definitions_add(struct fathom_definitions *merged, const struct fathom_cube *cube, int64_t rank, char *why,
			   size_t bytes);

/* Orders the definitions when all profiles are added. The caller sets the attributes after that. */
void fathom_definitions_finish(struct fathom_definitions *merged);

/*
 * Locates the definitions of a profile that was added: before fathom_definitions_finish in the order of arrival, after
 * it in the final order. 0, or -EINVAL: the profile has a definition that was never added.
 */
int fathom_definitions_locate(const struct fathom_definitions *merged, const struct fathom_cube *cube,
			      struct fathom_definitions_map *map);
void fathom_definitions_map_fini(struct fathom_definitions_map *map);

void fathom_definitions_set_attribute(struct fathom_definitions *merged, const char *key, const char *value);

void fathom_definitions_fini(struct fathom_definitions *merged);

#endif
