#include "profile/process_tree/sampled_call_paths.h"

#include <string.h>
#include <sys/auxv.h>

#include "define/region.h"
#include "event/sampled_frames.h"
#include "platform/clock.h"
#include "profile/process_tree/sample_lines.h"
#include "profile/process_tree/sample_paths.h"
#include "profile/recording/sample_store.h"

enum { FIRST_TABLE_BITS = 8, MOST_EVENTS = 16 };

/* Settings and metrics; written before trees are built. */
static bool folds;
static uint8_t event_metrics[MOST_EVENTS];	/* by sampled event: 1 + id of its metric; 0: it has none */
static uint32_t event_count;

void fathom_sampled_fold(bool is_folding)
{
	folds = is_folding;
}

void fathom_sampled_events(const struct fathom_sampling *sampling)
{
	uint32_t count = sampling ? sampling->event_count : 0;

	for (uint32_t i = FATHOM_SAMPLE_TIME + 1; i < count && i < MOST_EVENTS; i++) {
		struct fathom_metric spec = {
			.name = sampling->events[i].name,
			.unit = sampling->events[i].unit,
			.description = sampling->events[i].description,
			.type = FATHOM_METRIC_UINT64,
			.mode = FATHOM_METRIC_GIVEN,
		};
		const struct fathom_metric *metric = fathom_metric_define(&spec);

		event_metrics[i] = metric ? (uint8_t)(metric->id + 1) : 0;
	}
	event_count = count < MOST_EVENTS ? count : MOST_EVENTS;
}

/* --- records ----------------------------------------------------------------------------------------------- */

/* A root of a store whose samples belong to a record. */
struct fathom_sampled_root {
	struct fathom_sampled_root *next;
	const struct fathom_sampled_path *path;
	bool has_frames;	/* false: all samples count at the recorded call path, whatever their frames */
};

static struct fathom_sample_record **place_of(const struct fathom_sampled *sampled, const struct fathom_node *node)
{
	return &sampled->table[(uint64_t)(uintptr_t)node * UINT64_C(0x9e3779b97f4a7c15) >> (64 - sampled->table_bits)];
}

const struct fathom_sample_record *fathom_sampled_record(const struct fathom_sampled *sampled,
							 const struct fathom_node *node)
{
	const struct fathom_sample_record *record = *place_of(sampled, node);

	while (record->node != node)	/* has_samples of struct fathom_node is set only if there is a record */
		record = record->chain;
	return record;
}

/* Makes room in the table for one record more. False: no memory. */
static bool reserve_record(struct fathom_sampled *sampled)
{
	struct fathom_sample_record **old = sampled->table, **table;
	uint8_t before = sampled->table_bits, bits = old ? before + 2 : FIRST_TABLE_BITS;

	if (old && sampled->record_count < (uint32_t)1 << before)
		return true;
	table = fathom_arena_alloc(sampled->arena, sizeof(*table) << bits);
	if (!table)
		return false;
	sampled->table = table;
	sampled->table_bits = bits;
	for (size_t i = 0; old && i < (size_t)1 << before; i++)
		for (struct fathom_sample_record *record = old[i], *next; record; record = next) {
			struct fathom_sample_record **place = place_of(sampled, record->node);

			next = record->chain;
			record->chain = *place;
			*place = record;
		}
	return true;
}

/* Returns the record of a node of the tree, which is made if there is none. NULL: no memory. */
static struct fathom_sample_record *record_of(struct fathom_sampled *sampled, struct fathom_node *node)
{
	struct fathom_sample_record *record, **place;

	if (node->has_samples)
		return (struct fathom_sample_record *)fathom_sampled_record(sampled, node);
	if (!reserve_record(sampled))
		return NULL;
	record = fathom_arena_alloc(sampled->arena, sizeof(*record));
	if (!record)
		return NULL;
	if (sampled->event_count > 1)
		record->values = fathom_arena_alloc(sampled->arena,
						    sampled->event_count * sizeof(*record->values));
	record->node = node;
	place = place_of(sampled, node);
	record->chain = *place;
	*place = record;
	sampled->record_count++;
	node->has_samples = 1;
	return record;
}

/* --- sampled nodes ------------------------------------------------------------------------------------------- */

/* Where the samples of a path go: a node of the tree, which is made when a sample is there. */
struct target {
	struct target *parent;		/* NULL: the recorded call path */
	struct fathom_node *node;	/* NULL: not made yet */
	const struct fathom_region *region;
	bool is_second;			/* the function called itself: folded recursion has no third level */
};

