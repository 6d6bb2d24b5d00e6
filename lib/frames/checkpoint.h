/*
 * checkpoint: what the messages, collective operations and counters of a location depend on, while its events are read
 * in their order: how many messages there were on each channel, which receives have begun, and so on.
 *
 * The n-th send on a channel belongs to its n-th receive, in the order in which they were begun; the n-th operations of
 * all processes on a communicator are one operation. So the index notes the counts at some positions of the trace, and
 * sends, receives and operations that are read from there have the numbers that they have in the whole trace.
 * Context of all functions: tool.
 */
#ifndef FATHOM_FRAMES_CHECKPOINT_H
#define FATHOM_FRAMES_CHECKPOINT_H

#include "frames/metric_values.h"

enum fathom_channel_kind { FATHOM_CHANNEL_SEND, FATHOM_CHANNEL_RECEIVE, FATHOM_CHANNEL_COLLECTIVE };

/* With more channels, the further ones are not counted: their messages have numbers from the begin of the reading. Then
 * channels of one message each, as programs have that give each message a tag of its own, still match. */
enum { FATHOM_CHANNELS_MOST = 1024 };

struct fathom_channel {
	uint32_t kind;			/* enum fathom_channel_kind */
	uint32_t process;		/* the other one; 0 for collective operations */
	uint32_t comm;			/* id */
	uint32_t tag;			/* 0 for collective operations */
	uint64_t count;			/* of messages that were sent or are received, or of operations that ended */
};

struct fathom_checkpoint_receive {	/* one that has begun, and is not complete */
	uint64_t request, begun;
	uint64_t number;		/* among all receives that have begun on this location */
};

/* An end of a message, or the part of a location in a collective operation. */
struct fathom_channel_end {
	uint32_t channel;		/* index */
	uint64_t begun, time;		/* time: of the record that ends it */
	uint64_t bytes;
};

struct fathom_checkpoint {
	struct fathom_otf2_defs *defs;
	uint32_t location;
	size_t most_channels;
	struct fathom_channel *channels;
	size_t channel_count, channel_room;
	uint32_t *slots;		/* hash table of 1 + index; 0: free */
	size_t slot_count;		/* a power of two */
	struct fathom_checkpoint_receive *posted;	/* in the order in which they were begun */
	size_t posted_count, posted_room;
	uint64_t posted_sum;		/* of all receives that have begun */
	struct fathom_channel_end *recent;	/* receives that are complete, but began after one that is not */
	size_t recent_count, recent_room;
	uint64_t collective_begin;	/* 0: no operation is open */
	struct fathom_metric_values metrics;
};

/* Makes the state of a location before its first event. most_channels: further ones get no number. */
void fathom_checkpoint_init(struct fathom_checkpoint *checkpoint, struct fathom_otf2_defs *defs, uint32_t location,
			    size_t most_channels);
void fathom_checkpoint_fini(struct fathom_checkpoint *checkpoint);

/* Returns whether records of that kind change the state. */
bool fathom_checkpoint_needs(uint8_t kind);

/* Changes the state as the event says. Returns whether the event is an end on a channel, and then sets end. Counters
 * are not looked at: fathom_metric_values_take does that. */
bool fathom_checkpoint_apply(struct fathom_checkpoint *checkpoint, const struct fathom_otf2_event *event,
			     struct fathom_channel_end *end);

/* Returns whether a receive or a collective operation that began before a time has not ended. Receives that began long
 * before others do not count. */
bool fathom_checkpoint_is_waiting(const struct fathom_checkpoint *checkpoint, uint64_t time);

/* Write the state at a time, and replace the state by a written one. False: the bytes are damaged. */
void fathom_checkpoint_write(const struct fathom_checkpoint *checkpoint, uint64_t time,
			     struct fathom_byte_buffer *buffer);
bool fathom_checkpoint_read(struct fathom_checkpoint *checkpoint, uint64_t time, struct fathom_byte_cursor *cursor);

/* Returns how many ends on a channel a written state has of which no earlier one is missing; 0 if the bytes are
 * damaged. The count of the channel is not looked at. */
uint64_t fathom_checkpoint_count(struct fathom_byte_cursor cursor, const struct fathom_channel *channel);

#endif
