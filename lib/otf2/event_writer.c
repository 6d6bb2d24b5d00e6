#include "otf2/event_writer.h"

/* OTF2 has deprecated its own records of OpenMP, which old traces have. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#define WRITE(name, ...) \
	return OTF2_EvtWriter_##name(writer, event->attributes, event->time, ##__VA_ARGS__) == OTF2_SUCCESS

bool fathom_otf2_write_event(OTF2_EvtWriter *writer, const struct fathom_otf2_event *event)
{
	uint32_t ref = (uint32_t)event->ref, other = (uint32_t)event->other;
	uint8_t op = (uint8_t)event->op;

	switch (event->kind) {
	case FATHOM_RECORD_BUFFER_FLUSH: WRITE(BufferFlush, event->id);
	case FATHOM_RECORD_MEASUREMENT_ON_OFF:
		WRITE(MeasurementOnOff, event->op ? OTF2_MEASUREMENT_ON : OTF2_MEASUREMENT_OFF);
	case FATHOM_RECORD_ENTER: WRITE(Enter, ref);
	case FATHOM_RECORD_LEAVE: WRITE(Leave, ref);
	case FATHOM_RECORD_MPI_SEND: WRITE(MpiSend, event->peer, ref, event->tag, event->bytes);
	case FATHOM_RECORD_MPI_ISEND: WRITE(MpiIsend, event->peer, ref, event->tag, event->bytes, event->id);
	case FATHOM_RECORD_MPI_ISEND_COMPLETE: WRITE(MpiIsendComplete, event->id);
	case FATHOM_RECORD_MPI_IRECV_REQUEST: WRITE(MpiIrecvRequest, event->id);
	case FATHOM_RECORD_MPI_RECV: WRITE(MpiRecv, event->peer, ref, event->tag, event->bytes);
	case FATHOM_RECORD_MPI_IRECV: WRITE(MpiIrecv, event->peer, ref, event->tag, event->bytes, event->id);
	case FATHOM_RECORD_MPI_REQUEST_TEST: WRITE(MpiRequestTest, event->id);
	case FATHOM_RECORD_MPI_REQUEST_CANCELLED: WRITE(MpiRequestCancelled, event->id);
	case FATHOM_RECORD_MPI_COLLECTIVE_BEGIN: WRITE(MpiCollectiveBegin);
	case FATHOM_RECORD_MPI_COLLECTIVE_END:
		WRITE(MpiCollectiveEnd, op, ref, event->peer, event->bytes, event->bytes_received);
	case FATHOM_RECORD_OMP_FORK: WRITE(OmpFork, event->count);
	case FATHOM_RECORD_OMP_JOIN: WRITE(OmpJoin);
	case FATHOM_RECORD_OMP_ACQUIRE_LOCK: WRITE(OmpAcquireLock, (uint32_t)event->id, event->tag);
	case FATHOM_RECORD_OMP_RELEASE_LOCK: WRITE(OmpReleaseLock, (uint32_t)event->id, event->tag);
	case FATHOM_RECORD_OMP_TASK_CREATE: WRITE(OmpTaskCreate, event->id);
	case FATHOM_RECORD_OMP_TASK_SWITCH: WRITE(OmpTaskSwitch, event->id);
	case FATHOM_RECORD_OMP_TASK_COMPLETE: WRITE(OmpTaskComplete, event->id);
	case FATHOM_RECORD_METRIC: WRITE(Metric, ref, (uint8_t)event->count, event->types, event->values);
	case FATHOM_RECORD_PARAMETER_STRING: WRITE(ParameterString, ref, other);
	case FATHOM_RECORD_PARAMETER_INT: WRITE(ParameterInt, ref, (int64_t)event->id);
	case FATHOM_RECORD_PARAMETER_UNSIGNED_INT: WRITE(ParameterUnsignedInt, ref, event->id);
	case FATHOM_RECORD_RMA_WIN_CREATE: WRITE(RmaWinCreate, ref);
	case FATHOM_RECORD_RMA_WIN_DESTROY: WRITE(RmaWinDestroy, ref);
	case FATHOM_RECORD_RMA_COLLECTIVE_BEGIN: WRITE(RmaCollectiveBegin);
	case FATHOM_RECORD_RMA_COLLECTIVE_END:
		WRITE(RmaCollectiveEnd, op, event->tag, ref, event->peer, event->bytes, event->bytes_received);
	case FATHOM_RECORD_RMA_GROUP_SYNC: WRITE(RmaGroupSync, event->tag, ref, other);
	case FATHOM_RECORD_RMA_REQUEST_LOCK: WRITE(RmaRequestLock, ref, event->peer, event->id, op);
	case FATHOM_RECORD_RMA_ACQUIRE_LOCK: WRITE(RmaAcquireLock, ref, event->peer, event->id, op);
	case FATHOM_RECORD_RMA_TRY_LOCK: WRITE(RmaTryLock, ref, event->peer, event->id, op);
	case FATHOM_RECORD_RMA_RELEASE_LOCK: WRITE(RmaReleaseLock, ref, event->peer, event->id);
	case FATHOM_RECORD_RMA_SYNC: WRITE(RmaSync, ref, event->peer, op);
	case FATHOM_RECORD_RMA_WAIT_CHANGE: WRITE(RmaWaitChange, ref);
	case FATHOM_RECORD_RMA_PUT: WRITE(RmaPut, ref, event->peer, event->bytes, event->id);
	case FATHOM_RECORD_RMA_GET: WRITE(RmaGet, ref, event->peer, event->bytes_received, event->id);
	case FATHOM_RECORD_RMA_ATOMIC:
		WRITE(RmaAtomic, ref, event->peer, op, event->bytes, event->bytes_received, event->id);
	case FATHOM_RECORD_RMA_OP_COMPLETE_BLOCKING: WRITE(RmaOpCompleteBlocking, ref, event->id);
	case FATHOM_RECORD_RMA_OP_COMPLETE_NON_BLOCKING: WRITE(RmaOpCompleteNonBlocking, ref, event->id);
	case FATHOM_RECORD_RMA_OP_TEST: WRITE(RmaOpTest, ref, event->id);
	case FATHOM_RECORD_RMA_OP_COMPLETE_REMOTE: WRITE(RmaOpCompleteRemote, ref, event->id);
	case FATHOM_RECORD_THREAD_FORK: WRITE(ThreadFork, op, event->count);
	case FATHOM_RECORD_THREAD_JOIN: WRITE(ThreadJoin, op);
	case FATHOM_RECORD_THREAD_TEAM_BEGIN: WRITE(ThreadTeamBegin, ref);
	case FATHOM_RECORD_THREAD_TEAM_END: WRITE(ThreadTeamEnd, ref);
	case FATHOM_RECORD_THREAD_ACQUIRE_LOCK: WRITE(ThreadAcquireLock, op, (uint32_t)event->id, event->tag);
	case FATHOM_RECORD_THREAD_RELEASE_LOCK: WRITE(ThreadReleaseLock, op, (uint32_t)event->id, event->tag);
	case FATHOM_RECORD_THREAD_TASK_CREATE: WRITE(ThreadTaskCreate, ref, event->peer, event->tag);
	case FATHOM_RECORD_THREAD_TASK_SWITCH: WRITE(ThreadTaskSwitch, ref, event->peer, event->tag);
	case FATHOM_RECORD_THREAD_TASK_COMPLETE: WRITE(ThreadTaskComplete, ref, event->peer, event->tag);
	case FATHOM_RECORD_THREAD_CREATE: WRITE(ThreadCreate, ref, event->id);
	case FATHOM_RECORD_THREAD_BEGIN: WRITE(ThreadBegin, ref, event->id);
	case FATHOM_RECORD_THREAD_WAIT: WRITE(ThreadWait, ref, event->id);
	case FATHOM_RECORD_THREAD_END: WRITE(ThreadEnd, ref, event->id);
	case FATHOM_RECORD_CALLING_CONTEXT_ENTER: WRITE(CallingContextEnter, ref, event->count);
	case FATHOM_RECORD_CALLING_CONTEXT_LEAVE: WRITE(CallingContextLeave, ref);
	case FATHOM_RECORD_CALLING_CONTEXT_SAMPLE: WRITE(CallingContextSample, ref, event->count, other);
	case FATHOM_RECORD_IO_CREATE_HANDLE: WRITE(IoCreateHandle, ref, op, event->tag, event->count);
	case FATHOM_RECORD_IO_DESTROY_HANDLE: WRITE(IoDestroyHandle, ref);
	case FATHOM_RECORD_IO_DUPLICATE_HANDLE: WRITE(IoDuplicateHandle, ref, other, event->op);
	case FATHOM_RECORD_IO_SEEK: WRITE(IoSeek, ref, (int64_t)event->id, op, event->bytes);
	case FATHOM_RECORD_IO_CHANGE_STATUS_FLAGS: WRITE(IoChangeStatusFlags, ref, event->op);
	case FATHOM_RECORD_IO_DELETE_FILE: WRITE(IoDeleteFile, (OTF2_IoParadigmRef)ref, other);
	case FATHOM_RECORD_IO_OPERATION_BEGIN: WRITE(IoOperationBegin, ref, op, event->tag, event->bytes, event->id);
	case FATHOM_RECORD_IO_OPERATION_TEST: WRITE(IoOperationTest, ref, event->id);
	case FATHOM_RECORD_IO_OPERATION_ISSUED: WRITE(IoOperationIssued, ref, event->id);
	case FATHOM_RECORD_IO_OPERATION_COMPLETE: WRITE(IoOperationComplete, ref, event->bytes, event->id);
	case FATHOM_RECORD_IO_OPERATION_CANCELLED: WRITE(IoOperationCancelled, ref, event->id);
	case FATHOM_RECORD_IO_ACQUIRE_LOCK: WRITE(IoAcquireLock, ref, op);
	case FATHOM_RECORD_IO_RELEASE_LOCK: WRITE(IoReleaseLock, ref, op);
	case FATHOM_RECORD_IO_TRY_LOCK: WRITE(IoTryLock, ref, op);
	case FATHOM_RECORD_PROGRAM_BEGIN: WRITE(ProgramBegin, ref, event->count, event->types);
	case FATHOM_RECORD_PROGRAM_END: WRITE(ProgramEnd, (int64_t)event->id);
	case FATHOM_RECORD_NON_BLOCKING_COLLECTIVE_REQUEST: WRITE(NonBlockingCollectiveRequest, event->id);
	case FATHOM_RECORD_NON_BLOCKING_COLLECTIVE_COMPLETE:
		WRITE(NonBlockingCollectiveComplete, op, ref, event->peer, event->bytes, event->bytes_received,
		      event->id);
	case FATHOM_RECORD_COMM_CREATE: WRITE(CommCreate, ref);
	case FATHOM_RECORD_COMM_DESTROY: WRITE(CommDestroy, ref);
	default: return false;
	}
}
