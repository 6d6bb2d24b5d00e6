#include "frames/checkpoint.h"

#include <stdlib.h>
#include <string.h>

#include "otf2/memory.h"

/* So many receives that are not complete are remembered. A receive that began before so many others is not waited for:
 * programs have such receives for a message that says that all is over. */
enum { POSTED_MOST = 1024, OLDER_MOST = 256, RECENT_MOST = 256 };

enum { NO_CHANNEL = UINT32_MAX };

void fathom_checkpoint_init(struct fathom_checkpoint *checkpoint, struct fathom_otf2_defs *defs, uint32_t location,
			    size_t most_channels)
{
	*checkpoint = (struct fathom_checkpoint){ .defs = defs, .location = location, .most_channels = most_channels };
}

void fathom_checkpoint_fini(struct fathom_checkpoint *checkpoint)
{
	free(checkpoint->channels);
	free(checkpoint->slots);
	free(checkpoint->posted);
	free(checkpoint->recent);
	fathom_metric_values_fini(&checkpoint->metrics);
	memset(checkpoint, 0, sizeof(*checkpoint));
}

/* --- channels -------------------------------------------------------------------------------------------- */

static bool is_same(const struct fathom_channel *a, const struct fathom_channel *b)
{
	return a->kind == b->kind && a->process == b->process && a->comm == b->comm && a->tag == b->tag;
}

/* Returns the slot of a channel, which is free if the channel is not known. */
static size_t find_slot(const struct fathom_checkpoint *checkpoint, const struct fathom_channel *channel)
{
	uint64_t hash = ((uint64_t)channel->process << 32 | channel->tag) * 0x9e3779b97f4a7c15u;
	size_t slot;

	hash = (hash ^ hash >> 29 ^ channel->comm * 4 ^ channel->kind) * 0xbf58476d1ce4e5b9u;
	slot = (hash >> 24) & (checkpoint->slot_count - 1);
	while (checkpoint->slots[slot] && !is_same(&checkpoint->channels[checkpoint->slots[slot] - 1], channel))
		slot = (slot + 1) & (checkpoint->slot_count - 1);
	return slot;
}

static void grow_slots(struct fathom_checkpoint *checkpoint)
{
	free(checkpoint->slots);
	checkpoint->slot_count = checkpoint->slot_count ? checkpoint->slot_count * 2 : 64;
	checkpoint->slots = fathom_otf2_memory_alloc(checkpoint->slot_count, sizeof(*checkpoint->slots));
	for (size_t c = 0; c < checkpoint->channel_count; c++)
		checkpoint->slots[find_slot(checkpoint, &checkpoint->channels[c])] = (uint32_t)c + 1;
}

/* Returns the index of a channel, which is added if there is room; NO_CHANNEL: there is none. */
static uint32_t channel_of(struct fathom_checkpoint *checkpoint, const struct fathom_channel *channel)
{
	size_t slot;

	if (checkpoint->channel_count * 2 >= checkpoint->slot_count)
		grow_slots(checkpoint);
	slot = find_slot(checkpoint, channel);
	if (checkpoint->slots[slot])
		return checkpoint->slots[slot] - 1;
	if (checkpoint->channel_count >= checkpoint->most_channels)
		return NO_CHANNEL;
	checkpoint->channels = fathom_otf2_memory_grow(checkpoint->channels, checkpoint->channel_count,
						       &checkpoint->channel_room, sizeof(*checkpoint->channels));
	checkpoint->channels[checkpoint->channel_count] = *channel;
	checkpoint->slots[slot] = (uint32_t)++checkpoint->channel_count;
	return (uint32_t)checkpoint->channel_count - 1;
}

/* --- events ---------------------------------------------------------------------------------------------- */

bool fathom_checkpoint_needs(uint8_t kind)
{
	switch (kind) {
	case FATHOM_RECORD_MPI_SEND:
	case FATHOM_RECORD_MPI_ISEND:
	case FATHOM_RECORD_MPI_RECV:
	case FATHOM_RECORD_MPI_IRECV:
	case FATHOM_RECORD_MPI_IRECV_REQUEST:
	case FATHOM_RECORD_MPI_COLLECTIVE_BEGIN:
	case FATHOM_RECORD_MPI_COLLECTIVE_END:
	case FATHOM_RECORD_NON_BLOCKING_COLLECTIVE_COMPLETE:
		return true;
	default:
		return false;
	}
}

