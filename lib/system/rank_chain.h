/*
 * rank_chain: groups of processes in which each process knows only its two neighbours, after Moody, Ahn and de
 * Supinski.
 *
 * The memory for splitting a chain depends neither on the number of its members nor on the number of parts: each member
 * learns the ranks at distances 1, 2, 4, ... by asking the members that it knows already. All members of a chain call
 * these functions together. The functions return 0, or -errno if comm is broken. Context of all functions: finish.
 */
#ifndef FATHOM_SYSTEM_RANK_CHAIN_H
#define FATHOM_SYSTEM_RANK_CHAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "comm/comm.h"
#include "system/inorder_tree.h"

struct fathom_chain {
	int32_t left, right;	/* ranks in comm; -1: none */
};

/* The name by which processes are grouped. */
struct fathom_name {
	const char *text;	/* NULL: differs from the names of all other processes */
	uint32_t bytes;
	uint32_t hash_bits;	/* number of bits of the hash that are used */
	uint32_t salt;		/* without a text: a number that differs from process to process */
};

/* Returns a hash of the name; each seed gives another hash. */
uint64_t fathom_name_hash(const struct fathom_name *name, uint32_t seed);

/* Finds out whether the neighbours have the same name, first by hash and then by comparing the bytes. */
int fathom_chain_match(struct fathom_comm *comm, const struct fathom_chain *chain, const struct fathom_name *name,
		       bool *is_left, bool *is_right);

/*
 * Cuts a chain between neighbours that are not joined by is_left and is_right. The leftmost member of each stretch is
 * its head. The heads also form a chain, which only heads get in *heads. *position is the position in the stretch,
 * from 0.
 */
int fathom_chain_cut(struct fathom_comm *comm, struct fathom_chain *chain, bool is_left, bool is_right,
		     struct fathom_chain *heads, uint64_t *position);

/* Links the members of a chain as an in-order tree, whose root is the head. */
int fathom_chain_link(struct fathom_comm *comm, const struct fathom_chain *chain, uint64_t position,
		      struct fathom_tree_links *links);

/* Splits the chain: afterwards all members of a chain have the same name, in the order that they had before. */
int fathom_chain_split(struct fathom_comm *comm, struct fathom_chain *chain, const struct fathom_name *name,
		       uint64_t *position);

/* Makes a chain of the members with stays set. The chain of the others is undefined afterwards. */
int fathom_chain_filter(struct fathom_comm *comm, struct fathom_chain *chain, bool stays);

#endif
