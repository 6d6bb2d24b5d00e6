/*
 * make_trace: makes the small traces that the tests of the tools read.
 *
 *   make_trace good DIR            a trace with every kind of record that is not out of date
 *   make_trace FAULT DIR           the same with one thing wrong
 *   make_trace list DIR            the good one, and print the names of all faults
 *   make_trace pairs N DIR         2N enters and leaves and some messages: a large one
 *   make_trace dense ROUNDS DIR    a request that stays open while other messages come and go
 *
 * Two processes of MPI on two hosts. Locations: the master of each; a second OpenMP thread of process 0, a thread that
 * process 1 creates, one with calling contexts, one with metrics of a host, one without any event. All times are from
 * one counter, so that what is written earlier happens earlier.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "make_trace.h"

const uint64_t location_ids[LOCATIONS] = {
	0, 1, 0 | 1ull << 32, 1 | 1ull << 32, 0 | 2ull << 32, 1 | 3ull << 32, 0 | 4ull << 32,
};

OTF2_Archive *archive;
uint64_t counts[LOCATIONS];
uint64_t trace_length = LENGTH;
static OTF2_EvtWriter *writers[LOCATIONS];
static uint64_t now = BEGIN;
static const char *fault = "good";	/* asked for */
static bool planted, listing;

void die(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	exit(1);
}

bool bad(const char *name)
{
	if (listing)
		puts(name);
	if (strcmp(fault, name) != 0)
		return false;
	planted = true;
	return true;
}

void must(OTF2_ErrorCode code, const char *what)
{
	if (code != OTF2_SUCCESS)
		die("%s: %s", what, OTF2_Error_GetDescription(code));
}

