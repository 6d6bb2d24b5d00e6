#include "define/region.h"

#include <sched.h>
#include <stdbool.h>
#include <string.h>

#include "platform/arena.h"
#include "platform/lock.h"
#include "platform/log.h"
#include "platform/number_table.h"

/*
 * All regions, in chunks that never move, so that a reader needs no lock; and a hash table
 * over them that only writers use.
 */
#define CHUNK_REGIONS FATHOM_REGION_CHUNK
#define MOST_CHUNKS 4096
#define MOST_TRIES 1000		/* of a lock that another thread has, or a crash has left taken: some milliseconds */

static struct {
	/* Held while a region is searched or created; a caller may hold the parameter lock. */
	struct fathom_lock lock;
	struct fathom_arena arena;
	struct fathom_region *chunks[MOST_CHUNKS];
	uint32_t count;			/* written last, with release; pairs with fathom_region_count */
	struct fathom_number_table table;	/* ids by the hash of the region. Under the lock */
	void (*judge)(struct fathom_region *region);
} regions;

void fathom_region_set_judge(void (*judge)(struct fathom_region *region))
{
	regions.judge = judge;
}

static uint64_t hash_text(uint64_t hash, const char *text)
{
	if (text)
		for (; *text; text++)
			hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
	return (hash ^ 0xff) * 0x100000001b3u;
}

