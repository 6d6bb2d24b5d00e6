#include "trace/location_trace.h"

#include <errno.h>
#include <string.h>

#include "platform/log.h"
#include "platform/write.h"

/* The first error of the process as -errno: its files may be incomplete. */
static int first_error;

void fathom_trace_event_path(const struct fathom_trace *trace, char *path, size_t bytes)
{
	fathom_format(path, bytes, "%s/events/%u.evt", trace->directory, trace->id);
}

void fathom_trace_fail(int error)
{
	int none = 0;

	__atomic_compare_exchange_n(&first_error, &none, error, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

bool fathom_trace_has_failed(void)
{
	return fathom_peek(&first_error);
}

int fathom_trace_error(void)
{
	int error = fathom_peek(&first_error);

	return error ? error : -EIO;
}

void fathom_trace_lose(struct fathom_trace *trace)
{
	static uint32_t said;

	if (fathom_peek(&trace->state) & FATHOM_TRACE_LOST)
		return;
	fathom_trace_add_state(trace, FATHOM_TRACE_LOST);
	trace->lost++;
	if (!__atomic_exchange_n(&said, 1, __ATOMIC_RELAXED))
		fathom_log(FATHOM_LOG_ERROR, "events cannot be written (%s): there will be no trace",
			   strerrordesc_np(-fathom_trace_error()));
}
