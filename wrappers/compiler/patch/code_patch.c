#include "compiler/patch/patch_table.h"

#include <errno.h>

#include "platform/arena.h"
#include "compiler/patch/call_sites.h"
#include "compiler/patch/code_writing.h"

/* A function whose hooks are called in its own code or where it was inlined. */
struct patched {
	struct patched *next;
	const void *function;
	unsigned out;			/* bits of enum fathom_patch_parts: the calls that shall be out */
	struct fathom_site *sites;	/* all known calls */
};

/* A stretch of code that has been read, so that it is read once. */
struct scanned {
	struct scanned *next;
	const void *begin;
	int err;			/* of fathom_sites_find: 0 or -errno */
};

enum { HASH_BITS = 10 };

/* Memory is not freed, but entries of unloaded libraries are used again for other libraries. */
static struct {
	struct fathom_arena arena;
	struct patched *by_hash[1 << HASH_BITS];
	struct scanned *by_begin[1 << HASH_BITS];
	struct patched *spare_functions;
	struct scanned *spare_codes;
	struct fathom_site *spare_sites;
} patches;

/* --- functions ------------------------------------------------------------------------------------ */

static uint32_t hash(const void *address)
{
	uintptr_t number = (uintptr_t)address >> 4;

	return (number ^ number >> HASH_BITS) & ((1 << HASH_BITS) - 1);
}

static struct patched *find(const void *function)
{
	struct patched *patched = patches.by_hash[hash(function)];

	while (patched && patched->function != function)
		patched = patched->next;
	return patched;
}

/* Returns the entry of a function, a new one if necessary; NULL: no memory. */
static struct patched *find_or_add(const void *function)
{
	struct patched *patched = find(function);

	if (patched)
		return patched;
	patched = patches.spare_functions;
	if (patched)
		patches.spare_functions = patched->next;
	else
		patched = fathom_arena_alloc(&patches.arena, sizeof(*patched));
	if (!patched)
		return NULL;
	*patched = (struct patched){ .next = patches.by_hash[hash(function)], .function = function };
	patches.by_hash[hash(function)] = patched;
	return patched;
}

/* Adds a copy of the site to its function. Returns 0 or -ENOMEM. */
static int take_site(const struct fathom_site *found)
{
	struct patched *patched = find_or_add(found->function);
	struct fathom_site *site = patches.spare_sites;

	if (site)
		patches.spare_sites = site->next;
	else
		site = fathom_arena_alloc(&patches.arena, sizeof(*site));
	if (!patched || !site)
		return -ENOMEM;
	*site = *found;
	site->next = patched->sites;
	patched->sites = site;
	return 0;
}

/* Reads the code that contains address, once. Returns 0 or an error as fathom_sites_find. */
static int scan(const void *address, const struct fathom_patch_hooks *hooks)
{
	struct scanned *scanned, **place;
	struct fathom_code code;

	if (!fathom_code_find(address, &code))
		return -ENOENT;
	place = &patches.by_begin[hash(code.begin)];
	for (scanned = *place; scanned; scanned = scanned->next)
		if (scanned->begin == code.begin)
			return scanned->err;
	scanned = patches.spare_codes;
	if (scanned)
		patches.spare_codes = scanned->next;
	else
		scanned = fathom_arena_alloc(&patches.arena, sizeof(*scanned));
	if (!scanned)
		return -ENOMEM;
	*scanned = (struct scanned){ *place, code.begin, fathom_sites_find(code, hooks, take_site) };
	*place = scanned;
	return scanned->err;
}

/* Takes out or puts back the calls of these parts. Returns how many calls were changed, or -EACCES. If another library
 * has been loaded where this one was, the byte is not the one that was written there, and is not changed. */
static int change(const struct patched *patched, unsigned parts, bool out)
{
	int changed = 0;

	for (const struct fathom_site *site = patched->sites; site; site = site->next) {
		if (!(site->part & parts) || *site->at != (out ? site->was : site->becomes))
			continue;
		if (!fathom_code_write(site->at, out ? &site->becomes : &site->was, 1))
			return -EACCES;
		changed++;
	}
	return changed;
}

static int out(const void *function, const void *from, const struct fathom_patch_hooks *hooks,
	       enum fathom_patch_parts parts)
{
	struct patched *patched;
	int count = 0, unread, err;

	if (fathom_code_is_refused())
		return -EACCES;
	unread = scan(from, hooks);
	patched = unread ? find(function) : find_or_add(function);
	if (!patched)
		return unread ? unread : -ENOMEM;
	patched->out |= parts;
	for (struct fathom_site *site = patched->sites; site; site = site->next)
		fathom_site_learn(site, hooks);
	err = change(patched, patched->out, true);
	if (err)
		fathom_code_serialize();
	if (err < 0)
		return err;
	if (unread)
		return unread;
	for (const struct fathom_site *site = patched->sites; site; site = site->next)
		count += (site->part & parts) != 0;
	return count;
}

/* Puts back the calls of these parts. Returns 0 or -EACCES. */
static int put_back(struct patched *patched, unsigned parts)
{
	int changed = change(patched, patched->out & parts, false);

	fathom_code_serialize();
	if (changed < 0)
		return changed;
	patched->out &= ~parts;
	return 0;
}

static int restore(const void *function)
{
	struct patched *patched = find(function);
	int err;

	if (!patched || !patched->out)
		return 0;
	err = put_back(patched, FATHOM_PATCH_EXITS);
	return err ? err : put_back(patched, FATHOM_PATCH_ENTERS | FATHOM_PATCH_SLED_ENTERS);
}

/* --- libraries that are unloaded ------------------------------------------------------------------- */

static void forget_sites(struct patched *patched, bool all_of_them, int (*is_loaded)(const void *address))
{
	struct fathom_site **link = &patched->sites, *site;

	while ((site = *link) != NULL) {
		if (!all_of_them && is_loaded(site->at)) {
			link = &site->next;
			continue;
		}
		*link = site->next;
		site->next = patches.spare_sites;
		patches.spare_sites = site;
	}
}

static void forget_functions(struct patched **link, int (*is_loaded)(const void *address))
{
	struct patched *patched;

	while ((patched = *link) != NULL) {
		bool is_gone = !is_loaded(patched->function);

		forget_sites(patched, is_gone, is_loaded);
		if (!is_gone) {
			link = &patched->next;
			continue;
		}
		*link = patched->next;
		patched->next = patches.spare_functions;
		patches.spare_functions = patched;
	}
}

static void forget_codes(struct scanned **link, int (*is_loaded)(const void *address))
{
	struct scanned *scanned;

	while ((scanned = *link) != NULL) {
		if (is_loaded(scanned->begin)) {
			link = &scanned->next;
			continue;
		}
		*link = scanned->next;
		scanned->next = patches.spare_codes;
		patches.spare_codes = scanned;
	}
}

static void forget(int (*is_loaded)(const void *address))
{
	for (int i = 0; i < 1 << HASH_BITS; i++) {
		forget_functions(&patches.by_hash[i], is_loaded);
		forget_codes(&patches.by_begin[i], is_loaded);
	}
}

FATHOM_API const struct fathom_patch_table fathom_patch_table = {
	.out = out,
	.restore = restore,
	.forget = forget,
};
