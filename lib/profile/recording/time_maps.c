#include "profile/recording/time_maps.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "define/activity.h"
#include "define/region.h"
#include "platform/clock.h"
#include "platform/number_table.h"
#include "profile/recording/callpath.h"
#include "waits/recording.h"

/* A call path that the maps know. */
struct entry {
	struct fathom_node *node;
	uint64_t before;	/* inclusive ticks at the map before, with active visits */
	uint64_t open;		/* ticks of the active visit, during the walk; else 0 */
	int64_t exclusive;	/* ticks since the map before, during the walk; else 0 */
	uint64_t logged;	/* ticks since the map before of calls that test and are in the log */
	uint32_t parent;	/* number of the entry of the caller; NO_ENTRY: none */
	uint32_t children;	/* number of children that have entries */
	bool is_outside;	/* time in the region is time outside of the operations in the log */
};

enum { NO_ENTRY = UINT32_MAX };

struct fathom_time_map {
	struct fathom_arena arena;
	struct fathom_number_table table;	/* of the entries, by node */
	struct entry *entries;		/* callers before their callees */
	uint32_t count, room;
	struct fathom_waits_map_entry *result;	/* room for one map */
	uint32_t result_room;
	uint64_t records;		/* that maps took in the log so far */
	uint64_t last_tested;		/* begin of the last call that tests and is in the log */
};

/* Steps of a walk besides those for each call path. */
enum { FIXED_STEPS = 10 };

/* Maps may take this many records before their number is compared with that of operations. */
enum { FREE_RECORDS = 32768 };

static uint64_t hash_of(const struct fathom_node *node)
{
	return (uint64_t)(uintptr_t)node * 0x9e3779b97f4a7c15u;
}

/* Returns the number of the entry of node; NO_ENTRY: there is none. */
static uint32_t find_entry(const struct fathom_time_map *map, const struct fathom_node *node)
{
	const uint32_t *slot;

	if (!map->table.slots)
		return NO_ENTRY;
	for (slot = fathom_number_table_first(&map->table, hash_of(node)); *slot;
	     slot = fathom_number_table_next(&map->table, slot))
		if (map->entries[*slot - 1].node == node)
			return *slot - 1;
	return NO_ENTRY;
}

/* Does a call with this name only test whether something is complete? */
static bool is_test(const char *name)
{
	static const char *const tests[] = { "MPI_Test", "MPI_Iprobe", "MPI_Improbe", "MPI_Win_test",
					     "MPI_Request_get_status" };

	for (size_t i = 0; i < sizeof(tests) / sizeof(*tests); i++)
		if (!strncmp(name, tests[i], strlen(tests[i])))
			return true;
	return false;
}

/* Returns whether time in the region is time outside of the operations in the log. MPI calls are operations, except
 * those that access files, and most of those that test. */
static bool is_outside(const struct fathom_region *region)
{
	return region && (region->paradigm != FATHOM_PARADIGM_MPI ||
			  fathom_activity_within((enum fathom_activity)region->activity, FATHOM_ACTIVITY_MPI_IO) ||
			  is_test(region->name));
}

/* Adds an entry and returns its number. NO_ENTRY: no memory. */
static uint32_t add_entry(struct fathom_time_map *map, struct fathom_node *node, uint32_t parent)
{
	int reserved = fathom_number_table_reserve(&map->table, &map->arena, map->count);

	if (reserved < 0 || !fathom_arena_grow(&map->arena, &map->entries, &map->room, map->count + 1,
					       sizeof(*map->entries)))
		return NO_ENTRY;
	for (uint32_t i = 0; reserved && i < map->count; i++)
		fathom_number_table_put(&map->table, hash_of(map->entries[i].node), i);
	map->entries[map->count] = (struct entry){
		.node = node,
		.parent = parent,
		.is_outside = is_outside(node->region),
	};
	fathom_number_table_put(&map->table, hash_of(node), map->count);
	return map->count++;
}

/* Adds the children of an entry's node that have none yet. New children are at the front of the list. */
static void add_children(struct fathom_time_map *map, uint32_t parent)
{
	struct fathom_node *child = map->entries[parent].node->first_child;
	uint32_t missing = map->entries[parent].node->child_count - map->entries[parent].children;

	for (; child && missing; child = child->sibling, missing--) {
		if (add_entry(map, child, parent) == NO_ENTRY)
			return;
		map->entries[parent].children++;
	}
}

