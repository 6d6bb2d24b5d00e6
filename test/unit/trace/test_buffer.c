/* Events as bytes: those that OTF2's own writer makes of the same. */
#include "otf2_events.h"
#include "unit_test.h"

#include <errno.h>
#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "event/location.h"
#include "trace/archive.h"
#include "trace/buffer.h"
#include "trace/records/record.h"

/* --- what the buffer asks others ----------------------------------------------------------------- */

uint64_t fathom_trace_tick_mask = UINT64_MAX;

static char directory[64], event_path[128];
static int failure;
static bool is_lost;

void fathom_trace_event_path(const struct fathom_trace *trace, char *path, size_t bytes)
{
	(void)trace;
	snprintf(path, bytes, "%s", event_path);
}

void fathom_trace_fail(int error)
{
	failure = error;
}

void fathom_trace_lose(struct fathom_trace *trace)
{
	(void)trace;
	is_lost = true;
}

/* --- the two writers ----------------------------------------------------------------------------- */

static struct fathom_location location;
static struct fathom_trace trace;
static OTF2_EvtWriter *writer;
static uint64_t ticks;

static int begin(void **state)
{
	(void)state;
	strcpy(directory, "trace_buffer_XXXXXX");
	assert_non_null(mkdtemp(directory));
	snprintf(event_path, sizeof(event_path), "%s/ours", directory);
	writer = otf2_events_open(directory);

	memset(&trace, 0, sizeof(trace));
	memset(&location, 0, sizeof(location));
	trace.location = &location;
	failure = 0;
	is_lost = false;
	ticks = 1000;
	assert_int_equal(fathom_trace_buffer_init(&trace), 0);
	return 0;
}

static int end(void **state)
{
	char command[128];

	(void)state;
	otf2_events_close();
	fathom_arena_fini(&location.arena);
	snprintf(command, sizeof(command), "rm -rf %s", directory);
	return system(command);
}

static void files_are_the_same(void)
{
	assert_int_equal(fathom_trace_buffer_close(&trace), 0);
	assert_in_range(otf2_events_equal(event_path), 100, FATHOM_TRACE_CHUNK_BYTES);
	assert_int_equal(failure, 0);
}

/* --- every record -------------------------------------------------------------------------------- */

