#include "profile/recording/sample_store.h"

#include <stddef.h>
#include <string.h>

#include "define/region.h"
#include "event/sampled_frames.h"
#include "profile/recording/callpath.h"

enum { FIRST_TABLE_BITS = 8 };

/* Paths that may still be made, in all stores of the process. Only new paths take from them. */
static int64_t paths_left;

void fathom_sample_store_limit(uint64_t most_paths)
{
	paths_left = (int64_t)most_paths;
}

static bool take_path(void)
{
	return __atomic_load_n(&paths_left, __ATOMIC_RELAXED) > 0 &&
	       __atomic_fetch_sub(&paths_left, 1, __ATOMIC_RELAXED) > 0;
}

/* --- finding and making paths --------------------------------------------------------------------- */

/* above: the parent of a path, or the recorded call path of a root. */
static size_t place_of(const struct fathom_sample_store *store, const void *above, uintptr_t address)
{
	uint64_t hash = (uint64_t)(uintptr_t)above * UINT64_C(0x9e3779b97f4a7c15) ^
			(uint64_t)address * UINT64_C(0xc2b2ae3d27d4eb4f);

	return (size_t)((hash ^ hash >> 29) * UINT64_C(0x9e3779b97f4a7c15) >> (64 - store->table_bits));
}

static const void *parent_of(const struct fathom_sampled_path *path)
{
	return path->parent ? (const void *)path->parent : (const void *)path->node;
}

static void put_in_table(struct fathom_sample_store *store, struct fathom_sampled_path *path)
{
	struct fathom_sampled_path **place = &store->table[place_of(store, parent_of(path), path->address)];

	path->chain = *place;
	*place = path;
}

/* Adds path and all paths below it to the table. */
static void put_below_in_table(struct fathom_sample_store *store, struct fathom_sampled_path *root)
{
	struct fathom_sampled_path *path = root;

	for (;;) {
		put_in_table(store, path);
		if (path->first_child) {
			path = path->first_child;
			continue;
		}
		while (path != root && !path->sibling)
			path = path->parent;
		if (path == root)
			return;
		path = path->sibling;
	}
}

/* Doubles the table. Without memory it stays as it is: then the chains are longer. */
static void grow_table(struct fathom_sample_store *store)
{
	size_t places = (size_t)2 << store->table_bits;
	struct fathom_sampled_path **table = fathom_arena_alloc(&store->arena, places * sizeof(*table));

	if (!table)
		return;
	store->table = table;
	store->table_bits++;
	for (struct fathom_sampled_path *root = store->roots; root; root = root->sibling)
		put_below_in_table(store, root);
}

static struct fathom_sampled_path *find(const struct fathom_sample_store *store, const void *parent, uintptr_t address,
					enum fathom_sampled_kind kind)
{
	struct fathom_sampled_path *path = store->table[place_of(store, parent, address)];

	while (path && (parent_of(path) != parent || path->address != address || path->kind != kind))
		path = path->chain;
	return path;
}

/* Returns a new path, which is in no list yet. NULL: no memory, or there are too many. */
static struct fathom_sampled_path *make_path(struct fathom_sample_store *store)
{
	struct fathom_sampled_path *path;

	if (!take_path())
		return NULL;
	path = fathom_arena_alloc(&store->arena, sizeof(*path));
	if (!path)
		return NULL;
	if (++store->path_count > (size_t)1 << store->table_bits)
		grow_table(store);
	return path;
}

/* Returns the root of a recorded call path. NULL: there is none, and none can be made. */
static struct fathom_sampled_path *root_of(struct fathom_sample_store *store, struct fathom_node *node)
{
	struct fathom_sampled_path *root = find(store, node, 0, FATHOM_SAMPLED_ROOT);

	if (likely(root))
		return root;
	root = make_path(store);
	if (!root)
		return NULL;
	root->kind = FATHOM_SAMPLED_ROOT;
	root->node = node;
	root->sibling = store->roots;
	put_in_table(store, root);
	/* Pairs with the acquire in sampled_call_paths.c. */
	__atomic_store_n(&store->roots, root, __ATOMIC_RELEASE);
	return root;
}

/* Returns the module that an address is in now; it may be unloaded before the end. NULL: there is none, or no memory,
 * or it cannot be found without a lock. */
