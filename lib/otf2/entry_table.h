/*
 * entry_table: things that come and go, found by three numbers.
 *
 * A thing begins with a struct fathom_table_entry. It stays where it is in memory until it is
 * removed; the memory of what was removed is used again, so a table is as large as it ever was at a time.
 */
#ifndef FATHOM_OTF2_ENTRY_TABLE_H
#define FATHOM_OTF2_ENTRY_TABLE_H

#include <stddef.h>
#include <stdint.h>

struct fathom_table_entry {
	struct fathom_table_entry *next;	/* in its slot, or of what is free */
	uint64_t key[3];
};

struct fathom_table {
	size_t bytes;				/* of a thing */
	struct fathom_table_entry **slots;
	size_t slot_count;			/* a power of two, or 0 */
	size_t count;
	struct fathom_table_entry *free;
	void **blocks;				/* where the things are */
	size_t block_count, block_room;
};

void fathom_table_init(struct fathom_table *table, size_t bytes);
void fathom_table_fini(struct fathom_table *table);

/* NULL: there is none. */
void *fathom_table_find(const struct fathom_table *table, uint64_t a, uint64_t b, uint64_t c);

/* A new thing, zeroed but for its key, which must not be in the table. */
void *fathom_table_add(struct fathom_table *table, uint64_t a, uint64_t b, uint64_t c);
void fathom_table_remove(struct fathom_table *table, void *thing);

/* The thing after that one, NULL the first; NULL behind the last. The order is the same for the
 * same additions and removals. Nothing may be added or removed on the way. */
void *fathom_table_next(const struct fathom_table *table, const void *thing);

#endif
