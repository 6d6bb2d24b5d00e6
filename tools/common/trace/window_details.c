#include "tools/common/trace/window_details.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "frames/frame_window.h"
#include "tools/common/command.h"
#include "tools/common/trace/channel_ends.h"
#include "tools/common/trace/window_curves.h"

/* So many events are read for the messages and operations of a window. If a window has more messages than this many
 * times those that may be shown, they are not read at all. */
enum { EVENTS_MOST = 6000000, TOO_MANY = 4 };

struct window {
	struct fathom_trace_details *details;
	struct fathom_channel_ends ends;
	uint64_t from, to;
	const struct fathom_window_limits *limits;
	uint32_t *processes;		/* those with rows */
	size_t process_count;
	bool *is_shown;			/* by process */
};

/* --- messages -------------------------------------------------------------------------------------------- */

static void add_line(struct window *window, const struct fathom_numbered_end *send,
		     const struct fathom_numbered_end *receive)
{
	struct fathom_message_lines *messages = &window->details->messages;
	int32_t from_row, to_row;

	if (!send || !receive)
		return;
	from_row = window->details->rows[send->location];
	to_row = window->details->rows[receive->location];
	if (from_row < 0 || to_row < 0)
		return;
	messages->lines = fathom_tool_grow(messages->lines, messages->count, &messages->line_room,
					   sizeof(*messages->lines));
	messages->lines[messages->count++] = (struct fathom_message_line){
		(uint32_t)from_row, (uint32_t)to_row, send->time, receive->time, send->bytes };
}

/* Returns the end of the same message on the other side; NULL: it is not known, or has no row. */
static const struct fathom_numbered_end *other_end(struct window *window, uint32_t process,
						   const struct fathom_channel *channel)
{
	struct fathom_channel other = *channel;

	other.kind = channel->kind == FATHOM_CHANNEL_SEND ? FATHOM_CHANNEL_RECEIVE : FATHOM_CHANNEL_SEND;
	other.process = process;
	if (channel->process >= window->ends.process_count || !window->is_shown[channel->process])
		return NULL;
	return fathom_channel_ends_find(&window->ends, channel->process, &other);
}

static bool is_inside(const struct window *window, uint64_t time)
{
	return time >= window->from && time < window->to;
}

/* Adds the messages of which a process has an end in the window. */
static void add_messages(struct window *window, uint32_t process)
{
	/* Searching may add ranges, so the address of the first one changes; its ends stay where they are. */
	const struct fathom_end_range range = window->ends.processes[process].ranges[0];

	for (size_t i = 0; i < range.count && !window->ends.err; i++) {
		const struct fathom_numbered_end *end = &range.ends[i], *other;

		if (end->channel.kind == FATHOM_CHANNEL_COLLECTIVE || !is_inside(window, end->time))
			continue;
		other = other_end(window, process, &end->channel);
		if (end->channel.kind == FATHOM_CHANNEL_SEND)
			add_line(window, end, other);
		else if (other && !is_inside(window, other->time))
			add_line(window, other, end);
	}
}

/* Adds the messages of a channel of which a process had its end before the window, done of them, and the other process
 * has its end behind the window. The clocks of traces are not exact, so a receive may be the first end. */
static void add_crossing(struct window *window, uint32_t process, const struct fathom_channel *channel, uint64_t done)
{
	struct fathom_channel other = *channel, own = *channel;
	uint64_t n;

	if (channel->process >= window->ends.process_count || !window->is_shown[channel->process])
		return;
	other.kind = channel->kind == FATHOM_CHANNEL_SEND ? FATHOM_CHANNEL_RECEIVE : FATHOM_CHANNEL_SEND;
	other.process = process;
	n = fathom_end_range_base(&window->ends.processes[channel->process].ranges[0], &other);
	if (done > n + window->limits->messages * TOO_MANY)	/* most of them are never received */
		n = done - window->limits->messages * TOO_MANY;
	for (; n < done && !window->ends.err; n++) {
		const struct fathom_numbered_end *last, *first;

		other.count = own.count = n;
		last = fathom_channel_ends_find(&window->ends, channel->process, &other);
		if (!last || last->time < window->to)
			continue;
		first = fathom_channel_ends_find(&window->ends, process, &own);
		if (first && first->time < window->from)
			add_line(window, own.kind == FATHOM_CHANNEL_SEND ? first : last,
				 own.kind == FATHOM_CHANNEL_SEND ? last : first);
	}
}

