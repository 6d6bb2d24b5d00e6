#include "callgraphs/graph_builder.h"

#include <stdlib.h>

#include "callgraphs/list_search.h"
#include "otf2/memory.h"

struct fathom_graph_frame *fathom_graph_builder_top(struct fathom_graph_builder *builder)
{
	return &builder->frames[builder->frame_count - 1];
}

struct fathom_graph_frame *fathom_graph_builder_open(struct fathom_graph_builder *builder, uint32_t enter)
{
	struct fathom_graph_frame *frame;

	builder->frames = fathom_otf2_memory_grow(builder->frames, builder->frame_count, &builder->frame_room,
						  sizeof(*builder->frames));
	frame = &builder->frames[builder->frame_count++];
	*frame = (struct fathom_graph_frame){ .enter = enter, .first = builder->item_count };
	return frame;
}

/* Makes lists of items of the innermost call, which has items, that repeat. */
static void find_lists(struct fathom_graph_builder *builder)
{
	struct fathom_graph_frame *frame = fathom_graph_builder_top(builder);
	struct fathom_open_items open = { builder->items + frame->first, builder->item_count - frame->first,
					  frame->last_list };

	fathom_list_search(builder->graph, &open);
	builder->item_count = frame->first + open.count;
	frame->last_list = open.last_list;
}

void fathom_graph_builder_add(struct fathom_graph_builder *builder, uint64_t gap, uint32_t number, bool is_call,
			      uint64_t duration)
{
	struct fathom_graph_frame *frame = fathom_graph_builder_top(builder);

	frame->duration += gap + duration;
	if (builder->item_count > frame->first) {
		struct fathom_graph_item *last = &builder->items[builder->item_count - 1];

		if (last->gap == gap && last->number == number && last->is_call == is_call &&
		    last->count < UINT32_MAX) {
			last->count++;
			return;
		}
		if (builder->finds_lists)
			find_lists(builder);
	}
	builder->items = fathom_otf2_memory_grow(builder->items, builder->item_count, &builder->item_room,
						 sizeof(*builder->items));
	builder->items[builder->item_count++] = (struct fathom_graph_item){ gap, number, is_call, 1 };
}

bool fathom_graph_builder_repeat(struct fathom_graph_builder *builder, uint64_t count)
{
	struct fathom_graph_frame *frame = fathom_graph_builder_top(builder);
	struct fathom_graph_item *last;

	if (builder->item_count == frame->first)
		return false;
	last = &builder->items[builder->item_count - 1];
	if (count > UINT32_MAX - last->count)
		return false;
	last->count += (uint32_t)count;
	frame->duration += count * fathom_graph_item_ticks(builder->graph, last);
	return true;
}

uint32_t fathom_graph_builder_close(struct fathom_graph_builder *builder, uint32_t leave, uint64_t gap)
{
	const struct fathom_graph_frame *frame = fathom_graph_builder_top(builder);
	struct fathom_graph_node node = { .enter = frame->enter, .leave = leave, .duration = frame->duration + gap };
	uint32_t number;

	if (builder->finds_lists && builder->item_count > frame->first)
		find_lists(builder);
	node.count = (uint32_t)(builder->item_count - frame->first);
	number = fathom_call_graph_node(builder->graph, &node, builder->items + frame->first);
	builder->item_count = frame->first;
	builder->frame_count--;
	return number;
}

void fathom_graph_builder_free(struct fathom_graph_builder *builder)
{
	free(builder->frames);
	free(builder->items);
	*builder = (struct fathom_graph_builder){ 0 };
}
