#include "regions.h"

#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "define/region.h"
#include "run/runtime.h"
#include "platform/arena.h"
#include "platform/lock.h"
#include "platform/module.h"

static const struct {
	const char *name;
	enum fathom_role role;
} constructs[FATHOM_CONSTRUCT_COUNT] = {
	[FATHOM_CONSTRUCT_PARALLEL] = { "!$omp parallel", FATHOM_ROLE_PARALLEL },
	[FATHOM_CONSTRUCT_FORK] = { "!$omp fork and join", FATHOM_ROLE_ARTIFICIAL },
	[FATHOM_CONSTRUCT_TEAMS] = { "!$omp teams", FATHOM_ROLE_PARALLEL },
	[FATHOM_CONSTRUCT_LOOP] = { "!$omp for", FATHOM_ROLE_LOOP },
	[FATHOM_CONSTRUCT_SECTIONS] = { "!$omp sections", FATHOM_ROLE_SECTIONS },
	[FATHOM_CONSTRUCT_SINGLE] = { "!$omp single", FATHOM_ROLE_SINGLE },
	[FATHOM_CONSTRUCT_SINGLE_BLOCK] = { "!$omp single sblock", FATHOM_ROLE_SINGLE_SBLOCK },
	[FATHOM_CONSTRUCT_WORKSHARE] = { "!$omp workshare", FATHOM_ROLE_WORKSHARE },
	[FATHOM_CONSTRUCT_DISTRIBUTE] = { "!$omp distribute", FATHOM_ROLE_LOOP },
	[FATHOM_CONSTRUCT_TASKLOOP] = { "!$omp taskloop", FATHOM_ROLE_TASK_CREATE },
	[FATHOM_CONSTRUCT_SCOPE] = { "!$omp scope", FATHOM_ROLE_WORKSHARE },
	[FATHOM_CONSTRUCT_MASTER] = { "!$omp master", FATHOM_ROLE_MASTER },
	[FATHOM_CONSTRUCT_CRITICAL] = { "!$omp critical", FATHOM_ROLE_CRITICAL },
	[FATHOM_CONSTRUCT_CRITICAL_BLOCK] = { "!$omp critical sblock", FATHOM_ROLE_CRITICAL_SBLOCK },
	[FATHOM_CONSTRUCT_ORDERED] = { "!$omp ordered", FATHOM_ROLE_ORDERED },
	[FATHOM_CONSTRUCT_ORDERED_BLOCK] = { "!$omp ordered sblock", FATHOM_ROLE_ORDERED_SBLOCK },
	[FATHOM_CONSTRUCT_ATOMIC] = { "!$omp atomic", FATHOM_ROLE_ATOMIC },
	[FATHOM_CONSTRUCT_BARRIER] = { "!$omp barrier", FATHOM_ROLE_BARRIER },
	[FATHOM_CONSTRUCT_IMPLICIT_BARRIER] = { "!$omp implicit barrier", FATHOM_ROLE_IMPLICIT_BARRIER },
	[FATHOM_CONSTRUCT_TASKWAIT] = { "!$omp taskwait", FATHOM_ROLE_TASK_WAIT },
	[FATHOM_CONSTRUCT_TASKGROUP] = { "!$omp taskgroup", FATHOM_ROLE_CODE },
	[FATHOM_CONSTRUCT_TASKGROUP_WAIT] = { "!$omp taskgroup wait", FATHOM_ROLE_TASK_WAIT },
	[FATHOM_CONSTRUCT_REDUCTION] = { "!$omp reduction", FATHOM_ROLE_CODE },
	[FATHOM_CONSTRUCT_FLUSH] = { "!$omp flush", FATHOM_ROLE_FLUSH },
	[FATHOM_CONSTRUCT_CREATE_TASK] = { "!$omp create task", FATHOM_ROLE_TASK_CREATE },
	[FATHOM_CONSTRUCT_TASK] = { "!$omp task", FATHOM_ROLE_TASK },
	[FATHOM_CONSTRUCT_CREATE_UNTIED] = { "!$omp create untied", FATHOM_ROLE_TASK_CREATE },
	[FATHOM_CONSTRUCT_UNTIED_TASK] = { "!$omp untied task", FATHOM_ROLE_TASK },
	[FATHOM_CONSTRUCT_INIT_LOCK] = { "omp_init_lock", FATHOM_ROLE_LOCK },
	[FATHOM_CONSTRUCT_DESTROY_LOCK] = { "omp_destroy_lock", FATHOM_ROLE_LOCK },
	[FATHOM_CONSTRUCT_SET_LOCK] = { "omp_set_lock", FATHOM_ROLE_LOCK },
	[FATHOM_CONSTRUCT_TEST_LOCK] = { "omp_test_lock", FATHOM_ROLE_LOCK },
	[FATHOM_CONSTRUCT_UNSET_LOCK] = { "omp_unset_lock", FATHOM_ROLE_LOCK },
	[FATHOM_CONSTRUCT_INIT_NEST_LOCK] = { "omp_init_nest_lock", FATHOM_ROLE_LOCK },
	[FATHOM_CONSTRUCT_DESTROY_NEST_LOCK] = { "omp_destroy_nest_lock", FATHOM_ROLE_LOCK },
	[FATHOM_CONSTRUCT_SET_NEST_LOCK] = { "omp_set_nest_lock", FATHOM_ROLE_LOCK },
	[FATHOM_CONSTRUCT_TEST_NEST_LOCK] = { "omp_test_nest_lock", FATHOM_ROLE_LOCK },
	[FATHOM_CONSTRUCT_UNSET_NEST_LOCK] = { "omp_unset_nest_lock", FATHOM_ROLE_LOCK },
};

