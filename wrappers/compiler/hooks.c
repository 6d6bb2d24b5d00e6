/*
 * hooks: the functions that -finstrument-functions, or a sled (sleds.h), calls at the enter and exit of every function.
 *
 * A hook looks up the function's region by the function's address, in a hash table that is read without a lock, and
 * passes the region to the event core by a tail call. A region consists of a module and an offset; its name is found
 * when the measurement is over (symbols/symbols_library.h).
 *
 * The entry of a function with a disabled region does not have the function's address but this address with inverted
 * bits. So the first comparison does not find the entry, and hooks of enabled functions need no further check.
 */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "define/region.h"
#include "event/cost.h"
#include "event/event.h"
#include "run/filtering.h"
#include "run/runtime.h"
#include "event/switch.h"
#include "event/teams/team.h"
#include "excluded.h"
#include "compiler/patch/patching.h"
#include "platform/arena.h"
#include "platform/lock.h"
#include "platform/module.h"
#include "platform/sibling_library.h"
#include "platform/vectors.h"
#include "compiler/patch/sled_removal.h"
#include "compiler/patch/sleds.h"
#include "symbols/outlined.h"
#include "symbols/naming_thread.h"
#include "symbols/symbols_library.h"
#include "unloading.h"

struct entry {
	const void *address;		/* with its mark; NULL: a free entry. Written after region, with release */
	const struct fathom_region *region;
};

/*
 * A hash table with open addressing, at most a quarter full: hooks of functions that are not at their first place take
 * longer. An entry is never moved or freed, because a hook may be reading it; when the table grows, the old one stays.
 * Entries of an unloaded library get an address that no function has (FORGOTTEN).
 */
struct table {
	uintptr_t mask;			/* (entries - 1) * sizeof(struct entry) */
	size_t used;
	struct entry entries[];
};

_Static_assert(sizeof(struct entry) == 16, "entry_at takes an entry to be 16 bytes");

#define FORGOTTEN ((const void *)1)

/* Marks of disabled regions: these bits of the function's address are inverted in the table. The upper half of all
 * addresses belongs to the kernel, and no program uses more than half of the lower one, so a marked address is never
 * that of another function. */
#define MARK_DISABLED ((uintptr_t)1 << 62)
#define MARK_DRAINED ((uintptr_t)1 << 63)	/* a drained region: exits are ignored, but patch checks are made */
#define MARK_UNCHECKED UINTPTR_MAX	/* a drained region for which no patch checks are made */

static inline const void *marked(const void *address, uintptr_t bits)
{
	return (const void *)((uintptr_t)address ^ bits);
}

/* Returns the mark in an entry's address. */
static inline uintptr_t mark_in(const void *address)
{
	uintptr_t top = (uintptr_t)address >> 62;

	return top == 3 ? MARK_UNCHECKED : (uintptr_t)address & (MARK_DISABLED | MARK_DRAINED);
}

/* Returns the mark that the region's functions must have now. */
static inline uintptr_t mark_of(const struct fathom_region *region)
{
	if (!fathom_region_is_disabled(region))
		return 0;
	if (fathom_peek(&region->switched) != FATHOM_SWITCH_DRAINED)
		return MARK_DISABLED;
	return fathom_peek(&fathom_patching_checks) ? MARK_DRAINED : MARK_UNCHECKED;
}

#define FIRST_ENTRIES 1024

/* The table before the first function, with one free entry, so that hooks always find a table. It has the layout of
 * struct table. */
static struct { uintptr_t mask; size_t used; struct entry entry; } empty_table;
#define EMPTY_TABLE ((struct table *)&empty_table)
static struct table *table = EMPTY_TABLE;

/* Held while a function is added, forgotten or patched. The lock of regions (define/region.c) may be taken inside. */
static struct fathom_lock lock;
static struct fathom_arena tables;	/* memory of the tables; used under the lock */

/* Returns the entry at a place, which is an offset in bytes whose upper bits do not matter. Most functions begin at a
 * multiple of 16, the size of an entry, so a function's address can be used as its place without further arithmetic. */
static inline struct entry *entry_at(const struct table *in, uintptr_t place)
{
	return (struct entry *)((char *)in->entries + (place & in->mask));
}

FATHOM_API void __cyg_profile_func_enter(void *function, void *call_site);
FATHOM_API void __cyg_profile_func_exit(void *function, void *call_site);

