#include "trace/ring/event_ring.h"

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
	READING_BYTES = 64,		/* more than two records of readings take without their values */
	VALUE_BYTES = 11,		/* most bytes of a value and its type, and one for a longer length */
};

/* The calls of fathom_event_ring_keep_all, from any thread. */
static struct {
	uint32_t count;
	uint64_t ticks;			/* time of the newest one */
} keep_requests;

static void begin_chunk(struct fathom_event_ring *ring)
{
	uint64_t first = ring->events + 1;

	ring->chunk[0] = FATHOM_RECORD_CHUNK_MARK;
	ring->chunk[1] = FATHOM_RECORD_LITTLE_ENDIAN_MARK;
	memcpy(ring->chunk + 2, &first, sizeof(first));
	ring->at = ring->chunk + FATHOM_OTF2_CHUNK_HEAD_BYTES;
	ring->ticks = 0;
}

int fathom_event_ring_init(struct fathom_event_ring *ring, struct fathom_arena *arena, uint32_t counter_count)
{
	ring->chunk = fathom_arena_alloc(arena, FATHOM_OTF2_CHUNK_BYTES);
	if (!ring->chunk)
		return -ENOMEM;
	if (counter_count) {
		ring->reading_room = READING_BYTES + counter_count * VALUE_BYTES;
		ring->readings = fathom_arena_alloc(arena, (FATHOM_RING_MOST_PENDING + 1) * ring->reading_room);
		if (!ring->readings)
			return -ENOMEM;
	}
	ring->requests = __atomic_load_n(&keep_requests.count, __ATOMIC_RELAXED);
	begin_chunk(ring);
	return 0;
}

/* --- what stays in full -------------------------------------------------------------------------------- */

void fathom_event_ring_keep_all(uint64_t now)
{
	__atomic_store_n(&keep_requests.ticks, now, __ATOMIC_RELAXED);
	__atomic_fetch_add(&keep_requests.count, 1, __ATOMIC_RELEASE);
}

uint32_t fathom_event_ring_requests(void)
{
	return __atomic_load_n(&keep_requests.count, __ATOMIC_ACQUIRE);
}

uint64_t fathom_event_ring_newest_from(const struct fathom_event_ring *ring, uint64_t now)
{
	uint64_t length = ring->length_ns ? fathom_clock_ticks_in(ring->length_ns) : UINT64_MAX;

	return now > length ? now - length : 0;
}

