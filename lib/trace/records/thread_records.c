#include "trace/records/thread_records.h"

#include <sys/syscall.h>
#include <unistd.h>

#include "trace/comms.h"
#include "trace/mpi_objects.h"
#include "trace/records/record.h"

/* Writes a record of the location whose trace is in the variable trace. */
#define WRITE(...) FATHOM_TRACE_PUT(trace, __VA_ARGS__)

uint32_t fathom_trace_threads_comm(void)
{
	static const struct fathom_trace_comm spec = { .kind = FATHOM_TRACE_COMM_THREADS };
	static uint32_t number;		/* 1 + the number; 0: not looked up yet. Threads that race find the same one */

	if (unlikely(!fathom_peek(&number)))
		fathom_poke(&number, fathom_trace_comm_add(&spec) + 1);
	return fathom_peek(&number) - 1;
}

void fathom_trace_thread_create(struct fathom_location *self, const struct fathom_origin *origin, uint64_t now)
{
	struct fathom_trace *trace = fathom_trace_recording(self);

	if (trace)
		WRITE(fathom_trace_time(trace, now), FATHOM_RECORD_THREAD_CREATE, fathom_trace_threads_comm(),
		      origin->number);
}

void fathom_trace_thread_begin(struct fathom_location *self, const struct fathom_origin *origin, uint64_t now)
{
	struct fathom_trace *trace = fathom_trace_recording(self);
	struct fathom_record_attribute thread;

	if (!trace)
		return;
	trace->thread_number = origin->number;
	thread = (struct fathom_record_attribute){
		.number = FATHOM_TRACE_ATTRIBUTE_THREAD,
		.type = OTF2_TYPE_UINT64,
		.value = (uint64_t)syscall(SYS_gettid),
	};
	fathom_trace_put_with(trace, fathom_trace_time(trace, now), FATHOM_RECORD_THREAD_BEGIN, &thread,
			      (const uint64_t[]){ 0, fathom_trace_threads_comm(), origin->number }, 2);
}

void fathom_trace_thread_end(struct fathom_location *self, uint64_t now)
{
	struct fathom_trace *trace = fathom_trace_recording(self);

	if (!trace || !trace->thread_number)
		return;
	WRITE(fathom_trace_time(trace, now), FATHOM_RECORD_THREAD_END, fathom_trace_threads_comm(),
	      trace->thread_number);
	trace->thread_number = 0;
}

void fathom_trace_thread_wait(struct fathom_location *self, uint64_t joined, uint64_t now)
{
	struct fathom_trace *trace = self->trace_data;

	if (fathom_trace_prepare(trace))
		FATHOM_TRACE_PUT(trace, fathom_trace_time(trace, now), FATHOM_RECORD_THREAD_WAIT,
				 fathom_trace_threads_comm(), joined ? joined : OTF2_UNDEFINED_UINT64);
}
