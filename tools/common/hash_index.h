/*
 * hash_index: finds the number of an object by its content, with a hash table.
 *
 * The user keeps the objects, by number, and gives a function that compares. Context of all functions: tool.
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

/* Returns whether the object with that number is equal to wanted. */
typedef bool fathom_index_is(const void *things, uint32_t number, const void *wanted);

/* Returns the number of the object that is equal to wanted; -1: the index has none. */
int64_t fathom_index_find(const struct fathom_index *index, uint64_t hash, fathom_index_is *is, const void *things,
			  const void *wanted);

/* Adds the number of an object; out of memory ends the program. */
void fathom_index_add(struct fathom_index *index, uint64_t hash, uint32_t number);
void fathom_index_fini(struct fathom_index *index);

/* Return the hash of several values: the first call gets hash 0, and each later call the result of the call before
 * it. */
uint64_t fathom_index_hash_text(uint64_t hash, const char *text);
uint64_t fathom_index_hash_number(uint64_t hash, int64_t number);

#endif
