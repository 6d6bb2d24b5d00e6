#include "compiler/patch/patch_table.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <linux/membarrier.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "platform/arena.h"
#include "compiler/patch/call_sites.h"

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

/* --- writing to code ------------------------------------------------------------------------------ */

static enum { NOT_TRIED, WORKS, REFUSED } through_memory, through_page;

static int open_memory(void)
{
	return (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/mem", O_RDWR | O_CLOEXEC);
}

/* Writes a byte through /proc/self/mem. Returns whether that worked. The descriptor is closed each time, because the
 * program may close all descriptors and open its own files with the same numbers. */
static bool write_through_memory(uint8_t *at, uint8_t byte)
{
	int fd;
	bool done;

	if (through_memory == REFUSED)
		return false;
	fd = open_memory();
	done = fd >= 0 && syscall(SYS_pwrite64, fd, &byte, 1, (off_t)(uintptr_t)at) == 1 &&
	       __atomic_load_n(at, __ATOMIC_RELAXED) == byte;
	if (fd >= 0)
		syscall(SYS_close, fd);
	/* A way that has worked once is tried again after a failure; so is one that failed for lack of descriptors. */
	if (done)
		through_memory = WORKS;
	else if (through_memory == NOT_TRIED && (fd >= 0 || errno == EACCES || errno == EPERM || errno == ENOENT))
		through_memory = REFUSED;
	return done;
}

struct protection {
	uintptr_t address;
	int flags;
};

/* Called by dl_iterate_phdr for each module: if the module contains the address, finds the protection of its page. */
static int find_protection(struct dl_phdr_info *info, size_t size, void *data)
{
	struct protection *search = data;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[i];

		if (header->p_type != PT_LOAD || search->address - info->dlpi_addr - header->p_vaddr >= header->p_memsz)
			continue;
		search->flags = (header->p_flags & PF_R ? PROT_READ : 0) | (header->p_flags & PF_W ? PROT_WRITE : 0) |
				(header->p_flags & PF_X ? PROT_EXEC : 0);
		return 1;
	}
	return 0;
}

/* Writes a byte after making its page writable. Returns whether that worked. The page stays executable all the time,
 * because other threads may be executing its code. */
static bool write_through_page(uint8_t *at, uint8_t byte)
{
	struct protection protection = { .address = (uintptr_t)at };
	uintptr_t bytes = (uintptr_t)sysconf(_SC_PAGESIZE);
	void *page = (void *)((uintptr_t)at & ~(bytes - 1));

	if (through_page == REFUSED || !dl_iterate_phdr(find_protection, &protection))
		return false;
	if (mprotect(page, bytes, PROT_READ | PROT_WRITE | PROT_EXEC)) {
		if (through_page == NOT_TRIED)
			through_page = REFUSED;
		return false;
	}
	through_page = WORKS;
	__atomic_store_n(at, byte, __ATOMIC_RELAXED);
	mprotect(page, bytes, protection.flags);
	return true;
}

static bool write_byte(uint8_t *at, uint8_t byte)
{
	return write_through_memory(at, byte) || write_through_page(at, byte);
}

/* Makes all processors that run threads of the process serialize: afterwards no thread executes the old instruction. If
 * the kernel cannot do that, each processor reads the new instruction some time later. */
static void serialize_processors(void)
{
	static bool is_registered;

	if (!is_registered)
		syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE, 0, 0);
	is_registered = true;
	syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE, 0, 0);
}

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
		if (!write_byte(site->at, out ? site->becomes : site->was))
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

	if (through_memory == REFUSED && through_page == REFUSED)
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
		serialize_processors();
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

	serialize_processors();
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
