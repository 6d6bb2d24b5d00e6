/*
 * topology: a grid in which the program lays out its work, defined with the user API.
 *
 * position   the coordinates of a process or thread in a topology. The last position that is given counts; a position
 *            outside of the grid is refused.
 *
 * A topology is created once and never freed, and does not change after that; any thread may read it without a lock.
 */
#ifndef FATHOM_DEFINE_TOPOLOGY_H
#define FATHOM_DEFINE_TOPOLOGY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config.h"
#include "platform/arena.h"
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
	uint32_t count;			/* number of dimensions; at least one. The product of all sizes is below 2^63 */
	struct fathom_topology_dimension dimensions[FATHOM_TOPOLOGY_MOST_DIMENSIONS];
};

struct fathom_position {
	struct fathom_position *next;
	const struct fathom_topology *topology;
	const void *thread;		/* a location; NULL: the process */
	uint32_t at[FATHOM_TOPOLOGY_MOST_DIMENSIONS];
};

#ifndef FATHOM_WITHOUT_TOPOLOGIES

/*
 * Returns the topology that equals spec; creates it if there is none, with copies of spec's texts. NULL: no memory, too
 * many topologies, or a different topology has the name, which *other is then. Context: birth. Takes the topology lock,
 * in which no other lock is taken.
 */
const struct fathom_topology *fathom_topology_define(const struct fathom_topology *spec,
						     const struct fathom_topology **other);

/* Returns whether two topologies are equal. Context: signal. */
bool fathom_topology_is_same(const struct fathom_topology *a, const struct fathom_topology *b);

/* Returns the topology of that name. NULL: there is none. Context: birth. */
const struct fathom_topology *fathom_topology_named(const char *name, size_t length);

/* Sets the position of a thread, or with NULL of the process. false: no memory. Context: birth. */
bool fathom_topology_place(const struct fathom_topology *topology, const void *thread, const uint32_t *at);

/* Return the number of topologies, a topology by its id, and the newest position, whose member next points to the one
 * before. Context: finish, signal. */
FATHOM_API uint32_t fathom_topology_count(void);
FATHOM_API const struct fathom_topology *fathom_topology_by_id(uint32_t id);
FATHOM_API const struct fathom_position *fathom_topology_positions(void);

/* Returns the arena with the names and positions, for run snapshots (run/run_snapshot.h). Context: signal. */
const struct fathom_arena *fathom_topology_arena(void);

#else

/* configure --without-topologies: there is never a topology. */
static inline const struct fathom_topology *fathom_topology_define(const struct fathom_topology *spec,
								   const struct fathom_topology **other)
{
	(void)spec;
	*other = NULL;
	return NULL;
}

static inline bool fathom_topology_place(const struct fathom_topology *topology, const void *thread,
					 const uint32_t *at)
{
	(void)topology;
	(void)thread;
	(void)at;
	return true;
}

static inline uint32_t fathom_topology_count(void)
{
	return 0;
}

static inline const struct fathom_topology *fathom_topology_by_id(uint32_t id)
{
	(void)id;
	return NULL;
}

static inline const struct fathom_position *fathom_topology_positions(void)
{
	return NULL;
}

static inline const struct fathom_arena *fathom_topology_arena(void)
{
	static const struct fathom_arena empty;

	return &empty;
}

#endif

#endif
