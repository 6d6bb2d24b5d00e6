/*
 * On the way up, the builder pushes onto the stack, for each level, the data that the way back needs. Numbers take as
 * few bytes as they need:
 *
 *	for a merge: the numbers of entries of the result, and of the left child's, the right child's and our list;
 *		then for each of these entries, in this order, the entry and offset in the result that it became
 *	for a node that this process represents: the number of entries of its list; for each entry the elements in one
 *		copy, and the number of copies
 *
 * The list so far is above these data. On the way back, frames replace the list.
 */
#include "system/builder.h"

#include <errno.h>
#include <string.h>

#include "system/rank_chain.h"
#include "system/element_classes.h"
#include "system/name_group.h"
#include "system/subtree_merge.h"
#include "system/transfer.h"

enum { STAGES = 2 };	/* of a level: neighbours, then, for chains, the representatives of groups of neighbours */

struct level {
	struct fathom_tree_links links[STAGES];
	uint32_t merged_at[STAGES];	/* offset in the stack; 0: nothing was merged */
	uint32_t wrapped_at;		/* offset in the stack; 0: another process represents the node */
	uint32_t pad;
};

/* An entry of a list on the way back. */
struct frame {
	struct fathom_span first;	/* elements before the first copy that came from this process */
	struct fathom_span size;	/* in one copy */
};

struct builder {
	struct fathom_comm *comm;
	const struct fathom_system_path *place;
	const struct fathom_system_options *options;
	struct fathom_system *system;
	struct fathom_byte_stack *stack;
	struct fathom_list list;
	uint32_t levels;		/* of the place; their records begin the stack */
	uint32_t most_frames;		/* largest number of frames at a time on the way back */
	uint32_t classes_at;		/* offset of the table of classes; only rank 0 keeps it */
	uint32_t classes_bytes;
	int err;			/* -ENOMEM: there is no list, but the others must not wait */
};

static struct level *level_at(const struct builder *b, uint32_t level)
{
	return (struct level *)fathom_byte_stack_at(b->stack, 0) + level;
}

/* --- the part of this process ----------------------------------------------------------------------------------- */

/* Pushes the records of the locations; consecutive numbers form one record. */
static int put_locations(struct builder *b, const struct fathom_classes *classes,
			 const struct fathom_location_label *locations, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		struct fathom_sequence_record record = { .kind = FATHOM_ELEMENT_LOCATION, .copies = 1 }, *last;
		struct fathom_name_pattern title;
		size_t at;

		if (fathom_name_pattern_put(&title, b->stack, &locations[i]))
			return -ENOMEM;
		record.class = (uint16_t)fathom_classes_number(classes, b->stack, FATHOM_ELEMENT_LOCATION,
							       fathom_byte_stack_at(b->stack, title.at));
		record.first = title.number;
		b->stack->used = title.at;
		last = (struct fathom_sequence_record *)fathom_byte_stack_at(b->stack, title.at) - 1;
		if (i && last->class == record.class &&
		    (!title.has_number || last->first + last->copies == record.first)) {
			last->copies++;
			continue;
		}
		at = fathom_byte_stack_push(b->stack, sizeof(record));
		if (at == SIZE_MAX)
			return -ENOMEM;
		memcpy(fathom_byte_stack_at(b->stack, at), &record, sizeof(record));
		b->list.entries++;
		b->list.records++;
	}
	return 0;
}

static int begin_list(struct builder *b, const struct fathom_classes *classes, uint16_t node_classes[],
		      const struct fathom_location_label *locations, uint32_t count)
{
	if (classes->at == SIZE_MAX || fathom_byte_stack_align(b->stack))
		return -ENOMEM;
	for (uint32_t level = 0; level < b->levels; level++)
		node_classes[level] = (uint16_t)fathom_classes_number(classes, b->stack, FATHOM_ELEMENT_NODE,
								      fathom_system_path_class(b->place, level));
	b->list.at = b->stack->used;
	if (put_locations(b, classes, locations, count))
		return -ENOMEM;
	return fathom_list_wrap(b->stack, &b->list, FATHOM_ELEMENT_PROCESS,
				fathom_classes_number(classes, b->stack, FATHOM_ELEMENT_PROCESS, "process"));
}

