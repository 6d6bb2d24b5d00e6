#include "tools/common/trace/channel_ends.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "frames/detail_events.h"
#include "tools/common/command.h"

/* Behind a range, so many records are read to find the ends of what began in it. */
enum { LATER_MOST = 4096 };

/* A location whose ends are read. */
struct location_reading {
	struct fathom_end_range *range;
	struct fathom_checkpoint state;
	uint32_t location;
	uint32_t later;			/* records behind the range */
};

/* --- order ----------------------------------------------------------------------------------------------- */

static int compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

int fathom_channel_compare(const struct fathom_channel *a, const struct fathom_channel *b)
{
	int order = compare(a->kind, b->kind);

	if (!order)
		order = compare(a->process, b->process);
	if (!order)
		order = compare(a->comm, b->comm);
	return order ? order : compare(a->tag, b->tag);
}

static int by_channel(const void *a, const void *b)
{
	return fathom_channel_compare(a, b);
}

static int by_begin(const void *a, const void *b)
{
	const struct fathom_numbered_end *left = a, *right = b;
	int order = fathom_channel_compare(&left->channel, &right->channel);
	/* Collective operations are numbered when they end. */
	bool is_collective = left->channel.kind == FATHOM_CHANNEL_COLLECTIVE;

	if (!order && !is_collective)
		order = compare(left->begun, right->begun);
	if (!order)
		order = compare(left->time, right->time);
	return order ? order : compare(left->order, right->order);
}

static int by_number(const void *a, const void *b)
{
	const struct fathom_numbered_end *left = a, *right = b;
	int order = fathom_channel_compare(&left->channel, &right->channel);

	return order ? order : compare(left->channel.count, right->channel.count);
}

/* --- reading --------------------------------------------------------------------------------------------- */

static void add_end(struct location_reading *reading, const struct fathom_channel_end *end)
{
	struct fathom_end_range *range = reading->range;
	struct fathom_numbered_end *added;

	range->ends = fathom_tool_grow(range->ends, range->count, &range->room, sizeof(*range->ends));
	added = &range->ends[range->count];
	*added = (struct fathom_numbered_end){ reading->state.channels[end->channel], end->begun, end->time, end->bytes,
					       reading->location, range->count };
	range->count++;
}

static void take(void *taker, const struct fathom_otf2_event *event)
{
	struct location_reading *reading = taker;
	struct fathom_channel_end end;

	/* What begins behind the range may have to wait for others that began in it, and is of no use. */
	if (fathom_checkpoint_apply(&reading->state, event, &end) && end.begun < reading->range->to)
		add_end(reading, &end);
}

/* Goes on behind the range as long as something that began in it has not ended. */
static bool goes_on(void *taker, uint64_t time)
{
	struct location_reading *reading = taker;

	return time < reading->range->to || (reading->later++ < LATER_MOST &&
	       fathom_checkpoint_is_waiting(&reading->state, reading->range->to));
}

/* Adds the ends of which a checkpoint knows, and how many there were before. */
static void take_state(struct location_reading *reading)
{
	const struct fathom_checkpoint *state = &reading->state;
	struct fathom_end_range *range = reading->range;
	size_t first = range->base_count;

	for (size_t c = 0; c < state->channel_count; c++) {
		range->bases = fathom_tool_grow(range->bases, range->base_count, &range->base_room,
						sizeof(*range->bases));
		range->bases[range->base_count++] = state->channels[c];
	}
	for (size_t i = 0; i < state->recent_count; i++) {
		range->bases[first + state->recent[i].channel].count--;
		add_end(reading, &state->recent[i]);
	}
}

/* Reads the ends of a location. 0 or -errno. */
static int read_location(struct fathom_channel_ends *ends, struct fathom_end_range *range, uint32_t location)
{
	struct location_reading state = { .range = range, .location = location };
	struct fathom_detail_reading reading = {
		.index = ends->index, .location = location, .kinds = FATHOM_DETAIL_CHANNELS,
		.events_left = ends->events_left, .taker = &state, .take = take, .goes_on = goes_on,
	};
	uint32_t number = fathom_detail_checkpoint(ends->index, location, range->from);
	int err;

	fathom_checkpoint_init(&state.state, &ends->index->trace->defs, location, SIZE_MAX);
	err = fathom_detail_state(ends->index, location, number, &state.state);
	if (!err) {
		take_state(&state);
		err = fathom_detail_events_read(&reading, number);
		ends->events_left = reading.events_left;
	}
	fathom_checkpoint_fini(&state.state);
	return err;
}

/* Adds up the bases of the locations of a process. */
static void join_bases(struct fathom_end_range *range)
{
	size_t kept = 0;

	if (range->base_count)
		qsort(range->bases, range->base_count, sizeof(*range->bases), by_channel);
	for (size_t i = 0; i < range->base_count; i++) {
		if (kept && !fathom_channel_compare(&range->bases[kept - 1], &range->bases[i]))
			range->bases[kept - 1].count += range->bases[i].count;
		else
			range->bases[kept++] = range->bases[i];
	}
	range->base_count = kept;
}

static void number_ends(struct fathom_end_range *range)
{
	uint64_t number = 0;

	if (range->count)
		qsort(range->ends, range->count, sizeof(*range->ends), by_begin);
	for (size_t i = 0; i < range->count; i++) {
		struct fathom_channel *channel = &range->ends[i].channel;

		if (!i || fathom_channel_compare(channel, &range->ends[i - 1].channel))
			number = fathom_end_range_base(range, channel);
		channel->count = number++;
	}
}

uint64_t fathom_end_range_base(const struct fathom_end_range *range, const struct fathom_channel *channel)
{
	const struct fathom_channel *base = range->base_count ?
		bsearch(channel, range->bases, range->base_count, sizeof(*range->bases), by_channel) : NULL;

	return base ? base->count : 0;
}

