/*
 * entry_table: a hash table of entries that are found by three numbers, and that are added and removed.
 *
 * An entry begins with a struct fathom_table_entry. It does not move until it is removed. The memory of removed
 * entries is reused, so the size of a table is that of the largest number of entries at a time. Context of all
 * functions: tool.
 */
#ifndef FATHOM_OTF2_ENTRY_TABLE_H
#define FATHOM_OTF2_ENTRY_TABLE_H

#include <stddef.h>
#include <stdint.h>

struct fathom_table_entry {
	struct fathom_table_entry *next;	/* in the list of its slot, or in the list of free entries */
	uint64_t key[3];
};

struct fathom_table {
	size_t bytes;				/* of an entry */
	struct fathom_table_entry **slots;
	size_t slot_count;			/* a power of two, or 0 */
	size_t count;
	struct fathom_table_entry *free;
	void **blocks;				/* memory of the entries */
	size_t block_count, block_room;
};

/* Make an empty table of entries of that size, and free a table. */
void fathom_table_init(struct fathom_table *table, size_t bytes);
void fathom_table_fini(struct fathom_table *table);

/* Returns the entry with these numbers; NULL: there is none. */
void *fathom_table_find(const struct fathom_table *table, uint64_t a, uint64_t b, uint64_t c);

/* fathom_table_add returns a new entry, zeroed except for its numbers, which must not be in the table. */
void *fathom_table_add(struct fathom_table *table, uint64_t a, uint64_t b, uint64_t c);
void fathom_table_remove(struct fathom_table *table, void *thing);

/* Returns the entry after thing, or the first one if thing is NULL; NULL behind the last. The order depends only on the
 * additions and removals. No entry may be added or removed during a walk. */
void *fathom_table_next(const struct fathom_table *table, const void *thing);

#endif