/* Makes the table of classes together with all ranks, and a list with this process only. *most: the largest number of
 * levels of any path. Returns -errno if comm is broken, and -ENOMEM at all ranks if there is nothing to build. */
static int begin(struct builder *b, const struct fathom_location_label *locations, uint32_t count, uint32_t *most,
		 uint16_t node_classes[])
{
	struct fathom_classes classes = { .at = 0 };
	int err = b->place ? 0 : -ENOMEM, broken;

	*most = b->levels;
	if (!err && fathom_byte_stack_push(b->stack, b->levels * sizeof(struct level)) == SIZE_MAX)
		err = -ENOMEM;
	for (uint32_t level = 0; !err && level < b->levels; level++)
		*level_at(b, level) = (struct level){ .links = { fathom_no_tree_links, fathom_no_tree_links } };
	classes.at = b->stack->used;
	if (!err)
		err = fathom_classes_init(&classes, b->stack, b->place, locations, count);
	broken = fathom_classes_unite(&classes, b->stack, b->comm, &err, most);
	if (broken || err)
		return broken ? broken : err;
	b->err = begin_list(b, &classes, node_classes, locations, count);
	if (b->err)
		return 0;
	if (b->comm->rank == 0) {
		b->classes_at = (uint32_t)classes.at;
		b->classes_bytes = (uint32_t)classes.bytes;
	} else {
		fathom_byte_stack_cut(b->stack, b->levels * sizeof(struct level), b->list.at);
		b->list.at = b->levels * sizeof(struct level);
	}
	return 0;
}

/* --- up ------------------------------------------------------------------------------------------- */

struct head {			/* precedes a list on the way up */
	int32_t err;
	uint32_t entries;
	uint32_t records;
	uint32_t pad;
};

/* Receives a child's list and merges it into ours. count parts are on the stack; one for each entry of the child is
 * added. */
static int receive_list(struct builder *b, int32_t child, bool is_before, uint32_t *count, uint32_t *entries)
{
	struct fathom_list theirs;
	struct head head;
	uint64_t bytes;
	int err;

	*entries = 0;
	if (child < 0)
		return 0;
	err = b->comm->receive(b->comm, child, &head, sizeof(head));
	if (err)
		return err;
	bytes = head.records * sizeof(struct fathom_sequence_record);
	if (head.err && !b->err)
		b->err = head.err;
	if (b->err)
		return head.err ? 0 : fathom_transfer_drop(b->comm, child, bytes);
	theirs.entries = head.entries;
	theirs.records = head.records;
	err = fathom_transfer_receive(b->comm, child, b->stack, bytes, &theirs.at);
	if (err)
		return err;
	if (theirs.at == SIZE_MAX || fathom_list_merge(b->stack, &b->list, *count, &theirs, is_before)) {
		b->err = -ENOMEM;
		return 0;
	}
	*entries = head.entries;
	*count += head.entries;
	return 0;
}

static void need_frames(struct builder *b, uint64_t count)
{
	if (count > b->most_frames)
		b->most_frames = (uint32_t)count;
}

/* Reserves space for the frames of the way back, which must not fail; they will replace the data from `at` on. */
static int reserve_frames(struct builder *b, size_t at)
{
	size_t end = at + b->most_frames * sizeof(struct frame);

	return end <= b->stack->used ? 0 : fathom_byte_stack_reserve(b->stack, end - b->stack->used);
}

/* Moves the list above the data from put_at on. */
static int list_above(struct builder *b, size_t put_at)
{
	size_t bytes;

	if (fathom_byte_stack_align(b->stack))
		return -ENOMEM;
	bytes = b->stack->used - put_at;
	fathom_byte_stack_swap(b->stack, b->list.at, put_at);
	b->list.at += bytes;
	return 0;
}

