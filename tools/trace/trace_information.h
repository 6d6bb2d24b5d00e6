/*
 * trace_information: what is in a trace, as text or JSON.
 */
#ifndef FATHOM_TOOLS_TRACE_TRACE_INFORMATION_H
#define FATHOM_TOOLS_TRACE_TRACE_INFORMATION_H

#include "otf2/archive_reader.h"

/* Reads the events of the trace, whose definitions are read, and prints what is in it. 0, or -errno after an error
 * message. Context: tool. */
int fathom_trace_information_print(struct fathom_otf2_archive *trace, bool json);

#endif
