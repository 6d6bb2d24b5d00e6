/*
 * trace: a substrate that writes every event into an OTF2 trace.
 *
 * It lives in a library of its own, libfathom-trace, that libfathom loads where FATHOM_MODE asks for traces; so
 * programs that are only profiled do not need OTF2.
 */
#ifndef FATHOM_TRACE_TRACE_H
#define FATHOM_TRACE_TRACE_H

#include "event/location.h"
#include "event/substrate.h"

struct fathom_settings;

/*
 * The substrate of traces; with a profile (not NULL), of both: it hands every event on, with the same time. The
 * profile is a result only where the mode says so.
 * NULL: no memory. Context: start.
 */
FATHOM_API const struct fathom_substrate *fathom_trace_substrate(const struct fathom_settings *settings,
								 const struct fathom_substrate *profile);

/* Its name, for dlsym. */
#define FATHOM_TRACE_ENTRY "fathom_trace_substrate"

#endif