uint64_t fathom_region_hash(const struct fathom_region *region, uint32_t mask)
{
	uint64_t hash = 0xcbf29ce484222325u;

	if (mask & FATHOM_REGION_NAME)
		hash = hash_text(hash, region->name);
	if (mask & FATHOM_REGION_CANONICAL)
		hash = hash_text(hash, region->canonical);
	if (mask & FATHOM_REGION_FILE)
		hash = hash_text(hash, region->file);
	if (mask & FATHOM_REGION_OBJECT)
		hash = hash_text(hash, region->module);
	if (mask & FATHOM_REGION_PARAMETERS)
		hash = hash_text(hash, region->parameters);
	if (mask & FATHOM_REGION_OBJECT)
		hash ^= region->offset * 0x9e3779b97f4a7c15u;
	if (mask & FATHOM_REGION_LINES)
		hash ^= (uint64_t)region->begin_line << 32;
	if (mask & FATHOM_REGION_ROLE)
		hash ^= (uint64_t)region->role << 8;
	if (mask & FATHOM_REGION_PARADIGM)
		hash ^= region->paradigm;
	hash ^= hash >> 29;
	hash *= 0x9e3779b97f4a7c15u;
	return hash ^ hash >> 32;
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool same_object(const struct fathom_region *a, const struct fathom_region *b)
{
	return a->offset == b->offset && same_text(a->module, b->module);
}

static bool same_lines(const struct fathom_region *a, const struct fathom_region *b)
{
	return a->begin_line == b->begin_line && a->end_line == b->end_line;
}

bool fathom_region_same(const struct fathom_region *a, const struct fathom_region *b, uint32_t mask)
{
	return (!(mask & FATHOM_REGION_OBJECT) || same_object(a, b)) &&
	       (!(mask & FATHOM_REGION_LINES) || same_lines(a, b)) &&
	       (!(mask & FATHOM_REGION_PARADIGM) || a->paradigm == b->paradigm) &&
	       (!(mask & FATHOM_REGION_ROLE) || a->role == b->role) &&
	       (!(mask & FATHOM_REGION_NAME) || same_text(a->name, b->name)) &&
	       (!(mask & FATHOM_REGION_CANONICAL) || same_text(a->canonical, b->canonical)) &&
	       (!(mask & FATHOM_REGION_FILE) || same_text(a->file, b->file)) &&
	       (!(mask & FATHOM_REGION_PARAMETERS) || same_text(a->parameters, b->parameters));
}

const struct fathom_region *fathom_region_by_id(uint32_t id)
{
	return &regions.chunks[id / CHUNK_REGIONS][id % CHUNK_REGIONS];
}

struct fathom_region *const *fathom_region_chunks(void)
{
	return regions.chunks;
}

const struct fathom_arena *fathom_region_arena(void)
{
	return &regions.arena;
}

uint32_t fathom_region_count(void)
{
	/* Pairs with the release in add_region: regions below the count are complete. */
	return __atomic_load_n(&regions.count, __ATOMIC_ACQUIRE);
}

/* Returns the slot of the region that equals spec, or else the free slot where it belongs. There must be room for one
 * more. */
static uint32_t *find_slot(const struct fathom_region *spec)
{
	uint32_t *slot = fathom_number_table_first(&regions.table, fathom_region_hash(spec, FATHOM_REGION_ALL));

	while (*slot && !fathom_region_same(fathom_region_by_id(*slot - 1), spec, FATHOM_REGION_ALL))
		slot = fathom_number_table_next(&regions.table, slot);
	return slot;
}

/* Makes room in the table for one more region. 0 or -ENOMEM. */
static int reserve_slot(void)
{
	int result = fathom_number_table_reserve(&regions.table, &regions.arena, regions.count);

	for (uint32_t id = 0; result > 0 && id < regions.count; id++)
		fathom_number_table_put(&regions.table,
					fathom_region_hash(fathom_region_by_id(id), FATHOM_REGION_ALL), id);
	return result < 0 ? result : 0;
}

/* Replaces the texts of spec's copy by copies in the arena. -1: no memory. */
static int copy_texts(struct fathom_region *region)
{
	const char **texts[FATHOM_REGION_TEXTS];

	fathom_region_texts(region, texts);
	for (int t = 0; t < FATHOM_REGION_TEXTS; t++) {
		if (!*texts[t])
			continue;
		*texts[t] = fathom_arena_copy(&regions.arena, *texts[t], strlen(*texts[t]));
		if (!*texts[t])
			return -1;
	}
	return 0;
}

uint64_t fathom_region_compact_id(uint32_t id)
{
	uint64_t bytes = 0;

	while (bytes < sizeof(id) && id >> 8 * bytes)
		bytes++;
	return (uint64_t)id << 8 | bytes;
}

static struct fathom_region *add_region(const struct fathom_region *spec)
{
	struct fathom_region **chunk = &regions.chunks[regions.count / CHUNK_REGIONS];
	struct fathom_region *region;

	if (regions.count >= CHUNK_REGIONS * MOST_CHUNKS)
		return NULL;
	if (!*chunk)
		*chunk = fathom_arena_alloc(&regions.arena, CHUNK_REGIONS * sizeof(**chunk));
	if (!*chunk)
		return NULL;
	region = *chunk + regions.count % CHUNK_REGIONS;
	*region = *spec;
	region->id = regions.count;
	region->compact_id = fathom_region_compact_id(region->id);
	if (region->activity == FATHOM_ACTIVITY_NONE)
		region->activity = (uint8_t)fathom_activity_of_role(region->paradigm, region->role);
	if (copy_texts(region))
		return NULL;
	if (regions.judge)
		regions.judge(region);
	/* Pairs with fathom_region_count. */
	__atomic_store_n(&regions.count, regions.count + 1, __ATOMIC_RELEASE);
	return region;
}

/* Finds or makes the region. Under the lock. */
static const struct fathom_region *define(const struct fathom_region *spec)
{
	struct fathom_region *region;
	uint32_t *slot;

	if (reserve_slot())
		return NULL;
	slot = find_slot(spec);
	if (*slot)
		return fathom_region_by_id(*slot - 1);
	region = add_region(spec);
	if (region)
		*slot = region->id + 1;
	return region;
}

const struct fathom_region *fathom_region_define(const struct fathom_region *spec)
{
	const struct fathom_region *region;

	fathom_lock_take(&regions.lock);
	region = define(spec);
	fathom_lock_give(&regions.lock);
	return region;
}

const struct fathom_region *fathom_region_try_define(const struct fathom_region *spec)
{
	const struct fathom_region *region;

	for (int tries = 0; !fathom_lock_try(&regions.lock); tries++) {
		if (tries == MOST_TRIES)
			return NULL;
		sched_yield();
	}
	region = define(spec);
	fathom_lock_give(&regions.lock);
	return region;
}

const char *fathom_region_place_name(const struct fathom_region *region, struct fathom_arena *arena)
{
	const char *module = region->module ? region->module : "?";
	const char *base = strrchr(module, '/');
	char text[512];

	fathom_format(text, sizeof(text), "%s%s%s+0x%lx", region->canonical ? region->canonical : "",
		      region->canonical ? " @" : "", base ? base + 1 : module, (unsigned long)region->offset);
	return fathom_arena_copy(arena, text, strlen(text));
}
