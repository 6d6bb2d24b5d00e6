#include "waits/matching/posting_order.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct fathom_waits_channel *fathom_waits_channel_at(struct fathom_waits_channels *channels, uint64_t key)
{
	uint64_t *found = fathom_waits_key_add(&channels->table, key, channels->count);

	if (!found)
		return NULL;
	if (*found < channels->count)
		return &channels->channels[*found];
	if (channels->count == channels->room) {
		uint32_t room = channels->room ? 2 * channels->room : 64;
		struct fathom_waits_channel *larger = realloc(channels->channels, room * sizeof(*larger));

		if (!larger) {
			fathom_waits_key_remove(&channels->table, key);
			return NULL;
		}
		channels->channels = larger;
		channels->room = room;
	}
	memset(&channels->channels[channels->count], 0, sizeof(*channels->channels));
	return &channels->channels[channels->count++];
}

void fathom_waits_channels_fini(struct fathom_waits_channels *channels)
{
	for (uint32_t c = 0; c < channels->count; c++) {
		free(channels->channels[c].begun);
		free(channels->channels[c].is_taken);
	}
	free(channels->channels);
	fathom_waits_key_fini(&channels->table);
	fathom_waits_key_fini(&channels->cancelled);
}

/* Returns false if a part of this kind completes nothing that is matched. */
static inline bool may_complete(const struct fathom_waits_part *part)
{
	const uint32_t kinds = 1 << FATHOM_WAITS_RECEIVE | 1 << FATHOM_WAITS_NEIGHBOR_IN |
			       1 << FATHOM_WAITS_COLLECTIVE | 1 << FATHOM_WAITS_INIT | 1 << FATHOM_WAITS_FINALIZE |
			       1 << FATHOM_WAITS_RMA;

	return kinds >> part->kind & 1;
}

uint64_t fathom_waits_receive_key(const struct fathom_waits_process *process, const struct fathom_waits_part *part)
{
	const struct fathom_waits_communicator *comm;
	uint64_t identity;

	if (!may_complete(part))
		return 0;
	comm = fathom_waits_communicator_of(process, part);
	if (!comm)
		return 0;
	identity = comm->identity;
	switch (part->kind) {
	case FATHOM_WAITS_RECEIVE:
		return fathom_waits_channel_key(FATHOM_WAITS_CHANNEL_MESSAGES, identity, part->peer, process->rank,
						part->tag);
	case FATHOM_WAITS_NEIGHBOR_IN:
		return fathom_waits_channel_key(FATHOM_WAITS_CHANNEL_NEIGHBORS, identity, part->peer, process->rank, 0);
	case FATHOM_WAITS_COLLECTIVE:
		return fathom_waits_channel_key(FATHOM_WAITS_CHANNEL_COLLECTIVES, identity, 0, process->rank, 0);
	case FATHOM_WAITS_INIT:
	case FATHOM_WAITS_FINALIZE:
		/* They are not counted with the others: the log of a process may be without MPI_Init, where a filter
		 * excludes it. */
		return fathom_waits_channel_key(FATHOM_WAITS_CHANNEL_COLLECTIVES, identity, 0, process->rank,
						part->kind);
	case FATHOM_WAITS_RMA:
		if (part->tag == FATHOM_WAITS_RMA_START)
			return fathom_waits_channel_key(FATHOM_WAITS_CHANNEL_POST, identity, part->peer, process->rank,
							0);
		if (part->tag == FATHOM_WAITS_RMA_WAIT)
			return fathom_waits_channel_key(FATHOM_WAITS_CHANNEL_COMPLETE, identity, part->peer,
							process->rank, 0);
		if (part->tag == FATHOM_WAITS_RMA_FENCE || part->tag == FATHOM_WAITS_RMA_CREATE ||
		    part->tag == FATHOM_WAITS_RMA_FREE)
			return fathom_waits_channel_key(FATHOM_WAITS_CHANNEL_COLLECTIVES, identity, 0, process->rank,
							0);
		return 0;
	default:
		return 0;
	}
}