/* Returns the sampled node for region below parent, a node of the tree. NULL: no memory. */
static struct fathom_node *sampled_child(struct fathom_sampled *sampled, struct fathom_node *parent,
					 const struct fathom_region *region)
{
	struct fathom_sample_record *record = record_of(sampled, parent);
	struct fathom_node *node = record ? record->first_child : NULL;
	uint32_t number;

	while (node && node->region != region)
		node = node->sibling;
	if (node || !record)
		return node;
	number = fathom_tree_child(sampled->tree, parent->snapshot_node, region->id);
	node = number ? fathom_arena_alloc(sampled->arena, sizeof(*node)) : NULL;
	if (!node)
		return NULL;
	fathom_callpath_init_node(node, region);
	node->parent = parent;
	node->in_tasks = parent->in_tasks;
	node->in_series = parent->in_series;
	node->snapshot_node = number;
	node->snapshot_serial = sampled->serial;
	node->sibling = record->first_child;
	record->first_child = node;
	return node;
}

/* Returns the node of a target, or of an outer target if there is no memory for it. */
static struct fathom_node *node_of(struct fathom_sampled *sampled, struct target *target)
{
	struct target *known = target, *inner;
	struct fathom_node *node;

	while (!known->node)
		known = known->parent;
	while (known != target) {
		for (inner = target; inner->parent != known; inner = inner->parent)
			;
		node = sampled_child(sampled, known->node, inner->region);
		if (!node)
			return known->node;
		inner->node = node;
		known = inner;
	}
	return target->node;
}

/* Returns the target for region below parent; parent itself if there is no memory, or where recursion is folded. */
static struct target *target_below(struct fathom_sampled *sampled, struct target *parent,
				   const struct fathom_region *region)
{
	bool is_recursion = sampled->folds && region && region == parent->region;
	struct target *target;

	if (!region || (is_recursion && parent->is_second))
		return parent;
	target = fathom_arena_alloc(sampled->arena, sizeof(*target));
	if (!target)
		return parent;
	target->parent = parent;
	target->region = region;
	target->is_second = is_recursion;
	return target;
}

/* --- walking the paths of a recorded call path -------------------------------------------------------------- */

/* A machine frame in a function of the tree, whose instruction is noted (sample_paths.h). */
struct noted_frame {
	struct noted_frame *outer;	/* NULL: there is none */
	struct target *target;
	const struct fathom_sampled_path *path;
	uint32_t call;			/* number of its place as a call; FATHOM_PATH_NO_PLACE: not made yet */
};

/* What the last frame of a path is to the tree. */
enum frame_use {
	FRAME_LEFT_OUT,		/* or the path has no frame */
	FRAME_SHOWN,		/* in the function of its target */
	FRAME_FOLDED,		/* likewise; it takes the place of the frame outside, which called the same function */
};

/* A path that is still to be visited, with what its outer frames say. */
struct step {
	const struct fathom_sampled_path *path;
	struct target *parent;
	struct fathom_frame_filter filter;
	struct noted_frame *outer;	/* NULL: none yet */
	enum frame_use use;
	bool has_frames;	/* see struct fathom_sampled_root */
};

struct walk {
	struct fathom_sampled *sampled;
	struct target recorded;
	struct step *steps;
	uint32_t depth, room;
	uint32_t location;	/* its number in the process tree */
	uint64_t ticks;		/* the recorded call path's exclusive time, which is shared out */
	uint64_t samples;	/* number of samples that share the time */
	uint64_t done;		/* number of these samples that have got their part */
};

/* Returns whether the frame of a path below the recorded call path is shown as a call path. Updates *step for the
 * frames below. */
static bool is_shown(struct walk *walk, const struct fathom_sampled_path *path, struct step *step)
{
	const struct fathom_code_module *module = fathom_code_module(&walk->sampled->code, path);
	struct fathom_filtered_frame frame = {
		.recorded = walk->recorded.region,
		.is_thread_root = !walk->recorded.node->parent,
		.is_entry = path->function && path->function == getauxval(AT_ENTRY),
		.kind = module ? module->kind : FATHOM_CODE_PROGRAM,
	};
	bool is_first = false, is_shown = fathom_frame_is_shown(&step->filter, &frame, &is_first);

	if (is_first) {
		step->parent = &walk->recorded;
		step->outer = NULL;
	}
	return is_shown;
}

