#include "tools/report/iteration_maps.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"

static const char prefix[] = "fathom::iterations:";

/* The maps that have been read so far. */
struct maps {
	const struct fathom_profile *profile;
	const bool *is_phase;		/* by call path */
	struct fathom_phase_map *list;
	uint32_t count;
	size_t room;
};

enum { MOST_CLUSTERS = 1 << 16 };	/* limit of clusters in a map; a measurement makes at most 256 */

bool fathom_phases_is_map(const char *key)
{
	return strncmp(key, prefix, sizeof(prefix) - 1) == 0;
}

/* Reads a number below most at *text, and moves *text behind it. */
static bool take_number(const char **text, uint64_t most, uint64_t *number)
{
	const char *at = *text;

	*number = 0;
	if (*at < '0' || *at > '9')
		return false;
	for (; *at >= '0' && *at <= '9'; at++)
		if (__builtin_mul_overflow(*number, 10, number) ||
		    __builtin_add_overflow(*number, (uint64_t)(*at - '0'), number) || *number >= most)
			return false;
	*text = at;
	return true;
}

static bool take_char(const char **text, char wanted)
{
	if (**text != wanted)
		return false;
	++*text;
	return true;
}

/* Reads call path, rank and thread from an attribute's key. Returns NULL, or what is wrong. */
static const char *read_key(const struct maps *maps, const char *key, struct fathom_phase_map *map)
{
	uint64_t cnode, rank, thread;

	key += sizeof(prefix) - 1;
	if (!take_number(&key, UINT32_MAX, &cnode) || !take_char(&key, ':') || !take_number(&key, INT32_MAX, &rank) ||
	    !take_char(&key, ':') || !take_number(&key, UINT32_MAX, &thread) || *key)
		return "its name has no call path, rank and thread";
	if (cnode >= maps->profile->cube->cnode_count || !maps->is_phase[cnode])
		return "its call path is no phase";
	map->cnode = (uint32_t)cnode;
	map->rank = (int64_t)rank;
	map->thread = (uint32_t)thread;
	return NULL;
}

struct room {
	size_t numbers, clusters, seconds;
};

static void add(struct fathom_phase_map *map, struct room *room, uint64_t number, uint32_t cluster, uint64_t ns)
{
	map->numbers = fathom_tool_grow(map->numbers, map->count, &room->numbers, sizeof(*map->numbers));
	map->clusters = fathom_tool_grow(map->clusters, map->count, &room->clusters, sizeof(*map->clusters));
	map->seconds = fathom_tool_grow(map->seconds, map->count, &room->seconds, sizeof(*map->seconds));
	map->numbers[map->count] = number;
	map->clusters[map->count] = cluster;
	map->seconds[map->count++] = (double)ns * 1e-9;
	if (cluster >= map->cluster_count)
		map->cluster_count = cluster + 1;
}

/* Reads the iterations of a map. Returns NULL, or the place in text that cannot be read. */
static const char *read_runs(const char *text, struct fathom_phase_map *map)
{
	struct room room = { 0 };

	for (;;) {
		uint64_t number, count = 1, cluster, ns;

		if (!take_number(&text, UINT64_MAX, &number))
			return text;
		if (take_char(&text, '*') && (!take_number(&text, UINT32_MAX, &count) || !count))
			return text;
		if (!take_char(&text, ':') || !take_number(&text, MOST_CLUSTERS, &cluster))
			return text;
		for (uint64_t i = 0; i < count; i++) {
			if (!take_char(&text, i ? ',' : '=') || !take_number(&text, UINT64_MAX, &ns) ||
			    map->count == UINT32_MAX - 1)
				return text;
			add(map, &room, number + i, (uint32_t)cluster, ns);
		}
		if (!*text)
			return NULL;
		if (!take_char(&text, ' '))
			return text;
	}
}

static int by_place(const void *a, const void *b)
{
	const struct fathom_phase_map *x = a, *y = b;

	if (x->cnode != y->cnode)
		return x->cnode < y->cnode ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return x->thread < y->thread ? -1 : x->thread > y->thread;
}

static int read_map(struct maps *maps, const struct fathom_cube_attribute *attribute)
{
	const char *path = maps->profile->path;
	struct fathom_phase_map map = { 0 };
	const char *what = read_key(maps, attribute->key, &map), *where;

	if (what) {
		fathom_tool_error("%s: attribute %s is damaged: %s", path, attribute->key, what);
		return -EILSEQ;
	}
	maps->list = fathom_tool_grow(maps->list, maps->count, &maps->room, sizeof(map));
	where = read_runs(attribute->value, &map);
	maps->list[maps->count++] = map;
	if (where) {
		fathom_tool_error("%s: attribute %s is damaged at byte %zu", path, attribute->key,
				  (size_t)(where - attribute->value));
		return -EILSEQ;
	}
	return 0;
}

int fathom_phase_maps_read(const struct fathom_profile *profile, const bool *is_phase, struct fathom_phase_map **maps,
			   uint32_t *count)
{
	const struct fathom_cube *cube = profile->cube;
	struct maps read = { .profile = profile, .is_phase = is_phase };
	int err = 0;

	for (uint32_t a = 0; !err && a < cube->attribute_count; a++)
		if (fathom_phases_is_map(cube->attributes[a].key))
			err = read_map(&read, &cube->attributes[a]);
	for (uint32_t m = 0; m < read.count; m++) {
		struct fathom_phase_map *map = &read.list[m];

		map->sizes = fathom_tool_alloc(map->cluster_count, sizeof(*map->sizes));
		for (uint32_t i = 0; i < map->count; i++)
			map->sizes[map->clusters[i]]++;
	}
	if (read.count)
		qsort(read.list, read.count, sizeof(*read.list), by_place);
	*maps = read.list;
	*count = read.count;
	return err;
}

void fathom_phase_maps_free(struct fathom_phase_map *maps, uint32_t count)
{
	for (uint32_t m = 0; m < count; m++) {
		free(maps[m].numbers);
		free(maps[m].clusters);
		free(maps[m].seconds);
		free(maps[m].sizes);
	}
	free(maps);
}