/* --- the first pass ------------------------------------------------------------------------------------ */

int fathom_waits_visit_process(struct fathom_waits_state *state, struct fathom_waits_process_state *process,
			       uint64_t most, fathom_waits_visit *visit, void *context)
{
	uint64_t visited = 0;

	while (visited < most) {
		struct fathom_waits_location_state *earliest = NULL;
		uint64_t begin = 0, limit = UINT64_MAX;

		/* The location with the earliest operation is visited up to the earliest one of the others. */
		for (uint32_t t = 0; t < process->process->location_count; t++) {
			struct fathom_waits_location_state *location = &state->locations[process->first_location + t];
			const struct fathom_waits_location *log = location->location;
			uint64_t next;

			while (location->next < log->count && !fathom_waits_is_operation(log, location->next))
				location->next++;
			if (location->next >= log->count)
				continue;
			next = log->records[location->next].operation.begin;
			if (!earliest || next < begin) {
				if (earliest)
					limit = begin;
				earliest = location;
				begin = next;
			} else if (next < limit) {
				limit = next;
			}
		}
		if (!earliest)
			return 0;
		do {
			const struct fathom_waits_location *log = earliest->location;
			int err = visit(context, earliest, earliest->next);

			if (err)
				return err;
			visited++;
			do
				earliest->next++;
			while (earliest->next < log->count && !fathom_waits_is_operation(log, earliest->next));
		} while (visited < most && earliest->next < earliest->location->count &&
			 earliest->location->records[earliest->next].operation.begin <= limit);
	}
	return 0;
}

/*
 * What a pass over the logs finds out. Mostly all that a process completes was begun in the same order, whatever the
 * channel; then the first pass is the only one, and needs no channels.
 */
enum pass {
	OVER_PROCESSES,		/* is something completed that was begun before what was completed last? */
	OVER_CHANNELS,		/* which channels are unordered? */
	OVER_BEGINS,		/* the begins of all operations of unordered channels */
};

struct order {
	struct fathom_waits_channels *channels;
	struct fathom_waits_state *state;
	enum pass pass;
	uint32_t process;		/* index */
	uint64_t last_begun;		/* in this process, as in struct fathom_waits_channel */
	bool is_unordered;		/* some process */
};

static int remember_begin(struct fathom_waits_channel *channel, uint64_t begun)
{
	if (channel->begun_count == channel->begun_room) {
		uint64_t room = channel->begun_room ? 2 * channel->begun_room : 64;
		uint64_t *larger = realloc(channel->begun, room * sizeof(*larger));

		if (!larger)
			return -ENOMEM;
		channel->begun = larger;
		channel->begun_room = room;
	}
	channel->begun[channel->begun_count++] = begun;
	return 0;
}

/* Counts what the first pass counts besides: operations, and cancelled sends. */
static int count_part(struct order *order, const struct fathom_waits_location_state *location, uint32_t record,
		      const struct fathom_waits_part *part)
{
	uint64_t *count;

	if (part->kind != FATHOM_WAITS_CANCELLED)
		return 0;
	count = fathom_waits_key_add(&order->channels->cancelled, fathom_waits_key(
		(uint64_t)(location - order->state->locations) + 1,
		fathom_waits_posted(location->location, part, record)), 0);
	if (!count)
		return -ENOMEM;
	++*count;
	return 0;
}

/* Looks at a part that completes an operation which was begun at begun. */
static int order_part(struct order *order, const struct fathom_waits_process *process,
		      const struct fathom_waits_part *part, uint64_t begun)
{
	uint64_t key = fathom_waits_receive_key(process, part);
	struct fathom_waits_channel *channel;

	if (!key)
		return 0;
	channel = fathom_waits_channel_at(order->channels, key);
	if (!channel)
		return -ENOMEM;
	if (begun < channel->last_begun && order->pass == OVER_CHANNELS)
		channel->is_unordered = true;
	channel->last_begun = begun;
	return order->pass == OVER_BEGINS && channel->is_unordered ? remember_begin(channel, begun) : 0;
}