/* Returns 0 if the entry is of the function, otherwise the bits in which the addresses differ. If the function is the
 * entry's, the entry's region may be read afterwards: pairs with the release in insert. */
static inline uintptr_t address_difference(const struct entry *entry, const void *address)
{
	return (uintptr_t)__atomic_load_n(&entry->address, __ATOMIC_ACQUIRE) ^ (uintptr_t)address;
}

/* Returns whether address_difference is 0. The instruction compares with memory; without asm GCC generates a load and a
 * comparison. TSan does not see memory accesses of asm. */
static inline bool is_of(const struct entry *entry, const void *address)
{
#if defined(__x86_64__) && !defined(FATHOM_FOR_THREAD_SANITIZER)
	bool is_equal;

	__asm__ volatile("cmp %2, %1" : "=@ccz"(is_equal) : "m"(entry->address), "r"(address) : "memory");
	return is_equal;
#else
	return address_difference(entry, address) == 0;
#endif
}

static inline const struct entry *first_entry(const void *address)
{
	return entry_at(__atomic_load_n(&table, __ATOMIC_ACQUIRE), (uintptr_t)address);
}

static void insert(struct table *into, const void *address, const struct fathom_region *region)
{
	uintptr_t place = (uintptr_t)address;

	while (entry_at(into, place)->address)
		place += sizeof(struct entry);
	entry_at(into, place)->region = region;
	/* Pairs with the acquire in find. */
	__atomic_store_n(&entry_at(into, place)->address, marked(address, mark_of(region)), __ATOMIC_RELEASE);
	into->used++;
}

static size_t entry_count(const struct table *in)
{
	return in->mask / sizeof(struct entry) + 1;
}

/* --- own cost of hooks ----------------------------------------------------------------------------- */

/* Two functions stand for all others when fathom measures the own cost of hooks: EARLY_STAND_IN is an address that
 * early hooks take for a function's, and the one with sleds is code (patch/sleds.c). Their region is the core's cost
 * region. They are inserted first into each table, so each is at its first place, like most functions. Their addresses
 * differ in the bit of 16, so their places differ. */
static _Alignas(32) const char stand_in[32];
#define EARLY_STAND_IN (stand_in + 16)

/* Volatile pointers, so that the compiler calls the hooks like a program does and does not inline them. */
static void (*volatile call_enter)(void *function, void *call_site) = __cyg_profile_func_enter;
static void (*volatile call_exit)(void *function, void *call_site) = __cyg_profile_func_exit;

static void early_enter(void)
{
	call_enter((void *)EARLY_STAND_IN, __builtin_return_address(0));
}

static void early_leave(void)
{
	call_exit((void *)EARLY_STAND_IN, __builtin_return_address(0));
}

static void insert_stand_ins(struct table *into)
{
	insert(into, EARLY_STAND_IN, fathom_event_cost_region());
	if (fathom_sled_stand_in())
		insert(into, fathom_sled_stand_in(), fathom_event_cost_region());
}

/* Tells the core that the program has functions with hooks of this kind, and how to measure their own cost. */
static void note_hook_kind(bool has_sleds)
{
	static const struct fathom_pair early = { early_enter, early_leave };
	static const struct fathom_pair late = { fathom_sled_stand_in_enter, fathom_sled_stand_in_leave };

	if (!has_sleds)
		fathom_event_cost_by(FATHOM_WAY_HOOK, &early, NULL);
	else if (fathom_sled_stand_in())
		fathom_event_cost_by(FATHOM_WAY_SLED, &late, fathom_sled_stand_in());
}

/* --- functions --------------------------------------------------------------------------------------- */

/* Makes room for one more function. Returns 0 or -ENOMEM. */
static int grow(void)
{
	size_t entries = table == EMPTY_TABLE ? FIRST_ENTRIES : entry_count(table) * 2;
	struct table *larger;

	if (table != EMPTY_TABLE && table->used * 4 < entry_count(table))
		return 0;
	larger = fathom_arena_alloc(&tables, sizeof(*larger) + entries * sizeof(struct entry));
	if (!larger)
		return -ENOMEM;
	larger->mask = (entries - 1) * sizeof(struct entry);
	insert_stand_ins(larger);
	for (size_t i = 0; i < entry_count(table); i++) {
		const void *address = table->entries[i].address;

		if (address && address != FORGOTTEN && table->entries[i].region != fathom_event_cost_region())
			insert(larger, marked(address, mark_in(address)), table->entries[i].region);
	}
	__atomic_store_n(&table, larger, __ATOMIC_RELEASE);
	return 0;
}