uint64_t fathom_event_ring_kept_from(struct fathom_event_ring *ring, uint32_t chunk_count)
{
	uint32_t requests = __atomic_load_n(&keep_requests.count, __ATOMIC_ACQUIRE);

	if (requests != ring->requests) {
		ring->requests = requests;
		ring->whole_chunks = chunk_count;
		ring->whole_from = fathom_event_ring_newest_from(ring, __atomic_load_n(&keep_requests.ticks,
										       __ATOMIC_RELAXED));
	}
	if (!ring->whole_chunks)
		return UINT64_MAX;
	ring->whole_chunks--;
	return ring->whole_from;
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

static uint8_t *readings_of(const struct fathom_event_ring *ring, uint32_t pending)
{
	return ring->readings + (size_t)pending * ring->reading_room;
}

static uint8_t *held_readings(const struct fathom_event_ring *ring)
{
	return readings_of(ring, FATHOM_RING_MOST_PENDING);
}

static int write_readings(struct fathom_event_ring *ring, const uint8_t *readings, uint32_t bytes, uint64_t ticks)
{
	const uint8_t *at = readings;
	int err = 0;

	while (at < readings + bytes) {
		const uint8_t *end = fathom_otf2_record_end(at);
		int next = begin_record(ring, ticks, (size_t)(end - at));

		memcpy(ring->at, at, (size_t)(end - at));
		ring->at += end - at;
		err = err ? err : next;
		at = end;
	}
	return err;
}

static int write_held(struct fathom_event_ring *ring)
{
	uint32_t bytes = ring->held_bytes;

	ring->held_bytes = 0;
	return bytes ? write_readings(ring, held_readings(ring), bytes, ring->held_ticks) : 0;
}

static int write_pending(struct fathom_event_ring *ring)
{
	int err = 0;

	for (uint32_t i = 0; i < ring->pending_count; i++) {
		const struct fathom_ring_enter *enter = &ring->pending[i];
		int next = write_left_out(ring, enter->ticks);

		err = err ? err : next;
		if (enter->reading_bytes) {
			next = write_readings(ring, readings_of(ring, i), enter->reading_bytes, enter->ticks);
			err = err ? err : next;
		}
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

/* Returns whether the record has readings of counters: their metric classes have the first numbers. */
static bool is_reading(const struct fathom_event_ring *ring, const uint8_t *record)
{
	const uint8_t *number = record + (record[1] == FATHOM_RECORD_LONG_LENGTH ? 10 : 2);
	uint32_t id = 0;

	if (*record != FATHOM_RECORD_METRIC || !ring->reading_room)
		return false;
	memcpy(&id, number + 1, *number < sizeof(id) ? *number : sizeof(id));
	return id < ring->left_out_class;
}

/* Keeps the readings until the enter or leave that they belong to has been read. 0 or -errno. */
static int hold_reading(struct fathom_event_ring *ring, const uint8_t *record, const uint8_t *end, uint64_t ticks)
{
	size_t bytes = (size_t)(end - record);
	int err = 0;

	if (ring->held_bytes && (ring->held_ticks != ticks || ring->held_bytes + bytes > ring->reading_room))
		err = write_held(ring);
	if (bytes > ring->reading_room)
		return err;
	memcpy(held_readings(ring) + ring->held_bytes, record, bytes);
	ring->held_bytes += (uint32_t)bytes;
	ring->held_ticks = ticks;
	return err;
}

static void keep_pending(struct fathom_event_ring *ring, uint32_t region, uint64_t ticks)
{
	uint32_t bytes = ring->held_bytes;

	if (bytes)
		memcpy(readings_of(ring, ring->pending_count), held_readings(ring), bytes);
	ring->held_bytes = 0;
	ring->pending[ring->pending_count++] = (struct fathom_ring_enter){
		.region = region, .ticks = ticks, .reading_bytes = bytes,
	};
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

	ring->held_bytes = 0;
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
	next = write_held(ring);
	err = err ? err : next;
	next = begin_record(ring, ticks, (size_t)(end - begin));
	memcpy(ring->at, begin, (size_t)(end - begin));
	ring->at += end - begin;
	return err ? err : next;
}

int fathom_event_ring_copy(struct fathom_event_ring *ring, const uint8_t *begin, const uint8_t *end,
			   uint64_t whole_from)
{
	uint64_t ticks = ring->ticks;
	int err = 0;

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
		if (ticks >= whole_from && ring->pending_count)
			next = write_pending(ring);
		if (is_reading(ring, record)) {
			next = hold_reading(ring, record, after, ticks);
		} else if (*record == FATHOM_RECORD_ENTER && ticks < whole_from && is_function(region_of(record))) {
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

/* Writes what is pending. 0 or -errno. */
static int settle(struct fathom_event_ring *ring)
{
	int err = write_pending(ring), next;

	next = write_held(ring);
	err = err ? err : next;
	next = write_left_out(ring, ring->ticks);
	return err ? err : next;
}

int fathom_event_ring_fill(struct fathom_event_ring *ring)
{
	int err = settle(ring), next = 0;

	if (ring->at > ring->chunk + FATHOM_OTF2_CHUNK_HEAD_BYTES) {
		next = end_chunk(ring, false);
		begin_chunk(ring);
	}
	return err ? err : next;
}

void fathom_event_ring_restart(struct fathom_event_ring *ring, uint64_t events)
{
	ring->pending_count = 0;
	ring->held_bytes = 0;
	ring->visits = ring->left_out_ticks = 0;
	ring->events = events;
	begin_chunk(ring);
}

int fathom_event_ring_close(struct fathom_event_ring *ring)
{
	int err = settle(ring), next;

	ring->at[0] = FATHOM_RECORD_END_OF_FILE;
	ring->at[1] = FATHOM_RECORD_END_OF_BUFFER;
	ring->at += END_BYTES;
	next = end_chunk(ring, true);
	return err ? err : next;
}
