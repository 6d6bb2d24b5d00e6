#include "otf2/entry_table.h"

#include <stdlib.h>
#include <string.h>

#include "otf2/memory.h"


enum { BLOCK_THINGS = 256 };

void fathom_table_init(struct fathom_table *table, size_t bytes)
{
	memset(table, 0, sizeof(*table));
	table->bytes = (bytes + 15) & ~(size_t)15;
}

void fathom_table_fini(struct fathom_table *table)
{
	size_t i;

	for (i = 0; i < table->block_count; i++)
		free(table->blocks[i]);
	free(table->blocks);
	free(table->slots);
	memset(table, 0, sizeof(*table));
}

/* Mixes a number into a hash by multiplying and folding; the constants are odd numbers without a pattern. */
static uint64_t mix(uint64_t hash, uint64_t number)
{
	hash = (hash ^ number) * 0x9e3779b97f4a7c15u;
	return hash ^ hash >> 29;
}

static size_t slot_of(const struct fathom_table *table, const uint64_t key[3])
{
	return (size_t)(mix(mix(mix(0xd1b54a32d192ed03u, key[0]), key[1]), key[2]) & (table->slot_count - 1));
}

void *fathom_table_find(const struct fathom_table *table, uint64_t a, uint64_t b, uint64_t c)
{
	const uint64_t key[3] = { a, b, c };
	struct fathom_table_entry *entry;

	if (!table->slot_count)
		return NULL;
	for (entry = table->slots[slot_of(table, key)]; entry; entry = entry->next)
		if (entry->key[0] == a && entry->key[1] == b && entry->key[2] == c)
			return entry;
	return NULL;
}

static void widen(struct fathom_table *table)
{
	size_t old_count = table->slot_count, i;
	struct fathom_table_entry **old = table->slots;

	table->slot_count = old_count ? 2 * old_count : 64;
	table->slots = fathom_otf2_memory_alloc(table->slot_count, sizeof(*table->slots));
	for (i = 0; i < old_count; i++)
		while (old[i]) {
			struct fathom_table_entry *entry = old[i];
			size_t slot = slot_of(table, entry->key);

			old[i] = entry->next;
			entry->next = table->slots[slot];
			table->slots[slot] = entry;
		}
	free(old);
}

static struct fathom_table_entry *take_free(struct fathom_table *table)
{
	struct fathom_table_entry *entry;
	char *block;
	size_t i;

	if (!table->free) {
		table->blocks = fathom_otf2_memory_grow(table->blocks, table->block_count, &table->block_room,
						 sizeof(*table->blocks));
		block = fathom_otf2_memory_alloc(BLOCK_THINGS, table->bytes);
		table->blocks[table->block_count++] = block;
		for (i = BLOCK_THINGS; i-- > 0;) {
			entry = (struct fathom_table_entry *)(void *)(block + i * table->bytes);
			entry->next = table->free;
			table->free = entry;
		}
	}
	entry = table->free;
	table->free = entry->next;
	return entry;
}

void *fathom_table_add(struct fathom_table *table, uint64_t a, uint64_t b, uint64_t c)
{
	struct fathom_table_entry *entry;
	size_t slot;

	if (table->count >= table->slot_count)
		widen(table);
	entry = take_free(table);
	memset(entry, 0, table->bytes);
	entry->key[0] = a;
	entry->key[1] = b;
	entry->key[2] = c;
	slot = slot_of(table, entry->key);
	entry->next = table->slots[slot];
	table->slots[slot] = entry;
	table->count++;
	return entry;
}

void fathom_table_remove(struct fathom_table *table, void *thing)
{
	struct fathom_table_entry *entry = thing, **link = &table->slots[slot_of(table, entry->key)];

	while (*link != entry)
		link = &(*link)->next;
	*link = entry->next;
	entry->next = table->free;
	table->free = entry;
	table->count--;
}

void *fathom_table_next(const struct fathom_table *table, const void *thing)
{
	const struct fathom_table_entry *entry = thing;
	size_t slot = 0;

	if (entry && entry->next)
		return entry->next;
	if (entry)
		slot = slot_of(table, entry->key) + 1;
	for (; slot < table->slot_count; slot++)
		if (table->slots[slot])
			return table->slots[slot];
	return NULL;
}
