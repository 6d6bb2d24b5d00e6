#include "trace/records/lock_records.h"

#include "trace/archive.h"
#include "trace/otf2_roles.h"
#include "trace/records/record.h"
#include "trace/stretches.h"

/* Some thread has acquired a lock. Set once and never cleared, by any thread. */
static bool has_locks;

void fathom_trace_lock_acquire(struct fathom_location *self, enum fathom_paradigm paradigm, uint32_t number,
			       uint32_t order, uint64_t now)
{
	struct fathom_trace *trace = self->trace_data;

	if (!fathom_trace_prepare(trace))
		return;
	FATHOM_TRACE_PUT(trace, fathom_trace_time(trace, now), FATHOM_RECORD_THREAD_ACQUIRE_LOCK,
			 fathom_trace_paradigm(paradigm), number, order);
	trace->locks++;
	fathom_poke(&has_locks, true);
}

/* A signal handler may have recorded events between the release of the lock and this report. Then the record of the
 * release is put before their records: otherwise the lock would seem to be held while another thread has it. */
void fathom_trace_lock_release(struct fathom_location *self, enum fathom_paradigm paradigm, uint32_t number,
			       uint32_t order, struct fathom_lock_release when)
{
	struct fathom_trace *trace = self->trace_data;
	const uint64_t values[] = { 0, fathom_trace_paradigm(paradigm), number, order };

	if (!fathom_trace_prepare(trace))
		return;
	if (likely((when.latest & fathom_trace_tick_mask) >= trace->buffer.last_ticks))
		fathom_trace_put(trace, fathom_trace_time(trace, when.earliest), FATHOM_RECORD_THREAD_RELEASE_LOCK,
				 values, 3);
	else
		fathom_trace_put_late(trace, when.earliest & fathom_trace_tick_mask,
				      FATHOM_RECORD_THREAD_RELEASE_LOCK, values, 3);
	trace->locks--;
}

bool fathom_trace_locks_are_complete(void)
{
	int64_t locks = 0;

	for (const struct fathom_trace *trace = fathom_trace_archive_newest(); trace; trace = trace->next)
		locks += trace->locks;
	/* Without the uses in stretches that are left out, the numbers of acquisitions are not consecutive. */
	return !locks && !fathom_trace_has_gaps() && !(fathom_peek(&has_locks) && fathom_stretches_have_gaps());
}
