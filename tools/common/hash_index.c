#include "tools/common/hash_index.h"

#include <stdlib.h>

#include "tools/common/command.h"

struct fathom_index_slot {
	uint64_t hash;
	uint64_t number_plus_one;	/* 0: free */
};

uint64_t fathom_index_hash_number(uint64_t hash, int64_t number)
{
	hash = (hash ^ (uint64_t)number) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 29;
}

uint64_t fathom_index_hash_text(uint64_t hash, const char *text)
{
	do {
		hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	} while (*text++);	/* also hashes the final 0, so that "ab", "c" differs from "a", "bc" */
	return fathom_index_hash_number(hash, 1);
}

int64_t fathom_index_find(const struct fathom_index *index, uint64_t hash, fathom_index_is *is, const void *things,
			  const void *wanted)
{
	size_t at = hash & (index->slot_count - 1);

	if (index->slot_count == 0)
		return -1;
	for (; index->slots[at].number_plus_one; at = (at + 1) & (index->slot_count - 1)) {
		uint32_t number = (uint32_t)(index->slots[at].number_plus_one - 1);

		if (index->slots[at].hash == hash && is(things, number, wanted))
			return number;
	}
	return -1;
}

static void insert(struct fathom_index *index, struct fathom_index_slot slot)
{
	size_t at = slot.hash & (index->slot_count - 1);

	while (index->slots[at].number_plus_one)
		at = (at + 1) & (index->slot_count - 1);
	index->slots[at] = slot;
}

void fathom_index_add(struct fathom_index *index, uint64_t hash, uint32_t number)
{
	if (2 * (index->used + 1) > index->slot_count) {
		struct fathom_index larger = { .slot_count = index->slot_count ? 2 * index->slot_count : 64 };
		size_t i;

		larger.slots = fathom_tool_alloc(larger.slot_count, sizeof(*larger.slots));
		for (i = 0; i < index->slot_count; i++)
			if (index->slots[i].number_plus_one)
				insert(&larger, index->slots[i]);
		larger.used = index->used;
		free(index->slots);
		*index = larger;
	}
	insert(index, (struct fathom_index_slot){ hash, (uint64_t)number + 1 });
	index->used++;
}

void fathom_index_fini(struct fathom_index *index)
{
	free(index->slots);
	*index = (struct fathom_index){ 0 };
}
