/*
 * topology: how the program lays out its work, as it says: a grid of so many dimensions.
 *
 * position   where a process or a thread is in one. The last one counts; one that is outside is refused.
 *
 * A topology is created once and never freed, and does not change after that; any thread may read it without a lock.
 */
#ifndef FATHOM_DEFINE_TOPOLOGY_H
#define FATHOM_DEFINE_TOPOLOGY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/compiler.h"

enum {
	FATHOM_TOPOLOGY_MOST_DIMENSIONS = 8,
	FATHOM_TOPOLOGY_MOST = 64,		/* in a process */
};

struct fathom_topology_dimension {
	const char *name;		/* "" where there is none */
	uint32_t size;
	bool is_periodic;
};

struct fathom_topology {
	const char *name;		/* unique */
	uint32_t count;			/* of dimensions; at least one. All sizes together are below 2^63 */
	struct fathom_topology_dimension dimensions[FATHOM_TOPOLOGY_MOST_DIMENSIONS];
};

struct fathom_position {
	struct fathom_position *next;
	const struct fathom_topology *topology;
	const void *thread;		/* a location; NULL: the process */
	uint32_t at[FATHOM_TOPOLOGY_MOST_DIMENSIONS];
};

/*
 * Find the topology that reads like spec, or create it; spec is not kept, its texts are copied. NULL: no memory, too
 * many, or there is one of that name that is otherwise, which *other is then. Context: birth. Takes the topology
 * lock, which nests in nothing.
 */
const struct fathom_topology *fathom_topology_define(const struct fathom_topology *spec,
						     const struct fathom_topology **other);

/* Whether two read the same. Context: signal. */
bool fathom_topology_is_same(const struct fathom_topology *a, const struct fathom_topology *b);

/* One by its name. NULL: there is none. Context: birth. */
const struct fathom_topology *fathom_topology_named(const char *name, size_t length);

/* A thread's position from now on, or with NULL the process's. false: no memory. Context: birth. */
bool fathom_topology_place(const struct fathom_topology *topology, const void *thread, const uint32_t *at);

/* How many there are, one of them, and the newest position; the others follow by next. Context: finish, signal. */
FATHOM_API uint32_t fathom_topology_count(void);
FATHOM_API const struct fathom_topology *fathom_topology_by_id(uint32_t id);
FATHOM_API const struct fathom_position *fathom_topology_positions(void);

/* The memory of their names and of positions, for run snapshots (run/run_snapshot.h). Context: signal. */
const struct fathom_arena *fathom_topology_arena(void);

#endif