static void post(struct fathom_checkpoint *checkpoint, const struct fathom_otf2_event *event)
{
	struct fathom_checkpoint_receive receive = { event->id, event->time, checkpoint->posted_sum++ };

	if (checkpoint->posted_count == POSTED_MOST)
		memmove(checkpoint->posted, checkpoint->posted + 1,
			--checkpoint->posted_count * sizeof(*checkpoint->posted));
	checkpoint->posted = fathom_otf2_memory_grow(checkpoint->posted, checkpoint->posted_count,
						     &checkpoint->posted_room, sizeof(*checkpoint->posted));
	checkpoint->posted[checkpoint->posted_count++] = receive;
}

/* Returns when the receive with a request was begun, and forgets it; now, if that is not known. */
static uint64_t complete(struct fathom_checkpoint *checkpoint, const struct fathom_otf2_event *event)
{
	for (size_t i = checkpoint->posted_count; i-- > 0; ) {
		uint64_t begun = checkpoint->posted[i].begun;

		if (checkpoint->posted[i].request != event->id)
			continue;
		checkpoint->posted_count--;
		memmove(checkpoint->posted + i, checkpoint->posted + i + 1,
			(checkpoint->posted_count - i) * sizeof(*checkpoint->posted));
		return begun;
	}
	return event->time;
}

/* Notes a receive that is complete, if one that began before it is not, and forgets those of which this is not true any
 * more. */
static void note_recent(struct fathom_checkpoint *checkpoint, const struct fathom_channel_end *end)
{
	size_t oldest = 0, kept = 0;
	uint64_t since;

	while (oldest < checkpoint->posted_count &&
	       checkpoint->posted[oldest].number + OLDER_MOST < checkpoint->posted_sum)
		oldest++;
	if (oldest == checkpoint->posted_count) {
		checkpoint->recent_count = 0;
		return;
	}
	since = checkpoint->posted[oldest].begun;
	if (checkpoint->recent_count == RECENT_MOST)
		checkpoint->recent_count--;
	checkpoint->recent = fathom_otf2_memory_grow(checkpoint->recent, checkpoint->recent_count,
						     &checkpoint->recent_room, sizeof(*checkpoint->recent));
	checkpoint->recent[checkpoint->recent_count++] = *end;
	for (size_t i = 0; i < checkpoint->recent_count; i++)
		if (checkpoint->recent[i].begun > since)
			checkpoint->recent[kept++] = checkpoint->recent[i];
	checkpoint->recent_count = kept;
}

/* Counts an end on a channel. False: it has no partner, or there is no room for the channel. */
static bool count_end(struct fathom_checkpoint *checkpoint, const struct fathom_channel *channel,
		      struct fathom_channel_end *end)
{
	end->channel = channel_of(checkpoint, channel);
	if (end->channel != NO_CHANNEL)
		checkpoint->channels[end->channel].count++;
	return end->channel != NO_CHANNEL;
}

static bool take_message(struct fathom_checkpoint *checkpoint, const struct fathom_otf2_event *event,
			 struct fathom_channel_end *end, uint32_t kind)
{
	const struct fathom_otf2_location *location = fathom_otf2_at(checkpoint->defs, FATHOM_OTF2_LOCATION,
								     checkpoint->location);
	const struct fathom_otf2_comm *comm = fathom_otf2_find(checkpoint->defs, FATHOM_OTF2_COMM, event->ref);
	struct fathom_channel channel = { .kind = kind, .comm = (uint32_t)event->ref, .tag = event->tag };
	int64_t peer = comm ? fathom_otf2_comm_peer(checkpoint->defs, comm, location->process, event->peer) : -1;
	bool is_counted;

	*end = (struct fathom_channel_end){ .begun = event->time, .time = event->time, .bytes = event->bytes };
	if (event->kind == FATHOM_RECORD_MPI_IRECV)
		end->begun = complete(checkpoint, event);
	if (peer < 0 || location->process == UINT32_MAX)
		return false;
	channel.process = (uint32_t)peer;
	is_counted = count_end(checkpoint, &channel, end);
	if (is_counted && kind == FATHOM_CHANNEL_RECEIVE)
		note_recent(checkpoint, end);
	return is_counted;
}

