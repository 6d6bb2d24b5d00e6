#include "otf2/event_reader.h"

#include <string.h>

static OTF2_CallbackCode take(void *data, OTF2_LocationRef location, struct fathom_otf2_event *event)
{
	struct fathom_otf2_reading *reading = data;

	if (location != reading->last_id) {
		int64_t index = fathom_otf2_index(reading->defs, FATHOM_OTF2_LOCATION, location);

		if (index < 0)		/* fathom selects only defined locations */
			return OTF2_CALLBACK_ERROR;
		reading->last = (uint32_t)index;
		reading->last_id = location;
	}
	event->location = reading->last;
	return reading->take(reading->taker, event) ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_INTERRUPT;
}

/* Defines a callback with the parameters that all callbacks have. OTF2 requires one function for each kind of event. */
#define ON(name, ...) \
	static OTF2_CallbackCode name(OTF2_LocationRef location, OTF2_TimeStamp time, void *data, \
				      OTF2_AttributeList *attributes, ##__VA_ARGS__)
#define TAKE(number, ...) \
	return take(data, location, &(struct fathom_otf2_event){ .kind = (number), .time = time, \
								  .attributes = attributes, ##__VA_ARGS__ })

ON(on_unknown) { TAKE(FATHOM_RECORD_UNKNOWN); }
ON(on_flush, OTF2_TimeStamp stop) { TAKE(FATHOM_RECORD_BUFFER_FLUSH, .id = stop); }
ON(on_on_off, OTF2_MeasurementMode mode) { TAKE(FATHOM_RECORD_MEASUREMENT_ON_OFF, .op = mode == OTF2_MEASUREMENT_ON); }
ON(on_enter, OTF2_RegionRef region) { TAKE(FATHOM_RECORD_ENTER, .ref = region); }
ON(on_leave, OTF2_RegionRef region) { TAKE(FATHOM_RECORD_LEAVE, .ref = region); }

ON(on_send, uint32_t receiver, OTF2_CommRef comm, uint32_t tag, uint64_t bytes)
{
	TAKE(FATHOM_RECORD_MPI_SEND, .ref = comm, .peer = receiver, .tag = tag, .bytes = bytes);
}

ON(on_isend, uint32_t receiver, OTF2_CommRef comm, uint32_t tag, uint64_t bytes, uint64_t request)
{
	TAKE(FATHOM_RECORD_MPI_ISEND, .ref = comm, .peer = receiver, .tag = tag, .bytes = bytes, .id = request);
}

ON(on_isend_complete, uint64_t request) { TAKE(FATHOM_RECORD_MPI_ISEND_COMPLETE, .id = request); }
ON(on_irecv_request, uint64_t request) { TAKE(FATHOM_RECORD_MPI_IRECV_REQUEST, .id = request); }

ON(on_recv, uint32_t sender, OTF2_CommRef comm, uint32_t tag, uint64_t bytes)
{
	TAKE(FATHOM_RECORD_MPI_RECV, .ref = comm, .peer = sender, .tag = tag, .bytes = bytes);
}

ON(on_irecv, uint32_t sender, OTF2_CommRef comm, uint32_t tag, uint64_t bytes, uint64_t request)
{
	TAKE(FATHOM_RECORD_MPI_IRECV, .ref = comm, .peer = sender, .tag = tag, .bytes = bytes, .id = request);
}

ON(on_request_test, uint64_t request) { TAKE(FATHOM_RECORD_MPI_REQUEST_TEST, .id = request); }
ON(on_cancelled, uint64_t request) { TAKE(FATHOM_RECORD_MPI_REQUEST_CANCELLED, .id = request); }
ON(on_collective_begin) { TAKE(FATHOM_RECORD_MPI_COLLECTIVE_BEGIN); }

ON(on_collective_end, OTF2_CollectiveOp op, OTF2_CommRef comm, uint32_t root, uint64_t sent, uint64_t received)
{
	TAKE(FATHOM_RECORD_MPI_COLLECTIVE_END, .ref = comm, .op = op, .peer = root, .bytes = sent,
	     .bytes_received = received);
}

ON(on_collective_request, uint64_t request) { TAKE(FATHOM_RECORD_NON_BLOCKING_COLLECTIVE_REQUEST, .id = request); }

ON(on_collective_complete, OTF2_CollectiveOp op, OTF2_CommRef comm, uint32_t root, uint64_t sent, uint64_t received,
	uint64_t request)
{
	TAKE(FATHOM_RECORD_NON_BLOCKING_COLLECTIVE_COMPLETE, .ref = comm, .op = op, .peer = root, .bytes = sent,
	     .bytes_received = received, .id = request);
}

ON(on_comm_create, OTF2_CommRef comm) { TAKE(FATHOM_RECORD_COMM_CREATE, .ref = comm); }
ON(on_comm_destroy, OTF2_CommRef comm) { TAKE(FATHOM_RECORD_COMM_DESTROY, .ref = comm); }
ON(on_omp_fork, uint32_t threads) { TAKE(FATHOM_RECORD_OMP_FORK, .op = OTF2_PARADIGM_OPENMP, .count = threads); }
ON(on_omp_join) { TAKE(FATHOM_RECORD_OMP_JOIN, .op = OTF2_PARADIGM_OPENMP); }

ON(on_omp_acquire, uint32_t lock, uint32_t order)
{
	TAKE(FATHOM_RECORD_OMP_ACQUIRE_LOCK, .op = OTF2_PARADIGM_OPENMP, .id = lock, .tag = order);
}

ON(on_omp_release, uint32_t lock, uint32_t order)
{
	TAKE(FATHOM_RECORD_OMP_RELEASE_LOCK, .op = OTF2_PARADIGM_OPENMP, .id = lock, .tag = order);
}

ON(on_omp_task_create, uint64_t task) { TAKE(FATHOM_RECORD_OMP_TASK_CREATE, .id = task); }
ON(on_omp_task_switch, uint64_t task) { TAKE(FATHOM_RECORD_OMP_TASK_SWITCH, .id = task); }
ON(on_omp_task_complete, uint64_t task) { TAKE(FATHOM_RECORD_OMP_TASK_COMPLETE, .id = task); }

ON(on_metric, OTF2_MetricRef metric, uint8_t count, const OTF2_Type *types, const OTF2_MetricValue *values)
{
	TAKE(FATHOM_RECORD_METRIC, .ref = metric, .count = count, .types = types, .values = values);
}

ON(on_parameter_string, OTF2_ParameterRef parameter, OTF2_StringRef string)
{
	TAKE(FATHOM_RECORD_PARAMETER_STRING, .ref = parameter, .other = string);
}

ON(on_parameter_int, OTF2_ParameterRef parameter, int64_t value)
{
	TAKE(FATHOM_RECORD_PARAMETER_INT, .ref = parameter, .id = (uint64_t)value);
}

ON(on_parameter_unsigned, OTF2_ParameterRef parameter, uint64_t value)
{
	TAKE(FATHOM_RECORD_PARAMETER_UNSIGNED_INT, .ref = parameter, .id = value);
}

ON(on_win_create, OTF2_RmaWinRef window) { TAKE(FATHOM_RECORD_RMA_WIN_CREATE, .ref = window); }
ON(on_win_destroy, OTF2_RmaWinRef window) { TAKE(FATHOM_RECORD_RMA_WIN_DESTROY, .ref = window); }
ON(on_rma_collective_begin) { TAKE(FATHOM_RECORD_RMA_COLLECTIVE_BEGIN); }

ON(on_rma_collective_end, OTF2_CollectiveOp op, OTF2_RmaSyncLevel level, OTF2_RmaWinRef window, uint32_t root,
	uint64_t sent, uint64_t received)
{
	TAKE(FATHOM_RECORD_RMA_COLLECTIVE_END, .ref = window, .op = op, .tag = level, .peer = root, .bytes = sent,
	     .bytes_received = received);
}

ON(on_group_sync, OTF2_RmaSyncLevel level, OTF2_RmaWinRef window, OTF2_GroupRef group)
{
	TAKE(FATHOM_RECORD_RMA_GROUP_SYNC, .ref = window, .tag = level, .other = group);
}

ON(on_request_lock, OTF2_RmaWinRef window, uint32_t remote, uint64_t lock, OTF2_LockType type)
{
	TAKE(FATHOM_RECORD_RMA_REQUEST_LOCK, .ref = window, .peer = remote, .id = lock, .op = type);
}

ON(on_acquire_win_lock, OTF2_RmaWinRef window, uint32_t remote, uint64_t lock, OTF2_LockType type)
{
	TAKE(FATHOM_RECORD_RMA_ACQUIRE_LOCK, .ref = window, .peer = remote, .id = lock, .op = type);
}

ON(on_try_win_lock, OTF2_RmaWinRef window, uint32_t remote, uint64_t lock, OTF2_LockType type)
{
	TAKE(FATHOM_RECORD_RMA_TRY_LOCK, .ref = window, .peer = remote, .id = lock, .op = type);
}

ON(on_release_win_lock, OTF2_RmaWinRef window, uint32_t remote, uint64_t lock)
{
	TAKE(FATHOM_RECORD_RMA_RELEASE_LOCK, .ref = window, .peer = remote, .id = lock);
}

ON(on_rma_sync, OTF2_RmaWinRef window, uint32_t remote, OTF2_RmaSyncType type)
{
	TAKE(FATHOM_RECORD_RMA_SYNC, .ref = window, .peer = remote, .op = type);
}

ON(on_wait_change, OTF2_RmaWinRef window) { TAKE(FATHOM_RECORD_RMA_WAIT_CHANGE, .ref = window); }

ON(on_put, OTF2_RmaWinRef window, uint32_t remote, uint64_t bytes, uint64_t id)
{
	TAKE(FATHOM_RECORD_RMA_PUT, .ref = window, .peer = remote, .bytes = bytes, .id = id);
}

ON(on_get, OTF2_RmaWinRef window, uint32_t remote, uint64_t bytes, uint64_t id)
{
	TAKE(FATHOM_RECORD_RMA_GET, .ref = window, .peer = remote, .bytes_received = bytes, .id = id);
}

ON(on_atomic, OTF2_RmaWinRef window, uint32_t remote, OTF2_RmaAtomicType type, uint64_t sent, uint64_t received,
	uint64_t id)
{
	TAKE(FATHOM_RECORD_RMA_ATOMIC, .ref = window, .peer = remote, .op = type, .bytes = sent,
	     .bytes_received = received, .id = id);
}

ON(on_complete_blocking, OTF2_RmaWinRef window, uint64_t id)
{
	TAKE(FATHOM_RECORD_RMA_OP_COMPLETE_BLOCKING, .ref = window, .id = id);
}

ON(on_complete_non_blocking, OTF2_RmaWinRef window, uint64_t id)
{
	TAKE(FATHOM_RECORD_RMA_OP_COMPLETE_NON_BLOCKING, .ref = window, .id = id);
}

ON(on_rma_test, OTF2_RmaWinRef window, uint64_t id) { TAKE(FATHOM_RECORD_RMA_OP_TEST, .ref = window, .id = id); }

ON(on_complete_remote, OTF2_RmaWinRef window, uint64_t id)
{
	TAKE(FATHOM_RECORD_RMA_OP_COMPLETE_REMOTE, .ref = window, .id = id);
}

ON(on_fork, OTF2_Paradigm model, uint32_t threads) { TAKE(FATHOM_RECORD_THREAD_FORK, .op = model, .count = threads); }
ON(on_join, OTF2_Paradigm model) { TAKE(FATHOM_RECORD_THREAD_JOIN, .op = model); }
ON(on_team_begin, OTF2_CommRef team) { TAKE(FATHOM_RECORD_THREAD_TEAM_BEGIN, .ref = team); }
ON(on_team_end, OTF2_CommRef team) { TAKE(FATHOM_RECORD_THREAD_TEAM_END, .ref = team); }

ON(on_acquire, OTF2_Paradigm model, uint32_t lock, uint32_t order)
{
	TAKE(FATHOM_RECORD_THREAD_ACQUIRE_LOCK, .op = model, .id = lock, .tag = order);
}

ON(on_release, OTF2_Paradigm model, uint32_t lock, uint32_t order)
{
	TAKE(FATHOM_RECORD_THREAD_RELEASE_LOCK, .op = model, .id = lock, .tag = order);
}

ON(on_task_create, OTF2_CommRef team, uint32_t creator, uint32_t number)
{
	TAKE(FATHOM_RECORD_THREAD_TASK_CREATE, .ref = team, .peer = creator, .tag = number);
}

ON(on_task_switch, OTF2_CommRef team, uint32_t creator, uint32_t number)
{
	TAKE(FATHOM_RECORD_THREAD_TASK_SWITCH, .ref = team, .peer = creator, .tag = number);
}

ON(on_task_complete, OTF2_CommRef team, uint32_t creator, uint32_t number)
{
	TAKE(FATHOM_RECORD_THREAD_TASK_COMPLETE, .ref = team, .peer = creator, .tag = number);
}

ON(on_thread_create, OTF2_CommRef team, uint64_t number) { TAKE(FATHOM_RECORD_THREAD_CREATE, .ref = team,
								.id = number); }
ON(on_thread_begin, OTF2_CommRef team, uint64_t number) { TAKE(FATHOM_RECORD_THREAD_BEGIN, .ref = team, .id = number); }
ON(on_thread_wait, OTF2_CommRef team, uint64_t number) { TAKE(FATHOM_RECORD_THREAD_WAIT, .ref = team, .id = number); }
ON(on_thread_end, OTF2_CommRef team, uint64_t number) { TAKE(FATHOM_RECORD_THREAD_END, .ref = team, .id = number); }

ON(on_context_enter, OTF2_CallingContextRef context, uint32_t distance)
{
	TAKE(FATHOM_RECORD_CALLING_CONTEXT_ENTER, .ref = context, .count = distance);
}

ON(on_context_leave, OTF2_CallingContextRef context) { TAKE(FATHOM_RECORD_CALLING_CONTEXT_LEAVE, .ref = context); }

ON(on_sample, OTF2_CallingContextRef context, uint32_t distance, OTF2_InterruptGeneratorRef generator)
{
	TAKE(FATHOM_RECORD_CALLING_CONTEXT_SAMPLE, .ref = context, .count = distance, .other = generator);
}

ON(on_create_handle, OTF2_IoHandleRef handle, OTF2_IoAccessMode mode, OTF2_IoCreationFlag creation,
	OTF2_IoStatusFlag status)
{
	TAKE(FATHOM_RECORD_IO_CREATE_HANDLE, .ref = handle, .op = mode, .tag = creation, .count = status);
}

ON(on_destroy_handle, OTF2_IoHandleRef handle) { TAKE(FATHOM_RECORD_IO_DESTROY_HANDLE, .ref = handle); }

ON(on_duplicate_handle, OTF2_IoHandleRef handle, OTF2_IoHandleRef twin, OTF2_IoStatusFlag status)
{
	TAKE(FATHOM_RECORD_IO_DUPLICATE_HANDLE, .ref = handle, .other = twin, .op = status);
}

ON(on_seek, OTF2_IoHandleRef handle, int64_t offset, OTF2_IoSeekOption whence, uint64_t result)
{
	TAKE(FATHOM_RECORD_IO_SEEK, .ref = handle, .op = whence, .id = (uint64_t)offset, .bytes = result);
}

ON(on_change_flags, OTF2_IoHandleRef handle, OTF2_IoStatusFlag status)
{
	TAKE(FATHOM_RECORD_IO_CHANGE_STATUS_FLAGS, .ref = handle, .op = status);
}

ON(on_delete_file, OTF2_IoParadigmRef paradigm, OTF2_IoFileRef file)
{
	TAKE(FATHOM_RECORD_IO_DELETE_FILE, .ref = paradigm, .other = file);
}

ON(on_io_begin, OTF2_IoHandleRef handle, OTF2_IoOperationMode mode, OTF2_IoOperationFlag flags, uint64_t bytes,
	uint64_t id)
{
	TAKE(FATHOM_RECORD_IO_OPERATION_BEGIN, .ref = handle, .op = mode, .tag = flags, .bytes = bytes, .id = id);
}

ON(on_io_test, OTF2_IoHandleRef handle, uint64_t id) { TAKE(FATHOM_RECORD_IO_OPERATION_TEST, .ref = handle, .id = id); }
ON(on_io_issued, OTF2_IoHandleRef handle, uint64_t id)
{
	TAKE(FATHOM_RECORD_IO_OPERATION_ISSUED, .ref = handle, .id = id);
}

ON(on_io_complete, OTF2_IoHandleRef handle, uint64_t bytes, uint64_t id)
{
	TAKE(FATHOM_RECORD_IO_OPERATION_COMPLETE, .ref = handle, .bytes = bytes, .id = id);
}

ON(on_io_cancelled, OTF2_IoHandleRef handle, uint64_t id)
{
	TAKE(FATHOM_RECORD_IO_OPERATION_CANCELLED, .ref = handle, .id = id);
}
ON(on_io_acquire, OTF2_IoHandleRef handle, OTF2_LockType type) { TAKE(FATHOM_RECORD_IO_ACQUIRE_LOCK, .ref = handle,
								      .op = type); }
ON(on_io_release, OTF2_IoHandleRef handle, OTF2_LockType type) { TAKE(FATHOM_RECORD_IO_RELEASE_LOCK, .ref = handle,
								      .op = type); }
ON(on_io_try, OTF2_IoHandleRef handle, OTF2_LockType type) { TAKE(FATHOM_RECORD_IO_TRY_LOCK, .ref = handle,
								  .op = type); }

ON(on_program_begin, OTF2_StringRef name, uint32_t count, const OTF2_StringRef *arguments)
{
	TAKE(FATHOM_RECORD_PROGRAM_BEGIN, .ref = name, .count = count, .types = arguments);
}

ON(on_program_end, int64_t status) { TAKE(FATHOM_RECORD_PROGRAM_END, .id = (uint64_t)status); }

#undef ON
#undef TAKE

static void set_general(OTF2_GlobalEvtReaderCallbacks *callbacks)
{
	OTF2_GlobalEvtReaderCallbacks_SetUnknownCallback(callbacks, on_unknown);
	OTF2_GlobalEvtReaderCallbacks_SetBufferFlushCallback(callbacks, on_flush);
	OTF2_GlobalEvtReaderCallbacks_SetMeasurementOnOffCallback(callbacks, on_on_off);
	OTF2_GlobalEvtReaderCallbacks_SetEnterCallback(callbacks, on_enter);
	OTF2_GlobalEvtReaderCallbacks_SetLeaveCallback(callbacks, on_leave);
	OTF2_GlobalEvtReaderCallbacks_SetMetricCallback(callbacks, on_metric);
	OTF2_GlobalEvtReaderCallbacks_SetParameterStringCallback(callbacks, on_parameter_string);
	OTF2_GlobalEvtReaderCallbacks_SetParameterIntCallback(callbacks, on_parameter_int);
	OTF2_GlobalEvtReaderCallbacks_SetParameterUnsignedIntCallback(callbacks, on_parameter_unsigned);
	OTF2_GlobalEvtReaderCallbacks_SetCallingContextEnterCallback(callbacks, on_context_enter);
	OTF2_GlobalEvtReaderCallbacks_SetCallingContextLeaveCallback(callbacks, on_context_leave);
	OTF2_GlobalEvtReaderCallbacks_SetCallingContextSampleCallback(callbacks, on_sample);
	OTF2_GlobalEvtReaderCallbacks_SetProgramBeginCallback(callbacks, on_program_begin);
	OTF2_GlobalEvtReaderCallbacks_SetProgramEndCallback(callbacks, on_program_end);
}

static void set_mpi(OTF2_GlobalEvtReaderCallbacks *callbacks)
{
	OTF2_GlobalEvtReaderCallbacks_SetMpiSendCallback(callbacks, on_send);
	OTF2_GlobalEvtReaderCallbacks_SetMpiIsendCallback(callbacks, on_isend);
	OTF2_GlobalEvtReaderCallbacks_SetMpiIsendCompleteCallback(callbacks, on_isend_complete);
	OTF2_GlobalEvtReaderCallbacks_SetMpiIrecvRequestCallback(callbacks, on_irecv_request);
	OTF2_GlobalEvtReaderCallbacks_SetMpiRecvCallback(callbacks, on_recv);
	OTF2_GlobalEvtReaderCallbacks_SetMpiIrecvCallback(callbacks, on_irecv);
	OTF2_GlobalEvtReaderCallbacks_SetMpiRequestTestCallback(callbacks, on_request_test);
	OTF2_GlobalEvtReaderCallbacks_SetMpiRequestCancelledCallback(callbacks, on_cancelled);
	OTF2_GlobalEvtReaderCallbacks_SetMpiCollectiveBeginCallback(callbacks, on_collective_begin);
	OTF2_GlobalEvtReaderCallbacks_SetMpiCollectiveEndCallback(callbacks, on_collective_end);
	OTF2_GlobalEvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback(callbacks, on_collective_request);
	OTF2_GlobalEvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(callbacks, on_collective_complete);
	OTF2_GlobalEvtReaderCallbacks_SetCommCreateCallback(callbacks, on_comm_create);
	OTF2_GlobalEvtReaderCallbacks_SetCommDestroyCallback(callbacks, on_comm_destroy);
}

static void set_windows(OTF2_GlobalEvtReaderCallbacks *callbacks)
{
	OTF2_GlobalEvtReaderCallbacks_SetRmaWinCreateCallback(callbacks, on_win_create);
	OTF2_GlobalEvtReaderCallbacks_SetRmaWinDestroyCallback(callbacks, on_win_destroy);
	OTF2_GlobalEvtReaderCallbacks_SetRmaCollectiveBeginCallback(callbacks, on_rma_collective_begin);
	OTF2_GlobalEvtReaderCallbacks_SetRmaCollectiveEndCallback(callbacks, on_rma_collective_end);
	OTF2_GlobalEvtReaderCallbacks_SetRmaGroupSyncCallback(callbacks, on_group_sync);
	OTF2_GlobalEvtReaderCallbacks_SetRmaRequestLockCallback(callbacks, on_request_lock);
	OTF2_GlobalEvtReaderCallbacks_SetRmaAcquireLockCallback(callbacks, on_acquire_win_lock);
	OTF2_GlobalEvtReaderCallbacks_SetRmaTryLockCallback(callbacks, on_try_win_lock);
	OTF2_GlobalEvtReaderCallbacks_SetRmaReleaseLockCallback(callbacks, on_release_win_lock);
	OTF2_GlobalEvtReaderCallbacks_SetRmaSyncCallback(callbacks, on_rma_sync);
	OTF2_GlobalEvtReaderCallbacks_SetRmaWaitChangeCallback(callbacks, on_wait_change);
	OTF2_GlobalEvtReaderCallbacks_SetRmaPutCallback(callbacks, on_put);
	OTF2_GlobalEvtReaderCallbacks_SetRmaGetCallback(callbacks, on_get);
	OTF2_GlobalEvtReaderCallbacks_SetRmaAtomicCallback(callbacks, on_atomic);
	OTF2_GlobalEvtReaderCallbacks_SetRmaOpCompleteBlockingCallback(callbacks, on_complete_blocking);
	OTF2_GlobalEvtReaderCallbacks_SetRmaOpCompleteNonBlockingCallback(callbacks, on_complete_non_blocking);
	OTF2_GlobalEvtReaderCallbacks_SetRmaOpTestCallback(callbacks, on_rma_test);
	OTF2_GlobalEvtReaderCallbacks_SetRmaOpCompleteRemoteCallback(callbacks, on_complete_remote);
}

static void set_threads(OTF2_GlobalEvtReaderCallbacks *callbacks)
{
	OTF2_GlobalEvtReaderCallbacks_SetOmpForkCallback(callbacks, on_omp_fork);
	OTF2_GlobalEvtReaderCallbacks_SetOmpJoinCallback(callbacks, on_omp_join);
	OTF2_GlobalEvtReaderCallbacks_SetOmpAcquireLockCallback(callbacks, on_omp_acquire);
	OTF2_GlobalEvtReaderCallbacks_SetOmpReleaseLockCallback(callbacks, on_omp_release);
	OTF2_GlobalEvtReaderCallbacks_SetOmpTaskCreateCallback(callbacks, on_omp_task_create);
	OTF2_GlobalEvtReaderCallbacks_SetOmpTaskSwitchCallback(callbacks, on_omp_task_switch);
	OTF2_GlobalEvtReaderCallbacks_SetOmpTaskCompleteCallback(callbacks, on_omp_task_complete);
	OTF2_GlobalEvtReaderCallbacks_SetThreadForkCallback(callbacks, on_fork);
	OTF2_GlobalEvtReaderCallbacks_SetThreadJoinCallback(callbacks, on_join);
	OTF2_GlobalEvtReaderCallbacks_SetThreadTeamBeginCallback(callbacks, on_team_begin);
	OTF2_GlobalEvtReaderCallbacks_SetThreadTeamEndCallback(callbacks, on_team_end);
	OTF2_GlobalEvtReaderCallbacks_SetThreadAcquireLockCallback(callbacks, on_acquire);
	OTF2_GlobalEvtReaderCallbacks_SetThreadReleaseLockCallback(callbacks, on_release);
	OTF2_GlobalEvtReaderCallbacks_SetThreadTaskCreateCallback(callbacks, on_task_create);
	OTF2_GlobalEvtReaderCallbacks_SetThreadTaskSwitchCallback(callbacks, on_task_switch);
	OTF2_GlobalEvtReaderCallbacks_SetThreadTaskCompleteCallback(callbacks, on_task_complete);
	OTF2_GlobalEvtReaderCallbacks_SetThreadCreateCallback(callbacks, on_thread_create);
	OTF2_GlobalEvtReaderCallbacks_SetThreadBeginCallback(callbacks, on_thread_begin);
	OTF2_GlobalEvtReaderCallbacks_SetThreadWaitCallback(callbacks, on_thread_wait);
	OTF2_GlobalEvtReaderCallbacks_SetThreadEndCallback(callbacks, on_thread_end);
}

static void set_files(OTF2_GlobalEvtReaderCallbacks *callbacks)
{
	OTF2_GlobalEvtReaderCallbacks_SetIoCreateHandleCallback(callbacks, on_create_handle);
	OTF2_GlobalEvtReaderCallbacks_SetIoDestroyHandleCallback(callbacks, on_destroy_handle);
	OTF2_GlobalEvtReaderCallbacks_SetIoDuplicateHandleCallback(callbacks, on_duplicate_handle);
	OTF2_GlobalEvtReaderCallbacks_SetIoSeekCallback(callbacks, on_seek);
	OTF2_GlobalEvtReaderCallbacks_SetIoChangeStatusFlagsCallback(callbacks, on_change_flags);
	OTF2_GlobalEvtReaderCallbacks_SetIoDeleteFileCallback(callbacks, on_delete_file);
	OTF2_GlobalEvtReaderCallbacks_SetIoOperationBeginCallback(callbacks, on_io_begin);
	OTF2_GlobalEvtReaderCallbacks_SetIoOperationTestCallback(callbacks, on_io_test);
	OTF2_GlobalEvtReaderCallbacks_SetIoOperationIssuedCallback(callbacks, on_io_issued);
	OTF2_GlobalEvtReaderCallbacks_SetIoOperationCompleteCallback(callbacks, on_io_complete);
	OTF2_GlobalEvtReaderCallbacks_SetIoOperationCancelledCallback(callbacks, on_io_cancelled);
	OTF2_GlobalEvtReaderCallbacks_SetIoAcquireLockCallback(callbacks, on_io_acquire);
	OTF2_GlobalEvtReaderCallbacks_SetIoReleaseLockCallback(callbacks, on_io_release);
	OTF2_GlobalEvtReaderCallbacks_SetIoTryLockCallback(callbacks, on_io_try);
}

OTF2_GlobalEvtReaderCallbacks *fathom_otf2_event_callbacks(void)
{
	OTF2_GlobalEvtReaderCallbacks *callbacks = OTF2_GlobalEvtReaderCallbacks_New();

	if (!callbacks)
		return NULL;
	set_general(callbacks);
	set_mpi(callbacks);
	set_windows(callbacks);
	set_threads(callbacks);
	set_files(callbacks);
	return callbacks;
}
