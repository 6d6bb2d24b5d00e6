/* The wrappers report what a call did with a file when the call is over. The begin of an operation has the time of
 * the record before it, which is the enter of the call. */
#include "trace/records/io_records.h"

#include "trace/mpi_objects.h"
#include "trace/records/record.h"
#include "trace/ring/ring_markers.h"

#define WRITE(...) FATHOM_TRACE_PUT(trace, __VA_ARGS__)

static void opened(struct fathom_trace *trace, const struct fathom_io_step *step, uint64_t now)
{
	OTF2_IoAccessMode mode = OTF2_IO_ACCESS_MODE_READ_WRITE;
	OTF2_IoCreationFlag creation = OTF2_IO_CREATION_FLAG_NONE;
	OTF2_IoStatusFlag status = OTF2_IO_STATUS_FLAG_NONE;

	if (!(step->flags & FATHOM_IO_MAY_WRITE))
		mode = OTF2_IO_ACCESS_MODE_READ_ONLY;
	else if (!(step->flags & FATHOM_IO_MAY_READ))
		mode = OTF2_IO_ACCESS_MODE_WRITE_ONLY;
	if (step->flags & FATHOM_IO_CREATES)
		creation |= OTF2_IO_CREATION_FLAG_CREATE;
	if (step->flags & FATHOM_IO_EXCLUSIVE)
		creation |= OTF2_IO_CREATION_FLAG_EXCLUSIVE;
	if (step->flags & FATHOM_IO_APPENDS)
		status |= OTF2_IO_STATUS_FLAG_APPEND;
	if (step->flags & FATHOM_IO_TEMPORARY)
		status |= OTF2_IO_STATUS_FLAG_DELETE_ON_CLOSE;
	fathom_trace_put_object(trace, now, FATHOM_RECORD_IO_CREATE_HANDLE,
				(const uint64_t[]){ 0, step->object, mode, creation, status }, 4);
}

static void begin(struct fathom_trace *trace, const struct fathom_io_step *step)
{
	static const OTF2_IoOperationMode modes[] = {
		[FATHOM_IO_READ] = OTF2_IO_OPERATION_MODE_READ,
		[FATHOM_IO_WRITE] = OTF2_IO_OPERATION_MODE_WRITE,
		[FATHOM_IO_FLUSH] = OTF2_IO_OPERATION_MODE_FLUSH,
	};
	const struct fathom_record_attribute offset = {
		.number = FATHOM_TRACE_ATTRIBUTE_OFFSET,
		.type = OTF2_TYPE_UINT64,
		.value = step->offset,
	};
	OTF2_IoOperationFlag flags = OTF2_IO_OPERATION_FLAG_NONE;

	if (step->flags & FATHOM_IO_COLLECTIVE)
		flags |= OTF2_IO_OPERATION_FLAG_COLLECTIVE;
	if (step->flags & FATHOM_IO_NONBLOCKING)
		flags |= OTF2_IO_OPERATION_FLAG_NON_BLOCKING;
	fathom_trace_put_with(trace, trace->buffer.last_ticks, FATHOM_RECORD_IO_OPERATION_BEGIN,
			      step->offset == FATHOM_IO_NO_OFFSET ? NULL : &offset,
			      (const uint64_t[]){ 0, step->object, modes[step->operation], flags, step->bytes,
						  step->id }, 5);
}

static void seek(struct fathom_trace *trace, const struct fathom_io_step *step, uint64_t now)
{
	static const OTF2_IoSeekOption options[] = {
		[FATHOM_IO_FROM_START] = OTF2_IO_SEEK_FROM_START,
		[FATHOM_IO_FROM_HERE] = OTF2_IO_SEEK_FROM_CURRENT,
		[FATHOM_IO_FROM_END] = OTF2_IO_SEEK_FROM_END,
	};

	WRITE(now, FATHOM_RECORD_IO_SEEK, step->object, step->distance, options[step->whence], step->offset);
}

void fathom_trace_io_step(struct fathom_location *self, const struct fathom_io_step *step)
{
	struct fathom_trace *trace = fathom_trace_recording(self);
	uint64_t now;

	if (!trace)
		return;
	if (step->kind == FATHOM_IO_BEGIN) {
		begin(trace, step);
		return;
	}
	now = fathom_trace_time(trace, fathom_trace_now());
	switch (step->kind) {
	case FATHOM_IO_OPENED:
		opened(trace, step, now);
		break;
	case FATHOM_IO_CLOSED:
		WRITE(now, FATHOM_RECORD_IO_DESTROY_HANDLE, step->object);
		fathom_trace_ring_object_ends(trace, FATHOM_RECORD_IO_CREATE_HANDLE, step->object);
		break;
	case FATHOM_IO_ISSUED:
		WRITE(now, FATHOM_RECORD_IO_OPERATION_ISSUED, step->object, step->id);
		break;
	case FATHOM_IO_DONE:
		WRITE(now, FATHOM_RECORD_IO_OPERATION_COMPLETE, step->object, step->bytes, step->id);
		break;
	case FATHOM_IO_CANCELLED:
		WRITE(now, FATHOM_RECORD_IO_OPERATION_CANCELLED, step->object, step->id);
		break;
	case FATHOM_IO_SEEK:
		seek(trace, step, now);
		break;
	case FATHOM_IO_DELETED:
		WRITE(now, FATHOM_RECORD_IO_DELETE_FILE, FATHOM_TRACE_IO_MPI, step->object);
		break;
	case FATHOM_IO_BEGIN:
		break;
	}
}
