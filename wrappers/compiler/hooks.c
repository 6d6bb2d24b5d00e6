/*
 * hooks: what -finstrument-functions, or a sled (sleds.h), calls at the beginning and end of every function.
 *
 * A hook turns the function's address into its region, by a hash table that is read without a lock,
 * and passes it to the event core by a tail call. What a region is called is found out when the
 * measurement is over (names.h); here it is only a module and an offset.
 *
 * A function whose region is switched off stands in the table with another address than its own: so it is
 * not found at first sight, and to those that are on it makes no difference.
 */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "define/region.h"
#include "event/cost.h"
#include "event/event.h"
#include "run/filtering.h"
#include "run/runtime.h"
#include "event/switch.h"
#include "event/team.h"
#include "excluded.h"
#include "compiler/patch/patching.h"
#include "platform/arena.h"
#include "platform/lock.h"
#include "platform/module.h"
#include "platform/sibling_library.h"
#include "platform/vectors.h"
#include "compiler/patch/sleds.h"
#include "symbols/outlined.h"
#include "symbols/symbols_library.h"
#include "unloading.h"

struct entry {
	const void *address;		/* as look_of says; NULL: free. Written after region, with release */
	const struct fathom_region *region;
};

/*
 * Open addressing, at most a quarter full: who stands elsewhere than at the first place takes longer. An entry is never
 * moved or freed, because a reader may be at it: a table that is outgrown stays. Entries of an unloaded library get an
 * address that no function has.
 */
struct table {
	uintptr_t mask;			/* (entries - 1) * sizeof(struct entry) */
	size_t used;
	struct entry entries[];
};

_Static_assert(sizeof(struct entry) == 16, "entry_at takes an entry to be 16 bytes");

#define FORGOTTEN ((const void *)1)

/* How a function's address looks in the table where its region is off: with these bits inverted. The upper half of
 * the addresses is the kernel's, and no program has more than half of the other one, so nothing else looks so. */
#define LOOK_OFF ((uintptr_t)1 << 62)
#define LOOK_DRAINED ((uintptr_t)1 << 63)	/* a drained region: exits are ignored, but callers are checked */
#define LOOK_SILENT UINTPTR_MAX		/* callers are not checked either */

static inline const void *look(const void *address, uintptr_t bits)
{
	return (const void *)((uintptr_t)address ^ bits);
}

/* The bits that are inverted in an entry's address. */
static inline uintptr_t look_in(const void *address)
{
	uintptr_t top = (uintptr_t)address >> 62;

	return top == 3 ? LOOK_SILENT : (uintptr_t)address & (LOOK_OFF | LOOK_DRAINED);
}

static inline uintptr_t look_of(const struct fathom_region *region)
{
	if (!fathom_region_is_disabled(region))
		return 0;
	if (fathom_peek(&region->switched) != FATHOM_SWITCH_DRAINED)
		return LOOK_OFF;
	return fathom_peek(&fathom_patching_checks) ? LOOK_DRAINED : LOOK_SILENT;
}

#define FIRST_ENTRIES 1024

/* Before the first function: one free entry, so that a reader always finds a table. Laid out like one. */
static struct { uintptr_t mask; size_t used; struct entry entry; } empty_table;
#define EMPTY_TABLE ((struct table *)&empty_table)
static struct table *table = EMPTY_TABLE;

static struct fathom_lock lock;		/* held while a region is added or forgotten; region's lock nests in it */
static struct fathom_arena tables;	/* under the lock */

/* Functions mostly begin at multiples of 16, the size of an entry: an address without its upper bits, and
 * without these four, is a place in the table as it stands. */
static inline struct entry *entry_at(const struct table *in, uintptr_t place)
{
	return (struct entry *)((char *)in->entries + (place & in->mask));
}

FATHOM_API void __cyg_profile_func_enter(void *function, void *call_site);
FATHOM_API void __cyg_profile_func_exit(void *function, void *call_site);

/* Reads an entry that goes with its region: pairs with the release in insert. */
static inline uintptr_t difference(const struct entry *entry, const void *address)
{
	return (uintptr_t)__atomic_load_n(&entry->address, __ATOMIC_ACQUIRE) ^ (uintptr_t)address;
}

/* Whether there is no difference. (The compiler itself takes a load and a comparison. TSan does not look into asm.) */
static inline bool is_of(const struct entry *entry, const void *address)
{
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
	bool is_equal;

	__asm__ volatile("cmp %2, %1" : "=@ccz"(is_equal) : "m"(entry->address), "r"(address) : "memory");
	return is_equal;
#else
	return difference(entry, address) == 0;
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
	__atomic_store_n(&entry_at(into, place)->address, look(address, look_of(region)), __ATOMIC_RELEASE);
	into->used++;
}

