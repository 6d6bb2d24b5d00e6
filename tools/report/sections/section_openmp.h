/*
 * section_openmp: the use of OpenMP: a line for each parallel region, and for each construct that makes explicit tasks.
 */
#ifndef FATHOM_TOOLS_REPORT_SECTION_OPENMP_H
#define FATHOM_TOOLS_REPORT_SECTION_OPENMP_H

struct fathom_report;

void fathom_report_teams(struct fathom_report *report);
void fathom_report_tasks(struct fathom_report *report);

#endif