/* Returns the region of a function; NULL: the function is not in the table. */
static const struct fathom_region *find(const void *address)
{
	const struct table *now = __atomic_load_n(&table, __ATOMIC_ACQUIRE);

	for (uintptr_t place = (uintptr_t)address;; place += sizeof(struct entry)) {
		const struct entry *entry = entry_at(now, place);
		const void *at = __atomic_load_n(&entry->address, __ATOMIC_ACQUIRE);

		if (marked(at, mark_in(at)) == address)
			return entry->region;
		if (!at)
			return NULL;
	}
}

/* The region of all functions that the filter excludes. */
static const struct fathom_region excluded_function = { .switched = FATHOM_SWITCH_DRAINED };

/* Fills in module and offset of a function's region. The module's path is valid until the lock is released. */
static void describe(const void *address, struct fathom_region *spec)
{
	static struct fathom_module module;	/* under the lock: too large for a small stack */

	address = fathom_sled_function(address);
	if (fathom_module_of(address, &module)) {
		spec->module = "code made at run time";
		spec->offset = (uintptr_t)address;
	} else {
		spec->module = module.path;
		spec->offset = (uintptr_t)address - module.bias;
		fathom_unloading_note(&module);
	}
}

/* --- patching -------------------------------------------------------------------------------------- */

/* The code of some functions has not been patched yet as their regions require: another thread was inside dlclose, or
 * the system did not let code be changed. */
static bool has_to_patch_late;

/* Takes out or puts back the hooks of a function, as its region requires; or notes that this has to be done later. */
static void patch_function(const void *function, const struct fathom_region *region)
{
	if (fathom_unloading_is_on() || !fathom_patching_follow(function, region))
		has_to_patch_late = true;
}

/* Patches all functions again if some could not be patched before. */
static void patch_late(void)
{
	if (!has_to_patch_late || fathom_unloading_is_on())
		return;
	has_to_patch_late = false;
	for (size_t i = 0; i < entry_count(table); i++) {
		const struct entry *entry = &table->entries[i];

		if (entry->address && entry->address != FORGOTTEN)
			patch_function(marked(entry->address, mark_in(entry->address)), entry->region);
	}
}

/* Applies the filter to a module that was loaded after the start. The lock is released meanwhile, because the work
 * takes long, and because a thread that waits for the lock may hold a lock of the dynamic linker, which this work
 * needs. */
static void judge_unlocked(const char *module)
{
	char path[strlen(module) + 1];

	memcpy(path, module, sizeof(path));
	fathom_lock_give(&lock);
	fathom_excluded_judge(path);
	fathom_lock_take(&lock);
}

/* Of C++; NULL in a program without it. */
extern void *_Znwm(size_t bytes) __attribute__((weak));
extern void *_Znam(size_t bytes) __attribute__((weak));
extern void _ZdlPv(void *memory) __attribute__((weak));
extern void _ZdaPv(void *memory) __attribute__((weak));

static bool is_allocator(const void *code)
{
	void *const allocators[] = { malloc, calloc, realloc, free, aligned_alloc, posix_memalign,
				     _Znwm, _Znam, _ZdlPv, _ZdaPv };

	code = fathom_sled_function(code);
	for (size_t i = 0; i < sizeof(allocators) / sizeof(*allocators); i++)
		if (code == allocators[i])
			return true;
	return false;
}

/* A module to which the filter could not be applied, because the thread was inside an allocator of the program: the
 * allocator may hold a lock that the filter's allocations need. Used under the lock. */
static struct {
	bool is_there;
	char path[4096];
} postponed;

/* Applies the filter to a module that was loaded after the start, and to the postponed one. NULL: to that one alone.
 * False: not now. */
static bool judge_or_postpone(const char *module, bool is_in_allocator)
{
	if (is_in_allocator && module) {
		postponed.is_there = strlen(module) < sizeof(postponed.path);
		if (postponed.is_there)
			strcpy(postponed.path, module);
		return false;
	}
	if (module)
		judge_unlocked(module);
	if (postponed.is_there && !is_in_allocator) {
		postponed.is_there = false;
		if (fathom_excluded_has(postponed.path, 0) == -ENOENT)
			judge_unlocked(postponed.path);
	}
	return true;
}

