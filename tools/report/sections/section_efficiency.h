/*
 * section_efficiency: the section of the report with the factors of the efficiency (tools/common/efficiency.h).
 */
#ifndef FATHOM_TOOLS_REPORT_SECTION_EFFICIENCY_H
#define FATHOM_TOOLS_REPORT_SECTION_EFFICIENCY_H

struct fathom_report;

/* Prints the factors, if there are any. 0, or -errno after an error message. Context: tool. */
int fathom_report_efficiency(struct fathom_report *report);

#endif
