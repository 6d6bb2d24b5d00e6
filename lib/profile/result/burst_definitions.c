#include "profile/result/burst_definitions.h"

#include <string.h>

#include "define/region.h"
#include "define/role.h"
#include "event/result.h"
#include "profile/recording/callpath.h"

uint32_t fathom_burst_definitions_text(struct fathom_burst_definitions *definitions, const char *text)
{
	uint32_t place = definitions->text_bytes, bytes = (uint32_t)strlen(text) + 1;

	if (!fathom_arena_grow(&definitions->arena, &definitions->text, &definitions->text_room, place + bytes, 1)) {
		definitions->is_incomplete = true;
		return 0;
	}
	memcpy(definitions->text + place, text, bytes);
	definitions->text_bytes += bytes;
	return place;
}

/* --- regions --------------------------------------------------------------------------------------------- */

static uint32_t add_region(struct fathom_burst_definitions *definitions, const struct fathom_region *region)
{
	const struct fathom_result *result = definitions->result;
	struct fathom_region named = *region;
	struct fathom_burst_file_region *added;

	if (!fathom_arena_grow(&definitions->arena, &definitions->regions, &definitions->region_room,
			       definitions->region_count + 1, sizeof(*definitions->regions)))
		return UINT32_MAX;
	if (!named.name && result->resolve)
		result->resolve(&named, result->may_allocate);
	if (!named.name)
		named.name = fathom_region_place_name(&named, &definitions->arena);
	added = &definitions->regions[definitions->region_count];
	*added = (struct fathom_burst_file_region){
		.name = fathom_burst_definitions_text(definitions, named.name ? named.name : ""),
		.file = fathom_burst_definitions_text(definitions, named.file ? named.file : ""),
		.begin_line = named.begin_line,
		.end_line = named.end_line,
		.paradigm = fathom_burst_definitions_text(definitions, fathom_paradigm_name(named.paradigm)),
		.role = fathom_burst_definitions_text(definitions, fathom_role_name(named.role)),
	};
	return definitions->region_count++;
}

/* Returns the number of a region; UINT32_MAX: no memory. */
static uint32_t number_region(struct fathom_burst_definitions *definitions, const struct fathom_region *region)
{
	uint32_t number;

	if (!fathom_arena_grow(&definitions->arena, &definitions->region_numbers, &definitions->region_number_room,
			       region->id + 1, sizeof(*definitions->region_numbers)))
		return UINT32_MAX;
	number = definitions->region_numbers[region->id];
	if (number)
		return number - 1;
	number = add_region(definitions, region);
	definitions->region_numbers[region->id] = number + 1;	/* 0 without memory */
	return number;
}

/* --- call paths ------------------------------------------------------------------------------------------ */

static const struct fathom_node *caller_of(const struct fathom_node *node)
{
	return node->is_anchor ? ((const struct fathom_anchor_node *)node)->origin : node->parent;
}

/* Returns whether a node is no call path of the file: an anchor node, a root that was never entered (of the explicit
 * tasks, or of a thread whose regions are below those of another one), or a part of the profile that no event refers to
 * (an iteration, a parameter). */
static bool is_left_out(const struct fathom_node *node)
{
	return node->is_anchor || (!node->parent && !node->visits) || !node->region || node->region->is_of_profile;
}

/* Returns the innermost call path of the file from node upwards; NULL: there is none. */
static const struct fathom_node *path_from(const struct fathom_node *node)
{
	while (node && is_left_out(node))
		node = caller_of(node);
	return node;
}

static uint64_t hash_of(const struct fathom_node *node)
{
	return (uint64_t)(uintptr_t)node * 0x9e3779b97f4a7c15u;
}

/* Returns the number of a node of the file; FATHOM_BURST_FILE_NO_PATH: it has none yet. */
static uint32_t find_path(const struct fathom_burst_definitions *definitions, const struct fathom_node *node)
{
	const struct fathom_number_table *table = &definitions->table;

	if (!table->slots)
		return FATHOM_BURST_FILE_NO_PATH;
	for (uint32_t *slot = fathom_number_table_first(table, hash_of(node)); *slot;
	     slot = fathom_number_table_next(table, slot))
		if (definitions->nodes[*slot - 1] == node)
			return *slot - 1;
	return FATHOM_BURST_FILE_NO_PATH;
}

/* Adds a node, whose caller has a number already or is none. False: no memory. */
static bool add_path(struct fathom_burst_definitions *definitions, const struct fathom_node *node)
{
	const struct fathom_node *caller = path_from(caller_of(node));
	uint32_t count = definitions->path_count, region = number_region(definitions, node->region);
	int reserved = fathom_number_table_reserve(&definitions->table, &definitions->arena, count);

	if (region == UINT32_MAX || reserved < 0 ||
	    !fathom_arena_grow(&definitions->arena, &definitions->nodes, &definitions->node_room, count + 1,
			       sizeof(*definitions->nodes)) ||
	    !fathom_arena_grow(&definitions->arena, &definitions->paths, &definitions->path_room, count + 1,
			       sizeof(*definitions->paths)))
		return false;
	for (uint32_t i = 0; reserved && i < count; i++)
		fathom_number_table_put(&definitions->table, hash_of(definitions->nodes[i]), i);
	definitions->nodes[count] = node;
	definitions->paths[count] = (struct fathom_burst_file_path){
		region, caller ? find_path(definitions, caller) : FATHOM_BURST_FILE_NO_PATH,
	};
	fathom_number_table_put(&definitions->table, hash_of(node), count);
	definitions->path_count++;
	return true;
}

/* Returns the outermost caller of node that has no number; node itself, if its callers have numbers. */
static const struct fathom_node *first_without_number(const struct fathom_burst_definitions *definitions,
						      const struct fathom_node *node)
{
	const struct fathom_node *caller;

	while ((caller = path_from(caller_of(node))) && find_path(definitions, caller) == FATHOM_BURST_FILE_NO_PATH)
		node = caller;
	return node;
}

/* Does the work of fathom_burst_definitions_path for a node that was not asked for lately. */
static uint32_t number_path(struct fathom_burst_definitions *definitions, const struct fathom_node *node)
{
	uint32_t number;

	node = path_from(node);
	if (!node)
		return FATHOM_BURST_FILE_NO_PATH;
	/* Not by recursion: signal handlers have small stacks. */
	while ((number = find_path(definitions, node)) == FATHOM_BURST_FILE_NO_PATH) {
		if (!add_path(definitions, first_without_number(definitions, node))) {
			definitions->is_incomplete = true;
			break;
		}
	}
	return number;
}

uint32_t fathom_burst_definitions_path(struct fathom_burst_definitions *definitions, const struct fathom_node *node)
{
	size_t place = (size_t)((uintptr_t)node / sizeof(*node)) % FATHOM_BURST_RECENT_PATHS;

	if (!node)
		return FATHOM_BURST_FILE_NO_PATH;
	if (definitions->recent[place].node != node) {
		definitions->recent[place].path = number_path(definitions, node);
		definitions->recent[place].node = node;
	}
	return definitions->recent[place].path;
}

void fathom_burst_definitions_fini(struct fathom_burst_definitions *definitions)
{
	fathom_arena_fini(&definitions->arena);
}
