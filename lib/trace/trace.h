/*
 * trace: the substrate that writes every event to an OTF2 trace.
 *
 * It is in a library of its own, libfathom-trace, which libfathom loads if FATHOM_MODE asks for a trace. So programs
 * that are only profiled do not need OTF2.
 */
#ifndef FATHOM_TRACE_TRACE_H
#define FATHOM_TRACE_TRACE_H

#include "event/location.h"
#include "event/substrate.h"

struct fathom_settings;

/*
 * Returns the substrate of traces. If profile is not NULL, it passes every event to profile, too, with the same time.
 * The profile is a result only if the mode says so. NULL: no memory. Context: start.
 */
FATHOM_API const struct fathom_substrate *fathom_trace_substrate(const struct fathom_settings *settings,
								 const struct fathom_substrate *profile);

/* The name of this function, for dlsym. */
#define FATHOM_TRACE_ENTRY "fathom_trace_substrate"

#endif
