#include "trace/event_ring.h"

#include <errno.h>
#include <string.h>

#include "define/region.h"
#include "platform/clock.h"
#include "trace/detail_window.h"

enum {
	LAST_EVENT_OFFSET = 10,		/* in a chunk, after the number of the first event */
	END_BYTES = 2,			/* the marks at the end of a file */
	ENTER_BYTES = FATHOM_OTF2_TIME_BYTES + 2 + FATHOM_OTF2_NUMBER_MOST_BYTES,
	LEFT_OUT_BYTES = FATHOM_OTF2_TIME_BYTES + 2 + 6 + 2 * (1 + FATHOM_OTF2_NUMBER_MOST_BYTES),
	TYPE_UINT64 = 4,		/* OTF2's number of the type */
};

static void begin_chunk(struct fathom_event_ring *ring)
{
	uint64_t first = ring->events + 1;

	ring->chunk[0] = FATHOM_RECORD_CHUNK_MARK;
	ring->chunk[1] = FATHOM_RECORD_LITTLE_ENDIAN_MARK;
	memcpy(ring->chunk + 2, &first, sizeof(first));
	ring->at = ring->chunk + FATHOM_OTF2_CHUNK_HEAD_BYTES;
	ring->ticks = 0;
}

int fathom_event_ring_init(struct fathom_event_ring *ring, struct fathom_arena *arena)
{
	ring->chunk = fathom_arena_alloc(arena, FATHOM_OTF2_CHUNK_BYTES);
	if (!ring->chunk)
		return -ENOMEM;
	begin_chunk(ring);
	return 0;
}

/* --- writing -------------------------------------------------------------------------------------- */

/* Completes the chunk, and passes it on. */
static int end_chunk(struct fathom_event_ring *ring, bool is_last)
{
	size_t used = (size_t)(ring->at - ring->chunk);

	memcpy(ring->chunk + LAST_EVENT_OFFSET, &ring->events, sizeof(ring->events));
	memset(ring->at, 0, FATHOM_OTF2_CHUNK_BYTES - used);
	return ring->write(ring->data, ring->chunk, is_last ? used : FATHOM_OTF2_CHUNK_BYTES);
}

/* Makes room for a record of this size at that time, and writes its time. 0 or -errno. */
static int begin_record(struct fathom_event_ring *ring, uint64_t ticks, size_t bytes)
{
	size_t free_bytes = (size_t)(ring->chunk + FATHOM_OTF2_CHUNK_BYTES - ring->at);
	int err = 0;

	if (free_bytes < bytes + FATHOM_OTF2_TIME_BYTES + END_BYTES) {
		err = end_chunk(ring, false);
		begin_chunk(ring);
	}
	if (ticks != ring->ticks) {
		*ring->at = FATHOM_RECORD_TIME_MARK;
		memcpy(ring->at + 1, &ticks, sizeof(ticks));
		ring->at += FATHOM_OTF2_TIME_BYTES;
		ring->ticks = ticks;
	}
	ring->events++;
	return err;
}

static uint8_t *put_number(uint8_t *at, uint64_t value)
{
	uint8_t bytes = 0;

	for (uint64_t rest = value; rest; rest >>= 8)
		at[++bytes] = (uint8_t)rest;
	at[0] = bytes;
	return at + 1 + bytes;
}

static uint64_t ns_of(uint64_t ticks)
{
	const uint64_t ns_per_second = 1000000000;

	return (uint64_t)((unsigned __int128)fathom_ticks_to_units(fathom_clock_scale(), ticks) * ns_per_second >> 32);
}

static int write_left_out(struct fathom_event_ring *ring, uint64_t ticks)
{
	uint64_t values[] = { ring->visits, ns_of(ring->left_out_ticks) };
	uint8_t *length;
	int err;

	if (!ring->visits)
		return 0;
	err = begin_record(ring, ticks, LEFT_OUT_BYTES);
	*ring->at++ = FATHOM_RECORD_METRIC;
	length = ring->at++;
	ring->at = put_number(ring->at, ring->left_out_class);
	*ring->at++ = 2;
	for (int i = 0; i < 2; i++) {
		*ring->at++ = TYPE_UINT64;
		ring->at = put_number(ring->at, values[i]);
	}
	*length = (uint8_t)(ring->at - length - 1);
	ring->visits = ring->left_out_ticks = 0;
	return err;
}

