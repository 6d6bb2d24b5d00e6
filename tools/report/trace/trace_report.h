/*
 * trace_report: `fathom report` of a trace.
 *
 * The report of a trace shows events by kind, data, and time by region. The profile of the same run has more, for
 * example the call tree. In a build without OTF2, trace_report_absent.c defines the function.
 */
#ifndef FATHOM_TOOLS_REPORT_TRACE_REPORT_H
#define FATHOM_TOOLS_REPORT_TRACE_REPORT_H

#include "tools/report/report.h"

/* Prints the whole report; anchor is the path of traces.otf2. Returns the exit code. */
int fathom_trace_report(const struct fathom_report_options *options, const char *anchor);

#endif
