#include "callgraphs/graph_builder.h"

#include <stdlib.h>

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

void fathom_graph_builder_add(struct fathom_graph_builder *builder, uint64_t gap, uint32_t number, bool is_call,
			      uint64_t duration)
{
	builder->items = fathom_otf2_memory_grow(builder->items, builder->item_count, &builder->item_room,
						 sizeof(*builder->items));
	builder->items[builder->item_count++] = (struct fathom_graph_item){ gap, number, is_call };
	fathom_graph_builder_top(builder)->duration += gap + duration;
}

uint32_t fathom_graph_builder_close(struct fathom_graph_builder *builder, uint32_t leave, uint64_t gap)
{
	const struct fathom_graph_frame *frame = fathom_graph_builder_top(builder);
	const struct fathom_graph_node node = {
		.enter = frame->enter, .leave = leave, .duration = frame->duration + gap,
		.count = (uint32_t)(builder->item_count - frame->first),
	};
	uint32_t number = fathom_call_graph_node(builder->graph, &node, builder->items + frame->first);

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
