/*
 * key_table: a hash table from 64-bit keys to 64-bit values, with removal.
 *
 * Keys are hashes of longer names (fathom_waits_key). Two names have the same key with a probability of 2^-64; no
 * protection against a deliberate collision is needed. Allocates with malloc.
 */
#ifndef FATHOM_WAITS_KEY_TABLE_H
#define FATHOM_WAITS_KEY_TABLE_H

#include <stdint.h>

struct fathom_waits_key_slot {
	uint64_t key;		/* 0: free */
	uint64_t value;
};

/* All zero: empty. */
struct fathom_waits_key_table {
	struct fathom_waits_key_slot *slots;
	uint64_t size;		/* a power of two, or 0 */
	uint64_t count;
};

/* Makes a key, never 0, of a key and another number; begin with any constant. Any context. */
static inline uint64_t fathom_waits_key(uint64_t key, uint64_t number)
{
	uint64_t z = (key ^ (number * UINT64_C(0x9e3779b97f4a7c15))) + UINT64_C(0x632be59bd9b4e019);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	z ^= z >> 31;
	return z ? z : 1;
}

/* Returns the address of the value of a key, valid until the next change of the table; NULL: the key is not there.
 * Context: finish. */
uint64_t *fathom_waits_key_find(const struct fathom_waits_key_table *table, uint64_t key);

/* As above, but adds the key with the value given if it is not there. NULL: no memory. Context: finish. */
uint64_t *fathom_waits_key_add(struct fathom_waits_key_table *table, uint64_t key, uint64_t value);

/* Removes a key that is there. Context: finish. */
void fathom_waits_key_remove(struct fathom_waits_key_table *table, uint64_t key);

/* Frees the memory; the table is empty. Context: finish. */
void fathom_waits_key_fini(struct fathom_waits_key_table *table);

#endif
