/*
 * Regions whose names come with each call: C's named forms and all of Fortran's. Where the name stands in memory,
 * together with what it reads like, tells which region it is: looked up without a lock.
 */
#include <stdbool.h>
#include <string.h>

#include "define/region.h"
#include "platform/arena.h"
#include "platform/compiler.h"
#include "platform/lock.h"
#include "user/user.h"

enum { FIRST_TABLE = 256 };

struct entry {
	struct fathom_user_name given;	/* its texts are addresses, not to be read */
	const struct fathom_region *region;	/* has the text */
};

/* Read without a lock: entries never change once they are in a table, and a table that was outgrown stays as it is. */
struct table {
	size_t mask;
	struct entry *entries[];	/* released when complete; NULL: empty */
};

static struct {
	struct fathom_lock lock;	/* held while an entry is added; the region lock nests in it */
	struct fathom_arena arena;
	struct table *table;		/* released; pairs with find() */
	size_t used;
} names;

static size_t hash(const struct fathom_user_name *given)
{
	uint64_t hash = (uintptr_t)given->name ^ (uint64_t)given->line << 48 ^ (uint64_t)given->length << 40;

	hash *= 0x9e3779b97f4a7c15u;

	return (size_t)(hash >> 32);
}

/* The same address may hold another name by now. */
static const struct fathom_region *find(const struct fathom_user_name *wanted)
{
	const struct table *table = __atomic_load_n(&names.table, __ATOMIC_ACQUIRE);
	const struct entry *entry;

	if (!table)
		return NULL;
	for (size_t i = hash(wanted) & table->mask;; i = (i + 1) & table->mask) {
		entry = __atomic_load_n(&table->entries[i], __ATOMIC_ACQUIRE);	/* pairs with put() */
		if (!entry)
			return NULL;
		if (entry->given.name == wanted->name && entry->given.length == wanted->length &&
		    entry->given.line == wanted->line && entry->given.file == wanted->file &&
		    entry->given.kind == wanted->kind && !memcmp(entry->region->name, wanted->name, wanted->length))
			return entry->region;
	}
}

static void put(struct table *table, struct entry *entry)
{
	size_t i = hash(&entry->given) & table->mask;

	while (table->entries[i])
		i = (i + 1) & table->mask;
	__atomic_store_n(&table->entries[i], entry, __ATOMIC_RELEASE);
}

/* Keep it at most half full. */
static bool make_room(void)
{
	struct table *old = names.table, *table;
	size_t size = old ? (old->mask + 1) * 4 : FIRST_TABLE;

	if (old && (names.used + 1) * 2 <= old->mask + 1)
		return true;
	table = fathom_arena_alloc(&names.arena, sizeof(*table) + size * sizeof(*table->entries));
	if (!table)
		return false;
	table->mask = size - 1;
	for (size_t i = 0; old && i <= old->mask; i++)
		if (old->entries[i])
			put(table, old->entries[i]);
	__atomic_store_n(&names.table, table, __ATOMIC_RELEASE);
	return true;
}

static FATHOM_COLD const struct fathom_region *add(const struct fathom_user_name *wanted)
{
	const struct fathom_region *region = NULL;
	const char *name, *file;
	struct entry *entry;

	fathom_lock_take(&names.lock);
	name = fathom_arena_copy(&names.arena, wanted->name, wanted->length);
	file = wanted->file ? fathom_arena_copy(&names.arena, wanted->file, wanted->file_length) : NULL;
	entry = fathom_arena_alloc(&names.arena, sizeof(*entry));
	if (name)
		region = fathom_user_region(name, file, wanted->line, wanted->kind);
	if (region && entry && make_room()) {
		entry->given = *wanted;
		entry->region = region;
		put(names.table, entry);
		names.used++;
	}
	fathom_lock_give(&names.lock);
	return region;
}

const struct fathom_region *fathom_user_named_region(const struct fathom_user_name *name)
{
	const struct fathom_region *region = find(name);

	return likely(region) ? region : add(name);
}