/* Lock calls whose region depends on the address from which the runtime reports them; used in keys only. */
enum {
	LOCK_CALL = FATHOM_CONSTRUCT_COUNT,
	NEST_LOCK_CALL,
};

static uintptr_t runtime_begin, runtime_end;	/* the library's addresses; set at the start */

/* Held while a region is added; the region lock nests in it. Not taken where nothing is measured: in a forked child,
 * the thread that held it at the fork does not exist. */
static struct fathom_lock lock;
static struct fathom_arena arena;	/* tables; under the lock */

void fathom_ompt_regions_init(const void *function)
{
	static struct fathom_module module;	/* too large for a small stack */

	if (!fathom_module_of(function, &module)) {
		runtime_begin = module.begin;
		runtime_end = module.end;
	}
}

bool fathom_ompt_in_runtime(const void *address)
{
	return (uintptr_t)address - runtime_begin < runtime_end - runtime_begin;
}

/* --- the table -------------------------------------------------------------------------------- */

/*
 * A hash table with open addressing, at most half full, which is read without a lock. An entry is never moved or freed,
 * because a reader may be using it: a table that was replaced by a larger one stays. Entries of an unloaded library get
 * the key REMOVED, which no construct has.
 */
struct entry {
	uintptr_t key;		/* 0: free. Written after region, with release */
	const struct fathom_region *region;
};

struct table {
	uintptr_t mask;		/* entries - 1 */
	size_t used;
	struct entry entries[];
};

#define REMOVED ((uintptr_t)1)
#define FIRST_ENTRIES 512

/* A table of one free entry, so that a reader always finds a table. It has the layout of struct table. */
static struct { uintptr_t mask; size_t used; struct entry entry; } empty_table;
static struct table *table = (struct table *)&empty_table;

/* Returns the key of a construct at an address. Addresses of user space do not use the upper byte; it gets the number
 * of the construct plus 1, so that no key is 0 or REMOVED. */
static uintptr_t key_of(const void *address, unsigned construct)
{
	return (uintptr_t)address | (uintptr_t)(construct + 1) << 56;
}

static const void *address_of(uintptr_t key)
{
	return (const void *)(key & (((uintptr_t)1 << 56) - 1));
}

static uintptr_t place_of(uintptr_t key)
{
	return (key * 0x9e3779b97f4a7c15u) >> 20;
}

static const struct fathom_region *find(uintptr_t key)
{
	const struct table *current_table = __atomic_load_n(&table, __ATOMIC_ACQUIRE);

	for (uintptr_t place = place_of(key);; place++) {
		const struct entry *entry = &current_table->entries[place & current_table->mask];
		uintptr_t at = __atomic_load_n(&entry->key, __ATOMIC_ACQUIRE);

		if (at == key)
			return entry->region;
		if (!at)
			return NULL;
	}
}

static void insert(struct table *into, uintptr_t key, const struct fathom_region *region)
{
	uintptr_t place = place_of(key);

	while (into->entries[place & into->mask].key)
		place++;
	into->entries[place & into->mask].region = region;
	/* Pairs with the acquire in find. */
	__atomic_store_n(&into->entries[place & into->mask].key, key, __ATOMIC_RELEASE);
	into->used++;
}

static int grow(void)
{
	size_t entries = table->mask ? (table->mask + 1) * 2 : FIRST_ENTRIES;
	struct table *larger;

	if (table->mask && table->used * 2 <= table->mask)
		return 0;
	larger = fathom_arena_alloc(&arena, sizeof(*larger) + entries * sizeof(struct entry));
	if (!larger)
		return -ENOMEM;
	larger->mask = entries - 1;
	for (uintptr_t i = 0; i <= table->mask; i++)
		if (table->entries[i].key && table->entries[i].key != REMOVED)
			insert(larger, table->entries[i].key, table->entries[i].region);
	__atomic_store_n(&table, larger, __ATOMIC_RELEASE);
	return 0;
}

/* --- regions ---------------------------------------------------------------------------------- */

static const struct fathom_region *define_routine(unsigned construct)
{
	struct fathom_region spec = {
		.name = constructs[construct].name,
		.file = "OMP",
		.paradigm = FATHOM_PARADIGM_OPENMP,
		.role = constructs[construct].role,
	};

	return fathom_region_define(&spec);
}

