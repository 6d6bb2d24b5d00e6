#include "profile/process_tree/sample_paths.h"

#include <stddef.h>

#include "platform/arena.h"

enum {
	FIRST_TABLE_BITS = 8,
	MOST_COLUMNS = 1 << 20,		/* counts of all places together: 24 MB of memory, and less in the file */
};

static struct fathom_path_place **slot_of(const struct fathom_sample_paths *paths,
					    const struct fathom_path_place *key)
{
	uint64_t hash = key->offset * UINT64_C(0x9e3779b97f4a7c15) ^ key->parent * UINT64_C(0xc2b2ae3d27d4eb4f);

	hash ^= hash >> 31 ^ (uint64_t)key->module << 32 ^ (uint64_t)key->call_path << 1 ^ key->is_call;
	return &paths->table[hash * UINT64_C(0x9e3779b97f4a7c15) >> (64 - paths->table_bits)];
}

/* Makes room for one place more. False: no memory. */
static bool reserve(struct fathom_sample_paths *paths)
{
	uint8_t bits = paths->table ? paths->table_bits + 2 : FIRST_TABLE_BITS;
	struct fathom_path_place **table;

	if (!fathom_arena_grow(paths->arena, &paths->list, &paths->room, paths->count + 1, sizeof(*paths->list)))
		return false;
	if (paths->table && paths->count < (uint32_t)1 << paths->table_bits)
		return true;
	table = fathom_arena_alloc(paths->arena, sizeof(*table) << bits);
	if (!table)
		return false;
	paths->table = table;
	paths->table_bits = bits;
	for (uint32_t i = 0; i < paths->count; i++) {
		struct fathom_path_place **slot = slot_of(paths, paths->list[i]);

		paths->list[i]->chain = *slot;
		*slot = paths->list[i];
	}
	return true;
}

static bool is_same(const struct fathom_path_place *a, const struct fathom_path_place *b)
{
	return a->offset == b->offset && a->parent == b->parent && a->call_path == b->call_path &&
	       a->module == b->module && a->function == b->function && a->is_call == b->is_call;
}

struct fathom_path_place *fathom_sample_paths_find(struct fathom_sample_paths *paths,
						     const struct fathom_path_place *key)
{
	struct fathom_path_place *place, **slot;

	if (!reserve(paths))
		return NULL;
	slot = slot_of(paths, key);
	for (place = *slot; place; place = place->chain)
		if (is_same(place, key))
			return place;
	place = fathom_arena_alloc(paths->arena, sizeof(*place));
	if (!place)
		return NULL;
	*place = *key;
	place->samples = 0;
	place->columns = NULL;
	place->chain = *slot;
	*slot = place;
	paths->list[paths->count++] = place;
	place->number = paths->count;
	return place;
}

void fathom_sample_paths_count_new(struct fathom_sample_paths *paths, struct fathom_path_place *place, uint32_t column,
				   uint64_t samples)
{
	struct fathom_path_column *count;

	place->samples += samples;
	if (paths->lacks_columns)
		return;
	count = paths->column_count < MOST_COLUMNS ? fathom_arena_alloc(paths->arena, sizeof(*count)) : NULL;
	if (!count) {
		fathom_sample_paths_drop_columns(paths);
		return;
	}
	count->column = column;
	count->samples = samples;
	count->next = place->columns;
	place->columns = count;
	paths->column_count++;
}

void fathom_sample_paths_count(struct fathom_sample_paths *paths, struct fathom_path_place *place, uint32_t column,
			       uint64_t samples)
{
	struct fathom_path_column *count = place->columns;

	/* The samples of a column come one after the other, so its count is usually the first one. */
	while (count && count->column != column)
		count = count->next;
	if (!count) {
		fathom_sample_paths_count_new(paths, place, column, samples);
		return;
	}
	place->samples += samples;
	count->samples += samples;
}

void fathom_sample_paths_drop_columns(struct fathom_sample_paths *paths)
{
	paths->lacks_columns = true;
	paths->column_count = 0;
	for (uint32_t i = 0; i < paths->count; i++)
		paths->list[i]->columns = NULL;
}
