/* section_topologies: the topologies of a profile, and the coordinates of ranks and threads in them. */
#ifndef FATHOM_TOOLS_REPORT_SECTION_TOPOLOGIES_H
#define FATHOM_TOOLS_REPORT_SECTION_TOPOLOGIES_H

struct fathom_report;

/* Prints the topologies; nothing if the profile has none. */
void fathom_report_topologies(const struct fathom_report *report);

#endif
