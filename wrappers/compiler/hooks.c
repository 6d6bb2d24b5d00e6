/*
 * hooks: what -finstrument-functions calls at the beginning and end of every function.
 *
 * A hook turns the function's address into its region, by a hash table that is read without a lock,
 * and passes it to the event core by a tail call. What a region is called is found out when the
 * measurement is over (symbols.c); here it is only a module and an offset.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

#include "define/region.h"
#include "event/event.h"
#include "event/runtime.h"
#include "modules.h"
#include "platform/lock.h"
#include "symbols.h"

struct entry {
	const void *address;		/* NULL: free. Written after region, with release */
	const struct fathom_region *region;
};

/*
 * Open addressing, at most half full. An entry is never moved or freed, because a reader may be at it: a
 * table that is outgrown stays. Entries of an unloaded library get an address that no function has.
 */
struct table {
	size_t mask;
	size_t used;
	struct entry entries[];
};

#define FORGOTTEN ((const void *)1)
#define FIRST_ENTRIES 1024

/* Before the first function: one free entry, so that a reader always finds a table. */
static struct { struct table table; struct entry entry; } empty_table;
static struct table *table = &empty_table.table;

static struct fathom_lock lock;		/* held while a region is added or forgotten; region's lock nests in it */

/* Functions begin at multiples of 16. */
static inline size_t slot_of(const void *address, size_t mask)
{
	return ((uintptr_t)address >> 4) & mask;
}

static void insert(struct table *into, const void *address, const struct fathom_region *region)
{
	size_t i = slot_of(address, into->mask);

	while (into->entries[i].address)
		i = (i + 1) & into->mask;
	into->entries[i].region = region;
	/* Pairs with the acquire in find. */
	__atomic_store_n(&into->entries[i].address, address, __ATOMIC_RELEASE);
	into->used++;
}

static int grow(void)
{
	size_t entries = table == &empty_table.table ? FIRST_ENTRIES : (table->mask + 1) * 2;
	struct table *larger;

	if (table != &empty_table.table && table->used * 2 < table->mask)
		return 0;
	larger = mmap(NULL, sizeof(*larger) + entries * sizeof(struct entry), PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (larger == MAP_FAILED)
		return -ENOMEM;
	larger->mask = entries - 1;
	for (size_t i = 0; i <= table->mask; i++)
		if (table->entries[i].address && table->entries[i].address != FORGOTTEN)
			insert(larger, table->entries[i].address, table->entries[i].region);
	__atomic_store_n(&table, larger, __ATOMIC_RELEASE);
	return 0;
}

static inline const struct fathom_region *find(const void *address)
{
	const struct table *now = __atomic_load_n(&table, __ATOMIC_ACQUIRE);

	for (size_t i = slot_of(address, now->mask);; i = (i + 1) & now->mask) {
		const void *at = __atomic_load_n(&now->entries[i].address, __ATOMIC_ACQUIRE);

		if (likely(at == address))
			return now->entries[i].region;
		if (!at)
			return NULL;
	}
}

/* A function's first call. NULL: out of memory, or nothing is measured. */
static FATHOM_COLD const struct fathom_region *meet(const void *address)
{
	static struct fathom_module module;	/* under the lock: too large for a small stack */
	struct fathom_region spec = { .paradigm = FATHOM_PARADIGM_COMPILER, .role = FATHOM_ROLE_FUNCTION };
	const struct fathom_region *region;
	int saved = errno;

	if (!fathom_runtime_measures())
		return NULL;
	fathom_lock_take(&lock);
	region = find(address);
	if (region)
		goto unlock;
	if (fathom_module_of(address, &module)) {
		spec.module = "code made at run time";
		spec.offset = (uintptr_t)address;
	} else {
		spec.module = module.path;
		spec.offset = (uintptr_t)address - module.bias;
	}
	region = fathom_region_define(&spec);
	if (region && !grow())
		insert(table, address, region);
unlock:
	fathom_lock_give(&lock);
	errno = saved;
	return region;
}

FATHOM_API void __cyg_profile_func_enter(void *function, void *call_site);
void __cyg_profile_func_enter(void *function, void *call_site)
{
	const struct fathom_region *region = find(function);

	(void)call_site;
	if (unlikely(!region)) {
		region = meet(function);
		if (!region)
			return;
	}
	fathom_event_enter(region);
}

FATHOM_API void __cyg_profile_func_exit(void *function, void *call_site);
void __cyg_profile_func_exit(void *function, void *call_site)
{
	const struct fathom_region *region = find(function);

	(void)call_site;
	if (unlikely(!region))
		return;		/* its enter was not recorded either */
	fathom_event_exit(region);
}

#ifdef PIC	/* a static program unloads nothing */

/* Another library may be loaded where one was unloaded: its functions must not pass for the old ones. */
FATHOM_API int dlclose(void *handle);
int dlclose(void *handle)
{
	int (*real)(void *);
	int result;

	*(void **)&real = dlsym(RTLD_NEXT, "dlclose");
	if (!real)
		return -1;
	result = real(handle);
	if (!fathom_runtime_measures())
		return result;
	fathom_lock_take(&lock);
	for (size_t i = 0; i <= table->mask; i++) {
		const void *address = table->entries[i].address;

		if (address && address != FORGOTTEN && !fathom_module_loaded(address))
			__atomic_store_n(&table->entries[i].address, FORGOTTEN, __ATOMIC_RELEASE);
	}
	fathom_lock_give(&lock);
	return result;
}

#endif

__attribute__((constructor(102))) static void start(void)
{
	fathom_runtime_set_resolver(fathom_symbols_resolve);
}