static int order_visit(void *context, struct fathom_waits_location_state *location, uint32_t record)
{
	struct order *order = context;
	struct fathom_waits_part_walk walk = { location->location, record, 0 };
	const struct fathom_waits_part *part;
	int err = 0;

	if (order->process != location->process) {
		order->process = location->process;
		order->last_begun = 0;
	}
	if (order->pass == OVER_PROCESSES)
		order->state->summary.operations++;
	while (!err && (part = fathom_waits_part_next(&walk))) {
		uint64_t begun;

		if (order->pass == OVER_PROCESSES)
			err = count_part(order, location, record, part);
		if (!may_complete(part))
			continue;
		begun = fathom_waits_begun(location->location, part, record);
		order->is_unordered |= begun < order->last_begun;
		order->last_begun = begun;
		if (order->pass != OVER_PROCESSES && !err)
			err = order_part(order, order->state->processes[location->process].process, part, begun);
	}
	return err;
}

/* Returns whether all operations of a process were visited. */
static bool is_over(const struct fathom_waits_state *state, const struct fathom_waits_process_state *process)
{
	for (uint32_t t = 0; t < process->process->location_count; t++) {
		const struct fathom_waits_location_state *location = &state->locations[process->first_location + t];

		if (location->next < location->location->count)
			return false;
	}
	return true;
}

static int visit_all(struct order *order)
{
	struct fathom_waits_state *state = order->state;
	int err = 0;

	for (uint32_t p = 0; p < state->process_count && !err; p++) {
		while (!err && !is_over(state, &state->processes[p])) {
			err = fathom_waits_visit_process(state, &state->processes[p], fathom_waits_window(state),
							 order_visit, order);
			fathom_waits_process_release(state, &state->processes[p]);
		}
	}
	for (uint32_t l = 0; l < state->location_count; l++)
		state->locations[l].next = 0;
	return err;
}

static int by_number(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

int fathom_waits_channels_order(struct fathom_waits_channels *channels, struct fathom_waits_state *state)
{
	struct order order = { .channels = channels, .state = state, .pass = OVER_PROCESSES };
	bool is_any_unordered = false;
	int err;

	memset(channels, 0, sizeof(*channels));
	err = visit_all(&order);
	if (err || !order.is_unordered)
		return err;
	order.pass = OVER_CHANNELS;
	err = visit_all(&order);
	for (uint32_t c = 0; c < channels->count; c++)
		is_any_unordered |= channels->channels[c].is_unordered;
	if (err || !is_any_unordered)
		return err;
	order.pass = OVER_BEGINS;
	err = visit_all(&order);
	for (uint32_t c = 0; c < channels->count && !err; c++) {
		struct fathom_waits_channel *channel = &channels->channels[c];

		if (!channel->is_unordered)
			continue;
		qsort(channel->begun, channel->begun_count, sizeof(*channel->begun), by_number);
		channel->is_taken = calloc(channel->begun_count, 1);
		if (!channel->is_taken)
			err = -ENOMEM;
	}
	return err;
}

uint64_t fathom_waits_channel_place(struct fathom_waits_channel *channel, uint64_t begun)
{
	uint64_t low = 0, high = channel->begun_count;

	if (!channel->is_unordered)
		return channel->received++;
	while (low < high) {
		uint64_t middle = low + (high - low) / 2;

		if (channel->begun[middle] < begun)
			low = middle + 1;
		else
			high = middle;
	}
	while (low < channel->begun_count && channel->is_taken[low])
		low++;
	if (low < channel->begun_count)
		channel->is_taken[low] = 1;
	channel->received++;
	return low;
}
