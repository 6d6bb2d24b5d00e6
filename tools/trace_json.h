/*
 * trace_json: the summary of a trace as one JSON document; doc/man/fathom-report.1 says what stands in it.
 */
#ifndef FATHOM_TOOLS_TRACE_JSON_H
#define FATHOM_TOOLS_TRACE_JSON_H

#include "trace_summary.h"

void fathom_trace_json(const struct fathom_trace_summary *summary);

#endif