/* Returns the target of a path, and updates *step for the paths below. */
static struct target *target_of(struct walk *walk, const struct fathom_sampled_path *path, struct step *step)
{
	struct fathom_code *code = &walk->sampled->code;
	const struct fathom_region *region;
	struct target *target;
	bool is_first;

	step->use = FRAME_LEFT_OUT;
	switch (path->kind) {
	case FATHOM_SAMPLED_ROOT:
		return step->parent;
	case FATHOM_SAMPLED_OWN:
		step->use = step->has_frames ? FRAME_SHOWN : FRAME_LEFT_OUT;
		return step->parent;
	case FATHOM_SAMPLED_PARTIAL:
		return target_below(walk->sampled, step->parent, fathom_code_partial(code));
	case FATHOM_SAMPLED_CALL:
		break;
	}
	is_first = step->filter.is_edge && path->parent->kind == FATHOM_SAMPLED_ROOT;
	if (!step->has_frames || !is_shown(walk, path, step))
		return step->parent;
	region = fathom_code_region(code, path);
	step->use = FRAME_SHOWN;
	/* The unwinder may end with the frame of the recorded function and not know that it is this one. */
	if (is_first && region == walk->recorded.region)
		return step->parent;
	target = target_below(walk->sampled, step->parent, region);
	if (target == step->parent)
		step->use = region == target->region ? FRAME_FOLDED : FRAME_LEFT_OUT;
	return target;
}

/* Returns the frame that stands for the last frame of a path with that target; step->outer if that is left out, or if
 * there is no memory. */
static struct noted_frame *note_frame(struct walk *walk, const struct step *step, struct target *target)
{
	struct noted_frame *frame;

	if (step->use == FRAME_LEFT_OUT)
		return step->outer;
	frame = fathom_arena_alloc(walk->sampled->arena, sizeof(*frame));
	if (!frame)
		return step->outer;
	frame->outer = step->use == FRAME_FOLDED && step->outer ? step->outer->outer : step->outer;
	frame->target = target;
	frame->path = step->path;
	return frame;
}

static bool push(struct walk *walk, const struct step *step)
{
	if (!fathom_arena_grow(walk->sampled->arena, &walk->steps, &walk->room, walk->depth + 1,
			       sizeof(*walk->steps)))
		return false;
	walk->steps[walk->depth++] = *step;
	return true;
}

/* Returns the ticks of the next samples that share the time. All parts together are the whole time. */
static uint64_t share(struct walk *walk, uint64_t samples)
{
	uint64_t before, left = walk->samples - walk->done;

	if (!walk->samples)
		return 0;
	before = (uint64_t)((unsigned __int128)walk->ticks * walk->done / walk->samples);
	walk->done += samples < left ? samples : left;	/* the thread may have taken more since they were counted */
	return (uint64_t)((unsigned __int128)walk->ticks * walk->done / walk->samples) - before;
}

/* Returns the place of a frame below that of its outer frame. NULL: no memory. */
static struct fathom_path_place *find_place(struct walk *walk, const struct noted_frame *frame, uint32_t parent,
					    bool is_call)
{
	struct fathom_sampled *sampled = walk->sampled;
	struct fathom_node *node = node_of(sampled, frame->target);
	struct fathom_code_module *module = fathom_code_module(&sampled->code, frame->path);
	uintptr_t begin = fathom_code_begin(&sampled->code, frame->path);
	struct fathom_path_place key = {
		.parent = parent, .call_path = node->snapshot_node, .module = FATHOM_PATH_NO_MODULE, .is_call = is_call,
	};

	if (module)
		key.module = fathom_sample_lines_code_module(&sampled->lines, module);
	if (key.module != FATHOM_PATH_NO_MODULE) {
		key.offset = frame->path->address - module->bias;
		key.function = begin ? begin - module->bias : key.offset;
	}
	return fathom_sample_paths_find(&sampled->paths, &key);
}

