/*
 * hash_index: finds the number of a thing by what it is, through a hash table.
 *
 * The things themselves are kept elsewhere, by number; whoever looks one up says how to compare.
 */
#ifndef FATHOM_TOOLS_COMMON_HASH_INDEX_H
#define FATHOM_TOOLS_COMMON_HASH_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fathom_index {		/* all zero: empty and ready */
	struct fathom_index_slot *slots;
	size_t slot_count;	/* a power of two, or 0 */
	size_t used;
};

/* Whether the thing with that number is the one wanted. */
typedef bool fathom_index_is(const void *things, uint32_t number, const void *wanted);

/* The number of the thing wanted; -1: it is not in the index. */
int64_t fathom_index_find(const struct fathom_index *index, uint64_t hash, fathom_index_is *is, const void *things,
			  const void *wanted);

void fathom_index_add(struct fathom_index *index, uint64_t hash, uint32_t number);
void fathom_index_fini(struct fathom_index *index);

/* Hashes of several things in a row: begin with 0, go on with what came out. */
uint64_t fathom_index_hash_text(uint64_t hash, const char *text);
uint64_t fathom_index_hash_number(uint64_t hash, int64_t number);

#endif
