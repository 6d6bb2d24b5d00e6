#include "profile/unification/iteration_maps.h"

#include <errno.h>
#include <string.h>

#include "platform/clock.h"
#include "platform/log.h"
#include "profile/unification/call_path_digest.h"
#include "comm/chunked_transfer.h"
#include "profile/recording/iteration_clusters.h"
#include "profile/unification/union.h"

/* The head of a map. Its text follows, with a NUL, padded to a multiple of 8 bytes. */
struct map {
	struct fathom_digest path;	/* of the phase */
	uint32_t rank, thread;
	uint64_t bytes;			/* of the padded text */
};

struct fathom_iterations_block {
	struct fathom_iterations_block *next;
	uint64_t bytes;
	char *maps;
};

static int add_block(struct fathom_union *u, char *maps, uint64_t bytes)
{
	struct fathom_iterations *all = &u->iterations;
	struct fathom_iterations_block *block = fathom_arena_alloc(&u->arena, sizeof(*block));

	if (!block)
		return -ENOMEM;
	block->maps = maps;
	block->bytes = bytes;
	if (all->last)
		all->last->next = block;
	else
		all->first = block;
	all->last = block;
	all->bytes += bytes;
	return 0;
}

/* --- one map as text ------------------------------------------------------------------------------ */

static char *put_number(char *text, uint64_t number)
{
	char digits[24];
	int count = 0;

	do
		digits[count++] = (char)('0' + number % 10);
	while (number /= 10);
	while (count)
		*text++ = digits[--count];
	return text;
}

/* Lists the first iterations of all clusters in ascending order; returns how many there are. */
static uint32_t list_firsts(const struct fathom_series *series, uint32_t count, uint32_t *firsts)
{
	uint32_t trees = __atomic_load_n(&series->tree_count, __ATOMIC_ACQUIRE), known = 0;

	for (uint32_t t = 0; t < trees; t++) {
		uint32_t first = fathom_peek(&series->trees[t]->iteration), at;

		if (first >= count)
			continue;
		for (at = known++; at && firsts[at - 1] > first; at--)
			firsts[at] = firsts[at - 1];
		firsts[at] = first;
	}
	return known;
}

/* Finds the cluster of each iteration: the number in its name. */
static void find_clusters(const struct fathom_series *series, uint32_t count, const uint32_t *firsts,
			  uint32_t first_count, uint32_t *clusters)
{
	uint32_t next = 0;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t joined = fathom_peek(&fathom_series_at(series, i)->joined);

		/* The first iteration of a cluster comes before all others of it. */
		while (next < first_count && firsts[next] < i)
			next++;
		clusters[i] = joined < i ? clusters[joined] : next;
	}
}

/* Returns the duration of an iteration. The duration of the last iterations was not noted; their trees have it. */
static uint64_t ticks_of(const struct fathom_series *series, uint32_t i)
{
	const struct fathom_iteration *iteration = fathom_series_at(series, i);
	const struct fathom_iteration_tree *tree = fathom_series_tree_with(series, i);

	if (fathom_peek(&iteration->ticks))
		return fathom_peek(&iteration->ticks);
	return tree && fathom_peek(&tree->iteration) == i ? tree->node.total_ticks : 0;
}

/* Converts ticks to ns, rounded to the nearest. fathom_ticks_to_units rounds down, by half a unit on average, and the
 * sum of many short iterations would be too small. */
static uint64_t ns_of(struct fathom_tick_scale scale, uint64_t ticks)
{
	double units = ticks ? (double)fathom_ticks_to_units(scale, ticks) + 0.5 : 0;

	return (uint64_t)(units / FATHOM_UNITS_PER_SECOND * 1e9 + 0.5);
}

enum { MOST_OF_ONE = 4 * 21 + 4 };	/* largest number of bytes of an iteration */

/*
 * Writes a map as text, for example "0*3:0=1520,1499,1510 3:1=9000": runs of consecutive numbers in one cluster, each
 * with the first number, the length of the run, the cluster, and the ns of each iteration. Returns the end; NULL: the
 * text does not fit.
 */
