/*
 * section_disabled: the functions that the measurement disabled to keep FATHOM_OVERHEAD.
 */
#ifndef FATHOM_TOOLS_REPORT_SECTION_DISABLED_H
#define FATHOM_TOOLS_REPORT_SECTION_DISABLED_H

struct fathom_report;

void fathom_report_disabled(struct fathom_report *report);

#endif
