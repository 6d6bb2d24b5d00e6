/*
 * section_callers: `fathom report --callers REGION`: the call tree read upwards from a region.
 */
#ifndef FATHOM_TOOLS_REPORT_SECTION_CALLERS_H
#define FATHOM_TOOLS_REPORT_SECTION_CALLERS_H

struct fathom_report;

/* Prints the callers of the chosen region. 0, or -EINVAL after an error message: the region is not in the profile. */
int fathom_report_callers(struct fathom_report *report);

#endif