static size_t entry_count(const struct table *in)
{
	return in->mask / sizeof(struct entry) + 1;
}

/* --- what they cost -------------------------------------------------------------------------------- */

/* A function that has early hooks, for all that these can tell; and that with sleds, which is code (patch/sleds.c).
 * They tell of the core's own region, and stand in each table at their first places, like most functions, for they come
 * first: they differ in the bit of 16. */
static _Alignas(32) const char stand_in[32];
#define EARLY_STAND_IN (stand_in + 16)

/* As the hooks are called: from outside. */
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

/* A function of one kind was met. */
static void tell_cost(bool has_sleds)
{
	static const struct fathom_pair early = { early_enter, early_leave };
	static const struct fathom_pair late = { fathom_sled_stand_in_enter, fathom_sled_stand_in_leave };

	if (!has_sleds)
		fathom_event_cost_by(FATHOM_WAY_HOOK, &early, NULL);
	else if (fathom_sled_stand_in())
		fathom_event_cost_by(FATHOM_WAY_SLED, &late, fathom_sled_stand_in());
}

/* --- functions --------------------------------------------------------------------------------------- */

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
			insert(larger, look(address, look_in(address)), table->entries[i].region);
	}
	__atomic_store_n(&table, larger, __ATOMIC_RELEASE);
	return 0;
}

static const struct fathom_region *find(const void *address)
{
	const struct table *now = __atomic_load_n(&table, __ATOMIC_ACQUIRE);

	for (uintptr_t place = (uintptr_t)address;; place += sizeof(struct entry)) {
		const struct entry *entry = entry_at(now, place);
		const void *at = __atomic_load_n(&entry->address, __ATOMIC_ACQUIRE);

		if (look(at, look_in(at)) == address)
			return entry->region;
		if (!at)
			return NULL;
	}
}

/* What stands in the table for a function that the filter leaves out. */
static const struct fathom_region left_out = { .switched = FATHOM_SWITCH_DRAINED };

/* Which region a function is. Its module's path is good until the lock is given. */
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

/* --- what functions look like in their code -------------------------------------------------------- */

/* The code of some functions does not look yet as their regions ask for: another thread was inside dlclose, or the
 * system did not let code be changed. */
static bool has_to_follow;

/* Code that calls hooks for the function looks as its region asks for. */
static void follow_one(const void *function, const struct fathom_region *region)
{
	if (fathom_unloading_is_on() || !fathom_patching_follow(function, region))
		has_to_follow = true;
}

/* The same of all functions that were left out so far. */
static void follow_late(void)
{
	if (!has_to_follow || fathom_unloading_is_on())
		return;
	has_to_follow = false;
	for (size_t i = 0; i < entry_count(table); i++) {
		const struct entry *entry = &table->entries[i];

		if (entry->address && entry->address != FORGOTTEN)
			follow_one(look(entry->address, look_in(entry->address)), entry->region);
	}
}

/* Judges a module that was loaded later, when the first of its functions is met. The lock is not for work that takes so
 * long, and whoever waits for it may have a lock of the dynamic linker, which this work needs. */
static void judge_unlocked(const char *module)
{
	char path[strlen(module) + 1];

	memcpy(path, module, sizeof(path));
	fathom_lock_give(&lock);
	fathom_excluded_judge(path);
	fathom_lock_take(&lock);
}

/* The region of a function that is not in the table, and puts it there. The caller has hidden the thread. */
static const struct fathom_region *meet(const void *address, bool has_sleds)
{
	struct fathom_region spec = { .paradigm = FATHOM_PARADIGM_COMPILER, .role = FATHOM_ROLE_FUNCTION,
				      .has_sleds = has_sleds, .code = address };
	const struct fathom_region *region;

	fathom_lock_take(&lock);
	describe(address, &spec);
	if (fathom_excluded_any() && fathom_excluded_has(spec.module, spec.offset) == -ENOENT) {
		judge_unlocked(spec.module);
		describe(address, &spec);
	}
	region = find(address);
	if (region)
		goto unlock;
	if (fathom_excluded_any() && fathom_excluded_has(spec.module, spec.offset) == 1) {
		region = &left_out;
		fathom_event_left_out(&spec);
	} else if (fathom_outlined_has(address) && fathom_event_forks()) {
		region = &left_out;
	} else {
		region = fathom_region_define(&spec);
	}
	if (region && !grow()) {
		insert(table, address, region);
		tell_cost(has_sleds);
	}
	if (region && fathom_region_is_disabled(region))
		follow_one(address, region);
unlock:
	fathom_lock_give(&lock);
	return region;
}

