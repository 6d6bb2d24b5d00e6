/* The wrappers report an operation when MPI has accepted it. It is recorded at the time of the record before it, as
 * a send is (message_records.c). Operations on one target have the same id until they are complete there. */
#include "trace/records/rma_records.h"

#include "trace/records/record.h"
#include "trace/ring/ring_markers.h"

#define WRITE(...) FATHOM_TRACE_PUT(trace, __VA_ARGS__)
#define WRITE_BEGUN(...) FATHOM_TRACE_PUT_BEGUN(trace, __VA_ARGS__)

/* There is one lock for each target, so one number is enough. */
enum { LOCK_ID = 0 };

static void operation(struct fathom_trace *trace, const struct fathom_rma_step *step)
{
	static const OTF2_RmaAtomicType types[] = {
		[FATHOM_RMA_ACCUMULATE] = OTF2_RMA_ATOMIC_TYPE_ACCUMULATE,
		[FATHOM_RMA_FETCH] = OTF2_RMA_ATOMIC_TYPE_FETCH_AND_ACCUMULATE,
		[FATHOM_RMA_SWAP] = OTF2_RMA_ATOMIC_TYPE_COMPARE_AND_SWAP,
	};
	uint32_t target = (uint32_t)step->target;

	if (step->kind == FATHOM_RMA_PUT)
		WRITE_BEGUN(FATHOM_RECORD_RMA_PUT, step->window, target, step->bytes_put, step->id);
	else if (step->kind == FATHOM_RMA_GET)
		WRITE_BEGUN(FATHOM_RECORD_RMA_GET, step->window, target, step->bytes_got, step->id);
	else
		WRITE_BEGUN(FATHOM_RECORD_RMA_ATOMIC, step->window, target, types[step->kind],
		      step->bytes_put, step->bytes_got, step->id);
}

static void end_of_all(struct fathom_trace *trace, OTF2_CollectiveOp operation, OTF2_RmaSyncLevel level,
		       uint32_t window, uint64_t now)
{
	WRITE(now, FATHOM_RECORD_RMA_COLLECTIVE_END, operation, level, window, OTF2_COLLECTIVE_ROOT_NONE, 0, 0);
}

/* Records a collective step in a window's collective_step: creation, end, or a fence. */
static void collective_step(struct fathom_trace *trace, const struct fathom_rma_step *step, uint64_t now)
{
	switch (step->kind) {
	case FATHOM_RMA_CREATED:
		fathom_trace_put_object(trace, now, FATHOM_RECORD_RMA_WIN_CREATE,
					(const uint64_t[]){ 0, step->window }, 1);
		end_of_all(trace, step->has_memory ? OTF2_COLLECTIVE_OP_CREATE_HANDLE_AND_ALLOCATE :
						     OTF2_COLLECTIVE_OP_CREATE_HANDLE,
			   OTF2_RMA_SYNC_LEVEL_PROCESS, step->window, now);
		break;
	case FATHOM_RMA_FREED:
		WRITE(now, FATHOM_RECORD_RMA_WIN_DESTROY, step->window);
		fathom_trace_ring_object_ends(trace, FATHOM_RECORD_RMA_WIN_CREATE, step->window);
		end_of_all(trace, step->has_memory ? OTF2_COLLECTIVE_OP_DESTROY_HANDLE_AND_DEALLOCATE :
						     OTF2_COLLECTIVE_OP_DESTROY_HANDLE,
			   OTF2_RMA_SYNC_LEVEL_PROCESS, step->window, now);
		break;
	default:
		end_of_all(trace, OTF2_COLLECTIVE_OP_BARRIER,
			   OTF2_RMA_SYNC_LEVEL_PROCESS | OTF2_RMA_SYNC_LEVEL_MEMORY, step->window, now);
		break;
	}
}

static void synchronise(struct fathom_trace *trace, const struct fathom_rma_step *step, uint64_t now)
{
	OTF2_RmaSyncLevel level = OTF2_RMA_SYNC_LEVEL_NONE;

	if (step->kind == FATHOM_RMA_OPENED)
		level = OTF2_RMA_SYNC_LEVEL_PROCESS;
	else if (step->kind == FATHOM_RMA_CLOSED)
		level = OTF2_RMA_SYNC_LEVEL_PROCESS | OTF2_RMA_SYNC_LEVEL_MEMORY;
	if (step->ranks != FATHOM_NO_OBJECT)
		WRITE(now, FATHOM_RECORD_RMA_GROUP_SYNC, level, step->window, step->ranks);
}

/* Returns the target of a lock or a flush; OTF2's undefined number means all processes of the window. */
static uint32_t targets(const struct fathom_rma_step *step)
{
	return step->target == FATHOM_RMA_EVERYBODY ? OTF2_UNDEFINED_UINT32 : (uint32_t)step->target;
}

void fathom_trace_rma_step(struct fathom_location *self, const struct fathom_rma_step *step)
{
	struct fathom_trace *trace = fathom_trace_recording(self);

	if (!trace)
		return;
	switch (step->kind) {
	case FATHOM_RMA_PUT:
	case FATHOM_RMA_GET:
	case FATHOM_RMA_ACCUMULATE:
	case FATHOM_RMA_FETCH:
	case FATHOM_RMA_SWAP:
		operation(trace, step);
		break;
	case FATHOM_RMA_DONE_HERE:
		WRITE(fathom_trace_time(trace, fathom_trace_now()), FATHOM_RECORD_RMA_OP_COMPLETE_NON_BLOCKING,
		      step->window, step->id);
		break;
	case FATHOM_RMA_DONE_THERE:
		WRITE(fathom_trace_time(trace, fathom_trace_now()), FATHOM_RECORD_RMA_OP_COMPLETE_REMOTE,
		      step->window, step->id);
		break;
	case FATHOM_RMA_ALL_BEGIN:
		WRITE_BEGUN(FATHOM_RECORD_RMA_COLLECTIVE_BEGIN);
		break;
	case FATHOM_RMA_CREATED:
	case FATHOM_RMA_FREED:
	case FATHOM_RMA_FENCED:
		collective_step(trace, step, fathom_trace_time(trace, fathom_trace_now_after()));
		break;
	case FATHOM_RMA_LOCK:
		WRITE_BEGUN(FATHOM_RECORD_RMA_REQUEST_LOCK, step->window, targets(step), LOCK_ID,
		      step->is_shared ? OTF2_LOCK_SHARED : OTF2_LOCK_EXCLUSIVE);
		break;
	case FATHOM_RMA_UNLOCK:
		WRITE(fathom_trace_time(trace, fathom_trace_now()), FATHOM_RECORD_RMA_RELEASE_LOCK, step->window,
		      targets(step), LOCK_ID);
		break;
	case FATHOM_RMA_FLUSHED:
		/* Flushes have no record of their own in OTF2. The completions before this record say which operations
		 * the flush completed; without them, the record still says that there was a flush. */
		WRITE(fathom_trace_time(trace, fathom_trace_now()), FATHOM_RECORD_RMA_SYNC, step->window,
		      targets(step), OTF2_RMA_SYNC_TYPE_MEMORY);
		break;
	case FATHOM_RMA_OPENED:
	case FATHOM_RMA_CLOSED:
	case FATHOM_RMA_TESTED:
		synchronise(trace, step, fathom_trace_time(trace, fathom_trace_now_after()));
		break;
	}
}
