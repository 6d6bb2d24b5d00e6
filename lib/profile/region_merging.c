#include "profile/region_merging.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

static uint64_t hash_text(uint64_t hash, const char *text)
{
	for (; text && *text; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
	return (hash ^ 0xff) * 0x100000001b3u;
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool same_but_for_parameters(const struct fathom_region *a, const struct fathom_region *b)
{
	return same_text(a->name, b->name) && same_text(a->canonical, b->canonical) && same_text(a->file, b->file) &&
	       same_text(a->module, b->module) && a->offset == b->offset && a->begin_line == b->begin_line &&
	       a->end_line == b->end_line && a->paradigm == b->paradigm && a->role == b->role;
}

/* Most programs give no parameters. */
static bool has_any(const struct fathom_region *regions, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (regions[i].parameters)
			return true;
	return false;
}

static int find_same(struct fathom_plain *plain, struct fathom_arena *arena, const struct fathom_region *regions,
		     uint32_t count)
{
	uint32_t size = 256, *table;

	while (size < count * 2)
		size *= 2;
	table = fathom_arena_alloc(arena, size * sizeof(*table));	/* plain one + 1; 0: empty */
	if (!table)
		return -ENOMEM;
	for (uint32_t i = 0; i < count; i++) {
		uint64_t hash = hash_text(hash_text(0xcbf29ce484222325u, regions[i].name), regions[i].file);
		uint32_t at = (uint32_t)((hash ^ regions[i].begin_line) * 0x9e3779b97f4a7c15u >> 32) & (size - 1);

		while (table[at] && !same_but_for_parameters(&regions[plain->region[table[at] - 1]], &regions[i]))
			at = (at + 1) & (size - 1);
		if (!table[at]) {
			plain->region[plain->count] = i;
			table[at] = ++plain->count;
		}
		plain->index[i] = table[at] - 1;
	}
	return 0;
}

int fathom_plain_init(struct fathom_plain *plain, struct fathom_arena *arena, const struct fathom_region *regions,
		      uint32_t count)
{
	plain->count = 0;
	plain->index = fathom_arena_alloc(arena, ((size_t)count + 1) * sizeof(*plain->index));
	plain->region = fathom_arena_alloc(arena, ((size_t)count + 1) * sizeof(*plain->region));
	if (!plain->index || !plain->region)
		return -ENOMEM;
	if (has_any(regions, count))
		return find_same(plain, arena, regions, count);
	for (uint32_t i = 0; i < count; i++)
		plain->index[i] = plain->region[i] = i;
	plain->count = count;
	return 0;
}

uint32_t fathom_plain_count(const char *parameters)
{
	uint32_t count = 0;

	for (; parameters && *parameters; parameters++)
		count += *parameters == '\n';
	return count;
}

int fathom_plain_read(const char *parameters, struct fathom_cube_parameter *first, struct fathom_arena *arena)
{
	const char *end;

	for (; parameters && (end = strchr(parameters, '\n')); parameters = end + 1, first++) {
		const char *equals = memchr(parameters, '=', (size_t)(end - parameters));

		if (!equals)
			equals = end;
		first->is_numeric = *parameters != 's';
		first->key = fathom_arena_copy(arena, parameters + 1, (size_t)(equals - parameters - 1));
		first->value = equals == end ? "" : fathom_arena_copy(arena, equals + 1, (size_t)(end - equals - 1));
		if (!first->key || !first->value)
			return -ENOMEM;
	}
	return 0;
}