#define EVENT(kind, location, ...) \
	must(OTF2_EvtWriter_##kind(writers[location], NULL, now += 5, ##__VA_ARGS__), #kind)

static void enter(int location, uint32_t region)
{
	/* The second thread has ids of its own, with a table that leads to the global ones. */
	EVENT(Enter, location, location == OMP1 ? REGIONS - 1 - region : region);
}

static void leave(int location, uint32_t region)
{
	EVENT(Leave, location, location == OMP1 ? REGIONS - 1 - region : region);
}

/* --- events: MPI ------------------------------------------------------------------------------------------------------ */

static void program_begin(int location)
{
	OTF2_AttributeList *list = OTF2_AttributeList_New();
	const OTF2_StringRef arguments[] = { bad("argument-undefined") ? 4321 : 2 };

	if (location == R1 && bad("program-late"))
		EVENT(MeasurementOnOff, location, OTF2_MEASUREMENT_ON);
	if (bad("attribute-type"))
		OTF2_AttributeList_AddInt64(list, 0, 77);
	else
		OTF2_AttributeList_AddUint64(list, bad("attribute-undefined") ? 9 : 0, 77);
	if (location != R1 || !bad("program-missing"))
		must(OTF2_EvtWriter_ProgramBegin(writers[location], list, now += 5, 1, 1, arguments), "program begin");
	OTF2_AttributeList_Delete(list);
	enter(location, PROGRAM);
	enter(location, MAIN);
}

static void program_end(int location)
{
	leave(location, MAIN);
	if (location != R1 || !bad("never-left"))
		leave(location, PROGRAM);
	if ((location != R1 || !bad("program-missing")) && (location != R0 || !bad("program-open")))
		EVENT(ProgramEnd, location, 0);
	if (location == R0 && bad("program-early"))
		EVENT(MeasurementOnOff, location, OTF2_MEASUREMENT_OFF);
}

static void collective(int location, uint32_t region, OTF2_CollectiveOp op, uint32_t comm, uint32_t root)
{
	enter(location, region);
	EVENT(MpiCollectiveBegin, location);
	if (op == OTF2_COLLECTIVE_OP_CREATE_HANDLE && (location != R1 || comm != WORLD || region != DUP || !bad("comm-lost")))
		EVENT(CommCreate, location, region == DUP ? COPY : comm);
	if (region == INIT)
		EVENT(CommCreate, location, SELF);
	if (op == OTF2_COLLECTIVE_OP_DESTROY_HANDLE && (location != R0 || comm != COPY || !bad("comm-kept")))
		EVENT(CommDestroy, location, comm);
	if (region == FINALIZE)
		EVENT(CommDestroy, location, SELF);
	EVENT(MpiCollectiveEnd, location, op, comm, root, 8, 8);
	leave(location, region);
}

static void blocking_messages(void)
{
	enter(R0, SEND);
	EVENT(MpiSend, R0, bad("rank-outside") ? 2 : 1, WORLD, 7, 64);
	leave(R0, SEND);
	enter(R1, RECV);
	if (!bad("message-unreceived"))
		EVENT(MpiRecv, R1, 0, bad("comm-undefined") ? 66 : WORLD, bad("message-tag") ? 8 : 7,
		      bad("message-longer") ? 65 : 64);
	leave(R1, RECV);
	/* Backwards in time: no fault by itself, clocks are never exact. */
	if (bad("message-early")) {
		EVENT(MpiRecv, R1, 0, WORLD, 9, 4);
		EVENT(MpiSend, R0, 1, WORLD, 9, 4);
	}
	/* A message to oneself, and one over an inter-communicator, where ranks are those of the other side. */
	EVENT(MpiSend, R1, 0, SELF, 1, 0);
	EVENT(MpiRecv, R1, 0, SELF, 1, 0);
	EVENT(MpiSend, R1, bad("bridge-rank") ? 1 : 0, INTER, 3, 12);
	EVENT(MpiRecv, R0, 0, INTER, 3, 12);
}

/* Two receives of one channel that complete in the other order; a cancelled one; requests of the same number again. */
static void open_messages(void)
{
	enter(R1, ISEND);
	EVENT(MpiIrecvRequest, R1, 1);
	EVENT(MpiIrecvRequest, R1, bad("request-twice") ? 1 : 2);
	EVENT(MpiIrecvRequest, R1, 3);
	leave(R1, ISEND);
	enter(R0, ISEND);
	EVENT(MpiIsend, R0, 1, COPY, 5, 100, 1);
	EVENT(MpiIsend, R0, 1, COPY, 5, 200, 2);
	if (bad("message-unsent"))
		EVENT(MpiRecv, R0, 1, COPY, 5, 1);
	leave(R0, ISEND);
	enter(R1, WAIT);
	EVENT(MpiRequestTest, R1, bad("request-test") ? 9 : 2);
	if (!bad("request-twice"))
		EVENT(MpiIrecv, R1, 0, COPY, 5, bad("order-of-posting") ? 100 : 200, 2);
	EVENT(MpiIrecv, R1, 0, COPY, 5, bad("order-of-posting") ? 200 : 100, 1);
	if (!bad("request-open"))
		EVENT(MpiRequestCancelled, R1, bad("request-cancelled") ? 8 : 3);
	if (bad("request-cancelled"))
		EVENT(MpiRequestCancelled, R1, 3);
	leave(R1, WAIT);
	enter(R0, WAIT);
	EVENT(MpiIsendComplete, R0, bad("request-unknown") ? 7 : 1);
	if (bad("request-unknown"))
		EVENT(MpiIsendComplete, R0, 1);
	EVENT(MpiIsendComplete, R0, 2);
	/* A send that is cancelled must not be waited for; nor may it take the place of the next one. */
	EVENT(MpiIsend, R0, 1, WORLD, 6, 1, 1);
	EVENT(MpiSend, R0, 1, WORLD, 6, 50);
	EVENT(MpiRecv, R1, 0, WORLD, 6, 50);
	EVENT(MpiRequestCancelled, R0, 1);
	leave(R0, WAIT);
}

static void ibcast(int location, uint64_t first, uint64_t second)
{
	enter(location, IBCAST);
	EVENT(NonBlockingCollectiveRequest, location, 10);
	EVENT(NonBlockingCollectiveRequest, location, 11);
	EVENT(NonBlockingCollectiveComplete, location, OTF2_COLLECTIVE_OP_BCAST, WORLD, (uint32_t)(first - 10), 4, 4, first);
	if (location != R1 || !bad("collective-open"))
		EVENT(NonBlockingCollectiveComplete, location, OTF2_COLLECTIVE_OP_BCAST, WORLD, (uint32_t)(second - 10), 4, 4,
		      second);
	leave(location, IBCAST);
}

static void collectives(void)
{
	const uint32_t none = OTF2_COLLECTIVE_ROOT_NONE;

	collective(R0, BARRIER, OTF2_COLLECTIVE_OP_BARRIER, WORLD, none);
	if (!bad("collective-missing"))
		collective(R1, BARRIER, bad("collective-other") ? OTF2_COLLECTIVE_OP_ALLREDUCE : OTF2_COLLECTIVE_OP_BARRIER, WORLD,
			   none);
	collective(R0, BCAST, OTF2_COLLECTIVE_OP_BCAST, COPY, bad("root-outside") ? 5 : bad("root-none") ? none : 1);
	collective(R1, BCAST, OTF2_COLLECTIVE_OP_BCAST, COPY,
		   bad("root-other") ? 0 : bad("root-outside") ? 5 : bad("root-none") ? none : 1);
	/* Completed in different orders, requested in the same. */
	ibcast(R0, 10, 11);
	ibcast(R1, 11, 10);
	/* Process 0 is the root, the other side names it. */
	collective(R0, BCAST, OTF2_COLLECTIVE_OP_BCAST, INTER, bad("bridge-root") ? OTF2_COLLECTIVE_ROOT_THIS_GROUP :
		   OTF2_COLLECTIVE_ROOT_SELF);
	collective(R1, BCAST, OTF2_COLLECTIVE_OP_BCAST, INTER, 0);
	collective(R0, BARRIER, OTF2_COLLECTIVE_OP_BARRIER, SELF, none);
	if (bad("collective-unbegun"))
		EVENT(MpiCollectiveEnd, R0, OTF2_COLLECTIVE_OP_BARRIER, SELF, none, 0, 0);
	if (bad("collective-unended"))
		EVENT(MpiCollectiveBegin, R1);
}

static void window_collective(OTF2_CollectiveOp op, OTF2_RmaSyncLevel level)
{
	int i;

	for (i = 0; i < 2; i++) {
		EVENT(RmaCollectiveBegin, i);
		if (op == OTF2_COLLECTIVE_OP_CREATE_HANDLE)
			EVENT(RmaWinCreate, i, 0);
		if (op == OTF2_COLLECTIVE_OP_DESTROY_HANDLE && (i == 0 || !bad("window-kept")))
			EVENT(RmaWinDestroy, i, 0);
		if (i == 0 || op != OTF2_COLLECTIVE_OP_BARRIER || !bad("fence-missing"))
			EVENT(RmaCollectiveEnd, i, op,
			      i && bad("fence-level") && op == OTF2_COLLECTIVE_OP_BARRIER ? level ^ 1 : level, 0,
			      OTF2_COLLECTIVE_ROOT_NONE, 0, 0);
	}
}

static void one_sided(void)
{
	int i;

	enter(R0, WIN);
	enter(R1, WIN);
	if (bad("window-unborn"))
		EVENT(RmaWaitChange, R0, 0);
	window_collective(OTF2_COLLECTIVE_OP_CREATE_HANDLE, OTF2_RMA_SYNC_LEVEL_PROCESS);
	EVENT(RmaPut, R0, bad("window-undefined") ? 5 : 0, bad("target-outside") ? 3 : 1, 8, 1);
	if (!bad("put-open") && !bad("window-undefined"))
		EVENT(RmaOpCompleteNonBlocking, R0, 0, 1);
	if (bad("operation-unknown"))
		EVENT(RmaOpCompleteBlocking, R0, 0, 9);
	window_collective(OTF2_COLLECTIVE_OP_BARRIER, OTF2_RMA_SYNC_LEVEL_PROCESS | OTF2_RMA_SYNC_LEVEL_MEMORY);
	EVENT(RmaRequestLock, R1, 0, 0, 0, OTF2_LOCK_EXCLUSIVE);
	EVENT(RmaAcquireLock, R1, 0, bad("window-lock") ? 1 : 0, 0, OTF2_LOCK_EXCLUSIVE);
	EVENT(RmaGet, R1, 0, 0, 16, 1);
	EVENT(RmaOpTest, R1, 0, 1);
	EVENT(RmaOpCompleteBlocking, R1, 0, 1);
	EVENT(RmaAtomic, R1, 0, 0, OTF2_RMA_ATOMIC_TYPE_SWAP, 8, 8, 2);
	EVENT(RmaOpCompleteBlocking, R1, 0, 2);
	if (!bad("window-locked"))
		EVENT(RmaReleaseLock, R1, 0, 0, 0);
	EVENT(RmaTryLock, R1, 0, 1, 0, OTF2_LOCK_SHARED);
	EVENT(RmaPut, R1, 0, 1, 8, 3);
	EVENT(RmaOpCompleteRemote, R1, 0, 3);
	EVENT(RmaReleaseLock, R1, 0, 1, 0);
	for (i = 0; i < 2; i++)
		EVENT(RmaGroupSync, i, OTF2_RMA_SYNC_LEVEL_PROCESS, 0, bad("sync-group") ? 88 : 2);
	EVENT(RmaSync, R0, 0, 1, OTF2_RMA_SYNC_TYPE_MEMORY);
	EVENT(RmaWaitChange, R0, 0);
	EVENT(RmaPut, R0, 0, 1, 8, 4);
	EVENT(RmaOpCompleteNonBlocking, R0, 0, 4);
	if (!bad("put-remote"))
		window_collective(OTF2_COLLECTIVE_OP_DESTROY_HANDLE, OTF2_RMA_SYNC_LEVEL_PROCESS);
	leave(R0, WIN);
	leave(R1, WIN);
}

/* --- events: threads -------------------------------------------------------------------------------------------------- */

/* The task that the master creates begins on it and goes on on the other thread, with a region open. */
static void run_tasks(void)
{
	enter(R0, CREATE_TASK);
	if (!bad("task-unborn"))
		EVENT(ThreadTaskCreate, R0, TEAM, 0, 1);
	leave(R0, CREATE_TASK);
	EVENT(ThreadTaskSwitch, R0, TEAM, 0, 1);
	enter(R0, TASK);
	EVENT(ThreadTaskSwitch, R0, TEAM, bad("task-implicit") ? 1 : 0, 0);
	enter(OMP1, IMPLICIT);
	EVENT(ThreadTaskSwitch, OMP1, TEAM, 0, 1);
	enter(OMP1, MAIN);
	leave(OMP1, bad("task-balance") ? PARALLEL : MAIN);
	if (!bad("task-open"))
		leave(OMP1, TASK);
	if (!bad("task-endless"))
		EVENT(ThreadTaskComplete, OMP1, TEAM, bad("task-creator") ? 3 : 0, 1);
	EVENT(ThreadTaskSwitch, OMP1, TEAM, 1, 0);
	leave(OMP1, IMPLICIT);
}

static void take_lock(int location, OTF2_Paradigm model, uint32_t lock, uint32_t order)
{
	EVENT(ThreadAcquireLock, location, model, lock, order);
	EVENT(ThreadReleaseLock, location, model, lock, order);
}

static void parallel_region(void)
{
	EVENT(ThreadFork, R0, OTF2_PARADIGM_OPENMP, 2);
	EVENT(ThreadTeamBegin, R0, TEAM);
	enter(R0, PARALLEL);
	if (!bad("team-missing")) {
		EVENT(ThreadTeamBegin, OMP1, TEAM);
		enter(OMP1, PARALLEL);
	}
	if (!bad("team-missing"))
		run_tasks();
	enter(R0, CRITICAL);
	take_lock(R0, OTF2_PARADIGM_OPENMP, 5, bad("lock-zero") ? 0 : 1);
	leave(R0, CRITICAL);
	if (bad("lock-held"))
		EVENT(ThreadAcquireLock, R0, OTF2_PARADIGM_OPENMP, 6, 1);
	EVENT(ThreadAcquireLock, OMP1, OTF2_PARADIGM_OPENMP, 6, bad("lock-held") ? 2 : 1);
	EVENT(ThreadReleaseLock, OMP1, OTF2_PARADIGM_OPENMP, 6, bad("lock-release") ? 3 : bad("lock-held") ? 2 : 1);
	take_lock(R0, OTF2_PARADIGM_OPENMP, 5, bad("lock-order") ? 3 : 2);
	if (!bad("team-missing")) {
		leave(OMP1, PARALLEL);
		if (!bad("team-late"))
			EVENT(ThreadTeamEnd, OMP1, bad("team-other") ? CONTINGENT : TEAM);
	}
	leave(R0, PARALLEL);
	EVENT(ThreadTeamEnd, R0, TEAM);
	if (!bad("fork-open"))
		EVENT(ThreadJoin, R0, bad("join-model") ? OTF2_PARADIGM_PTHREAD : OTF2_PARADIGM_OPENMP);
	if (bad("team-late"))
		EVENT(ThreadTeamEnd, OMP1, TEAM);
}

static void strict_values(int location, uint64_t time)
{
	const OTF2_Type types[] = { OTF2_TYPE_UINT64, bad("values-type") ? OTF2_TYPE_INT64 : OTF2_TYPE_DOUBLE };
	OTF2_MetricValue values[2] = { { .unsigned_int = time }, { .floating_point = 0.5 } };

	must(OTF2_EvtWriter_Metric(writers[location], NULL, now, 0, bad("values-count") ? 1 : 2, types, values), "metric");
}

static void created_thread(void)
{
	enter(R1, SPAWN);
	if (!bad("thread-unborn"))
		EVENT(ThreadCreate, R1, CONTINGENT, 1);
	leave(R1, SPAWN);
	if (bad("thread-late"))
		EVENT(MeasurementOnOff, THREAD, OTF2_MEASUREMENT_ON);
	EVENT(ThreadBegin, THREAD, CONTINGENT, 1);
	now += 5;
	strict_values(THREAD, now);
	must(OTF2_EvtWriter_Enter(writers[THREAD], NULL, now, MAIN), "enter");
	take_lock(THREAD, OTF2_PARADIGM_PTHREAD, 5, 1);
	now += 5;
	if (!bad("values-missing"))
		strict_values(THREAD, now);
	must(OTF2_EvtWriter_Leave(writers[THREAD], NULL, now, MAIN), "leave");
	EVENT(ThreadEnd, THREAD, CONTINGENT, 1);
	if (bad("thread-goes-on"))
		EVENT(MeasurementOnOff, THREAD, OTF2_MEASUREMENT_OFF);
	enter(R1, JOIN);
	EVENT(ThreadWait, R1, CONTINGENT, bad("thread-other") ? 2 : 1);
	leave(R1, JOIN);
}

/* --- events: others ---------------------------------------------------------------------------------------------------- */

static void general_events(void)
{
	const OTF2_Type type = OTF2_TYPE_INT64;
	const OTF2_MetricValue value = { .signed_int = 250 };
	uint64_t end;

	enter(R0, bad("region-undefined") ? 404 : MAIN);
	EVENT(ParameterString, R0, 0, bad("text-undefined") ? 9999 : 1);
	EVENT(ParameterInt, R0, bad("parameter-type") ? 0 : 1, -3);
	EVENT(ParameterUnsignedInt, R0, 2, 3);
	leave(R0, bad("region-undefined") ? 404 : bad("leave-other") ? BARRIER : MAIN);
	if (bad("leave-alone"))
		EVENT(Leave, IDLE, MAIN);
	if (bad("parameter-alone"))
		EVENT(ParameterInt, IDLE, 1, 0);
	EVENT(MeasurementOnOff, R0, OTF2_MEASUREMENT_OFF);
	if (bad("enter-while-off"))
		enter(R0, MAIN);
	if (bad("enter-while-off") || bad("leave-while-off"))
		leave(R0, MAIN);
	EVENT(MeasurementOnOff, R0, bad("off-twice") ? OTF2_MEASUREMENT_OFF : OTF2_MEASUREMENT_ON);
	if (bad("off-twice"))
		EVENT(MeasurementOnOff, R0, OTF2_MEASUREMENT_ON);
	if (bad("leave-while-off"))
		enter(R0, MAIN);
	end = now + 10;
	EVENT(BufferFlush, R0, bad("flush-ends") ? BEGIN : end);
	now = end;
	EVENT(CallingContextEnter, CONTEXTS, bad("context-undefined") ? 6 : 0, 1);
	EVENT(CallingContextSample, CONTEXTS, 0, 1, bad("generator-undefined") ? 6 : 0);
	if (bad("contexts-mixed")) {
		enter(CONTEXTS, MAIN);
		leave(CONTEXTS, MAIN);
		EVENT(CallingContextSample, CONTEXTS, 0, 1, 0);
	}
	EVENT(CallingContextLeave, CONTEXTS, bad("context-undefined") ? 6 : 0);
	EVENT(Metric, HOST, bad("metric-undefined") ? 8 : 2, 1, &type, &value);
}

static void file_events(void)
{
	enter(R1, READ);
	EVENT(IoSeek, R1, 0, 0, OTF2_IO_SEEK_FROM_START, 0);
	if (!bad("handle-unborn"))
		EVENT(IoCreateHandle, R1, 1, OTF2_IO_ACCESS_MODE_READ_WRITE, OTF2_IO_CREATION_FLAG_NONE, OTF2_IO_STATUS_FLAG_NONE);
	if (bad("handle-twice"))
		EVENT(IoCreateHandle, R1, 1, OTF2_IO_ACCESS_MODE_READ_WRITE, OTF2_IO_CREATION_FLAG_NONE, OTF2_IO_STATUS_FLAG_NONE);
	EVENT(IoDuplicateHandle, R1, 1, bad("handle-undefined") ? 12 : 2, OTF2_IO_STATUS_FLAG_NONE);
	if (bad("handle-undefined"))
		EVENT(IoDuplicateHandle, R1, 1, 2, OTF2_IO_STATUS_FLAG_NONE);
	EVENT(IoChangeStatusFlags, R1, 2, OTF2_IO_STATUS_FLAG_SYNC);
	EVENT(IoAcquireLock, R1, 1, OTF2_LOCK_SHARED);
	EVENT(IoTryLock, R1, 1, OTF2_LOCK_SHARED);
	EVENT(IoReleaseLock, R1, 1, OTF2_LOCK_SHARED);
	EVENT(IoOperationBegin, R1, 1, OTF2_IO_OPERATION_MODE_READ, OTF2_IO_OPERATION_FLAG_NON_BLOCKING, 512, 4);
	if (bad("operation-twice"))
		EVENT(IoOperationBegin, R1, 1, OTF2_IO_OPERATION_MODE_READ, OTF2_IO_OPERATION_FLAG_NON_BLOCKING, 512, 4);
	EVENT(IoOperationIssued, R1, 1, 4);
	EVENT(IoOperationTest, R1, 1, bad("operation-test") ? 5 : 4);
	if (!bad("operation-open"))
		EVENT(IoOperationComplete, R1, 1, bad("operation-bytes") ? 513 : 512, 4);
	EVENT(IoOperationBegin, R1, 2, OTF2_IO_OPERATION_MODE_WRITE, OTF2_IO_OPERATION_FLAG_NONE, 8, 4);
	EVENT(IoOperationCancelled, R1, 2, 4);
	EVENT(IoDestroyHandle, R1, 2);
	EVENT(IoDestroyHandle, R1, 1);
	if (bad("handle-closed"))
		EVENT(IoSeek, R1, 1, 0, OTF2_IO_SEEK_FROM_START, 0);
	EVENT(IoDeleteFile, R1, 0, bad("file-undefined") ? 7 : 0);
	leave(R1, READ);
}

static void write_events(void)
{
	const uint32_t none = OTF2_COLLECTIVE_ROOT_NONE;
	int i;

	for (i = 0; i < 2; i++) {
		program_begin(i);
		collective(i, INIT, OTF2_COLLECTIVE_OP_CREATE_HANDLE, WORLD, none);
		if (i == 0 && bad("comm-unborn"))
			EVENT(MpiSend, R0, 1, COPY, 1, 0);
		collective(i, DUP, OTF2_COLLECTIVE_OP_CREATE_HANDLE, WORLD, none);
	}
	if (bad("comm-unborn"))
		EVENT(MpiRecv, R1, 0, COPY, 1, 0);
	if (bad("comm-twice"))
		EVENT(CommCreate, R0, WORLD);
	general_events();
	blocking_messages();
	open_messages();
	collectives();
	one_sided();
	parallel_region();
	created_thread();
	file_events();
	for (i = 0; i < 2; i++) {
		collective(i, DUP, OTF2_COLLECTIVE_OP_DESTROY_HANDLE, COPY, none);
		collective(i, FINALIZE, OTF2_COLLECTIVE_OP_DESTROY_HANDLE, WORLD, none);
		program_end(i);
	}
}

/* --- large ones --------------------------------------------------------------------------------------------------------- */

static void begin_large(void)
{
	int i;

	for (i = 0; i < 2; i++) {
		program_begin(i);
		collective(i, INIT, OTF2_COLLECTIVE_OP_CREATE_HANDLE, WORLD, OTF2_COLLECTIVE_ROOT_NONE);
		EVENT(CommCreate, i, COPY);
	}
	window_collective(OTF2_COLLECTIVE_OP_CREATE_HANDLE, OTF2_RMA_SYNC_LEVEL_PROCESS);
}

static void end_large(void)
{
	program_end(R0);
	program_end(R1);
	trace_length = now - BEGIN;
}

static void write_pairs(unsigned long pairs)
{
	unsigned long i;
	uint32_t tag = 0;

	begin_large();
	for (i = 0; i < pairs; i++) {
		enter((int)(i & 1), BCAST);
		leave((int)(i & 1), BCAST);
		if (i % 8 == 0) {
			EVENT(MpiSend, R0, 1, WORLD, ++tag % 1000, 8);
			EVENT(MpiRecv, R1, 0, WORLD, tag % 1000, 8);
		}
	}
	end_large();
}

/* A receive that stays open from the first to the last moment, as of a message that says "stop". */
static void write_dense(unsigned long rounds)
{
	unsigned long i;

	begin_large();
	EVENT(MpiIrecvRequest, R1, 1);
	for (i = 0; i < rounds; i++) {
		EVENT(MpiSend, R0, 1, WORLD, 4, i % 100);
		EVENT(MpiRecv, R1, 0, WORLD, 4, i % 100);
	}
	EVENT(MpiSend, R0, 1, WORLD, 99, 1);
	EVENT(MpiIrecv, R1, 0, WORLD, 99, 1, 1);
	end_large();
}

/* --- all of it ------------------------------------------------------------------------------------------------------------ */

static OTF2_FlushType before_flush(void *data, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool final)
{
	(void)data;
	(void)type;
	(void)location;
	(void)caller;
	(void)final;
	return OTF2_FLUSH;
}

static OTF2_FlushCallbacks flush_callbacks = { .otf2_pre_flush = before_flush };

static void open_archive(const char *directory)
{
	int i;

	archive = OTF2_Archive_Open(directory, "traces", OTF2_FILEMODE_WRITE, 1 << 20, 1 << 20, OTF2_SUBSTRATE_POSIX,
				    OTF2_COMPRESSION_NONE);
	if (!archive)
		die("%s: cannot be created", directory);
	OTF2_Archive_SetFlushCallbacks(archive, &flush_callbacks, NULL);
	OTF2_Archive_SetSerialCollectiveCallbacks(archive);
	OTF2_Archive_SetCreator(archive, "fathom 0.0");
	must(OTF2_Archive_OpenEvtFiles(archive), "event files");
	for (i = 0; i < LOCATIONS; i++)
		writers[i] = OTF2_Archive_GetEvtWriter(archive, location_ids[i]);
}

static void set_properties(void)
{
	static const char *const complete[] = { "OTF2::MPI_COMMUNICATION_COMPLETE", "OTF2::THREAD_FORK_JOIN_EVENT_COMPLETE",
						"OTF2::THREAD_CREATE_WAIT_EVENT_COMPLETE", "OTF2::THREAD_LOCK_EVENT_COMPLETE" };
	size_t i;

	for (i = 0; i < sizeof(complete) / sizeof(complete[0]); i++)
		OTF2_Archive_SetBoolProperty(archive, complete[i], !(i == 0 && getenv("INCOMPLETE")), true);
	OTF2_Archive_SetProperty(archive, "FATHOM::CLOCK_VIOLATIONS", "3", true);
	OTF2_Archive_SetProperty(archive, "FATHOM::DROPPED_EVENTS", "0", true);
}

static void close_archive(void)
{
	int i;

	for (i = 0; i < LOCATIONS; i++) {
		must(OTF2_EvtWriter_GetNumberOfEvents(writers[i], &counts[i]), "number of events");
		must(OTF2_Archive_CloseEvtWriter(archive, writers[i]), "closing an event file");
	}
	must(OTF2_Archive_CloseEvtFiles(archive), "event files");
	write_locals();
	write_definitions();
	set_properties();
	must(OTF2_Archive_Close(archive), "closing the archive");
}

/* One more of something that the anchor counts, at that place of the file; expected -1: whatever it is now. */
static void change_anchor(const char *directory, long at, int expected)
{
	char path[4096];
	FILE *file;
	int byte;

	snprintf(path, sizeof(path), "%s/traces.otf2", directory);
	file = fopen(path, "r+");
	if (!file || fseek(file, at, SEEK_SET) < 0)
		die("%s cannot be changed", path);
	byte = fgetc(file);
	if (expected >= 0 && byte != expected)
		die("%s: %d at %ld, not %d: another version of the format", path, byte, at, expected);
	fseek(file, at, SEEK_SET);
	fputc(byte + 1, file);
	fclose(file);
}

/* Faults of files, when all is written. */
static void damage(const char *directory)
{
	char path[4096];
	FILE *file;

	if (bad("anchor-locations"))
		change_anchor(directory, 30, LOCATIONS);
	if (bad("anchor-definitions"))
		change_anchor(directory, 38, -1);
	snprintf(path, sizeof(path), "%s/traces/%s", directory, bad("events-extra") ? "77.evt" : "4294967296.evt");
	if (bad("events-missing"))
		unlink(path);
	else if (bad("events-cut") && truncate(path, 60) < 0)
		die("%s cannot be cut", path);
	else if (strcmp(fault, "events-extra") == 0 && (file = fopen(path, "w")))
		fclose(file);
}

int main(int argc, char **argv)
{
	bool is_large = argc == 4 && (strcmp(argv[1], "pairs") == 0 || strcmp(argv[1], "dense") == 0);

	if (argc != 3 && !is_large)
		die("usage: make_trace good|list|FAULT DIR (see the top of make_trace.c)");
	listing = strcmp(argv[1], "list") == 0;
	if (!is_large)
		fault = argv[1];
	open_archive(argv[argc - 1]);
	if (is_large)
		(*argv[1] == 'p' ? write_pairs : write_dense)(strtoul(argv[2], NULL, 10));
	else
		write_events();
	close_archive();
	damage(argv[argc - 1]);
	if (!planted && !listing && strcmp(fault, "good") != 0)
		die("%s: no such fault", fault);
	return 0;
}