static bool take_collective(struct fathom_checkpoint *checkpoint, const struct fathom_otf2_event *event,
			    struct fathom_channel_end *end)
{
	const struct fathom_otf2_location *location = fathom_otf2_at(checkpoint->defs, FATHOM_OTF2_LOCATION,
								     checkpoint->location);
	const struct fathom_otf2_comm *comm = fathom_otf2_find(checkpoint->defs, FATHOM_OTF2_COMM, event->ref);
	struct fathom_channel channel = { .kind = FATHOM_CHANNEL_COLLECTIVE, .comm = (uint32_t)event->ref };
	uint64_t begin = checkpoint->collective_begin;

	*end = (struct fathom_channel_end){ .begun = event->time, .time = event->time };
	checkpoint->collective_begin = 0;
	if (begin && event->kind == FATHOM_RECORD_MPI_COLLECTIVE_END)
		end->begun = begin;
	if (!comm || comm->is_self || location->process == UINT32_MAX)
		return false;
	return count_end(checkpoint, &channel, end);
}

bool fathom_checkpoint_apply(struct fathom_checkpoint *checkpoint, const struct fathom_otf2_event *event,
			     struct fathom_channel_end *end)
{
	switch (event->kind) {
	case FATHOM_RECORD_MPI_SEND:
	case FATHOM_RECORD_MPI_ISEND:
		return take_message(checkpoint, event, end, FATHOM_CHANNEL_SEND);
	case FATHOM_RECORD_MPI_RECV:
	case FATHOM_RECORD_MPI_IRECV:
		return take_message(checkpoint, event, end, FATHOM_CHANNEL_RECEIVE);
	case FATHOM_RECORD_MPI_IRECV_REQUEST:
		post(checkpoint, event);
		return false;
	case FATHOM_RECORD_MPI_COLLECTIVE_BEGIN:
		checkpoint->collective_begin = event->time;
		return false;
	case FATHOM_RECORD_MPI_COLLECTIVE_END:
	case FATHOM_RECORD_NON_BLOCKING_COLLECTIVE_COMPLETE:
		return take_collective(checkpoint, event, end);
	default:
		return false;
	}
}

bool fathom_checkpoint_is_waiting(const struct fathom_checkpoint *checkpoint, uint64_t time)
{
	if (checkpoint->collective_begin && checkpoint->collective_begin < time)
		return true;
	for (size_t i = 0; i < checkpoint->posted_count; i++)
		if (checkpoint->posted[i].begun < time &&
		    checkpoint->posted[i].number + OLDER_MOST >= checkpoint->posted_sum)
			return true;
	return false;
}

/* --- as bytes ------------------------------------------------------------------------------------------ */

void fathom_checkpoint_write(const struct fathom_checkpoint *checkpoint, uint64_t time,
			     struct fathom_byte_buffer *buffer)
{
	fathom_byte_buffer_number(buffer, checkpoint->channel_count);
	for (size_t c = 0; c < checkpoint->channel_count; c++) {
		const struct fathom_channel *channel = &checkpoint->channels[c];

		fathom_byte_buffer_number(buffer, channel->kind);
		fathom_byte_buffer_number(buffer, channel->process);
		fathom_byte_buffer_number(buffer, channel->comm);
		fathom_byte_buffer_number(buffer, channel->tag);
		fathom_byte_buffer_number(buffer, channel->count);
	}
	fathom_byte_buffer_number(buffer, checkpoint->recent_count);
	for (size_t i = 0; i < checkpoint->recent_count; i++) {
		fathom_byte_buffer_number(buffer, checkpoint->recent[i].channel);
		fathom_byte_buffer_number(buffer, time - checkpoint->recent[i].begun);
		fathom_byte_buffer_number(buffer, time - checkpoint->recent[i].time);
	}
	fathom_byte_buffer_number(buffer, checkpoint->posted_sum);
	fathom_byte_buffer_number(buffer, checkpoint->posted_count);
	for (size_t i = 0; i < checkpoint->posted_count; i++) {
		fathom_byte_buffer_number(buffer, checkpoint->posted[i].request);
		fathom_byte_buffer_number(buffer, time - checkpoint->posted[i].begun);
		fathom_byte_buffer_number(buffer, checkpoint->posted_sum - checkpoint->posted[i].number);
	}
	fathom_byte_buffer_number(buffer, checkpoint->collective_begin ? 1 + time - checkpoint->collective_begin : 0);
	fathom_metric_values_write(&checkpoint->metrics, time, buffer);
}