/* Adds the messages that cross the whole window, of which a process had the first end. */
static void add_all_crossing(struct window *window, uint32_t process)
{
	/* Searching may add ranges, as above. */
	const struct fathom_end_range range = window->ends.processes[process].ranges[0];
	size_t base = 0, end = 0;

	/* Both lists are in the order of channels. */
	while ((base < range.base_count || end < range.count) && !window->ends.err) {
		struct fathom_channel channel;
		uint64_t done;

		if (base < range.base_count && (end == range.count ||
		    fathom_channel_compare(&range.bases[base], &range.ends[end].channel) <= 0))
			channel = range.bases[base];
		else
			channel = range.ends[end].channel;
		done = fathom_end_range_base(&range, &channel);
		if (base < range.base_count && !fathom_channel_compare(&range.bases[base], &channel))
			base++;
		for (; end < range.count && !fathom_channel_compare(&range.ends[end].channel, &channel); end++)
			if (range.ends[end].time < window->from)
				done = range.ends[end].channel.count + 1;
		if (channel.kind != FATHOM_CHANNEL_COLLECTIVE)
			add_crossing(window, process, &channel, done);
	}
}

static int by_send(const void *a, const void *b)
{
	const struct fathom_message_line *left = a, *right = b;

	return left->send < right->send ? -1 : left->send > right->send;
}

static void find_messages(struct window *window)
{
	struct fathom_message_lines *messages = &window->details->messages;

	for (size_t p = 0; p < window->process_count; p++) {
		add_messages(window, window->processes[p]);
		add_all_crossing(window, window->processes[p]);
	}
	if (messages->count)
		qsort(messages->lines, messages->count, sizeof(*messages->lines), by_send);
}

/* --- collective operations ------------------------------------------------------------------------------- */

static int by_operation(const void *a, const void *b)
{
	const struct fathom_channel *left = a, *right = b;

	if (left->comm != right->comm)
		return left->comm < right->comm ? -1 : 1;
	return left->count < right->count ? -1 : left->count > right->count;
}

/* Adds the parts of all processes with rows in an operation. */
static void add_members(struct window *window, const struct fathom_channel *operation)
{
	struct fathom_collective_lines *lines = &window->details->collectives;
	struct fathom_otf2_defs *defs = &window->details->trace->defs;
	struct fathom_otf2_comm *comm = (void *)fathom_otf2_find(defs, FATHOM_OTF2_COMM, operation->comm);
	int64_t index = fathom_otf2_index(defs, FATHOM_OTF2_COMM, operation->comm);

	for (size_t p = 0; comm && p < window->process_count && !window->ends.err; p++) {
		const struct fathom_numbered_end *end;

		if (fathom_otf2_comm_process(defs, comm, window->processes[p]) < 0)
			continue;
		end = fathom_channel_ends_find(&window->ends, window->processes[p], operation);
		if (!end || window->details->rows[end->location] < 0)
			continue;
		lines->members = fathom_tool_grow(lines->members, lines->count, &lines->room, sizeof(*lines->members));
		lines->members[lines->count++] = (struct fathom_collective_member){
			(uint32_t)index, (uint32_t)operation->count, (uint32_t)window->details->rows[end->location],
			end->begun, end->time };
	}
}