/* Returns the number of the entry of node, and makes it if necessary. NO_ENTRY: no memory. */
static uint32_t entry_of(struct fathom_time_map *map, struct fathom_node *node)
{
	uint32_t number = find_entry(map, node), parent;

	if (number != NO_ENTRY)
		return number;
	if (!node->parent)
		return add_entry(map, node, NO_ENTRY);
	parent = entry_of(map, node->parent);
	if (parent == NO_ENTRY)
		return NO_ENTRY;
	add_children(map, parent);
	return find_entry(map, node);
}

/* Notes how long the visits have been active that are around the operation of the innermost region. */
static void note_open(struct fathom_time_map *map, const struct fathom_location *self, uint64_t begin)
{
	const struct fathom_frame *frame = self->top;

	for (; !(frame->flags & FATHOM_FRAME_BOTTOM); frame--) {
		uint32_t number;

		if (!frame->node || (frame->flags & (FATHOM_FRAME_PLACEHOLDER | FATHOM_FRAME_FOLDED)) ||
		    frame->node->is_anchor || begin <= frame->enter_ticks)
			continue;
		number = entry_of(map, frame->node);
		if (number != NO_ENTRY)
			map->entries[number].open += begin - frame->enter_ticks;
	}
}

/* Adds up, for each entry, the time since the map before. */
static void add_times(struct fathom_time_map *map)
{
	for (uint32_t i = 0; i < map->count; i++) {
		const struct fathom_node *node = map->entries[i].node;
		struct entry *entry = &map->entries[i];
		uint64_t now = node->inclusive_ticks + entry->open;
		int64_t inclusive = (int64_t)(now - entry->before);

		entry->before = now;
		entry->open = 0;
		entry->exclusive += inclusive - (int64_t)entry->logged;
		entry->logged = 0;
		if (entry->parent != NO_ENTRY)
			map->entries[entry->parent].exclusive -= inclusive;
		if (unlikely(node->child_count != entry->children))
			add_children(map, i);
	}
}

/* Writes the entries that have time to the result, and returns their number. */
static uint32_t list_times(struct fathom_time_map *map)
{
	uint32_t count = 0;

	if (!fathom_arena_grow(&map->arena, &map->result, &map->result_room, map->count, sizeof(*map->result)))
		return 0;
	for (uint32_t i = 0; i < map->count; i++) {
		struct entry *entry = &map->entries[i];

		if (entry->exclusive > 0 && entry->is_outside) {
			map->result[count++] = (struct fathom_waits_map_entry){
				.call_path = (uint64_t)(uintptr_t)entry->node,
				.ticks = (uint64_t)entry->exclusive,
			};
		}
		entry->exclusive = 0;
	}
	return count;
}

static struct fathom_time_map *map_of(struct fathom_location *self)
{
	struct fathom_callpaths *paths = self->substrate_data;

	if (!paths->time_map)
		paths->time_map = fathom_arena_alloc(&self->arena, sizeof(*paths->time_map));
	if (paths->time_map && !paths->time_map->count)
		entry_of(paths->time_map, paths->root);
	return paths->time_map;
}

void fathom_time_map_tested(struct fathom_location *self)
{
	const struct fathom_frame *frame = self->top;
	struct fathom_time_map *map = map_of(self);
	uint32_t number;

	/* A call may complete several requests. It ends soon after this. */
	if (!map || !frame->node || map->last_tested == frame->enter_ticks)
		return;
	map->last_tested = frame->enter_ticks;
	number = entry_of(map, frame->node);
	if (number != NO_ENTRY)
		map->entries[number].logged += fathom_clock_ticks() - frame->enter_ticks;
}

void fathom_time_map_make(struct fathom_location *self, struct fathom_waits_log *log, uint64_t begin)
{
	uint64_t start = fathom_clock_ticks();
	struct fathom_time_map *map = map_of(self);
	uint32_t count;

	log->map_due_ticks = UINT64_MAX;
	if (!map)
		return;
	if (map->records > FREE_RECORDS && map->records > fathom_waits_log_next(log) - map->records) {
		log->map_due_ticks = begin + (begin - self->birth_ticks) / 1000;
		return;
	}
	note_open(map, self, begin);
	add_times(map);
	count = list_times(map);
	fathom_waits_log_map(log, map->result, count);
	map->records += (count + 1) / 2;
	log->map_due_ticks = fathom_time_map_due(begin, FIXED_STEPS + map->count, fathom_clock_ticks() - start);
}
