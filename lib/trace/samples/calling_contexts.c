#include "trace/samples/calling_contexts.h"

#include <string.h>

#include "system/definition_pool.h"

/* Only the thread that completes the trace uses this. */
static struct {
	struct fathom_arena arena;
	struct fathom_pool contexts;	/* struct fathom_calling_context */
	struct fathom_pool modules;	/* paths with their NULs */
	struct fathom_pool functions;	/* struct function_key */
	struct fathom_pool generators;	/* struct fathom_trace_generator */
	uint32_t *regions;		/* by function: id of its region */
	uint32_t region_room;
	uint32_t *last_children;	/* by context: 1 + number of its child that was found last; 0: none */
	uint32_t last_room;
	bool *is_used;			/* by region: a context refers to it */
	uint32_t used_room;
} contexts;

struct function_key {
	uint64_t offset;
	uint32_t module;
	uint32_t pad;
};

const struct fathom_calling_context *fathom_calling_context_at(uint32_t number)
{
	return contexts.contexts.things[number].data;
}

uint32_t fathom_calling_context_count(void)
{
	return contexts.contexts.count;
}

bool fathom_calling_context_uses(uint32_t region)
{
	return region < contexts.used_room && contexts.is_used[region];
}

static bool use_region(uint32_t region)
{
	if (!fathom_arena_grow(&contexts.arena, &contexts.is_used, &contexts.used_room, region + 1,
			       sizeof(*contexts.is_used)))
		return false;
	contexts.is_used[region] = true;
	return true;
}

/* Looks a recorded context up among the contexts that were found last: a region often has one callee only. */
static bool is_last_child(uint32_t parent, uint32_t region, uint32_t *number)
{
	const struct fathom_calling_context *child;

	if (parent >= contexts.last_room || !contexts.last_children[parent])
		return false;
	*number = contexts.last_children[parent] - 1;
	child = fathom_calling_context_at(*number);
	return child->region == region;
}

uint32_t fathom_calling_context_find(uint32_t parent, uint32_t region, struct fathom_code_place place)
{
	const struct fathom_calling_context key = {
		.parent = parent,
		.region = region,
		.module = place.module,
		.depth = parent == FATHOM_NO_CONTEXT ? 1 : fathom_calling_context_at(parent)->depth + 1,
		.offset = place.offset,
	};
	uint32_t number;
	int64_t found;

	if (!place.module && is_last_child(parent, region, &number))
		return number;
	if (region == UINT32_MAX || !use_region(region))
		return FATHOM_NO_CONTEXT;
	found = fathom_pool_add(&contexts.contexts, &key, sizeof(key));
	if (found < 0)
		return FATHOM_NO_CONTEXT;
	if (!place.module && parent != FATHOM_NO_CONTEXT &&
	    fathom_arena_grow(&contexts.arena, &contexts.last_children, &contexts.last_room, parent + 1,
			      sizeof(*contexts.last_children)))
		contexts.last_children[parent] = (uint32_t)found + 1;
	return (uint32_t)found;
}

static uint32_t depth_of(uint32_t context)
{
	return context == FATHOM_NO_CONTEXT ? 0 : fathom_calling_context_at(context)->depth;
}

static bool is_same(uint32_t a, uint32_t b, const uint32_t *names)
{
	return a == b || (a != FATHOM_NO_CONTEXT && b != FATHOM_NO_CONTEXT && names[a] == names[b]);
}

uint32_t fathom_calling_context_distance(uint32_t previous, uint32_t context, const uint32_t *names)
{
	uint32_t depth = depth_of(context), previous_depth = depth_of(previous), distance = 1;

	while (depth > previous_depth) {
		context = fathom_calling_context_at(context)->parent;
		depth--;
		distance++;
	}
	for (; previous_depth > depth; previous_depth--)
		previous = fathom_calling_context_at(previous)->parent;
	while (!is_same(context, previous, names)) {
		context = fathom_calling_context_at(context)->parent;
		previous = fathom_calling_context_at(previous)->parent;
		distance++;
	}
	return distance;
}