/* Stores below the list the parts that are above it: those of our list, of the left child's and of the right
 * child's, whose numbers are in counts. */
static int keep_parts(struct builder *b, uint32_t level, uint32_t stage, const uint32_t counts[3])
{
	static const int order[3] = { 1, 2, 0 };
	const uint32_t begins[3] = { 0, counts[0], counts[0] + counts[1] };
	size_t parts_at = b->list.at + b->list.records * sizeof(struct fathom_sequence_record), put_at = b->stack->used;
	int err = fathom_byte_stack_put_number(b->stack, b->list.entries);

	for (uint32_t i = 0; !err && i < 3; i++) {
		err = fathom_byte_stack_put_number(b->stack, counts[order[i]]);
		need_frames(b, (uint64_t)b->list.entries + counts[i]);
	}
	for (uint32_t i = 0; !err && i < 3; i++) {
		for (uint32_t p = 0; !err && p < counts[order[i]]; p++) {
			const struct fathom_part *parts = fathom_byte_stack_at(b->stack, parts_at);
			struct fathom_part part = parts[begins[order[i]] + p];

			err = fathom_byte_stack_put_number(b->stack, part.entry);
			if (!err)
				err = fathom_byte_stack_put_number(b->stack, part.offset);
		}
	}
	if (err)
		return err;
	fathom_byte_stack_cut(b->stack, parts_at, put_at);
	level_at(b, level)->merged_at[stage] = (uint32_t)b->list.at;
	return list_above(b, parts_at);
}

static int send_list(struct builder *b, int32_t parent)
{
	struct head head = { .entries = b->list.entries, .records = b->list.records };
	int err;

	if (!b->err)
		b->err = reserve_frames(b, b->list.at);
	head.err = b->err;
	err = b->comm->send(b->comm, parent, &head, sizeof(head));
	if (!err && !b->err)
		err = fathom_transfer_send(b->comm, parent, fathom_byte_stack_at(b->stack, b->list.at),
				       b->list.records * sizeof(struct fathom_sequence_record));
	if (!b->err)
		b->stack->used = b->list.at;
	return err;
}

/* Merges the lists along a tree. The links are kept in the level of the node. */
static int merge_along(struct builder *b, uint32_t level, uint32_t stage, const struct fathom_tree_links *links)
{
	uint32_t counts[3] = { b->list.entries, 0, 0 }, count = b->list.entries;
	size_t own_at;
	int err;

	if (links->parent < 0 && links->left < 0 && links->right < 0)
		return 0;
	level_at(b, level)->links[stage] = *links;
	if (!b->err) {
		own_at = fathom_byte_stack_push(b->stack, count * sizeof(struct fathom_part));
		if (own_at == SIZE_MAX)
			b->err = -ENOMEM;
		for (uint32_t i = 0; !b->err && i < count; i++)
			((struct fathom_part *)fathom_byte_stack_at(b->stack, own_at))[i] = (struct fathom_part){ i,
														 0 };
	}
	err = receive_list(b, links->left, true, &count, &counts[1]);
	if (!err)
		err = receive_list(b, links->right, false, &count, &counts[2]);
	if (!err && !b->err)
		b->err = keep_parts(b, level, stage, counts);
	if (!err && links->parent >= 0)
		err = send_list(b, links->parent);
	return err;
}

