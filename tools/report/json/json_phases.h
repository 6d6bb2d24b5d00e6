/*
 * json_phases: the phases and their iterations, as members of the JSON document.
 */
#ifndef FATHOM_TOOLS_REPORT_JSON_PHASES_H
#define FATHOM_TOOLS_REPORT_JSON_PHASES_H

struct fathom_report;

/* Prints the phases. 0, or -errno after an error message. */
int fathom_report_json_phases(struct fathom_report *report);

#endif