/* Returns the number of a frame's place as a call, which is made together with those of its outer frames. */
static uint32_t call_place(struct walk *walk, struct noted_frame *frame)
{
	uint32_t parent = FATHOM_PATH_NO_PLACE;

	while (frame && !frame->call) {
		struct noted_frame *outermost = frame;
		struct fathom_path_place *place;

		while (outermost->outer && !outermost->outer->call)
			outermost = outermost->outer;
		parent = outermost->outer ? outermost->outer->call : FATHOM_PATH_NO_PLACE;
		place = find_place(walk, outermost, parent, true);
		if (!place)
			return parent;
		outermost->call = place->number;
	}
	return frame ? frame->call : FATHOM_PATH_NO_PLACE;
}

/* Notes samples of processor time that count for a target. frame: of the innermost frame of their path. */
static void note_samples(struct walk *walk, const struct step *step, struct noted_frame *frame, struct target *target,
			 uint64_t samples)
{
	struct fathom_sample_paths *paths = &walk->sampled->paths;
	struct fathom_path_place key = { .module = FATHOM_PATH_NO_MODULE }, *place = NULL;
	uint32_t call;

	if (frame != step->outer && frame->target == target) {
		place = find_place(walk, frame, call_place(walk, frame->outer), false);
	} else if (step->outer && step->outer->target == target) {	/* in what that frame called */
		call = call_place(walk, step->outer);
		place = call ? paths->list[call - 1] : NULL;
	} else {
		key.call_path = node_of(walk->sampled, target)->snapshot_node;
		place = fathom_sample_paths_find(paths, &key);
	}
	if (place)
		fathom_sample_paths_count(paths, place, walk->location, samples);
}

/* Adds the samples that end at a path to a node, and their share of the time to it and to the nodes above it. */
static void add_samples(struct walk *walk, const struct step *step, struct noted_frame *frame, struct target *target)
{
	const struct fathom_sampled_path *path = step->path;
	struct fathom_sampled *sampled = walk->sampled;
	struct fathom_sample_record *record = NULL;
	struct fathom_node *node = NULL, *above;
	uint32_t events = sampled->event_count;

	for (uint32_t event = 0; event == 0 || event < events; event++) {
		uint64_t value = 0, samples = fathom_sample_store_count(path, event, &value);

		if (!samples)
			continue;
		if (!node) {
			node = node_of(sampled, target);
			record = record_of(sampled, node);
		}
		if (event != FATHOM_SAMPLE_TIME) {
			if (record && record->values)
				record->values[event] += value;
			fathom_sample_lines_add(&sampled->lines, &sampled->code, path, event, samples, value);
			continue;
		}
		value = share(walk, samples);
		if (record)
			record->samples += samples;
		for (above = node; above != walk->recorded.node; above = above->parent) {
			above->total_ticks += value;
			above->inclusive_ticks += value;
		}
		fathom_sample_lines_add(&sampled->lines, &sampled->code, path, event, samples, value);
		note_samples(walk, step, frame, target, samples);
	}
}

/* Returns whether samples that end in the function of target, which the recorded region has called, count for that
 * region: the function has hooks, and its visits are recorded below the region. Such a sample found the function in its
 * first or last instructions, outside of the recorded visit, whose time must stay exact. A disabled region is recorded
 * no more: samples tell its time. */
static bool is_recorded(const struct walk *walk, const struct target *target)
{
	const struct fathom_node *child;

	if (target->parent != &walk->recorded || fathom_region_is_disabled(target->region))
		return false;
	child = __atomic_load_n(&walk->recorded.node->first_child, __ATOMIC_ACQUIRE);
	while (child && (child->region != target->region || child->snapshot_serial != walk->sampled->serial))
		child = child->sibling;
	return child;
}

/* Adds the samples of all paths of a root to their nodes. */
static void walk_paths(struct walk *walk, const struct fathom_sampled_root *root)
{
	struct step step = { .path = root->path, .parent = &walk->recorded, .filter = { .is_edge = true },
			     .has_frames = root->has_frames };

	walk->depth = 0;
	if (!push(walk, &step))
		return;
	while (walk->depth) {
		const struct fathom_sampled_path *path;
		struct noted_frame *frame;
		struct target *target;

		step = walk->steps[--walk->depth];
		path = step.path;
		target = target_of(walk, path, &step);
		frame = note_frame(walk, &step, target);
		add_samples(walk, &step, frame, is_recorded(walk, target) ? &walk->recorded : target);
		step.parent = target;
		step.outer = frame;
		/* Pairs with the release in child_of() of sample_store.c. */
		for (path = __atomic_load_n(&path->first_child, __ATOMIC_ACQUIRE); path; path = path->sibling) {
			step.path = path;
			if (!push(walk, &step))
				return;
		}
	}
}