/* Puts the node, which this process represents, above the list. */
static int wrap(struct builder *b, uint32_t level, uint16_t node_class)
{
	size_t put_at = b->stack->used;
	int err = fathom_byte_stack_put_number(b->stack, b->list.entries);
	uint32_t at = 0;

	for (uint32_t i = 0; !err && i < b->list.entries; i++) {
		const struct fathom_sequence_record *records = fathom_byte_stack_at(b->stack, b->list.at);
		struct fathom_span span = fathom_records_span(records, at);
		uint32_t copies = records[at].copies;

		at = fathom_records_end(records, at);
		err = fathom_byte_stack_put_number(b->stack, span.nodes);
		if (!err)
			err = fathom_byte_stack_put_number(b->stack, span.processes);
		if (!err)
			err = fathom_byte_stack_put_number(b->stack, span.locations);
		if (!err)
			err = fathom_byte_stack_put_number(b->stack, copies);
	}
	if (err)
		return err;
	level_at(b, level)->wrapped_at = (uint32_t)b->list.at;
	need_frames(b, b->list.entries);
	err = list_above(b, put_at);
	return err ? err : fathom_list_wrap(b->stack, &b->list, FATHOM_ELEMENT_NODE, node_class);
}

/* Returns the name by which a process is grouped on a level. All processes are in one machine, whatever its name. */
static struct fathom_name name_of(const struct builder *b, uint32_t level)
{
	struct fathom_name name = { .hash_bits = b->options->hash_bits, .salt = (uint32_t)b->comm->rank };

	if (level < b->levels) {
		name.text = b->place->text;
		name.bytes = level ? fathom_system_path_bytes(b->place, level) : 0;
	}
	return name;
}

/* Finds the processes below the same node, and merges their lists. *speaks: this process represents the node. */
static int chain_level(struct builder *b, struct fathom_chain *chain, uint32_t level, bool *speaks)
{
	struct fathom_name name = name_of(b, level);
	struct fathom_chain stretch = *chain, group;
	struct fathom_tree_links links;
	uint64_t position;
	bool is_left, is_right;
	int err = fathom_chain_match(b->comm, chain, &name, &is_left, &is_right);

	if (!err)
		err = fathom_chain_cut(b->comm, &stretch, is_left, is_right, chain, &position);
	if (!err)
		err = fathom_chain_link(b->comm, &stretch, position, &links);
	if (!err && level < b->levels)
		err = merge_along(b, level, 0, &links);
	*speaks = !is_left;
	if (err || !*speaks)
		return err;
	group = *chain;
	err = fathom_chain_split(b->comm, &group, &name, &position);
	if (!err)
		err = fathom_chain_link(b->comm, &group, position, &links);
	if (!err && level < b->levels)
		err = merge_along(b, level, 1, &links);
	*speaks = links.parent < 0;
	return err ? err : fathom_chain_filter(b->comm, chain, *speaks);
}

static int group_level(struct builder *b, struct fathom_comm **depth, uint32_t level, bool *speaks)
{
	struct fathom_name name = name_of(b, level);
	struct fathom_comm *next;
	struct fathom_tree_links links;
	int err = fathom_name_group_link(*depth, &name, b->comm->rank, &links);

	if (err == -ENOMEM) {	/* each process represents itself, to report the error */
		b->err = err;
		links = fathom_no_tree_links;
		err = 0;
	}
	if (!err && level < b->levels)
		err = merge_along(b, level, 0, &links);
	*speaks = links.parent < 0;
	if (!err)
		err = (*depth)->split(*depth, *speaks ? 0 : 1, (*depth)->rank, &next);
	if (err == -ENOMEM) {	/* all processes here know the error; the way back reports it to those below */
		b->err = err;
		*speaks = false;
		return 0;
	}
	if (err)
		return err;
	if (*depth != b->comm)
		(*depth)->close(*depth);
	*depth = next;
	return 0;
}

static int go_up(struct builder *b, uint32_t most, const uint16_t node_classes[])
{
	struct fathom_chain chain = { b->comm->rank - 1, b->comm->rank + 1 < b->comm->size ? b->comm->rank + 1 : -1 };
	struct fathom_comm *depth = b->comm;
	bool speaks = true;
	int err = 0;

	for (uint32_t level = most; !err && speaks && level-- > 0;) {
		if (b->comm->size > 1)
			err = b->options->split == FATHOM_SPLIT_COMM ? group_level(b, &depth, level, &speaks) :
								       chain_level(b, &chain, level, &speaks);
		if (!err && !b->err && speaks && level < b->levels)
			b->err = wrap(b, level, node_classes[level]);
	}
	if (depth != b->comm)
		depth->close(depth);
	return err;
}