static char *put_map(char *text, const char *end, const struct fathom_series *series, const uint32_t *clusters,
		     uint32_t count, struct fathom_tick_scale scale)
{
	for (uint32_t i = 0, run; i < count; i += run) {
		uint64_t number = fathom_series_at(series, i)->number;

		for (run = 1; i + run < count && clusters[i + run] == clusters[i] &&
			      fathom_series_at(series, i + run)->number == number + run; run++)
			;
		if (end - text < MOST_OF_ONE)
			return NULL;
		if (i)
			*text++ = ' ';
		text = put_number(text, number);
		if (run > 1) {
			*text++ = '*';
			text = put_number(text, run);
		}
		*text++ = ':';
		text = put_number(text, clusters[i]);
		for (uint32_t k = 0; k < run; k++) {
			if (end - text < MOST_OF_ONE)
				return NULL;
			*text++ = k ? ',' : '=';
			text = put_number(text, ns_of(scale, ticks_of(series, i + k)));
		}
	}
	return text;
}

/* --- the maps of a process -------------------------------------------------------------------------- */

static int add_series(struct fathom_union *u, const struct fathom_process_tree *process,
		      const struct fathom_series *series, struct map *map)
{
	/* Pairs with the release in add_iteration() of iteration_clusters.c. */
	uint32_t count = __atomic_load_n(&series->iteration_count, __ATOMIC_ACQUIRE), firsts[FATHOM_MOST_CLUSTERS + 2];
	uint64_t left = FATHOM_ITERATIONS_BYTES - u->iterations.bytes, room = (uint64_t)count * MOST_OF_ONE + 128;
	struct fathom_arena scratch = { 0 };
	uint32_t *clusters = fathom_arena_alloc(&scratch, ((size_t)count + 1) * sizeof(*clusters));
	char *text, *end, *kept;
	int err = -ENOMEM;

	room = room < left ? room : left;
	text = fathom_arena_alloc(&scratch, room + sizeof(*map) + 8);
	if (!clusters || !text)
		goto out;
	find_clusters(series, count, firsts, list_firsts(series, count, firsts), clusters);
	end = put_map(text, text + room, series, clusters, count, process->scale);
	err = 0;
	if (!end || (uint64_t)(end - text) + sizeof(*map) + 8 > left) {
		u->iterations.lost++;
		goto out;
	}
	map->bytes = ((uint64_t)(end - text) + 8) / 8 * 8;
	kept = fathom_arena_alloc(&u->arena, sizeof(*map) + map->bytes);
	if (kept) {
		memcpy(kept, map, sizeof(*map));
		memcpy(kept + sizeof(*map), text, (size_t)(end - text));
	}
	err = kept ? add_block(u, kept, sizeof(*map) + map->bytes) : -ENOMEM;
out:
	fathom_arena_fini(&scratch);
	return err;
}

/* Returns the newest series of a location; its member next leads to the older ones. NULL: there is none. */
static const struct fathom_series *series_of(const struct fathom_location *location)
{
	const struct fathom_callpaths *paths = location->substrate_data;

	/* Pairs with the release in series_of() of iteration_clusters.c. */
	return paths ? __atomic_load_n(&paths->series, __ATOMIC_ACQUIRE) : NULL;
}

static bool has_clusters(const struct fathom_series *series, const struct fathom_process_tree *process)
{
	return series->is_clustered && series->node->snapshot_serial == process->serial;
}

int fathom_iterations_add_own(struct fathom_union *u, const struct fathom_process_tree *process, uint32_t rank)
{
	struct fathom_arena scratch = { 0 };
	struct fathom_digests digests = { 0 };
	int err = 0;

	for (uint32_t l = 0; !err && l < process->location_count; l++)
		for (const struct fathom_series *series = series_of(process->locations[l]); !err && series;
		     series = series->next) {
			struct map map = { .rank = rank, .thread = l };

			if (!has_clusters(series, process))
				continue;
			if (!digests.paths)
				err = fathom_digests_make(&digests, &scratch, u, u->tree.count, false);
			if (err)
				break;
			map.path = digests.paths[series->node->snapshot_node];
			err = add_series(u, process, series, &map);
		}
	fathom_arena_fini(&scratch);
	return err;
}

/* --- from rank to rank ----------------------------------------------------------------------------- */

static uint64_t count_maps(const struct fathom_iterations *all)
{
	uint64_t count = 0;
	struct map map;

	for (const struct fathom_iterations_block *block = all->first; block; block = block->next)
		for (uint64_t at = 0; at < block->bytes; at += sizeof(map) + map.bytes) {
			memcpy(&map, block->maps + at, sizeof(map));
			count++;
		}
	return count;
}