/* --- code --------------------------------------------------------------------------------------------- */

/* Adds a text to a pool, with a NUL behind it. Negative: -ENOMEM. */
static int64_t add_text(struct fathom_pool *pool, const void *head, size_t head_bytes, const char *text, size_t length)
{
	struct fathom_arena arena = { 0 };
	char *data = fathom_arena_alloc(&arena, head_bytes + length + 1);
	int64_t number = -1;

	if (data) {
		if (head_bytes)
			memcpy(data, head, head_bytes);
		memcpy(data + head_bytes, text, length);
		number = fathom_pool_add(pool, data, (uint32_t)(head_bytes + length + 1));
	}
	fathom_arena_fini(&arena);
	return number;
}

uint32_t fathom_code_module_number(const char *path, size_t length)
{
	int64_t number = add_text(&contexts.modules, NULL, 0, path, length);

	return number < 0 ? UINT32_MAX : (uint32_t)number;
}

const char *fathom_code_module_path(uint32_t number)
{
	return contexts.modules.things[number].data;
}

static uint32_t region_id(const struct fathom_region *spec)
{
	const struct fathom_region *region = fathom_region_try_define(spec);

	return region ? region->id : UINT32_MAX;
}

/* The region is that of a hook in the function. Its name is found later, like those of all compiler regions. */
uint32_t fathom_code_function_region(uint32_t module, uint64_t offset)
{
	const struct function_key key = { .offset = offset, .module = module };
	const struct fathom_region spec = {
		.module = fathom_code_module_path(module),
		.offset = offset,
		.paradigm = FATHOM_PARADIGM_COMPILER,
		.role = FATHOM_ROLE_FUNCTION,
	};
	uint32_t count = contexts.functions.count;
	int64_t number = fathom_pool_add(&contexts.functions, &key, sizeof(key));

	if (number < 0 || !fathom_arena_grow(&contexts.arena, &contexts.regions, &contexts.region_room,
					     (uint32_t)number + 1, sizeof(*contexts.regions)))
		return UINT32_MAX;
	if (number == count)
		contexts.regions[number] = region_id(&spec);
	return contexts.regions[number];
}

/* The profile defines the same regions. */
uint32_t fathom_code_unknown_region(void)
{
	return region_id(&(struct fathom_region){ .name = "(unknown)", .paradigm = FATHOM_PARADIGM_COMPILER,
						  .role = FATHOM_ROLE_FUNCTION });
}

uint32_t fathom_code_partial_region(void)
{
	return region_id(&(struct fathom_region){ .name = "(partial call paths)",
						  .paradigm = FATHOM_PARADIGM_MEASUREMENT,
						  .role = FATHOM_ROLE_ARTIFICIAL });
}

/* --- sources of samples --------------------------------------------------------------------------------- */

uint32_t fathom_trace_generator_find(bool is_time, uint64_t period, const char *name, size_t length)
{
	const struct fathom_trace_generator head = { .period = period, .is_time = is_time };
	int64_t number = add_text(&contexts.generators, &head, sizeof(head), name, length);

	return number < 0 ? UINT32_MAX : (uint32_t)number;
}

const struct fathom_trace_generator *fathom_trace_generator_at(uint32_t number, uint32_t *bytes)
{
	*bytes = contexts.generators.things[number].bytes;
	return contexts.generators.things[number].data;
}

uint32_t fathom_trace_generator_count(void)
{
	return contexts.generators.count;
}

void fathom_calling_contexts_fini(void)
{
	fathom_arena_fini(&contexts.arena);
	fathom_pool_fini(&contexts.contexts);
	fathom_pool_fini(&contexts.modules);
	fathom_pool_fini(&contexts.functions);
	fathom_pool_fini(&contexts.generators);
	memset(&contexts, 0, sizeof(contexts));
}