#define SAME(theirs, record, ...) do { \
	ticks += ticks % 3;	/* sometimes it is the same */ \
	assert_int_equal(theirs(writer, NULL, ticks, ##__VA_ARGS__), OTF2_SUCCESS); \
	FATHOM_TRACE_PUT(&trace, ticks, record, ##__VA_ARGS__); \
} while (0)

static void messages(uint32_t a, uint32_t b, uint64_t l, uint64_t m, uint64_t n)
{
	SAME(OTF2_EvtWriter_MpiSend, FATHOM_RECORD_MPI_SEND, a, b, b, l);
	SAME(OTF2_EvtWriter_MpiIsend, FATHOM_RECORD_MPI_ISEND, a, b, a, l, m);
	SAME(OTF2_EvtWriter_MpiIsendComplete, FATHOM_RECORD_MPI_ISEND_COMPLETE, l);
	SAME(OTF2_EvtWriter_MpiIrecvRequest, FATHOM_RECORD_MPI_IRECV_REQUEST, l);
	SAME(OTF2_EvtWriter_MpiRecv, FATHOM_RECORD_MPI_RECV, b, a, a, m);
	SAME(OTF2_EvtWriter_MpiIrecv, FATHOM_RECORD_MPI_IRECV, b, a, b, m, n);
	SAME(OTF2_EvtWriter_MpiRequestTest, FATHOM_RECORD_MPI_REQUEST_TEST, n);
	SAME(OTF2_EvtWriter_MpiRequestCancelled, FATHOM_RECORD_MPI_REQUEST_CANCELLED, n);
	SAME(OTF2_EvtWriter_MpiCollectiveBegin, FATHOM_RECORD_MPI_COLLECTIVE_BEGIN);
	SAME(OTF2_EvtWriter_MpiCollectiveEnd, FATHOM_RECORD_MPI_COLLECTIVE_END, a & 15, a, b, l, m);
	SAME(OTF2_EvtWriter_NonBlockingCollectiveRequest, FATHOM_RECORD_NON_BLOCKING_COLLECTIVE_REQUEST, m);
	SAME(OTF2_EvtWriter_NonBlockingCollectiveComplete, FATHOM_RECORD_NON_BLOCKING_COLLECTIVE_COMPLETE, a & 15, a,
	     b, l, m, n);
	SAME(OTF2_EvtWriter_CommCreate, FATHOM_RECORD_COMM_CREATE, a);
	SAME(OTF2_EvtWriter_CommDestroy, FATHOM_RECORD_COMM_DESTROY, b);
}

static void windows(uint32_t a, uint32_t b, uint64_t l, uint64_t m, uint64_t n)
{
	SAME(OTF2_EvtWriter_RmaWinCreate, FATHOM_RECORD_RMA_WIN_CREATE, a);
	SAME(OTF2_EvtWriter_RmaWinDestroy, FATHOM_RECORD_RMA_WIN_DESTROY, b);
	SAME(OTF2_EvtWriter_RmaCollectiveBegin, FATHOM_RECORD_RMA_COLLECTIVE_BEGIN);
	SAME(OTF2_EvtWriter_RmaCollectiveEnd, FATHOM_RECORD_RMA_COLLECTIVE_END, a & 15, a & 3, b, a, l, m);
	SAME(OTF2_EvtWriter_RmaGroupSync, FATHOM_RECORD_RMA_GROUP_SYNC, b & 3, a, b);
	SAME(OTF2_EvtWriter_RmaRequestLock, FATHOM_RECORD_RMA_REQUEST_LOCK, a, b, l, a & 1);
	SAME(OTF2_EvtWriter_RmaAcquireLock, FATHOM_RECORD_RMA_ACQUIRE_LOCK, a, b, m, a & 1);
	SAME(OTF2_EvtWriter_RmaTryLock, FATHOM_RECORD_RMA_TRY_LOCK, a, b, n, a & 1);
	SAME(OTF2_EvtWriter_RmaReleaseLock, FATHOM_RECORD_RMA_RELEASE_LOCK, b, a, l);
	SAME(OTF2_EvtWriter_RmaSync, FATHOM_RECORD_RMA_SYNC, a, b, a & 3);
	SAME(OTF2_EvtWriter_RmaWaitChange, FATHOM_RECORD_RMA_WAIT_CHANGE, a);
	SAME(OTF2_EvtWriter_RmaPut, FATHOM_RECORD_RMA_PUT, a, b, l, m);
	SAME(OTF2_EvtWriter_RmaGet, FATHOM_RECORD_RMA_GET, a, b, m, n);
	SAME(OTF2_EvtWriter_RmaAtomic, FATHOM_RECORD_RMA_ATOMIC, a, b, a & 7, l, m, n);
	SAME(OTF2_EvtWriter_RmaOpCompleteBlocking, FATHOM_RECORD_RMA_OP_COMPLETE_BLOCKING, a, l);
	SAME(OTF2_EvtWriter_RmaOpCompleteNonBlocking, FATHOM_RECORD_RMA_OP_COMPLETE_NON_BLOCKING, a, m);
	SAME(OTF2_EvtWriter_RmaOpTest, FATHOM_RECORD_RMA_OP_TEST, a, n);
	SAME(OTF2_EvtWriter_RmaOpCompleteRemote, FATHOM_RECORD_RMA_OP_COMPLETE_REMOTE, b, n);
}

static void threads(uint32_t a, uint32_t b, uint64_t l)
{
	const uint32_t argument[] = { b };

	SAME(OTF2_EvtWriter_ThreadFork, FATHOM_RECORD_THREAD_FORK, a & 7, b);
	SAME(OTF2_EvtWriter_ThreadJoin, FATHOM_RECORD_THREAD_JOIN, a & 7);
	SAME(OTF2_EvtWriter_ThreadTeamBegin, FATHOM_RECORD_THREAD_TEAM_BEGIN, a);
	SAME(OTF2_EvtWriter_ThreadTeamEnd, FATHOM_RECORD_THREAD_TEAM_END, a);
	SAME(OTF2_EvtWriter_ThreadAcquireLock, FATHOM_RECORD_THREAD_ACQUIRE_LOCK, a & 7, a, b);
	SAME(OTF2_EvtWriter_ThreadReleaseLock, FATHOM_RECORD_THREAD_RELEASE_LOCK, a & 7, b, a);
	SAME(OTF2_EvtWriter_ThreadTaskCreate, FATHOM_RECORD_THREAD_TASK_CREATE, a, b, a);
	SAME(OTF2_EvtWriter_ThreadTaskSwitch, FATHOM_RECORD_THREAD_TASK_SWITCH, b, a, a);
	SAME(OTF2_EvtWriter_ThreadTaskComplete, FATHOM_RECORD_THREAD_TASK_COMPLETE, b, b, a);
	SAME(OTF2_EvtWriter_ThreadCreate, FATHOM_RECORD_THREAD_CREATE, a, l);
	SAME(OTF2_EvtWriter_ThreadBegin, FATHOM_RECORD_THREAD_BEGIN, a, l);
	SAME(OTF2_EvtWriter_ThreadWait, FATHOM_RECORD_THREAD_WAIT, b, l);
	SAME(OTF2_EvtWriter_ThreadEnd, FATHOM_RECORD_THREAD_END, b, l);
	assert_int_equal(OTF2_EvtWriter_ProgramBegin(writer, NULL, ticks, a, 1, argument), OTF2_SUCCESS);
	FATHOM_TRACE_PUT(&trace, ticks, FATHOM_RECORD_PROGRAM_BEGIN, a, 1, b);
}

static void files(uint32_t a, uint32_t b, uint64_t l, uint64_t m)
{
	SAME(OTF2_EvtWriter_IoCreateHandle, FATHOM_RECORD_IO_CREATE_HANDLE, a, b & 3, a & 31, b & 255);
	SAME(OTF2_EvtWriter_IoDestroyHandle, FATHOM_RECORD_IO_DESTROY_HANDLE, b);
	SAME(OTF2_EvtWriter_IoDuplicateHandle, FATHOM_RECORD_IO_DUPLICATE_HANDLE, a, b, a & 255);
	SAME(OTF2_EvtWriter_IoSeek, FATHOM_RECORD_IO_SEEK, a, (int64_t)l, b & 3, m);
	SAME(OTF2_EvtWriter_IoChangeStatusFlags, FATHOM_RECORD_IO_CHANGE_STATUS_FLAGS, a, b & 255);
	SAME(OTF2_EvtWriter_IoDeleteFile, FATHOM_RECORD_IO_DELETE_FILE, a & 7, b);
	SAME(OTF2_EvtWriter_IoOperationBegin, FATHOM_RECORD_IO_OPERATION_BEGIN, a, b & 3, a & 3, l, m);
	SAME(OTF2_EvtWriter_IoOperationTest, FATHOM_RECORD_IO_OPERATION_TEST, a, l);
	SAME(OTF2_EvtWriter_IoOperationIssued, FATHOM_RECORD_IO_OPERATION_ISSUED, b, m);
	SAME(OTF2_EvtWriter_IoOperationComplete, FATHOM_RECORD_IO_OPERATION_COMPLETE, b, l, m);
	SAME(OTF2_EvtWriter_IoOperationCancelled, FATHOM_RECORD_IO_OPERATION_CANCELLED, b, m);
	SAME(OTF2_EvtWriter_IoAcquireLock, FATHOM_RECORD_IO_ACQUIRE_LOCK, b, a & 1);
	SAME(OTF2_EvtWriter_IoReleaseLock, FATHOM_RECORD_IO_RELEASE_LOCK, b, b & 1);
	SAME(OTF2_EvtWriter_IoTryLock, FATHOM_RECORD_IO_TRY_LOCK, a, b & 1);
}

/* Regions by the way that is for them; 0xffffffff means in OTF2 that there is none. */
static void regions(uint32_t region)
{
	const struct fathom_region of = { .compact_id = fathom_region_compact_id(region) };
	const struct fathom_frame frame = { .region = &of };

	ticks += 7;
	assert_int_equal(OTF2_EvtWriter_Enter(writer, NULL, ticks, region), OTF2_SUCCESS);
	fathom_trace_region(&trace, ticks, FATHOM_RECORD_ENTER, &frame);
	assert_int_equal(OTF2_EvtWriter_Leave(writer, NULL, ticks, region), OTF2_SUCCESS);
	fathom_trace_region(&trace, ticks, FATHOM_RECORD_LEAVE, &frame);
	SAME(OTF2_EvtWriter_Enter, FATHOM_RECORD_ENTER, region);
	SAME(OTF2_EvtWriter_Leave, FATHOM_RECORD_LEAVE, region);
}

static void others(uint32_t a, uint32_t b, uint64_t l)
{
	SAME(OTF2_EvtWriter_MeasurementOnOff, FATHOM_RECORD_MEASUREMENT_ON_OFF, a & 1);
	SAME(OTF2_EvtWriter_ParameterString, FATHOM_RECORD_PARAMETER_STRING, a, b);
	SAME(OTF2_EvtWriter_ParameterInt, FATHOM_RECORD_PARAMETER_INT, a, (int64_t)l);
	SAME(OTF2_EvtWriter_ParameterUnsignedInt, FATHOM_RECORD_PARAMETER_UNSIGNED_INT, a, l);
	SAME(OTF2_EvtWriter_ProgramEnd, FATHOM_RECORD_PROGRAM_END, (int64_t)l);
}

/* Numbers of every length, and those that mean something else. */
static uint64_t number(unsigned i)
{
	static const uint64_t odd[] = { 0, UINT64_MAX, UINT32_MAX, INT64_MAX, (uint64_t)INT64_MIN, 255, 256, 65535, 65536 };

	if (i < sizeof(odd) / sizeof(*odd))
		return odd[i];
	return (0x0123456789abcdefu * i) >> i % 64;
}

static void every_record_is_as_otf2_writes_it(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 75; i++) {
		uint64_t l = number(i), m = number(i + 3), n = number(i + 5);
		uint32_t a = (uint32_t)number(i + 1), b = (uint32_t)number(i + 2);

		messages(a, b, l, m, n);
		windows(a, b, l, m, n);
		threads(a, b, l);
		files(a, b, l, m);
		regions(a == UINT32_MAX ? 1 : a);
		others(a, b, l);
	}
	files_are_the_same();
}

/* --- attributes and metrics ---------------------------------------------------------------------- */

static void attribute(OTF2_AttributeList *list, uint32_t of, uint8_t type, uint64_t value)
{
	const struct fathom_record_attribute ours = { of, type, value };
	OTF2_AttributeValue theirs = { .uint64 = 0 };

	switch (type) {
	case OTF2_TYPE_UINT8:
		theirs.uint8 = (uint8_t)value;
		break;
	case OTF2_TYPE_UINT32:
	case OTF2_TYPE_STRING:
		theirs.uint32 = (uint32_t)value;
		break;
	default:
		theirs.uint64 = value;
		break;
	}
	ticks++;
	assert_int_equal(OTF2_AttributeList_AddAttribute(list, of, type, theirs), OTF2_SUCCESS);
	assert_int_equal(OTF2_EvtWriter_Enter(writer, list, ticks, of), OTF2_SUCCESS);
	fathom_trace_put_with(&trace, ticks, FATHOM_RECORD_ENTER, &ours, (const uint64_t[]){ 0, of }, 1);
}

static void attributes_are_as_otf2_writes_them(void **state)
{
	static const uint8_t types[] = { OTF2_TYPE_UINT8, OTF2_TYPE_UINT32, OTF2_TYPE_UINT64, OTF2_TYPE_INT64,
					 OTF2_TYPE_DOUBLE, OTF2_TYPE_STRING, OTF2_TYPE_LOCATION };
	OTF2_AttributeList *list = OTF2_AttributeList_New();

	(void)state;
	assert_non_null(list);
	for (unsigned i = 0; i < 40; i++)
		for (size_t t = 0; t < sizeof(types); t++)
			attribute(list, (uint32_t)number(i + 3), types[t], number(i));
	OTF2_AttributeList_Delete(list);
	files_are_the_same();
}

static void metrics_are_as_otf2_writes_them(void **state)
{
	OTF2_Type types[255];
	OTF2_MetricValue values[255];
	uint64_t bits[255];

	(void)state;
	for (unsigned i = 0; i < 255; i++) {
		types[i] = i % 2 ? OTF2_TYPE_UINT64 : OTF2_TYPE_DOUBLE;
		bits[i] = values[i].unsigned_int = number(i);
	}
	for (uint32_t count = 1; count <= 255; count += count < 30 ? 1 : 75) {
		ticks += 5;
		assert_int_equal(OTF2_EvtWriter_Metric(writer, NULL, ticks, count, (uint8_t)count, types, values),
				 OTF2_SUCCESS);
		fathom_trace_put_metric(&trace, ticks, count, count, types, bits);
	}
	files_are_the_same();
}

/* --- late ones ----------------------------------------------------------------------------------- */

/* Written last, but as if in time: also where others have the same time, and where none is newer. */
static void late_records_are_in_their_place(void **state)
{
	OTF2_AttributeList *list = OTF2_AttributeList_New();
	OTF2_MetricValue metric = { .unsigned_int = 7 };
	const OTF2_Type type = OTF2_TYPE_UINT64;

	(void)state;
	assert_non_null(list);
	regions(1);
	for (unsigned i = 0; i < 40; i++) {
		uint32_t a = (uint32_t)number(i + 1), b = (uint32_t)number(i + 2);
		uint64_t late, l = number(i), m = number(i + 3);
		const uint64_t fields[] = { 0, OTF2_PARADIGM_OPENMP, a, b };

		threads(a, b, l);
		late = ticks += i % 3 == 1;
		assert_int_equal(OTF2_EvtWriter_ThreadReleaseLock(writer, NULL, late, OTF2_PARADIGM_OPENMP, a, b),
				 OTF2_SUCCESS);
		ticks++;
		if (i % 5) {
			attribute(list, 3, OTF2_TYPE_UINT64, l);
			assert_int_equal(OTF2_EvtWriter_Metric(writer, NULL, ticks, a, 1, &type, &metric), OTF2_SUCCESS);
			fathom_trace_put_metric(&trace, ticks, a, 1, &type, &metric.unsigned_int);
			regions(i);
			files(a, b, l, m);
		}
		fathom_trace_put_late(&trace, late, FATHOM_RECORD_THREAD_RELEASE_LOCK, fields, 3);
	}
	OTF2_AttributeList_Delete(list);
	files_are_the_same();
}

/* --- chunks -------------------------------------------------------------------------------------- */

/* Go through a file as a reader does: events of all chunks, their numbers and times, and pauses. */
static uint64_t read_chunks(const uint8_t *content, size_t bytes, uint64_t *pauses)
{
	uint64_t events = 0, first, last, time = 0, next;

	for (size_t begin = 0; begin < bytes; begin += FATHOM_TRACE_CHUNK_BYTES) {
		size_t at = begin + 18, stop = begin + FATHOM_TRACE_CHUNK_BYTES < bytes ?
			begin + FATHOM_TRACE_CHUNK_BYTES : bytes - 2;	/* the file ends with 2, 1 */

		assert_int_equal(content[begin], 3);
		memcpy(&first, content + begin + 2, 8);
		memcpy(&last, content + begin + 10, 8);
		assert_int_equal(first, events + 1);
		while (at < stop && content[at]) {
			if (content[at] == 5) {
				memcpy(&next, content + at + 1, 8);
				assert_true(next >= time);
				time = next;
				at += 9;
				continue;
			}
			*pauses += content[at] == FATHOM_RECORD_BUFFER_FLUSH;
			at += 2 + content[at + 1];
			events++;
		}
		assert_int_equal(last, events);
		for (; at < stop; at++)
			assert_int_equal(content[at], 0);
	}
	return events;
}

static void full_chunks_are_written_and_told(void **state)
{
	const struct fathom_region region = { .compact_id = fathom_region_compact_id(77) };
	const struct fathom_frame frame = { .region = &region };
	uint64_t pauses = 0, records = 0;
	char *content;
	size_t bytes;

	(void)state;
	fathom_trace_buffer_limit(3 * FATHOM_TRACE_CHUNK_BYTES, 0);
	while (trace.buffer.flushes < 3) {
		uint64_t now = ticks += 2;

		if (!fathom_trace_is_plain(&trace))
			assert_non_null(fathom_trace_buffer_room(&trace, now, FATHOM_TRACE_REGION_BYTES));
		fathom_trace_region(&trace, now, FATHOM_RECORD_ENTER, &frame);
		records++;
	}
	assert_int_equal(fathom_trace_buffer_close(&trace), 0);
	bytes = content_of(event_path, &content);
	assert_int_equal(read_chunks((uint8_t *)content, bytes, &pauses), records + 3);
	assert_int_equal(pauses, 3);
	assert_int_equal(bytes / FATHOM_TRACE_CHUNK_BYTES, 3 * 3);
	assert_int_equal(trace.buffer.events, records + 3);
	free(content);
	fathom_trace_buffer_limit(0, 0);
}

/* What belongs into a chunk that is full, or written, is at the end. */
static void late_records_of_other_chunks_are_kept(void **state)
{
	const uint64_t fields[] = { 0, 3, 4, 5 };
	uint64_t pauses = 0, records = 0;
	char *content;
	size_t bytes;

	(void)state;
	while (trace.buffer.flushes < 2) {
		ticks += 2;
		FATHOM_TRACE_PUT(&trace, ticks, FATHOM_RECORD_MPI_COLLECTIVE_BEGIN);
		if (++records % 50)
			continue;
		fathom_trace_put_late(&trace, records % 150 ? ticks - 5 : 1, FATHOM_RECORD_THREAD_RELEASE_LOCK,
				      fields, 3);
		assert_int_equal(trace.buffer.last_ticks, ticks);
	}
	assert_int_equal(fathom_trace_buffer_close(&trace), 0);
	bytes = content_of(event_path, &content);
	assert_int_equal(read_chunks((uint8_t *)content, bytes, &pauses), records + records / 50 + 2);
	assert_int_equal(pauses, 2);
	free(content);
}

static void a_full_disk_ends_recording(void **state)
{
	(void)state;
	strcpy(event_path, "/dev/full");
	errno = 77;
	while (fathom_trace_buffer_room(&trace, ticks, FATHOM_TRACE_CHUNK_BYTES / 2))
		trace.buffer.at += FATHOM_TRACE_CHUNK_BYTES / 2;
	assert_int_equal(failure, -ENOSPC);
	assert_true(is_lost);
	assert_int_equal(errno, 77);
	assert_int_equal(fathom_trace_buffer_close(&trace), -ENOSPC);
}

/* As records for the trace are, but none of them is left. */
static void scratch_is_written_over(void **state)
{
	const struct fathom_region region = { .compact_id = fathom_region_compact_id(77) };
	const struct fathom_frame frame = { .region = &region };
	struct fathom_location place = { 0 };
	struct fathom_trace scratch = { .location = &place };
	struct fathom_arena arena;
	uint64_t records = 0;
	int times = 0;

	(void)state;
	assert_int_equal(fathom_trace_buffer_init_scratch(&scratch), 0);
	while (times < 3) {
		uint64_t now = ticks += 2;

		if (!fathom_trace_is_plain(&scratch)) {
			assert_ptr_equal(fathom_trace_buffer_room(&scratch, now, FATHOM_TRACE_REGION_BYTES),
					 scratch.buffer.chunks[0]);
			times++;
		}
		assert_true(fathom_trace_is_plain(&scratch));
		fathom_trace_region(&scratch, now, FATHOM_RECORD_ENTER, &frame);
		records++;
	}
	assert_int_equal(scratch.buffer.events, records);
	assert_int_equal(scratch.buffer.flushes, 0);
	assert_null(fathom_trace_buffer_room(&scratch, ticks, FATHOM_TRACE_CHUNK_BYTES));
	assert_int_not_equal(access(event_path, F_OK), 0);
	arena = place.arena;
	fathom_arena_fini(&arena);
}

/* --- events that a jump out of a signal handler has left ------------------------------------------- */

static struct fathom_region inner = { .paradigm = FATHOM_PARADIGM_COMPILER };

/* Frames of recorded regions, of which the first is always active. */
static struct fathom_frame frames[4] = {
	{ .stack = FATHOM_STACK_HIGHEST, .flags = FATHOM_FRAME_BOTTOM },
	{ .region = &inner, .stack = 4096 },
	{ .region = &inner, .stack = 2048 },
	{ .region = &inner, .stack = 1024 },
};

static void region_record(enum fathom_record record, int frame)
{
	uint32_t region = 300;

	inner.compact_id = fathom_region_compact_id(region);
	ticks += 3;
	fathom_trace_region(&trace, ticks, record, &frames[frame]);
}

/* The same record by OTF2: the event took place. */
static void it_counts(enum fathom_record record)
{
	if (record == FATHOM_RECORD_ENTER)
		assert_int_equal(OTF2_EvtWriter_Enter(writer, NULL, ticks, 300), OTF2_SUCCESS);
	else
		assert_int_equal(OTF2_EvtWriter_Leave(writer, NULL, ticks, 300), OTF2_SUCCESS);
}

/* The events counter and the time are never believed. */
static void mend(int top)
{
	trace.buffer.events += 5;
	trace.buffer.last_ticks += 1000;
	fathom_trace_buffer_repair(&trace, &frames[top]);
}

static void events_that_were_never_ended_are_dropped(void **state)
{
	(void)state;
	SAME(OTF2_EvtWriter_MpiCollectiveBegin, FATHOM_RECORD_MPI_COLLECTIVE_BEGIN);
	for (int turn = 0; turn < 50; turn++) {
		region_record(FATHOM_RECORD_ENTER, 1);
		mend(0);
		region_record(FATHOM_RECORD_ENTER, 1);
		it_counts(FATHOM_RECORD_ENTER);
		mend(1);
		region_record(FATHOM_RECORD_ENTER, 2);
		it_counts(FATHOM_RECORD_ENTER);
		mend(2);
		mend(2);
		region_record(FATHOM_RECORD_LEAVE, 2);
		mend(2);
		region_record(FATHOM_RECORD_LEAVE, 2);
		it_counts(FATHOM_RECORD_LEAVE);
		/* What follows was not yet a record. */
		trace.buffer.link = fathom_trace_link(trace.buffer.at + 12, &frames[1]);
		mend(1);
		/* A frame that is not in the trace, where the last one was. */
		trace.buffer.link = fathom_trace_link(trace.buffer.at, &frames[2]);
		frames[2].flags |= FATHOM_FRAME_UNTRACED;
		mend(2);
		frames[2].flags = 0;
		region_record(FATHOM_RECORD_LEAVE, 1);
		mend(1);
		region_record(FATHOM_RECORD_LEAVE, 1);
		it_counts(FATHOM_RECORD_LEAVE);
		if (turn % 3)
			mend(0);
		ticks += 3;
		SAME(OTF2_EvtWriter_MpiCollectiveBegin, FATHOM_RECORD_MPI_COLLECTIVE_BEGIN);
	}
	files_are_the_same();
}

/* Where the interrupted event began a chunk, the time that this begins with is one of a pause. */
static void chunks_are_whole_after_jumps(void **state)
{
	uint64_t pauses = 0, records = 0;
	char *content;
	size_t bytes;

	(void)state;
	for (int chunk = 0; chunk < 10; chunk++) {
		while (fathom_trace_is_plain(&trace)) {
			region_record(FATHOM_RECORD_ENTER, 1);
			records++;
		}
		ticks += 3;
		assert_non_null(fathom_trace_buffer_room(&trace, ticks, FATHOM_TRACE_REGION_BYTES));
		if (chunk % 2)
			fathom_trace_region(&trace, ticks, FATHOM_RECORD_ENTER, &frames[2]);
		mend(1);
		mend(1);
	}
	assert_int_equal(trace.buffer.flushes, 1);
	assert_int_equal(fathom_trace_buffer_close(&trace), 0);
	bytes = content_of(event_path, &content);
	assert_int_equal(read_chunks((uint8_t *)content, bytes, &pauses), records + 10);
	assert_int_equal(pauses, 10);
	free(content);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(every_record_is_as_otf2_writes_it, begin, end),
		cmocka_unit_test_setup_teardown(attributes_are_as_otf2_writes_them, begin, end),
		cmocka_unit_test_setup_teardown(metrics_are_as_otf2_writes_them, begin, end),
		cmocka_unit_test_setup_teardown(late_records_are_in_their_place, begin, end),
		cmocka_unit_test_setup_teardown(late_records_of_other_chunks_are_kept, begin, end),
		cmocka_unit_test_setup_teardown(full_chunks_are_written_and_told, begin, end),
		cmocka_unit_test_setup_teardown(a_full_disk_ends_recording, begin, end),
		cmocka_unit_test_setup_teardown(scratch_is_written_over, begin, end),
		cmocka_unit_test_setup_teardown(events_that_were_never_ended_are_dropped, begin, end),
		cmocka_unit_test_setup_teardown(chunks_are_whole_after_jumps, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
