#include "waits/key_table.h"

#include <stdlib.h>

uint64_t *fathom_waits_key_find(const struct fathom_waits_key_table *table, uint64_t key)
{
	uint64_t mask = table->size - 1;

	if (!table->size)
		return NULL;
	for (uint64_t at = key & mask; table->slots[at].key; at = (at + 1) & mask)
		if (table->slots[at].key == key)
			return &table->slots[at].value;
	return NULL;
}

static struct fathom_waits_key_slot *free_slot(const struct fathom_waits_key_table *table, uint64_t key)
{
	uint64_t mask = table->size - 1, at = key & mask;

	while (table->slots[at].key)
		at = (at + 1) & mask;
	return &table->slots[at];
}

static int grow(struct fathom_waits_key_table *table)
{
	struct fathom_waits_key_table larger = { .size = table->size ? 2 * table->size : 64, .count = table->count };

	larger.slots = calloc(larger.size, sizeof(*larger.slots));
	if (!larger.slots)
		return -1;
	for (uint64_t i = 0; i < table->size; i++)
		if (table->slots[i].key)
			*free_slot(&larger, table->slots[i].key) = table->slots[i];
	free(table->slots);
	*table = larger;
	return 0;
}

uint64_t *fathom_waits_key_add(struct fathom_waits_key_table *table, uint64_t key, uint64_t value)
{
	uint64_t *found = fathom_waits_key_find(table, key);
	struct fathom_waits_key_slot *slot;

	if (found)
		return found;
	if (2 * (table->count + 1) > table->size && grow(table))
		return NULL;
	table->count++;
	slot = free_slot(table, key);
	*slot = (struct fathom_waits_key_slot){ key, value };
	return &slot->value;
}

void fathom_waits_key_remove(struct fathom_waits_key_table *table, uint64_t key)
{
	uint64_t mask = table->size - 1, gap = key & mask, at;

	while (table->slots[gap].key != key)
		gap = (gap + 1) & mask;
	/* Later keys of the same run move into the gap, unless they would then stand before their first slot. */
	for (at = (gap + 1) & mask; table->slots[at].key; at = (at + 1) & mask) {
		if (((at - table->slots[at].key) & mask) < ((at - gap) & mask))
			continue;
		table->slots[gap] = table->slots[at];
		gap = at;
	}
	table->slots[gap].key = 0;
	table->count--;
}

void fathom_waits_key_fini(struct fathom_waits_key_table *table)
{
	free(table->slots);
	*table = (struct fathom_waits_key_table){ 0 };
}
