#include "patch.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <linux/membarrier.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "platform/arena.h"
#include "sites.h"

/* A function whose calls are, or were, out. Never freed: it is likely to be needed again. */
struct patched {
	struct patched *next;
	const void *function;		/* NULL: forgotten; the next one may have the memory */
	int site_count;
	unsigned out;			/* bits of enum fathom_patch_parts */
	struct fathom_site *sites;
	int site_room;
};

/* Functions with more returns than that keep the calls of the rest. */
enum { MOST_SITES = 128, HASH_BITS = 10 };

static struct {
	struct fathom_arena arena;
	struct patched *by_hash[1 << HASH_BITS];
	struct patched *spare;
} all;

/* --- writing to code ------------------------------------------------------------------------------ */

static enum { NOT_TRIED, WORKS, REFUSED } through_memory, through_page;

static int open_memory(void)
{
	return (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/mem", O_RDWR | O_CLOEXEC);
}

/* A descriptor is not kept: the program may close all there are, and open its own in their place. */
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
	if (fd >= 0 || errno == EACCES || errno == EPERM || errno == ENOENT)	/* else it has no descriptors left */
		through_memory = done ? WORKS : REFUSED;
	return done;
}

struct protection {
	uintptr_t address;
	int flags;
};

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

/* The page stays executable all the time: others are at it. */
static bool write_through_page(uint8_t *at, uint8_t byte)
{
	struct protection protection = { .address = (uintptr_t)at };
	uintptr_t bytes = (uintptr_t)sysconf(_SC_PAGESIZE);
	void *page = (void *)((uintptr_t)at & ~(bytes - 1));

	if (through_page == REFUSED || !dl_iterate_phdr(find_protection, &protection))
		return false;
	if (mprotect(page, bytes, PROT_READ | PROT_WRITE | PROT_EXEC)) {
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

/* Afterwards no thread executes what was there before; where the kernel cannot do that, each finds out by itself. */
static void tell_processors(void)
{
	static bool is_registered;

	if (!is_registered)
		syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE, 0, 0);
	is_registered = true;
	syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE, 0, 0);
}

/* --- functions ------------------------------------------------------------------------------------ */

static struct patched **place_of(const void *function)
{
	uintptr_t number = (uintptr_t)function >> 4;

	return &all.by_hash[(number ^ number >> HASH_BITS) & ((1 << HASH_BITS) - 1)];
}

static struct patched *find(const void *function)
{
	struct patched *patched = *place_of(function);

	while (patched && patched->function != function)
		patched = patched->next;
	return patched;
}

static int take_sites(struct patched *patched, const struct fathom_site *sites, int count)
{
	if (count > patched->site_room) {
		patched->sites = fathom_arena_alloc(&all.arena, (size_t)count * sizeof(*sites));
		patched->site_room = patched->sites ? count : 0;
		if (!patched->sites)
			return -ENOMEM;
	}
	if (count)
		memcpy(patched->sites, sites, (size_t)count * sizeof(*sites));
	patched->site_count = count;
	return 0;
}

static int make(const void *function, const struct fathom_patch_hooks *hooks, struct patched **made)
{
	static struct fathom_site sites[MOST_SITES];	/* too many for a small stack */
	int count = fathom_sites_find(function, hooks, sites, MOST_SITES), err;
	struct patched *patched = all.spare;

	if (count < 0)
		return count;
	if (patched)
		all.spare = patched->next;
	else
		patched = fathom_arena_alloc(&all.arena, sizeof(*patched));
	if (!patched)
		return -ENOMEM;
	err = take_sites(patched, sites, count);
	if (err) {
		patched->next = all.spare;
		all.spare = patched;
		return err;
	}
	patched->function = function;
	patched->out = 0;
	patched->next = *place_of(function);
	*place_of(function) = patched;
	*made = patched;
	return 0;
}

/* Another library may be where this one was: then the byte is not what was left there, and stays. */
static int change(const struct patched *patched, unsigned parts, bool out)
{
	int changed = 0;

	for (int i = 0; i < patched->site_count; i++) {
		const struct fathom_site *site = &patched->sites[i];

		if (!(site->part & parts) || *site->at != (out ? site->was : site->becomes))
			continue;
		if (!write_byte(site->at, out ? site->becomes : site->was))
			return -EACCES;
		changed++;
	}
	return changed;
}

static int out(const void *function, const struct fathom_patch_hooks *hooks, enum fathom_patch_parts parts)
{
	struct patched *patched = find(function);
	int count = 0, err;

	if (through_memory == REFUSED && through_page == REFUSED)
		return -EACCES;
	if (!patched) {
		err = make(function, hooks, &patched);
		if (err)
			return err;
	}
	err = change(patched, parts & ~patched->out, true);
	patched->out |= parts;
	if (err)
		tell_processors();
	if (err < 0)
		return err;
	for (int i = 0; i < patched->site_count; i++)
		count += (patched->sites[i].part & parts) != 0;
	return count;
}

static void restore(const void *function)
{
	struct patched *patched = find(function);

	if (!patched || !patched->out)
		return;
	/* In this order: whoever finds an enter finds the exits. */
	change(patched, patched->out & FATHOM_PATCH_EXITS, false);
	tell_processors();
	change(patched, patched->out & FATHOM_PATCH_ENTERS, false);
	tell_processors();
	patched->out = 0;
}

static void forget(int (*is_loaded)(const void *function))
{
	for (int i = 0; i < 1 << HASH_BITS; i++) {
		struct patched **link = &all.by_hash[i];

		while (*link) {
			struct patched *patched = *link;

			if (is_loaded(patched->function)) {
				link = &patched->next;
				continue;
			}
			*link = patched->next;
			patched->function = NULL;
			patched->next = all.spare;
			all.spare = patched;
		}
	}
}

FATHOM_API const struct fathom_patch_table fathom_patch_table = {
	.out = out,
	.restore = restore,
	.forget = forget,
};