/* --- and back ---------------------------------------------------------------------------------------- */

struct answer {			/* precedes frames on the way back */
	int32_t err;
	uint32_t pad;
	struct fathom_span total;
};

/* Pushes the frames of count entries that became parts of the entries at frames_at. Cannot fail: the space is
 * reserved. */
static void put_frames(struct builder *b, size_t frames_at, size_t *parts_at, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++) {
		uint64_t entry = fathom_byte_stack_read_number(b->stack, parts_at);
		uint64_t offset = fathom_byte_stack_read_number(b->stack, parts_at);
		size_t at = fathom_byte_stack_push(b->stack, sizeof(struct frame));
		struct frame *frame = fathom_byte_stack_at(b->stack, at);

		*frame = ((struct frame *)fathom_byte_stack_at(b->stack, frames_at))[entry];
		fathom_span_add(&frame->first, frame->size, offset);
	}
}

/* Sends the answer and the frames on top of the stack to a child. */
static int send_frames(struct builder *b, int32_t child, const struct answer *answer, size_t frames_at)
{
	int err = b->comm->send(b->comm, child, answer, sizeof(*answer));

	if (err || answer->err)
		return err;
	err = fathom_transfer_send(b->comm, child, fathom_byte_stack_at(b->stack, frames_at),
				   b->stack->used - frames_at);
	b->stack->used = frames_at;
	return err;
}

/* Computes the frames of our list from those of the merged list, which are on top or come from the parent. */
static int split_frames(struct builder *b, const struct level *level, int stage, struct answer *answer,
			size_t *frames_at)
{
	const struct fathom_tree_links *links = &level->links[stage];
	size_t at = level->merged_at[stage], top;
	uint64_t counts[4];
	int err = 0;

	if (links->parent >= 0)
		err = b->comm->receive(b->comm, links->parent, answer, sizeof(*answer));
	if (err || answer->err) {
		if (!err && links->left >= 0)
			err = send_frames(b, links->left, answer, 0);
		if (!err && links->right >= 0)
			err = send_frames(b, links->right, answer, 0);
		return err;
	}
	for (int i = 0; i < 4; i++)
		counts[i] = fathom_byte_stack_read_number(b->stack, &at);
	if (links->parent >= 0)
		err = fathom_transfer_receive(b->comm, links->parent, b->stack, counts[0] * sizeof(struct frame),
					  frames_at);
	if (err)
		return err;
	top = b->stack->used;
	for (int side = 0; side < 2 && !err; side++) {
		if (!counts[1 + side])
			continue;
		put_frames(b, *frames_at, &at, counts[1 + side]);
		err = send_frames(b, side ? links->right : links->left, answer, top);
	}
	put_frames(b, *frames_at, &at, counts[3]);
	fathom_byte_stack_cut(b->stack, *frames_at, top);
	return err;
}

/* Replaces the frame of a node on top of the stack by the frames of its list. */
static void open_node(struct builder *b, uint32_t level, size_t at, size_t frames_at)
{
	struct frame frame = *(struct frame *)fathom_byte_stack_at(b->stack, frames_at);
	uint64_t count = fathom_byte_stack_read_number(b->stack, &at);

	b->system->speaks_for[level] = frame.first.nodes;
	frame.first.nodes++;
	b->stack->used = frames_at;
	for (uint64_t i = 0; i < count; i++) {
		uint64_t copies;

		frame.size.nodes = fathom_byte_stack_read_number(b->stack, &at);
		frame.size.processes = fathom_byte_stack_read_number(b->stack, &at);
		frame.size.locations = fathom_byte_stack_read_number(b->stack, &at);
		copies = fathom_byte_stack_read_number(b->stack, &at);
		*(struct frame *)fathom_byte_stack_at(b->stack, fathom_byte_stack_push(b->stack, sizeof(frame))) =
			frame;
		fathom_span_add(&frame.first, frame.size, copies);
	}
}

