/*
 * trace_report: `fathom report` of a trace.
 *
 * The report of a trace tells what is in it and what stands out; the profile of the same run has the
 * call tree and much else. trace_report_absent.c has this for a fathom without OTF2.
 */
#ifndef FATHOM_TOOLS_REPORT_TRACE_REPORT_H
#define FATHOM_TOOLS_REPORT_TRACE_REPORT_H

#include "tools/report/report.h"

/* The whole report, to stdout; anchor is the path of traces.otf2. The exit code. */
int fathom_trace_report(const struct fathom_report_options *options, const char *anchor);

#endif