static const struct fathom_sampled_module *find_module(struct fathom_sample_store *store, uintptr_t address)
{
	struct fathom_module *found = &store->found;
	struct fathom_sampled_module *module;

	if (!address || !fathom_module_find_is_lock_free() || fathom_module_find((const void *)address, found))
		return NULL;
	for (module = store->modules; module; module = module->next)
		if (module->begin == found->begin && module->bias == found->bias && !strcmp(module->path, found->path))
			return module;
	module = fathom_arena_alloc(&store->arena, sizeof(*module));
	if (module)
		module->path = fathom_arena_copy(&store->arena, found->path, strlen(found->path));
	if (!module || !module->path)
		return NULL;
	module->begin = found->begin;
	module->end = found->end;
	module->bias = found->bias;
	module->id_bytes = fathom_module_build_id(found, module->id);
	module->next = store->modules;
	store->modules = module;
	return module;
}

/* Returns the path that is one frame longer than parent. A new path gets module; if that is NULL, the module of the
 * frame is looked for. Returns NULL if there is no such path and none can be made. */
static struct fathom_sampled_path *child_of(struct fathom_sample_store *store, struct fathom_sampled_path *parent,
					    const struct fathom_sample_frame *frame, enum fathom_sampled_kind kind,
					    const struct fathom_sampled_module *module)
{
	struct fathom_sampled_path *child = find(store, parent, frame->address, kind);

	if (likely(child))
		return child;
	child = make_path(store);
	if (!child)
		return NULL;
	child->kind = kind;
	child->parent = parent;
	child->node = parent->node;
	child->address = frame->address;
	child->function = frame->function;
	child->module = module ? module : find_module(store, frame->function ? frame->function : frame->address);
	child->sibling = parent->first_child;
	put_in_table(store, child);
	/* Pairs with the acquire in sampled_call_paths.c. */
	__atomic_store_n(&parent->first_child, child, __ATOMIC_RELEASE);
	return child;
}

/* --- counting ------------------------------------------------------------------------------------------ */

static struct fathom_sampled_count *find_count(const struct fathom_sampled_path *path, uint32_t event)
{
	struct fathom_sampled_count *count = __atomic_load_n(&path->counts, __ATOMIC_ACQUIRE);

	while (count && count->event != event)
		count = count->next;
	return count;
}

/* Adds samples to those that end at path. False: no memory. */
static bool add_samples(struct fathom_sample_store *store, struct fathom_sampled_path *path, uint32_t event,
			uint64_t samples, uint64_t value)
{
	struct fathom_sampled_count *count = find_count(path, event);

	if (!count) {
		count = fathom_arena_alloc(&store->arena, sizeof(*count));
		if (!count)
			return false;
		count->event = event;
		count->next = path->counts;
		/* Pairs with the acquire in find_count. */
		__atomic_store_n(&path->counts, count, __ATOMIC_RELEASE);
	}
	fathom_add(&count->samples, samples);
	fathom_add(&count->value, value);
	return true;
}

uint64_t fathom_sample_store_count(const struct fathom_sampled_path *path, uint32_t event, uint64_t *value)
{
	const struct fathom_sampled_count *count = find_count(path, event);

	if (!count)
		return 0;
	*value += fathom_peek(&count->value);
	return fathom_peek(&count->samples);
}

/* --- the store of a location ----------------------------------------------------------------------------- */

const struct fathom_sample_store *fathom_sample_store_of(const struct fathom_location *location)
{
	const struct fathom_callpaths *paths = location->substrate_data;

	/* Pairs with the release in store_of. */
	return __atomic_load_n(&paths->samples, __ATOMIC_ACQUIRE);
}

/* Returns the store of self, which is made if there is none. NULL: no memory. */
static struct fathom_sample_store *store_of(struct fathom_location *self)
{
	struct fathom_callpaths *paths = self->substrate_data;
	struct fathom_arena arena = { 0 };
	struct fathom_sample_store *store = paths->samples;

	if (likely(store))
		return store;
	store = fathom_arena_alloc(&arena, sizeof(*store));
	if (!store)
		return NULL;
	store->table_bits = FIRST_TABLE_BITS;
	store->table = fathom_arena_alloc(&arena, sizeof(*store->table) << FIRST_TABLE_BITS);
	store->arena = arena;
	if (!store->table)
		fathom_arena_fini(&arena);
	else
		__atomic_store_n(&paths->samples, store, __ATOMIC_RELEASE);
	return paths->samples;
}

