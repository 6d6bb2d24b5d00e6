/*
 * named: regions whose names are passed with each call, by FATHOM_NAMED_BEGIN in C and by all calls from Fortran. The
 * region is found, without a lock, by the address of the name together with its text.
 */
#include <stdbool.h>
#include <string.h>

#include "define/region.h"
#include "platform/arena.h"
#include "platform/catalog.h"
#include "platform/compiler.h"
#include "platform/lock.h"
#include "user/user.h"

struct entry {
	struct fathom_user_name given;	/* its texts are only compared by address: they may have changed since */
	const struct fathom_region *region;	/* has a copy of the name */
};

static size_t hash_of(const void *entry);

static struct {
	struct fathom_lock lock;	/* held while an entry is added; the region lock nests in it */
	struct fathom_arena arena;
	struct fathom_catalog catalog;	/* struct entry */
} names = { .catalog.hash = hash_of };

static size_t hash(const struct fathom_user_name *given)
{
	uint64_t hash = (uintptr_t)given->name ^ (uint64_t)given->line << 48 ^ (uint64_t)given->length << 40;

	hash *= 0x9e3779b97f4a7c15u;

	return (size_t)(hash >> 32);
}

static size_t hash_of(const void *entry)
{
	return hash(&((const struct entry *)entry)->given);
}

/* Returns the region that was found before under this name, or NULL. The names are compared, too: by now the same
 * address may contain another name. */
static const struct fathom_region *find(const struct fathom_user_name *wanted)
{
	struct fathom_catalog_search search = fathom_catalog_search(&names.catalog, hash(wanted));
	const struct entry *entry;

	while ((entry = fathom_catalog_next(&search)) != NULL)
		if (entry->given.name == wanted->name && entry->given.length == wanted->length &&
		    entry->given.line == wanted->line && entry->given.file == wanted->file &&
		    entry->given.kind == wanted->kind && !memcmp(entry->region->name, wanted->name, wanted->length))
			return entry->region;
	return NULL;
}

/* Defines the region, and adds it to the catalog if there is memory. The caller holds the lock. */
static const struct fathom_region *define(const struct fathom_user_name *wanted)
{
	const char *name = fathom_arena_copy(&names.arena, wanted->name, wanted->length);
	const char *file = wanted->file ? fathom_arena_copy(&names.arena, wanted->file, wanted->file_length) : NULL;
	struct entry *entry = fathom_arena_alloc(&names.arena, sizeof(*entry));
	const struct fathom_region *region = name ? fathom_user_region(name, file, wanted->line, wanted->kind) : NULL;

	if (region && entry && !fathom_catalog_make_room(&names.catalog, &names.arena)) {
		entry->given = *wanted;
		entry->region = region;
		fathom_catalog_add(&names.catalog, entry);
	}
	return region;
}

static FATHOM_COLD const struct fathom_region *add(const struct fathom_user_name *wanted)
{
	const struct fathom_region *region;

	fathom_lock_take(&names.lock);
	region = find(wanted);
	if (!region)
		region = define(wanted);
	fathom_lock_give(&names.lock);
	return region;
}

const struct fathom_region *fathom_user_named_region(const struct fathom_user_name *name)
{
	const struct fathom_region *region = find(name);

	return likely(region) ? region : add(name);
}