static int write_pending(struct fathom_event_ring *ring)
{
	int err = 0;

	for (uint32_t i = 0; i < ring->pending_count; i++) {
		const struct fathom_ring_enter *enter = &ring->pending[i];
		int next = write_left_out(ring, enter->ticks);

		err = err ? err : next;
		next = begin_record(ring, enter->ticks, ENTER_BYTES);
		err = err ? err : next;
		*ring->at++ = FATHOM_RECORD_ENTER;
		ring->at = put_number(ring->at, enter->region);
		ring->visits = enter->visits;
		ring->left_out_ticks = enter->left_out_ticks;
	}
	ring->pending_count = 0;
	return err;
}

/* --- reading --------------------------------------------------------------------------------------- */

/* Returns the region of an enter or leave, its only field. Such a record has no length. */
static uint32_t region_of(const uint8_t *record)
{
	uint32_t id = 0;

	memcpy(&id, record + 2, record[1] < sizeof(id) ? record[1] : sizeof(id));
	return id;
}

static bool is_function(uint32_t id)
{
	return fathom_region_by_id(id)->paradigm == FATHOM_PARADIGM_COMPILER;
}

static void keep_pending(struct fathom_event_ring *ring, uint32_t region, uint64_t ticks)
{
	ring->pending[ring->pending_count++] = (struct fathom_ring_enter){ .region = region, .ticks = ticks };
}

/* Returns whether a leave at ticks is that of a pending enter, and the visit is not in the window with all functions.
 */
static bool may_leave_out(const struct fathom_event_ring *ring, uint64_t ticks)
{
	return ring->pending_count && !fathom_detail_window_has(ring->pending[ring->pending_count - 1].ticks, ticks);
}

static void leave_out(struct fathom_event_ring *ring, uint64_t ticks)
{
	const struct fathom_ring_enter *enter = &ring->pending[--ring->pending_count];
	uint64_t visits = enter->visits + 1, duration = ticks - enter->ticks;

	if (ring->pending_count) {
		ring->pending[ring->pending_count - 1].visits += visits;
		ring->pending[ring->pending_count - 1].left_out_ticks += duration;
	} else {
		ring->visits += visits;
		ring->left_out_ticks += duration;
	}
}

/* Copies a record, with its attributes if it has some, after the enters that are pending. */
static int copy_record(struct fathom_event_ring *ring, const uint8_t *begin, const uint8_t *record, const uint8_t *end,
		       uint64_t ticks)
{
	int err = write_pending(ring), next = 0;

	if (*record == FATHOM_RECORD_ENTER || *record == FATHOM_RECORD_LEAVE)
		next = write_left_out(ring, ticks);
	err = err ? err : next;
	next = begin_record(ring, ticks, (size_t)(end - begin));
	memcpy(ring->at, begin, (size_t)(end - begin));
	ring->at += end - begin;
	return err ? err : next;
}

int fathom_event_ring_copy(struct fathom_event_ring *ring, const uint8_t *begin, const uint8_t *end, bool is_whole)
{
	uint64_t ticks = ring->ticks;
	int err = is_whole ? write_pending(ring) : 0;

	for (const uint8_t *at = begin; at < end;) {
		const uint8_t *first = at, *record, *after;
		int next = 0;

		if (*at == FATHOM_RECORD_TIME_MARK) {
			memcpy(&ticks, at + 1, sizeof(ticks));
			at += FATHOM_OTF2_TIME_BYTES;
			continue;
		}
		if (*at < FATHOM_RECORD_TIME_MARK)
			break;			/* zeros after the last record */
		record = *at == FATHOM_RECORD_ATTRIBUTES_MARK ? fathom_otf2_record_end(at) : at;
		after = fathom_otf2_record_end(record);
		at = after;
		if (*record == FATHOM_RECORD_ENTER && !is_whole && is_function(region_of(record))) {
			if (ring->pending_count == FATHOM_RING_MOST_PENDING)
				next = write_pending(ring);
			keep_pending(ring, region_of(record), ticks);
		} else if (*record == FATHOM_RECORD_LEAVE && may_leave_out(ring, ticks)) {
			leave_out(ring, ticks);
		} else if (*record != FATHOM_RECORD_BUFFER_FLUSH) {
			next = copy_record(ring, first, record, after, ticks);
		}
		err = err ? err : next;
	}
	return err;
}

int fathom_event_ring_close(struct fathom_event_ring *ring)
{
	int err = write_pending(ring), next;

	next = write_left_out(ring, ring->ticks);
	err = err ? err : next;
	ring->at[0] = FATHOM_RECORD_END_OF_FILE;
	ring->at[1] = FATHOM_RECORD_END_OF_BUFFER;
	ring->at += END_BYTES;
	next = end_chunk(ring, true);
	return err ? err : next;
}
