/*
 * section_waits: the tree of wait states and of their causes (--waits), and the critical path (--critical). Both need a
 * profile with wait states. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_REPORT_SECTION_WAITS_H
#define FATHOM_TOOLS_REPORT_SECTION_WAITS_H

struct fathom_report;

/* Print the section. 0, or -errno after an error message, also if the profile has no such metrics. */
int fathom_report_waits(struct fathom_report *report);
int fathom_report_critical_path(struct fathom_report *report);

#endif