static struct fathom_channel read_channel(struct fathom_byte_cursor *cursor)
{
	struct fathom_channel channel;

	channel.kind = (uint32_t)fathom_byte_cursor_number(cursor);
	channel.process = (uint32_t)fathom_byte_cursor_number(cursor);
	channel.comm = (uint32_t)fathom_byte_cursor_number(cursor);
	channel.tag = (uint32_t)fathom_byte_cursor_number(cursor);
	channel.count = fathom_byte_cursor_number(cursor);
	return channel;
}

static bool read_receives(struct fathom_checkpoint *checkpoint, uint64_t time, struct fathom_byte_cursor *cursor)
{
	uint64_t count = fathom_byte_cursor_number(cursor);

	for (checkpoint->recent_count = 0; checkpoint->recent_count < count && cursor->at; ) {
		struct fathom_channel_end end = { .channel = (uint32_t)fathom_byte_cursor_number(cursor) };

		end.begun = time - fathom_byte_cursor_number(cursor);
		end.time = time - fathom_byte_cursor_number(cursor);
		if (end.channel >= checkpoint->channel_count)
			return false;
		checkpoint->recent = fathom_otf2_memory_grow(checkpoint->recent, checkpoint->recent_count,
							     &checkpoint->recent_room, sizeof(*checkpoint->recent));
		checkpoint->recent[checkpoint->recent_count++] = end;
	}
	checkpoint->posted_sum = fathom_byte_cursor_number(cursor);
	count = fathom_byte_cursor_number(cursor);
	for (checkpoint->posted_count = 0; checkpoint->posted_count < count && cursor->at; ) {
		struct fathom_checkpoint_receive receive = { .request = fathom_byte_cursor_number(cursor) };

		receive.begun = time - fathom_byte_cursor_number(cursor);
		receive.number = checkpoint->posted_sum - fathom_byte_cursor_number(cursor);
		checkpoint->posted = fathom_otf2_memory_grow(checkpoint->posted, checkpoint->posted_count,
							     &checkpoint->posted_room, sizeof(*checkpoint->posted));
		checkpoint->posted[checkpoint->posted_count++] = receive;
	}
	return cursor->at;
}

bool fathom_checkpoint_read(struct fathom_checkpoint *checkpoint, uint64_t time, struct fathom_byte_cursor *cursor)
{
	uint64_t count = fathom_byte_cursor_number(cursor), since;

	checkpoint->channel_count = 0;
	if (checkpoint->slots)
		memset(checkpoint->slots, 0, checkpoint->slot_count * sizeof(*checkpoint->slots));
	for (uint64_t c = 0; c < count && cursor->at; c++) {
		struct fathom_channel channel = read_channel(cursor);

		if (channel.kind > FATHOM_CHANNEL_COLLECTIVE || channel_of(checkpoint, &channel) != c)
			return false;
	}
	if (!cursor->at || !read_receives(checkpoint, time, cursor))
		return false;
	since = fathom_byte_cursor_number(cursor);
	checkpoint->collective_begin = since ? time + 1 - since : 0;
	return fathom_metric_values_read(&checkpoint->metrics, time,
					 fathom_otf2_count(checkpoint->defs, FATHOM_OTF2_MEMBER), cursor);
}

uint64_t fathom_checkpoint_count(struct fathom_byte_cursor cursor, const struct fathom_channel *channel)
{
	uint64_t count = fathom_byte_cursor_number(&cursor), sum = 0, index = count;

	for (uint64_t c = 0; c < count && cursor.at; c++) {
		struct fathom_channel other = read_channel(&cursor);

		if (!is_same(&other, channel))
			continue;
		index = c;
		sum = other.count;
	}
	if (index == count)
		return 0;
	count = fathom_byte_cursor_number(&cursor);
	for (uint64_t i = 0; i < count && cursor.at; i++) {
		sum -= fathom_byte_cursor_number(&cursor) == index;
		fathom_byte_cursor_number(&cursor);
		fathom_byte_cursor_number(&cursor);
	}
	return cursor.at ? sum : 0;
}
