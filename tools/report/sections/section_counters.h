/* section_counters: the counters that FATHOM_METRICS selected, by region. Values are those of the region itself,
 * without the regions that it calls. */
#ifndef FATHOM_TOOLS_REPORT_SECTION_COUNTERS_H
#define FATHOM_TOOLS_REPORT_SECTION_COUNTERS_H

struct fathom_report;

void fathom_report_counters(struct fathom_report *report);

#endif