/* Set at the end of start. No function is met before: the libraries that start loads allocate memory, by a malloc that
 * may be the program's, hold a lock of its own and be instrumented. */
static bool has_started;

/*
 * A function's first call. What the program's functions do that are called from here (a malloc of the program) is the
 * measurement's work, and would come here again: the thread is hidden. NULL: out of memory, or nothing is measured.
 */
FATHOM_HIDDEN const struct fathom_region *fathom_hook_meet(const void *address, bool has_sleds);
FATHOM_COLD const struct fathom_region *fathom_hook_meet(const void *address, bool has_sleds)
{
	const struct fathom_region *region;
	int saved = errno;
	sigset_t signals;
	void *before;

	if (!fathom_runtime_measures() || !fathom_peek(&has_started) || fathom_event_is_hidden())
		return NULL;
	fathom_signals_block(&signals);
	before = fathom_event_hide();
	region = meet(address, has_sleds);
	fathom_event_show(before);
	fathom_signals_restore(&signals);
	errno = saved;
	return region;
}
FATHOM_KEEPS_VECTORS(fathom_hook_meet);

/* Region was switched, and so is what its functions look like. (A library loaded twice has each twice.)
 * Context: birth. */
static void follow_switch(const struct fathom_region *region)
{
	fathom_lock_take(&lock);
	follow_late();
	for (size_t i = 0; i < entry_count(table); i++) {
		struct entry *entry = &table->entries[i];
		uintptr_t bits = look_in(entry->address) ^ look_of(region);

		if (entry->region != region || entry->address == FORGOTTEN)
			continue;
		/* Hooks that come back do so before they are listened to. */
		follow_one(look(entry->address, look_in(entry->address)), region);
		__atomic_store_n(&entry->address, look(entry->address, bits), __ATOMIC_RELEASE);
	}
	fathom_lock_give(&lock);
}

static bool off;	/* FATHOM_MODE=none, found out at the start; else false */

/*
 * A function that is drained calls all the same: it was inlined, and only its own code was read so far. Each place that
 * calls is looked at once, if there is room to remember that.
 */
enum { PLACES = 1024, WAYS = 4 };
static const void *seen[PLACES];

/* The code that continues at from calls a hook: one that was inlined into it, maybe of another module. */
static void note_caller(const void *from)
{
	static struct fathom_module module;	/* under the lock */

	if (!fathom_module_of(from, &module))
		fathom_unloading_note(&module);
}

FATHOM_HIDDEN void fathom_hook_look(const void *function, const void *from, const void **place);
FATHOM_COLD void fathom_hook_look(const void *function, const void *from, const void **place)
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
FATHOM_KEEPS_VECTORS(fathom_hook_look);

static inline void call_is_drained(const void *function, const void *from)
{
	const void **place = &seen[(uintptr_t)from % (PLACES / WAYS) * WAYS];

	if (!fathom_peek(&fathom_patching_checks))
		return;
	for (int way = 0; way < WAYS && fathom_peek(&place[way]) != from; way++) {
		if (fathom_peek(&place[way]))
			continue;
		fathom_hook_look_kept(function, from, &place[way]);
		break;
	}
}

/* What the hooks do when a function is not at its first place in the table, or not in it at all. */
static FATHOM_COLD const struct fathom_region *find_or_meet(const void *function, bool has_sleds)
{
	const struct fathom_region *region = find(function);

	return region ? region : fathom_hook_meet_kept(function, has_sleds);
}

static FATHOM_COLD void enter_slowly(const void *function)
{
	const struct fathom_region *region = find_or_meet(function, false);

	if (region)
		fathom_event_enter(region);
}

static FATHOM_COLD void exit_slowly(const void *function)
{
	const struct fathom_region *region = find(function);

	if (region)		/* else its enter was not recorded either */
		fathom_event_exit(region);
}

/* What the hooks do when a function is not found to be on, at first sight; and not off for good. These and what they
 * call are functions of their own, so that the hooks have nothing to keep. */
static __attribute__((noinline)) void enter_otherwise(const void *function, const void *from)
{
	const struct entry *entry = first_entry(function);
	uintptr_t differs = difference(entry, function);

	if (differs == LOOK_OFF)
		fathom_event_enter(entry->region);
	else if (differs == LOOK_DRAINED)
		call_is_drained(function, from);
	else
		enter_slowly(function);
}

static __attribute__((noinline)) void exit_otherwise(const void *function, const void *from)
{
	const struct entry *entry = first_entry(function);
	uintptr_t differs = difference(entry, function);

	if (differs == LOOK_OFF)
		fathom_event_exit(entry->region);
	else if (differs == LOOK_DRAINED)
		call_is_drained(function, from);
	else
		exit_slowly(function);
}

