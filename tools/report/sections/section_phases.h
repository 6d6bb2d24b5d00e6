/* section_phases: the phases of a program: a table of them, and the differences between the iterations of each. */
#ifndef FATHOM_TOOLS_REPORT_SECTION_PHASES_H
#define FATHOM_TOOLS_REPORT_SECTION_PHASES_H

struct fathom_report;

/* Prints the phases; with the option --phases iteration by iteration. 0, or -errno after an error message. */
int fathom_report_phases(struct fathom_report *report);

#endif
