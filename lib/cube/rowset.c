#include "cube/rowset.h"

#include <errno.h>
#include <stddef.h>

#include "platform/arena.h"

static uint32_t words(const struct fathom_cube_rowset *set)
{
	return set->limit / 64 + (set->limit % 64 != 0);
}

int fathom_cube_rowset_init(struct fathom_cube_rowset *set, struct fathom_arena *arena, uint32_t limit)
{
	set->limit = limit;
	set->count = 0;
	set->bits = fathom_arena_alloc(arena, words(set) * sizeof(*set->bits));
	set->before = fathom_arena_alloc(arena, words(set) * sizeof(*set->before));
	return set->bits && set->before ? 0 : -ENOMEM;
}

void fathom_cube_rowset_add(struct fathom_cube_rowset *set, uint32_t row)
{
	set->bits[row / 64] |= UINT64_C(1) << row % 64;
}

void fathom_cube_rowset_seal(struct fathom_cube_rowset *set)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < words(set); i++) {
		set->before[i] = count;
		count += (uint32_t)__builtin_popcountll(set->bits[i]);
	}
	set->count = count;
}

bool fathom_cube_rowset_has(const struct fathom_cube_rowset *set, uint32_t row)
{
	return row < set->limit && set->bits[row / 64] >> row % 64 & 1;
}

uint32_t fathom_cube_rowset_place(const struct fathom_cube_rowset *set, uint32_t row)
{
	uint64_t smaller = (UINT64_C(1) << row % 64) - 1;

	return set->before[row / 64] + (uint32_t)__builtin_popcountll(set->bits[row / 64] & smaller);
}

uint32_t fathom_cube_rowset_next(const struct fathom_cube_rowset *set, uint32_t row)
{
	uint32_t word = row / 64;
	uint64_t rest;

	if (row >= set->limit)
		return set->limit;
	rest = set->bits[word] >> row % 64 << row % 64;
	while (!rest) {
		if (++word >= words(set))
			return set->limit;
		rest = set->bits[word];
	}
	return word * 64 + (uint32_t)__builtin_ctzll(rest);
}
