/*
 * rank_chain: groups of processes in which each knows its neighbours alone, after Moody, Ahn and de Supinski.
 *
 * A chain is split with memory that depends neither on how many are in it nor on how many parts come out:
 * each learns who is 1, 2, 4, ... places away by asking those that it knows already. All functions are called by all
 * of a chain; they return 0, or -errno if comm is broken.
 */
#ifndef FATHOM_SYSTEM_RANK_CHAIN_H
#define FATHOM_SYSTEM_RANK_CHAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "comm/comm.h"
#include "system/inorder_tree.h"

struct fathom_chain {
	int32_t left, right;	/* ranks of comm; -1: nobody */
};

/* What a process is grouped by. */
struct fathom_name {
	const char *text;	/* NULL: like nobody else's */
	uint32_t bytes;
	uint32_t hash_bits;	/* so many of a hash are used */
	uint32_t salt;		/* where there is no text: something of one's own */
};

/* A hash of the name; for each seed another one. */
uint64_t fathom_name_hash(const struct fathom_name *name, uint32_t seed);

/* Whether the neighbours have the same name: by hash, then by its bytes. */
int fathom_chain_match(struct fathom_comm *comm, const struct fathom_chain *chain, const struct fathom_name *name,
		       bool *is_left, bool *is_right);

/*
 * Cut a chain where is_left and is_right say. Each stretch has a head, the one at its left end; the heads make a chain,
 * too, which only they get. *position: in the stretch, from 0.
 */
int fathom_chain_cut(struct fathom_comm *comm, struct fathom_chain *chain, bool is_left, bool is_right,
		     struct fathom_chain *heads, uint64_t *position);

/* The tree over a chain; the head is its root. */
int fathom_chain_link(struct fathom_comm *comm, const struct fathom_chain *chain, uint64_t position,
		      struct fathom_tree_links *links);

/* Split: afterwards all of a chain have the same name, in the order of before. */
int fathom_chain_split(struct fathom_comm *comm, struct fathom_chain *chain, const struct fathom_name *name,
		       uint64_t *position);

/* Make a chain of those who stay. For the others it is undefined. */
int fathom_chain_filter(struct fathom_comm *comm, struct fathom_chain *chain, bool stays);

#endif
