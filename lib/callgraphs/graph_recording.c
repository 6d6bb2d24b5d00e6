#include "callgraphs/graph_recording.h"

#include <stdlib.h>

#include "otf2/memory.h"

/* --- approximation ----------------------------------------------------------------------------------- */

uint64_t fathom_graph_round_number(uint64_t low, uint64_t high, uint64_t wanted)
{
	uint64_t step, below, above;
	unsigned zeros;

	for (zeros = 63; zeros > 0; zeros--) {
		step = 1ull << zeros;
		if ((high & ~(step - 1)) >= low && high >= step)
			break;
	}
	step = 1ull << zeros;
	below = wanted & ~(step - 1);
	above = below + step;
	if (below < low)
		below = (low + step - 1) & ~(step - 1);
	if (above < below || above > high)
		return below <= high ? below : high & ~(step - 1);
	if (above < low || below > high)
		return high & ~(step - 1);
	return wanted - below <= above - wanted ? below : above;
}

static uint64_t scaled(uint64_t ticks, double share)
{
	double result = (double)ticks * share;

	return result < 1.8e19 ? (uint64_t)result : UINT64_MAX;
}

/*
 * Returns the time between the last item of the innermost call and what follows, which begins at the true time time and
 * whose events deviate by deviation, as seen from its begin.
 */
static uint64_t gap_before(struct fathom_graph_recording *recording, uint64_t time, uint64_t deviation)
{
	struct fathom_graph_frame *frame = fathom_graph_builder_top(&recording->builder);
	const struct fathom_graph_bounds *bounds = &recording->builder.graph->bounds;
	uint64_t true_gap = time - frame->end, position = time - frame->begin, gap = true_gap, low, high, wanted;

	wanted = position > frame->duration ? position - frame->duration : 0;
	if (bounds->ticks) {
		uint64_t slack = (bounds->ticks - deviation) / 2;

		high = wanted;		/* an approximated time is never later than the true one */
		low = high > slack ? high - slack : 0;
		gap = low ? fathom_graph_round_number(low, high, high) : 0;
	} else if (bounds->share > 0) {
		high = true_gap + scaled(true_gap, bounds->share);
		low = true_gap - scaled(true_gap, bounds->share);
		gap = fathom_graph_round_number(low, high, wanted < low ? low : wanted > high ? high : wanted);
	}
	position -= frame->duration + gap;	/* the deviation; modulo 2^64 */
	if ((int64_t)position < 0)
		position = 0 - position;
	if (frame->deviation < position + deviation)
		frame->deviation = position + deviation;
	return gap;
}

/* --- calls ------------------------------------------------------------------------------------------- */

static void open_call(struct fathom_graph_recording *recording, uint32_t enter, uint64_t time)
{
	struct fathom_graph_frame *frame = fathom_graph_builder_open(&recording->builder, enter);

	frame->begin = frame->end = time;
}

static void add_record(struct fathom_graph_recording *recording, uint32_t record, uint64_t time)
{
	fathom_graph_builder_add(&recording->builder, gap_before(recording, time, 0), record, false, 0);
	fathom_graph_builder_top(&recording->builder)->end = time;
}

/* Ends the innermost call at that time, and adds it to the call around it. Returns its node. */
static uint32_t close_call(struct fathom_graph_recording *recording, uint32_t leave, uint64_t time)
{
	struct fathom_graph_builder *builder = &recording->builder;
	uint64_t gap = leave ? gap_before(recording, time, 0) : 0;
	struct fathom_graph_frame frame = *fathom_graph_builder_top(builder);
	uint32_t node = fathom_graph_builder_close(builder, leave, gap);

	if (builder->frame_count) {
		gap = gap_before(recording, frame.begin, frame.deviation);
		fathom_graph_builder_add(builder, gap, node, true, builder->graph->nodes[node].duration);
		fathom_graph_builder_top(builder)->end = leave ? time : frame.end;
		recording->calls++;
	} else if (builder->graph->bounds.most < frame.deviation) {
		builder->graph->bounds.most = frame.deviation;
	}
	return node;
}

/* Returns whether a leave ends the innermost call: they name the same region or calling context. */
static bool ends_call(const struct fathom_graph_recording *recording, const struct fathom_otf2_event *event)
{
	const struct fathom_graph_builder *builder = &recording->builder;
	const struct fathom_graph_frame *frame = &builder->frames[builder->frame_count - 1];
	enum fathom_record enters = event->kind == FATHOM_RECORD_LEAVE ? FATHOM_RECORD_ENTER :
				    FATHOM_RECORD_CALLING_CONTEXT_ENTER;

	return builder->frame_count > 1 && fathom_graph_record_kind(builder->graph, frame->enter) == enters &&
	       fathom_graph_record_ref(builder->graph, frame->enter) == event->ref;
}

void fathom_graph_recording_begin(struct fathom_graph_recording *recording, struct fathom_call_graph *graph,
				  uint64_t location, bool has_clock_offsets)
{
	*recording = (struct fathom_graph_recording){ .builder = { .graph = graph, .finds_lists = true },
						      .location = { .id = location,
								    .has_clock_offsets = has_clock_offsets } };
	fathom_content_state_init(&recording->state);
}

void fathom_graph_recording_take(struct fathom_graph_recording *recording, const struct fathom_otf2_event *event)
{
	uint32_t record;

	if (!recording->builder.frame_count) {
		open_call(recording, 0, event->time);
		recording->location.begin = event->time;
	}
	recording->location.events++;
	recording->time = event->time;
	fathom_content_make(&recording->state, &recording->numbers, event);
	record = fathom_call_graph_record(recording->builder.graph, recording->numbers.numbers,
					  recording->numbers.count);
	if (event->kind == FATHOM_RECORD_ENTER || event->kind == FATHOM_RECORD_CALLING_CONTEXT_ENTER)
		open_call(recording, record, event->time);
	else if ((event->kind == FATHOM_RECORD_LEAVE || event->kind == FATHOM_RECORD_CALLING_CONTEXT_LEAVE) &&
		 ends_call(recording, event))
		close_call(recording, record, event->time);
	else
		add_record(recording, record, event->time);
}

void fathom_graph_recording_end(struct fathom_graph_recording *recording)
{
	struct fathom_call_graph *graph = recording->builder.graph;

	if (!recording->builder.frame_count)
		open_call(recording, 0, 0);
	while (recording->builder.frame_count)
		recording->location.root = close_call(recording, 0, recording->time);
	graph->locations = fathom_otf2_memory_grow(graph->locations, graph->location_count, &graph->location_room,
						   sizeof(*graph->locations));
	graph->locations[graph->location_count++] = recording->location;
	fathom_graph_builder_free(&recording->builder);
	fathom_content_state_fini(&recording->state);
	free(recording->numbers.numbers);
	recording->numbers.numbers = NULL;
}
