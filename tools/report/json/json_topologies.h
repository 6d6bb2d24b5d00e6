/*
 * json_topologies: the topologies of a profile, the coordinates of ranks and threads in them, and the
 * waiting there, as JSON.
 */
#ifndef FATHOM_TOOLS_REPORT_JSON_TOPOLOGIES_H
#define FATHOM_TOOLS_REPORT_JSON_TOPOLOGIES_H

struct fathom_report;

/* Prints the member "topologies" of the JSON document, if there are topologies. Context: tool. */
void fathom_report_json_topologies(struct fathom_report *report);

#endif
