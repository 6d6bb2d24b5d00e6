/*
 * section_regions: the list of regions by their own values.
 */
#ifndef FATHOM_TOOLS_REPORT_SECTION_REGIONS_H
#define FATHOM_TOOLS_REPORT_SECTION_REGIONS_H

struct fathom_report;

void fathom_report_regions(struct fathom_report *report);

#endif