void __cyg_profile_func_enter(void *function, void *call_site)
{
	const struct entry *entry = first_entry(function);

	(void)call_site;
	if (likely(is_of(entry, function)))
		fathom_event_enter_early(entry->region);
	else if (difference(entry, function) != LOOK_SILENT && !off)
		enter_otherwise(function, __builtin_return_address(0));
}

void __cyg_profile_func_exit(void *function, void *call_site)
{
	const struct entry *entry = first_entry(function);

	(void)call_site;
	if (likely(is_of(entry, function)))
		fathom_event_exit_early(entry->region);
	else if (difference(entry, function) != LOOK_SILENT && !off)
		exit_otherwise(function, __builtin_return_address(0));
}

static __attribute__((noinline)) void sled_enter_otherwise(const uint8_t *sled, uintptr_t here)
{
	uintptr_t differs = difference(first_entry(sled), sled);
	const struct fathom_region *region;

	if (differs == LOOK_OFF)
		return;
	if (differs == LOOK_DRAINED) {
		call_is_drained(sled, fathom_sled_from(here));
		return;
	}
	region = find_or_meet(sled, true);
	if (region && !fathom_region_is_disabled(region))
		fathom_event_enter_late(region, here);
}

void fathom_hook_sled_enter(const uint8_t *sled, uintptr_t here)
{
	const struct entry *entry = first_entry(sled);

	if (likely(is_of(entry, sled)))
		fathom_event_enter_late(entry->region, here);
	else if (difference(entry, sled) != LOOK_SILENT)
		sled_enter_otherwise(sled, here);
}
FATHOM_KEEPS_VECTORS(fathom_hook_sled_enter);

static __attribute__((noinline)) void sled_exit_otherwise(const uint8_t *sled, uintptr_t here)
{
	const struct entry *entry = first_entry(sled);
	uintptr_t differs = difference(entry, sled);
	const struct fathom_region *region;

	if (differs == LOOK_DRAINED) {
		call_is_drained(sled, fathom_sled_from(here));
		return;
	}
	region = differs == LOOK_OFF ? entry->region : find(sled);
	if (region)
		fathom_event_exit_late(region, here);
}

void fathom_hook_sled_exit(const uint8_t *sled, uintptr_t here)
{
	const struct entry *entry = first_entry(sled);

	if (is_of(entry, sled))
		fathom_event_exit_late(entry->region, here);
	else if (difference(entry, sled) != LOOK_SILENT)
		sled_exit_otherwise(sled, here);
}
FATHOM_KEEPS_VECTORS(fathom_hook_sled_exit);

/* Where they are, see patching.h. */
__typeof__(fathom_hook_enter) fathom_hook_enter __attribute__((alias("__cyg_profile_func_enter")));
__typeof__(fathom_hook_exit) fathom_hook_exit __attribute__((alias("__cyg_profile_func_exit")));

/* Another library may be loaded where one was unloaded: its functions must not pass for the old ones.
 * It is dlclose in the shared library (local.mk); a static program unloads nothing. */
FATHOM_API int fathom_interposed_dlclose(void *handle);
int fathom_interposed_dlclose(void *handle)
{
	int (*real)(void *);
	int result;

	*(void **)&real = dlsym(RTLD_NEXT, "dlclose");
	if (!real)
		return -1;
	if (!fathom_runtime_measures())
		return real(handle);
	fathom_lock_take(&lock);
	fathom_unloading_begin();
	fathom_lock_give(&lock);
	result = real(handle);
	fathom_lock_take(&lock);
	fathom_unloading_end();
	for (size_t i = 0; i < entry_count(table); i++) {
		const void *address = table->entries[i].address;

		if (address && address != FORGOTTEN && !fathom_unloading_is_kept(look(address, look_in(address))))
			__atomic_store_n(&table->entries[i].address, FORGOTTEN, __ATOMIC_RELEASE);
	}
	fathom_patching_forget(fathom_unloading_is_kept);
	for (int i = 0; i < PLACES; i++)
		fathom_poke(&seen[i], NULL);
	follow_late();
	fathom_lock_give(&lock);
	return result;
}

/* A child of fork measures nothing. Another thread of its parent may have held the lock, and nobody gives it back.
 * Until the core knows that this is a child, its functions may still come here. */
static void stop_in_child(void)
{
	fathom_lock_reset(&lock);
}

/* Loads and reads libraries: nothing of that is an event. */
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
	off = !fathom_runtime_measures();
	fathom_event_set_other_exit(fathom_hook_sled_exit);
	fathom_sleds_start(!off);
	fathom_runtime_set_resolver(fathom_symbols_library_resolve);
	fathom_event_follow_switches(follow_switch);
	if (!off)
		start_measured();
}
