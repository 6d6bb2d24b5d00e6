/*
 * json_imbalance: the member imbalance of the JSON report. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_REPORT_JSON_IMBALANCE_H
#define FATHOM_TOOLS_REPORT_JSON_IMBALANCE_H

struct fathom_report;

/* Prints the call paths whose computation is unequal; nothing if there are none. 0, or -errno after an error
 * message. */
int fathom_report_json_imbalance(struct fathom_report *report);

#endif