/* Adds a function to the table and returns its region; NULL: no memory, or the filter cannot be applied now. The caller
 * has suspended the thread. */
static const struct fathom_region *add_function(const void *address, bool has_sleds, bool is_in_allocator)
{
	struct fathom_region spec = { .paradigm = FATHOM_PARADIGM_COMPILER, .role = FATHOM_ROLE_FUNCTION,
				      .has_sleds = has_sleds, .code = address };
	const struct fathom_region *region = NULL;
	bool is_judged;

	fathom_lock_take(&lock);
	describe(address, &spec);
	if (fathom_excluded_any()) {
		is_judged = fathom_excluded_has(spec.module, spec.offset) != -ENOENT;
		if (!judge_or_postpone(is_judged ? NULL : spec.module, is_in_allocator))
			goto unlock;
		describe(address, &spec);
	}
	region = find(address);
	if (region)
		goto unlock;
	if (fathom_excluded_any() && fathom_excluded_has(spec.module, spec.offset) == 1) {
		region = &excluded_function;
		fathom_event_left_out(&spec);
	} else if (fathom_outlined_has(address) && fathom_event_forks()) {
		region = &excluded_function;
	} else {
		region = fathom_region_define(&spec);
	}
	if (region && !grow()) {
		insert(table, address, region);
		note_hook_kind(has_sleds);
	}
	if (region && fathom_region_is_disabled(region))
		patch_function(address, region);
unlock:
	fathom_lock_give(&lock);
	return region;
}

/* Set at the end of start. No function is added before: the libraries that start loads allocate memory, with a malloc
 * that may be the program's, which may be instrumented and hold a lock of its own. */
static bool has_started;

/*
 * Adds a function at its first event. Returns its region; NULL: no memory, or nothing is measured. The thread is
 * suspended meanwhile: if fathom's work calls functions of the program (its malloc), their hooks must not come here
 * again.
 */
FATHOM_HIDDEN const struct fathom_region *fathom_hook_add(const void *address, bool has_sleds);
FATHOM_COLD const struct fathom_region *fathom_hook_add(const void *address, bool has_sleds)
{
	const struct fathom_region *region;
	int saved = errno;
	bool is_in_allocator;
	sigset_t signals;
	void *before;

	if (!fathom_runtime_measures() || !fathom_peek(&has_started) || fathom_event_is_suspended())
		return NULL;
	fathom_signals_block(&signals);
	is_in_allocator = fathom_excluded_any() && fathom_event_has_active(is_allocator);
	before = fathom_event_hide();
	region = add_function(address, has_sleds, is_in_allocator);
	fathom_event_show(before);
	fathom_signals_restore(&signals);
	errno = saved;
	return region;
}
FATHOM_KEEPS_VECTORS(fathom_hook_add);

/* Is called after a region has been enabled or disabled: patches its functions and changes their marks. (A region has
 * several functions if a library is loaded twice.) Context: birth. */
static void on_switch(const struct fathom_region *region)
{
	fathom_lock_take(&lock);
	patch_late();
	for (size_t i = 0; i < entry_count(table); i++) {
		struct entry *entry = &table->entries[i];
		uintptr_t bits = mark_in(entry->address) ^ mark_of(region);

		if (entry->region != region || entry->address == FORGOTTEN)
			continue;
		/* Hooks are put back before the change of the mark lets their events be recorded. */
		patch_function(marked(entry->address, mark_in(entry->address)), region);
		__atomic_store_n(&entry->address, marked(entry->address, bits), __ATOMIC_RELEASE);
	}
	fathom_lock_give(&lock);
}

static bool is_inactive;	/* nothing is measured (FATHOM_MODE=none); set at the start */

/*
 * A drained function still calls hooks if it was inlined and only its own code was patched so far. A patch check is
 * made once for each place in the code that calls, as far as there is room to remember the place.
 */
enum { PLACES = 1024, WAYS = 4 };	/* a set of WAYS entries for each hash of a place */
static const void *checked_places[PLACES];

/* Notes the module of the code that continues at from, which calls a hook for an inlined function, maybe of another
 * module. */
static void note_caller(const void *from)
{
	static struct fathom_module module;	/* under the lock */

	if (!fathom_module_of(from, &module))
		fathom_unloading_note(&module);
}