/*
 * Returns the lock routine of the runtime that contains the address caller. The calling thread must not hold the lock:
 * dladdr waits for a thread that is loading a library, and that thread runs the library's constructors, which may
 * execute a construct.
 */
static enum fathom_construct lock_routine(const void *caller, bool nested)
{
	Dl_info info;

	if (dladdr(caller, &info) && info.dli_sname && strstr(info.dli_sname, "test"))
		return nested ? FATHOM_CONSTRUCT_TEST_NEST_LOCK : FATHOM_CONSTRUCT_TEST_LOCK;
	return nested ? FATHOM_CONSTRUCT_SET_NEST_LOCK : FATHOM_CONSTRUCT_SET_LOCK;
}

static const struct fathom_region *define_construct(const void *address, unsigned construct)
{
	static struct fathom_module module;	/* under the lock: too large for a small stack */
	struct fathom_region spec = { .paradigm = FATHOM_PARADIGM_OPENMP, .role = constructs[construct].role };

	/* A return address lies behind the call and may already belong to the next line. */
	if (address && !fathom_ompt_in_runtime(address) && !fathom_module_of((const char *)address - 1, &module)) {
		spec.canonical = constructs[construct].name;
		spec.module = module.path;
		spec.offset = (uintptr_t)address - 1 - module.bias;
	} else {
		spec.name = constructs[construct].name;
	}
	return fathom_region_define(&spec);
}

/* Returns the region of the first construct of its kind at this address, which it adds to the table. */
static FATHOM_COLD const struct fathom_region *add_region(const void *address, unsigned construct)
{
	uintptr_t key = key_of(address, construct);
	const struct fathom_region *region;
	int saved = errno;

	if (!fathom_runtime_measures())
		return NULL;
	if (construct >= FATHOM_CONSTRUCT_COUNT)
		construct = lock_routine(address, construct == NEST_LOCK_CALL);
	fathom_lock_take(&lock);
	region = find(key);
	if (region)
		goto unlock;
	if (constructs[construct].role == FATHOM_ROLE_LOCK)
		region = define_routine(construct);
	else
		region = define_construct(address, construct);
	if (region && !grow())
		insert(table, key, region);
unlock:
	fathom_lock_give(&lock);
	errno = saved;
	return region;
}

const struct fathom_region *fathom_ompt_region(const void *address, enum fathom_construct construct)
{
	const struct fathom_region *region;

	if (construct >= FATHOM_CONSTRUCT_INIT_LOCK)
		address = NULL;
	region = find(key_of(address, construct));
	return likely(region != NULL) ? region : add_region(address, construct);
}

const struct fathom_region *fathom_ompt_lock_region(const void *caller, bool nested)
{
	unsigned construct = nested ? NEST_LOCK_CALL : LOCK_CALL;
	const struct fathom_region *region = find(key_of(caller, construct));

	return likely(region != NULL) ? region : add_region(caller, construct);
}

/* A library may be loaded at the addresses of one that was unloaded; its constructs must not get the old regions. In
 * the shared library this function has the name dlclose (local.mk). */
FATHOM_API int fathom_ompt_dlclose(void *handle);
int fathom_ompt_dlclose(void *handle)
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
	for (uintptr_t i = 0; i <= table->mask; i++) {
		const void *address = address_of(table->entries[i].key);

		if (address && table->entries[i].key != REMOVED &&
		    !fathom_module_is_loaded((const char *)address - 1))
			__atomic_store_n(&table->entries[i].key, REMOVED, __ATOMIC_RELEASE);
	}
	fathom_lock_give(&lock);
	return result;
}

/* --- numbers ---------------------------------------------------------------------------------- */

static const void *numbered[1024];	/* filled from 1 on, with release; 0 stays NULL */

uint16_t fathom_ompt_number(const void *address)
{
	uint16_t number = 0;

	if (!address)
		return 0;
	for (size_t i = 1; i < sizeof(numbered) / sizeof(*numbered); i++) {
		const void *at = __atomic_load_n(&numbered[i], __ATOMIC_ACQUIRE);

		if (at == address)
			return (uint16_t)i;
		if (!at)
			break;
	}
	if (!fathom_runtime_measures())
		return 0;
	fathom_lock_take(&lock);
	for (size_t i = 1; !number && i < sizeof(numbered) / sizeof(*numbered); i++) {
		if (!numbered[i])
			__atomic_store_n(&numbered[i], address, __ATOMIC_RELEASE);
		if (numbered[i] == address)
			number = (uint16_t)i;
	}
	fathom_lock_give(&lock);
	return number;
}

const void *fathom_ompt_numbered(uint16_t number)
{
	return number < sizeof(numbered) / sizeof(*numbered) ? __atomic_load_n(&numbered[number], __ATOMIC_ACQUIRE)
							     : NULL;
}
