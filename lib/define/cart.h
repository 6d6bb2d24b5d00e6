/*
 * cart: the Cartesian communicators of MPI that this process has been in, for profiles. (Traces have all
 * communicators, and with them their grids.)
 *
 * Grids with the same shape and the same members in the same order are one grid, however often the program creates
 * them. A process keeps the first FATHOM_CART_MOST grids in the order of fathom_cart_compare. The order is the same on
 * all processes, so all members of one of the first grids of the run keep it.
 */
#ifndef FATHOM_DEFINE_CART_H
#define FATHOM_DEFINE_CART_H

#include <stdbool.h>
#include <stdint.h>

#include "config.h"
#include "define/topology.h"
#include "platform/compiler.h"

enum {
	FATHOM_CART_MOST = 64,
	FATHOM_CART_NAME_BYTES = 128,	/* MPI_MAX_OBJECT_NAME */
	FATHOM_CART_MEMBERS_BYTES = 64,
};

struct fathom_cart {
	uint64_t key;		/* hash of shape and members, the same on all members; 0: an unused entry */
	uint32_t size;		/* number of its processes */
	uint32_t first;		/* rank of its first process in MPI_COMM_WORLD */
	uint32_t comm;		/* number of its first communicator in this process, if the run numbers them */
	uint32_t index;		/* position of this process in the grid, the last dimension running fastest */
	uint32_t count;		/* of dimensions */
	uint32_t sizes[FATHOM_TOPOLOGY_MOST_DIMENSIONS];
	bool are_periodic[FATHOM_TOPOLOGY_MOST_DIMENSIONS];
	char name[FATHOM_CART_NAME_BYTES];		/* the first name that the program gave it; "": none */
	char members[FATHOM_CART_MEMBERS_BYTES];	/* text for people: "ranks 0, 2, ..."; "": all ranks */
};

#ifndef FATHOM_WITHOUT_TOPOLOGIES

/* Compares two grids; larger ones come first. < 0, 0 (they are the same grid), > 0. Context: signal. */
int fathom_cart_compare(const struct fathom_cart *a, const struct fathom_cart *b);

/* Notes that the process is in the grid. Does nothing if this was noted before. Context: birth. Takes the lock of
 * grids, in which no other lock is taken. */
FATHOM_API void fathom_cart_note(const struct fathom_cart *cart);

/* Notes the first name of a grid. Context: birth. */
FATHOM_API void fathom_cart_name(uint64_t key, const char *name);

/* Return the number of grids, and one of them by its index. They have no order; a grid that is being changed has key 0.
 * *is_cut: there were more grids. Context: finish, signal. */
uint32_t fathom_cart_count(bool *is_cut);
const struct fathom_cart *fathom_cart_by_id(uint32_t id);

#else

/* configure --without-topologies: no grid is kept. */
static inline void fathom_cart_name(uint64_t key, const char *name)
{
	(void)key;
	(void)name;
}

#endif

#endif