/* Makes a patch check and notes it in *place. */
FATHOM_HIDDEN void fathom_hook_check(const void *function, const void *from, const void **place);
FATHOM_COLD void fathom_hook_check(const void *function, const void *from, const void **place)
{
	const struct fathom_region *region;
	int saved = errno;

	if (!fathom_runtime_measures())
		return;
	fathom_lock_take(&lock);
	fathom_poke(place, from);
	region = find(function);
	if (region && fathom_peek(&region->switched) == FATHOM_SWITCH_DRAINED && !fathom_unloading_is_on()) {
		note_caller(from);
		fathom_patching_check(function, from);
	}
	fathom_lock_give(&lock);
	errno = saved;
}
FATHOM_KEEPS_VECTORS(fathom_hook_check);

/* Makes a patch check for a call of a drained function, unless one was made for this place in the code. */
static inline void check_drained_call(const void *function, const void *from)
{
	const void **place = &checked_places[(uintptr_t)from % (PLACES / WAYS) * WAYS];

	if (!fathom_peek(&fathom_patching_checks))
		return;
	for (int way = 0; way < WAYS && fathom_peek(&place[way]) != from; way++) {
		if (fathom_peek(&place[way]))
			continue;
		fathom_hook_check_kept(function, from, &place[way]);
		break;
	}
}

/* Is called by hooks of a function that is not at its first place in the table, or not in the table. */
static FATHOM_COLD const struct fathom_region *find_or_add(const void *function, bool has_sleds)
{
	const struct fathom_region *region = find(function);

	return region ? region : fathom_hook_add_kept(function, has_sleds);
}

static FATHOM_COLD void enter_slowly(const void *function)
{
	const struct fathom_region *region = find_or_add(function, false);

	if (region)
		fathom_event_enter(region);
}

static FATHOM_COLD void exit_slowly(const void *function)
{
	const struct fathom_region *region = find(function);

	if (region)		/* otherwise its enter was not recorded either */
		fathom_event_exit(region);
}

/* The next two are called by early hooks of a function whose first entry is neither that of the function with an
 * enabled region nor marked as unchecked. They and their callees are not inlined, so that the hooks need not save
 * registers. */
static __attribute__((noinline)) void enter_otherwise(const void *function, const void *from)
{
	const struct entry *entry = first_entry(function);
	uintptr_t differs = address_difference(entry, function);

	if (differs == MARK_DISABLED)
		fathom_event_enter(entry->region);
	else if (differs == MARK_DRAINED)
		check_drained_call(function, from);
	else
		enter_slowly(function);
}

static __attribute__((noinline)) void exit_otherwise(const void *function, const void *from)
{
	const struct entry *entry = first_entry(function);
	uintptr_t differs = address_difference(entry, function);

	if (differs == MARK_DISABLED)
		fathom_event_exit(entry->region);
	else if (differs == MARK_DRAINED)
		check_drained_call(function, from);
	else
		exit_slowly(function);
}

void __cyg_profile_func_enter(void *function, void *call_site)
{
	const struct entry *entry = first_entry(function);

	(void)call_site;
	if (likely(is_of(entry, function)))
		fathom_event_enter_early(entry->region);
	else if (address_difference(entry, function) != MARK_UNCHECKED && !is_inactive)
		enter_otherwise(function, __builtin_return_address(0));
}

void __cyg_profile_func_exit(void *function, void *call_site)
{
	const struct entry *entry = first_entry(function);

	(void)call_site;
	if (likely(is_of(entry, function)))
		fathom_event_exit_early(entry->region);
	else if (address_difference(entry, function) != MARK_UNCHECKED && !is_inactive)
		exit_otherwise(function, __builtin_return_address(0));
}

#ifndef FATHOM_WITHOUT_LATE_HOOKS

static __attribute__((noinline)) void sled_enter_otherwise(const uint8_t *sled, uintptr_t here)
{
	uintptr_t differs = address_difference(first_entry(sled), sled);
	const struct fathom_region *region;

	if (differs == MARK_DISABLED)
		return;
	if (differs == MARK_DRAINED) {
		check_drained_call(sled, fathom_sled_from(here));
		return;
	}
	region = find_or_add(sled, true);
	if (region && !fathom_region_is_disabled(region))
		fathom_event_enter_late(region, here);
}