/* Returns the path of a sample below root. *is_whole becomes false if there is no room for all of the frames. */
static struct fathom_sampled_path *path_of(struct fathom_sample_store *store, struct fathom_sampled_path *root,
					   const struct fathom_sample *sample, bool *is_whole)
{
	static const struct fathom_sample_frame no_frame;
	const struct fathom_region *region = root->node->region;
	struct fathom_sampled_path *path = root, *child;

	*is_whole = true;
	if (!fathom_region_keeps_frames(region) || region == fathom_truncated_region)
		return root;
	if (sample->is_partial) {
		child = child_of(store, path, &no_frame, FATHOM_SAMPLED_PARTIAL, NULL);
		path = child ? child : path;
		*is_whole = child;
	}
	for (uint32_t i = sample->count; i > 0 && *is_whole; i--) {
		bool is_own = i == sample->count && sample->has_own && !sample->is_partial;

		child = child_of(store, path, &sample->frames[i - 1],
				 is_own ? FATHOM_SAMPLED_OWN : FATHOM_SAMPLED_CALL, NULL);
		path = child ? child : path;
		*is_whole = child;
	}
	return path;
}

void fathom_sample_store_take(struct fathom_location *self, struct fathom_frame *top,
			      const struct fathom_sample *sample)
{
	bool is_time = sample->event == FATHOM_SAMPLE_TIME, is_whole = false;
	struct fathom_sampled_path *root = NULL, *path = NULL;
	struct fathom_sample_store *store;
	struct fathom_node *node;

	if (self->kind == FATHOM_KIND_SCRATCH)
		return;
	store = store_of(self);
	if (!store)
		return;
	while ((top->flags & (FATHOM_FRAME_PLACEHOLDER | FATHOM_FRAME_LOST)) && !(top->flags & FATHOM_FRAME_BOTTOM))
		top--;
	node = top->node;
	/* No result shows the node for call paths beyond FATHOM_NODES, an anchor node, and the root of a location whose
	 * call paths are below those of another location. */
	if (node && node->region && !node->is_anchor && (node->parent || self->kind <= FATHOM_KIND_FOREIGN))
		root = root_of(store, node);
	if (root)
		path = path_of(store, root, sample, &is_whole);
	if (!path || !add_samples(store, path, sample->event, 1, sample->period)) {
		fathom_add(&store->lost, is_time);
		return;
	}
	fathom_add(&store->samples, is_time);
	fathom_add(&store->partial, is_time && sample->is_partial && path != root);
	fathom_add(&store->shortened, is_time && !is_whole);
}

/* --- iterations that join a cluster ----------------------------------------------------------------------- */

/* Moves the counts of path to those of to. */
static void move_counts(struct fathom_sample_store *store, struct fathom_sampled_path *to,
			struct fathom_sampled_path *path)
{
	for (struct fathom_sampled_count *count = path->counts; count; count = count->next) {
		if (!count->samples || !add_samples(store, to, count->event, count->samples, count->value))
			continue;
		fathom_poke(&count->samples, 0);
		fathom_poke(&count->value, 0);
	}
}

void fathom_sample_store_move(struct fathom_location *self, struct fathom_node *to, struct fathom_node *from)
{
	struct fathom_callpaths *paths = self->substrate_data;
	struct fathom_sample_store *store = paths->samples;
	struct fathom_sampled_path *root = store ? find(store, from, 0, FATHOM_SAMPLED_ROOT) : NULL;
	struct fathom_sampled_path *path = root, *at = root ? root_of(store, to) : NULL;

	if (!at)
		return;
	move_counts(store, at, root);
	/* at is where the samples of path go: the path with the same frames or, for want of room, the shorter path
	 * above it. depth: how many frames it lacks. */
	for (uint32_t depth = 0;;) {
		if (path->first_child) {
			path = path->first_child;
		} else {
			while (path != root && !path->sibling) {
				path = path->parent;
				at = depth ? at : at->parent;
				depth -= depth > 0;
			}
			if (path == root)
				return;
			path = path->sibling;
			at = depth ? at : at->parent;
			depth -= depth > 0;
		}
		if (!depth) {
			struct fathom_sample_frame frame = { path->address, path->function };
			struct fathom_sampled_path *child = child_of(store, at, &frame, path->kind, path->module);

			at = child ? child : at;
			depth = !child;
		} else {
			depth++;
		}
		move_counts(store, at, path);
	}
}
