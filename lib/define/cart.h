/*
 * cart: the Cartesian communicators of MPI that this process has been in, for profiles. (Traces have all
 * communicators, and with them their grids.)
 *
 * Grids of the same shape whose members are the same, in the same order, are one, however often the program makes
 * them. A process keeps FATHOM_CART_MOST: the first in the order below, in which all processes agree, so that a
 * grid that is among the first of the run is known to all of its members.
 */
#ifndef FATHOM_DEFINE_CART_H
#define FATHOM_DEFINE_CART_H

#include <stdbool.h>
#include <stdint.h>

#include "define/topology.h"
#include "platform/compiler.h"

enum {
	FATHOM_CART_MOST = 64,
	FATHOM_CART_NAME_BYTES = 128,	/* MPI_MAX_OBJECT_NAME */
	FATHOM_CART_MEMBERS_BYTES = 64,
};

struct fathom_cart {
	uint64_t key;		/* of shape and members, the same at all of them; 0: none */
	uint32_t size;		/* processes in it */
	uint32_t first;		/* MPI's number, among all, of its first process */
	uint32_t index;		/* which of them this process is: its place, the last dimension running fastest */
	uint32_t count;		/* of dimensions */
	uint32_t sizes[FATHOM_TOPOLOGY_MOST_DIMENSIONS];
	bool are_periodic[FATHOM_TOPOLOGY_MOST_DIMENSIONS];
	char name[FATHOM_CART_NAME_BYTES];		/* the first that the program gave it; "": none */
	char members[FATHOM_CART_MEMBERS_BYTES];	/* who they are, for people: "ranks 0, 2, ..."; "": all */
};

/* The order: large ones first. < 0, 0 (they are the same one), > 0. Context: signal. */
int fathom_cart_compare(const struct fathom_cart *a, const struct fathom_cart *b);

/* The process is in it, which may be known. Context: birth. Takes the lock of grids, which nests in nothing. */
FATHOM_API void fathom_cart_note(const struct fathom_cart *cart);

/* The program gave one a name. Context: birth. */
FATHOM_API void fathom_cart_name(uint64_t key, const char *name);

/* How many there are, and one of them, in no order; its key is 0 where it is just being changed. *is_cut: there were
 * more. Context: finish, signal. */
uint32_t fathom_cart_count(bool *is_cut);
const struct fathom_cart *fathom_cart_by_id(uint32_t id);

#endif