const struct fathom_end_range *fathom_channel_ends_read(struct fathom_channel_ends *ends, uint32_t number,
							uint64_t from, uint64_t to)
{
	struct fathom_end_process *process = &ends->processes[number];
	struct fathom_end_range *range;

	process->ranges = fathom_tool_grow(process->ranges, process->range_count, &process->range_room,
					   sizeof(*process->ranges));
	range = &process->ranges[process->range_count++];
	*range = (struct fathom_end_range){ .from = from, .to = to };
	for (size_t i = 0; i < process->location_count && !ends->err; i++)
		ends->err = read_location(ends, range, process->locations[i]);
	join_bases(range);
	number_ends(range);
	return range;
}

/* --- searching ------------------------------------------------------------------------------------------- */

/* Returns how many ends on a channel a process had, of which no earlier one is missing, at the last checkpoints before
 * a time. */
static uint64_t count_at(const struct fathom_channel_ends *ends, const struct fathom_end_process *process,
			 const struct fathom_channel *channel, uint64_t time)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < process->location_count; i++) {
		const struct fathom_frame_location *location = &ends->index->locations[process->locations[i]];
		uint32_t number = fathom_detail_checkpoint(ends->index, process->locations[i], time);

		if (number)
			sum += fathom_checkpoint_count(fathom_frame_file_record(&ends->index->file,
						       location->checkpoints[number - 1].at), channel);
	}
	return sum;
}

/* Returns the last time from which on the end with a number is read, if there is one. */
static uint64_t find_time(const struct fathom_channel_ends *ends, const struct fathom_end_process *process,
			  const struct fathom_channel *channel)
{
	uint64_t low = UINT64_MAX, high = 0;

	for (size_t i = 0; i < process->location_count; i++) {
		const struct fathom_frame_location *location = &ends->index->locations[process->locations[i]];

		low = location->begin < low ? location->begin : low;
		high = location->end + 2 > high ? location->end + 2 : high;
	}
	while (high > low && high - low > 1) {
		uint64_t middle = low + (high - low) / 2;

		if (count_at(ends, process, channel, middle) <= channel->count)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* Returns the next time at which a location of the process has a checkpoint, or a time behind all events. */
static uint64_t find_end(const struct fathom_channel_ends *ends, const struct fathom_end_process *process,
			 uint64_t time)
{
	uint64_t end = 0;

	for (size_t i = 0; i < process->location_count; i++) {
		const struct fathom_frame_location *location = &ends->index->locations[process->locations[i]];
		uint32_t next = fathom_detail_checkpoint(ends->index, process->locations[i], time);
		uint64_t at = next < location->checkpoint_count ? location->checkpoints[next].time : location->end;

		end = at > end ? at : end;
	}
	return end + 1;
}

static const struct fathom_numbered_end *find_in(const struct fathom_end_range *range,
						 const struct fathom_channel *channel)
{
	struct fathom_numbered_end key = { .channel = *channel };

	return range->count ? bsearch(&key, range->ends, range->count, sizeof(*range->ends), by_number) : NULL;
}

const struct fathom_numbered_end *fathom_channel_ends_find(struct fathom_channel_ends *ends, uint32_t number,
							   const struct fathom_channel *channel)
{
	struct fathom_end_process *process = &ends->processes[number];
	const struct fathom_numbered_end *found = NULL;
	uint64_t from, to;

	for (size_t i = 0; i < process->range_count && !found; i++)
		found = find_in(&process->ranges[i], channel);
	if (found || ends->err || !process->location_count)
		return found;
	from = find_time(ends, process, channel);
	to = find_end(ends, process, from);
	for (size_t i = 0; i < process->range_count; i++)
		if (process->ranges[i].from <= from && process->ranges[i].to >= to)
			return NULL;
	return find_in(fathom_channel_ends_read(ends, number, from, to), channel);
}

/* --- begin and end --------------------------------------------------------------------------------------- */

void fathom_channel_ends_init(struct fathom_channel_ends *ends, struct fathom_frame_index *index, uint64_t most_events)
{
	*ends = (struct fathom_channel_ends){ .index = index, .events_left = most_events };
	ends->process_count = fathom_otf2_count(&index->trace->defs, FATHOM_OTF2_PROCESS);
	ends->processes = fathom_tool_alloc(ends->process_count + 1, sizeof(*ends->processes));
	for (uint32_t l = 0; l < index->location_count; l++) {
		const struct fathom_otf2_location *location =
			fathom_otf2_at(&index->trace->defs, FATHOM_OTF2_LOCATION, l);
		struct fathom_byte_cursor cursor = index->locations[l].preview;
		struct fathom_preview preview = { .begin = 0 };
		struct fathom_end_process *process;

		if (!index->locations[l].level || location->process >= ends->process_count ||
		    !fathom_preview_read(&preview, &cursor, index->paths.count) ||
		    !(preview.marks & FATHOM_DETAIL_CHANNELS))
			continue;
		process = &ends->processes[location->process];
		process->locations = fathom_tool_grow(process->locations, process->location_count,
						      &process->location_room, sizeof(*process->locations));
		process->locations[process->location_count++] = l;
	}
}

void fathom_channel_ends_fini(struct fathom_channel_ends *ends)
{
	for (size_t p = 0; p < ends->process_count; p++) {
		struct fathom_end_process *process = &ends->processes[p];

		for (size_t i = 0; i < process->range_count; i++) {
			free(process->ranges[i].ends);
			free(process->ranges[i].bases);
		}
		free(process->ranges);
		free(process->locations);
	}
	free(ends->processes);
	memset(ends, 0, sizeof(*ends));
}