/* Returns how many samples of processor time there are below a root. */
static uint64_t count_samples(const struct fathom_sampled_path *root)
{
	const struct fathom_sampled_path *path = root, *child;
	uint64_t samples = 0, value = 0;

	for (;;) {
		samples += fathom_sample_store_count(path, FATHOM_SAMPLE_TIME, &value);
		child = __atomic_load_n(&path->first_child, __ATOMIC_ACQUIRE);
		if (child) {
			path = child;
			continue;
		}
		while (path != root && !path->sibling)
			path = path->parent;
		if (path == root)
			return samples;
		path = path->sibling;
	}
}

/* Returns the exclusive ticks of a recorded call path. */
static uint64_t own_ticks(const struct fathom_sampled *sampled, const struct fathom_node *node)
{
	const struct fathom_node *child = __atomic_load_n(&node->first_child, __ATOMIC_ACQUIRE);
	int64_t ticks = (int64_t)node->total_ticks;

	if (node->is_series)	/* all its time is that of its iterations */
		return 0;
	for (; child; child = child->sibling)
		if (child->snapshot_serial == sampled->serial && (int64_t)child->total_ticks > 0)
			ticks -= (int64_t)child->total_ticks;
	return ticks > 0 ? (uint64_t)ticks : 0;
}

/* --- the whole ------------------------------------------------------------------------------------------------ */

/* Adds root to the record of the recorded call path that it belongs to; *records are those of the location. False: no
 * memory. */
static bool add_root(struct fathom_sampled *sampled, const struct fathom_sampled_path *path,
		     struct fathom_sample_record **records)
{
	struct fathom_sampled_root *root = fathom_arena_alloc(sampled->arena, sizeof(*root));
	struct fathom_node *node = path->node;
	struct fathom_sample_record *record;

	if (!root)
		return false;
	root->path = path;
	root->has_frames = true;
	/* A call path may be left out of the tree: then its samples are those of the call path above it. */
	while (node && node->snapshot_serial != sampled->serial) {
		node = node->parent;
		root->has_frames = false;
	}
	record = node ? record_of(sampled, node) : NULL;
	if (!record)
		return !node;
	if (!record->roots) {
		record->next = *records;
		*records = record;
	}
	root->next = record->roots;
	record->roots = root;
	return true;
}

/* Shares out the time of a recorded call path. */
static void share_out(struct fathom_sampled *sampled, uint32_t location, struct fathom_sample_record *record)
{
	struct fathom_node *node = (struct fathom_node *)record->node;
	struct walk walk = {
		.sampled = sampled,
		.recorded = { .node = node, .region = node->region },
		.location = location,
		.ticks = own_ticks(sampled, node),
	};

	for (const struct fathom_sampled_root *root = record->roots; root; root = root->next)
		walk.samples += count_samples(root->path);
	for (const struct fathom_sampled_root *root = record->roots; root; root = root->next)
		walk_paths(&walk, root);
}

void fathom_sampled_add(struct fathom_sampled *sampled, struct fathom_location *const *locations, uint32_t count)
{

	sampled->code.arena = sampled->lines.arena = sampled->paths.arena = sampled->arena;
	sampled->lines.folds = folds;
	sampled->event_count = event_count;
	sampled->folds = folds;
	sampled->metrics = event_metrics;
	for (uint32_t l = 0; l < count; l++) {
		const struct fathom_sample_store *store = fathom_sample_store_of(locations[l]);
		struct fathom_sample_record *records = NULL;
		const struct fathom_sampled_path *root;

		if (!store)
			continue;
		sampled->totals[FATHOM_SAMPLES_TAKEN] += fathom_peek(&store->samples);
		sampled->totals[FATHOM_SAMPLES_PARTIAL] += fathom_peek(&store->partial);
		sampled->totals[FATHOM_SAMPLES_SHORTENED] += fathom_peek(&store->shortened);
		sampled->totals[FATHOM_SAMPLES_DROPPED] += fathom_peek(&store->lost);
		/* Pairs with the release in root_of() of sample_store.c. */
		for (root = __atomic_load_n(&store->roots, __ATOMIC_ACQUIRE); root; root = root->sibling)
			if (!add_root(sampled, root, &records))
				return;
		for (; records; records = records->next)
			share_out(sampled, l, records);
	}
}