void fathom_hook_sled_enter(const uint8_t *sled, uintptr_t here)
{
	const struct entry *entry = first_entry(sled);

	if (likely(is_of(entry, sled)))
		fathom_event_enter_late(entry->region, here);
	else if (address_difference(entry, sled) != MARK_UNCHECKED)
		sled_enter_otherwise(sled, here);
}
FATHOM_KEEPS_VECTORS(fathom_hook_sled_enter);

static __attribute__((noinline)) void sled_exit_otherwise(const uint8_t *sled, uintptr_t here)
{
	const struct entry *entry = first_entry(sled);
	uintptr_t differs = address_difference(entry, sled);
	const struct fathom_region *region;

	if (differs == MARK_DRAINED) {
		check_drained_call(sled, fathom_sled_from(here));
		return;
	}
	region = differs == MARK_DISABLED ? entry->region : find(sled);
	if (region)
		fathom_event_exit_late(region, here);
}

void fathom_hook_sled_exit(const uint8_t *sled, uintptr_t here)
{
	const struct entry *entry = first_entry(sled);

	if (is_of(entry, sled))
		fathom_event_exit_late(entry->region, here);
	else if (address_difference(entry, sled) != MARK_UNCHECKED)
		sled_exit_otherwise(sled, here);
}
FATHOM_KEEPS_VECTORS(fathom_hook_sled_exit);

#endif

/* Other names of the early hooks, see patching.h. */
__typeof__(fathom_hook_enter) fathom_hook_enter __attribute__((alias("__cyg_profile_func_enter")));
__typeof__(fathom_hook_exit) fathom_hook_exit __attribute__((alias("__cyg_profile_func_exit")));

/* Forgets the functions of unloaded libraries: another library may be loaded at the same addresses, and its functions
 * must not be taken for the old ones. The name is dlclose in the shared library (local.mk); a static program unloads
 * nothing. */
FATHOM_API int fathom_interposed_dlclose(void *handle);
int fathom_interposed_dlclose(void *handle)
{
	int (*libc_dlclose)(void *);
	int result;

	*(void **)&libc_dlclose = dlsym(RTLD_NEXT, "dlclose");
	if (!libc_dlclose)
		return -1;
	if (!fathom_runtime_measures())
		return libc_dlclose(handle);
	fathom_lock_take(&lock);
	fathom_unloading_begin();
	fathom_lock_give(&lock);
	result = libc_dlclose(handle);
	fathom_lock_take(&lock);
	fathom_unloading_end();
	for (size_t i = 0; i < entry_count(table); i++) {
		const void *address = table->entries[i].address;

		if (address && address != FORGOTTEN && !fathom_unloading_is_kept(marked(address, mark_in(address))))
			__atomic_store_n(&table->entries[i].address, FORGOTTEN, __ATOMIC_RELEASE);
	}
	fathom_patching_forget(fathom_unloading_is_kept);
	for (int i = 0; i < PLACES; i++)
		fathom_poke(&checked_places[i], NULL);
	patch_late();
	fathom_lock_give(&lock);
	return result;
}

/* Resets the lock in a child of fork: another thread of its parent may have held the lock, and does not exist in the
 * child. The child measures nothing, but hooks may still take the lock until the core knows that it is a child. */
static void stop_in_child(void)
{
	fathom_lock_reset(&lock);
}

/* Starts the parts that load and read libraries, with the thread suspended. */
static void start_measured(void)
{
	sigset_t signals;
	void *before;

	fathom_signals_block(&signals);
	before = fathom_event_hide();
	fathom_sibling_library_start();
	fathom_patching_start();
	fathom_excluded_start();
	fathom_outlined_start();
	fathom_event_follow_rank(fathom_excluded_again);
	pthread_atfork(NULL, NULL, stop_in_child);
	if (fathom_excluded_any())
		fathom_event_begin_now();
	fathom_event_show(before);
	fathom_signals_restore(&signals);
	fathom_poke(&has_started, true);
}

__attribute__((constructor(102))) static void start(void)
{
	is_inactive = !fathom_runtime_measures();
	fathom_sleds_start(!is_inactive);
	fathom_runtime_set_resolver(fathom_symbols_library_resolve, fathom_naming_thread_run);
	fathom_event_follow_switches(on_switch);
	if (is_inactive)
		fathom_sled_removal_start();
	else
		start_measured();
}