static void find_collectives(struct window *window)
{
	struct fathom_channel *operations = NULL;
	size_t count = 0, room = 0;

	for (size_t p = 0; p < window->process_count; p++) {
		const struct fathom_end_range *range = &window->ends.processes[window->processes[p]].ranges[0];

		for (size_t i = 0; i < range->count; i++) {
			const struct fathom_numbered_end *end = &range->ends[i];

			if (end->channel.kind != FATHOM_CHANNEL_COLLECTIVE || end->begun >= window->to ||
			    end->time < window->from)
				continue;
			operations = fathom_tool_grow(operations, count, &room, sizeof(*operations));
			operations[count++] = end->channel;
		}
	}
	if (count)
		qsort(operations, count, sizeof(*operations), by_operation);
	for (size_t i = 0; i < count; i++)
		if (!i || by_operation(&operations[i - 1], &operations[i]))
			add_members(window, &operations[i]);
	free(operations);
	fathom_collective_lines_sort(&window->details->collectives);
}

/* --- the window ------------------------------------------------------------------------------------------ */

/* Decides by the sums of the window whether messages and operations are read. 0 or -errno. */
static int look_at_sums(struct window *window, struct fathom_frame_index *index,
			const struct fathom_trace_picture *picture)
{
	struct fathom_trace_details *details = window->details;
	struct fathom_tally sum = { 0 };
	int err = 0;

	for (uint32_t r = 0; r < picture->row_count && !err; r++)
		err = fathom_frame_window_sum(index, picture->locations[r], window->from, window->to, &sum);
	details->messages.has_too_many = sum.counts.sends > window->limits->messages * TOO_MANY ||
					 sum.counts.receives > window->limits->messages * TOO_MANY;
	details->collectives.has_too_many = sum.counts.collectives > window->limits->members * TOO_MANY;
	fathom_tally_fini(&sum);
	return err;
}

/* Chooses the processes of the rows. */
static void choose_processes(struct window *window, const struct fathom_trace_picture *picture)
{
	window->processes = fathom_tool_alloc(picture->row_count + (size_t)1, sizeof(*window->processes));
	window->is_shown = fathom_tool_alloc(window->ends.process_count + 1, sizeof(*window->is_shown));
	for (uint32_t r = 0; r < picture->row_count; r++) {
		const struct fathom_otf2_location *location = fathom_otf2_at(&window->details->trace->defs,
			FATHOM_OTF2_LOCATION, picture->locations[r]);

		if (!location || location->process >= window->ends.process_count ||
		    window->is_shown[location->process])
			continue;
		window->is_shown[location->process] = true;
		window->processes[window->process_count++] = location->process;
	}
}

/* Finds messages and collective operations. 0 or -errno. */
static int find_channels(struct window *window, struct fathom_frame_index *index,
			 const struct fathom_trace_picture *picture)
{
	struct fathom_trace_details *details = window->details;
	int err = look_at_sums(window, index, picture);

	if (err || (details->messages.has_too_many && details->collectives.has_too_many))
		return err;
	fathom_channel_ends_init(&window->ends, index, EVENTS_MOST);
	choose_processes(window, picture);
	for (size_t p = 0; p < window->process_count && !window->ends.err; p++)
		fathom_channel_ends_read(&window->ends, window->processes[p], window->from, window->to);
	if (!window->ends.err && !details->messages.has_too_many)
		find_messages(window);
	if (!window->ends.err && !details->collectives.has_too_many)
		find_collectives(window);
	err = window->ends.err;
	fathom_channel_ends_fini(&window->ends);
	free(window->processes);
	free(window->is_shown);
	if (err != -E2BIG)
		return err;
	details->messages.count = details->collectives.count = 0;
	details->messages.has_too_many = details->collectives.has_too_many = true;
	return 0;
}

void fathom_window_details_read(struct fathom_trace_details *details, struct fathom_frame_index *index,
				const struct fathom_trace_picture *picture, uint64_t from, uint64_t to,
				const struct fathom_window_limits *limits)
{
	struct window window = { .details = details, .from = from, .to = to, .limits = limits };
	int err = 0;

	fathom_trace_details_begin(details, index->trace, picture);
	if (limits->has_channels)
		err = find_channels(&window, index, picture);
	if (!err && limits->has_curves)
		err = fathom_window_curves_read(&details->curves, index, picture, from, to, limits->columns);
	details->is_known = !err;
	if (err)
		fathom_trace_details_fini(details);
}