/* *result: the result that is the same at all ranks. */
static int go_back(struct builder *b, int *result)
{
	struct answer answer = { .err = b->err };
	size_t frames_at = b->stack->used;
	int err = 0;

	if (b->comm->rank == 0 && !b->err) {
		answer.total = fathom_records_span(fathom_byte_stack_at(b->stack, b->list.at), 0);
		frames_at = fathom_byte_stack_push(b->stack, sizeof(struct frame));
		*(struct frame *)fathom_byte_stack_at(b->stack, frames_at) = (struct frame){ .size = answer.total };
	}
	for (uint32_t i = 0; !err && i < b->levels; i++) {
		struct level level = *level_at(b, i);

		if (!answer.err && level.wrapped_at)
			open_node(b, i, level.wrapped_at, frames_at);
		for (int stage = STAGES - 1; stage >= 0 && !err; stage--)
			if (level.links[stage].parent >= 0 || level.links[stage].left >= 0 ||
			    level.links[stage].right >= 0)
				err = split_frames(b, &level, stage, &answer, &frames_at);
	}
	*result = answer.err;
	if (err || answer.err)
		return err;
	b->system->total = answer.total;
	b->system->before = ((struct frame *)fathom_byte_stack_at(b->stack, frames_at))->first;
	b->stack->used = frames_at;
	return 0;
}

/* Makes the sequence at rank 0 of the list in the stack, where space for the classes is reserved. */
static void make_sequence(struct builder *b)
{
	struct fathom_classes classes = { b->classes_at, b->classes_bytes };
	size_t list_at = fathom_byte_stack_push(b->stack, fathom_classes_list(&classes, b->stack,
									      NULL) * sizeof(char *));

	b->system->sequence = (struct fathom_sequence){
		.records = fathom_byte_stack_at(b->stack, b->list.at),
		.count = b->list.records,
		.classes = fathom_byte_stack_at(b->stack, list_at),
		.class_count = fathom_classes_list(&classes, b->stack, fathom_byte_stack_at(b->stack, list_at)),
	};
}

/* Reserves all space that rank 0 still needs, before it reports success to the others. */
static int reserve_end(struct builder *b)
{
	struct fathom_classes classes = { b->classes_at, b->classes_bytes };
	int err = reserve_frames(b, b->stack->used);

	return err ? err : fathom_byte_stack_reserve(b->stack, fathom_classes_list(&classes, b->stack, NULL) *
							  sizeof(char *));
}

int fathom_system_build(struct fathom_system *system, const struct fathom_system_path *place,
			const struct fathom_location_label *locations, uint32_t count, struct fathom_comm *comm,
			const struct fathom_system_options *options)
{
	struct builder b = { .comm = comm, .place = place, .options = options, .system = system,
			     .levels = place ? place->levels : 0 };
	uint16_t node_classes[FATHOM_PATH_LEVELS];
	uint32_t most;
	int err, result = 0;

	memset(system, 0, sizeof(*system));
	memset(system->speaks_for, -1, sizeof(system->speaks_for));
	b.stack = &system->stack;
	fathom_byte_stack_init(b.stack, options->resize, options->resize_context);
	err = begin(&b, locations, count, &most, node_classes);
	if (!err)
		err = go_up(&b, most, node_classes);
	if (!err && !b.err && comm->rank == 0)
		b.err = reserve_end(&b);
	if (!err)
		err = go_back(&b, &result);
	if (!err)
		err = result;
	if (!err && comm->rank == 0)
		make_sequence(&b);
	if (err)
		fathom_system_fini(system);
	return err;
}

void fathom_system_fini(struct fathom_system *system)
{
	fathom_byte_stack_fini(&system->stack);
	system->sequence = (struct fathom_sequence){ .count = 0 };
}
