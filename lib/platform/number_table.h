/*
 * number_table: a plain hash table that finds the number of a record by the record's hash.
 *
 * The owner keeps the records in an array or in chunks, by number from 0, and compares them itself. The table holds
 * numbers alone: open addressing, at most half full, in memory of an arena. A table that was outgrown stays in the
 * arena. Only one thread at a time uses it; what many threads read without a lock is in a catalog (catalog.h). Tables
 * on the hot path are not this one: that of the hooks' addresses (wrappers/compiler/hooks.c) inverts bits of its keys,
 * those of MPI's requests and communicators (wrappers/mpi/) have a lock for each bucket and take records out.
 *
 * To find a record, where fathom_number_table_reserve has been called:
 *
 *	uint32_t *slot = fathom_number_table_first(&table, hash);
 *
 *	while (*slot && !is_wanted(*slot - 1))
 *		slot = fathom_number_table_next(&table, slot);
 *
 * Then *slot is 0 where no record is the wanted one, and *slot = number + 1 adds it.
 */
#ifndef FATHOM_PLATFORM_NUMBER_TABLE_H
#define FATHOM_PLATFORM_NUMBER_TABLE_H

#include <stdint.h>

#include "platform/arena.h"
#include "platform/compiler.h"

/* All zero: empty. */
struct fathom_number_table {
	uint32_t *slots;	/* number + 1; 0: free. NULL: none yet */
	uint32_t size;		/* of slots: a power of two, more than twice the count of numbers */
};

/* Returns the first slot in which a record with this hash may be. Any context. */
static inline uint32_t *fathom_number_table_first(const struct fathom_number_table *table, uint64_t hash)
{
	return &table->slots[(uint32_t)(hash ^ hash >> 32) & (table->size - 1)];
}

/* Returns the slot to search after slot. Any context. */
static inline uint32_t *fathom_number_table_next(const struct fathom_number_table *table, const uint32_t *slot)
{
	return &table->slots[(uint32_t)(slot + 1 - table->slots) & (table->size - 1)];
}

/* Adds a number whose record is not in the table. There must be room. Any context. */
static inline void fathom_number_table_put(struct fathom_number_table *table, uint64_t hash, uint32_t number)
{
	uint32_t *slot = fathom_number_table_first(table, hash);

	while (*slot)
		slot = fathom_number_table_next(table, slot);
	*slot = number + 1;
}

/*
 * Makes room for one number more than count. 0: there was room. 1: the table is larger now and empty, and the caller
 * puts its numbers below count into it again. -ENOMEM: the table is as it was. Context: birth.
 */
FATHOM_API int fathom_number_table_reserve(struct fathom_number_table *table, struct fathom_arena *arena,
					   uint32_t count);

#endif