/* The receiver stores the maps as one block. */
void fathom_iterations_pack(struct fathom_union *u)
{
	struct fathom_iterations *all = &u->iterations;
	char *maps, *at;

	if (all->first == all->last)
		return;
	maps = at = fathom_arena_alloc(&u->arena, all->bytes);
	if (!maps) {
		all->lost += count_maps(all);
		all->first = all->last = NULL;
		all->bytes = 0;
		return;
	}
	for (const struct fathom_iterations_block *block = all->first; block; block = block->next) {
		memcpy(at, block->maps, block->bytes);
		at += block->bytes;
	}
	all->first->maps = maps;
	all->first->bytes = all->bytes;
	all->first->next = NULL;
	all->last = all->first;
}

int fathom_iterations_send(const struct fathom_union *u, struct fathom_comm *comm, int to)
{
	return fathom_chunked_send(comm, to, u->iterations.first->maps, u->iterations.bytes);
}

int fathom_iterations_receive(struct fathom_union *u, struct fathom_comm *comm, int from, uint64_t bytes)
{
	char *maps = u->err ? NULL : fathom_arena_alloc(&u->arena, bytes);
	uint64_t kept = 0, at, lost = 0;
	struct map map;
	int err = fathom_chunked_receive(comm, from, maps, bytes);

	if (err || u->err)
		return err;
	if (!maps) {
		u->iterations.lost++;
		return 0;
	}
	for (at = 0; at < bytes; at += sizeof(map) + map.bytes) {
		memcpy(&map, maps + at, sizeof(map));
		if (!lost && u->iterations.bytes + at + sizeof(map) + map.bytes <= FATHOM_ITERATIONS_BYTES)
			kept = at + sizeof(map) + map.bytes;
		else
			lost++;
	}
	u->iterations.lost += lost;
	if (kept && add_block(u, maps, kept))
		u->iterations.lost++;
	return 0;
}

/* --- into the file --------------------------------------------------------------------------------- */

/* Returns the node with this digest; known: there is none. Most maps belong to the same phase as the map before. */
static uint32_t find_node(const struct fathom_digests *digests, uint32_t known, struct fathom_digest path,
			  uint32_t last)
{
	uint32_t node = 0;

	if (last < known && fathom_digest_same(digests->paths[last], path))
		return last;
	while (node < known && !fathom_digest_same(digests->paths[node], path))
		node++;
	return node;
}

/* Adds an attribute. If call paths were merged, because the file cannot distinguish them, their maps are joined, too.
 */
static int add_attribute(struct fathom_union *u, struct fathom_cube_attribute *attributes, int64_t *count,
			 const char *key, const char *text)
{
	struct fathom_cube_attribute *last = *count ? &attributes[*count - 1] : NULL;
	char *both;

	if (!last || strcmp(last->key, key) != 0) {
		key = fathom_arena_copy(&u->arena, key, strlen(key));
		if (!key)
			return -ENOMEM;
		attributes[(*count)++] = (struct fathom_cube_attribute){ key, text };
		return 0;
	}
	both = fathom_arena_alloc(&u->arena, strlen(last->value) + strlen(text) + 2);
	if (!both)
		return -ENOMEM;
	stpcpy(stpcpy(stpcpy(both, last->value), " "), text);
	last->value = both;
	return 0;
}

int64_t fathom_iterations_attributes(struct fathom_union *u, const struct fathom_digests *digests, uint32_t known,
				     const uint32_t *numbers, int64_t own_rank,
				     struct fathom_cube_attribute **attributes)
{
	const struct fathom_iterations *all = &u->iterations;
	uint32_t node = known;
	int64_t count = 0;
	char key[96];
	struct map map;
	int err = 0;

	*attributes = fathom_arena_alloc(&u->arena, (count_maps(all) + 2) * sizeof(**attributes));
	if (!*attributes)
		return -ENOMEM;
	for (const struct fathom_iterations_block *block = all->first; block && !err; block = block->next)
		for (uint64_t at = 0; at < block->bytes && !err; at += sizeof(map) + map.bytes) {
			memcpy(&map, block->maps + at, sizeof(map));
			node = find_node(digests, known, map.path, node);
			if (node == known)
				continue;
			fathom_format(key, sizeof(key), "fathom::iterations:%u:%u:%u", numbers[node],
				      own_rank >= 0 ? (uint32_t)own_rank : map.rank, map.thread);
			err = add_attribute(u, *attributes, &count, key, block->maps + at + sizeof(map));
		}
	if (!err && all->lost) {
		fathom_format(key, sizeof(key), "%lu", (unsigned long)all->lost);
		err = add_attribute(u, *attributes, &count, "fathom::iterations_lost",
				    fathom_arena_copy(&u->arena, key, strlen(key)));
	}
	return err ? err : count;
}
