/*
 * merged_definitions: the definitions of several profiles of one run put together.
 *
 * Profiles are added one by one; what is the same is kept once: metrics of the same unique name;
 * regions of the same names, place, paradigm and role; call paths of the same regions and
 * parameters; system nodes of the same names. Then fathom_join_finish puts everything into the
 * order that a file wants, and from then on the same profiles can be mapped to it.
 *
 * A profile holds one process. Call paths keep the order in which they were first met, so the
 * result depends on nothing but the order of adding.
 */
#ifndef FATHOM_TOOLS_MERGE_MERGED_DEFINITIONS_H
#define FATHOM_TOOLS_MERGE_MERGED_DEFINITIONS_H

#include "cube/cube.h"
#include "platform/arena.h"
#include "tools/common/hash_index.h"

/* The map of a phase's iterations, of one thread: "CNODE:RANK:THREAD" follows. */
#define FATHOM_JOIN_ITERATIONS "fathom::iterations:"

struct fathom_join_iterations {	/* an attribute so called */
	uint32_t cnode;			/* in order of arrival */
	const char *rest, *value;	/* of its name, behind the call path */
};

struct fathom_join {
	struct fathom_cube cube;	/* before fathom_join_finish in order of arrival */
	const char *threads;		/* how the processes put threads together: "all", "sum", ... */
	struct fathom_index region_index, cnode_index, node_index;
	struct fathom_join_iterations *iterations;
	size_t iterations_count, iterations_room;
	size_t attribute_room, metric_room, region_room, cnode_room, parameter_room, node_room, group_room,
		location_room, topology_room;
	uint32_t *final_cnode;		/* by order of arrival; NULL before finish */
	uint32_t *final_metric;
	uint32_t *first_column;		/* of the process that was added n-th */
	struct fathom_arena texts;
};

struct fathom_join_map {	/* where things of a profile are in the whole */
	uint32_t *metric;
	uint32_t *cnode;
};

/* Add the profile of a rank. 0, or -EINVAL with the reason in why (of bytes bytes). */
int fathom_join_add(struct fathom_join *join, const struct fathom_cube *cube, int64_t rank, char *why, size_t bytes);

/* All are added: order them. Attributes are then the caller's to set. */
void fathom_join_finish(struct fathom_join *join);

/*
 * Where the things of a profile that was added are: before fathom_join_finish in the order of
 * arrival, after it for good. -EINVAL: something in it was never added.
 */
int fathom_join_locate(const struct fathom_join *join, const struct fathom_cube *cube, struct fathom_join_map *map);
void fathom_join_map_fini(struct fathom_join_map *map);

void fathom_join_set_attribute(struct fathom_join *join, const char *key, const char *value);

void fathom_join_fini(struct fathom_join *join);

#endif
