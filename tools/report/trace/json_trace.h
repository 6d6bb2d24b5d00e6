/*
 * json_trace: the summary of a trace as one JSON document; doc/man/fathom-report.1 describes its members.
 */
#ifndef FATHOM_TOOLS_REPORT_JSON_TRACE_H
#define FATHOM_TOOLS_REPORT_JSON_TRACE_H

#include "tools/report/trace/trace_summary.h"

void fathom_trace_json(const struct fathom_trace_summary *summary);

#endif
