/*
 * json_scopes: the call tree with loops and inlined functions as a part of the JSON document. Context of all functions:
 * tool.
 */
#ifndef FATHOM_TOOLS_REPORT_JSON_JSON_SCOPES_H
#define FATHOM_TOOLS_REPORT_JSON_JSON_SCOPES_H

struct fathom_report;

/* Prints the member scoped_call_tree, if the report has one. 0, or -errno after an error message. */
int fathom_report_json_scopes(struct fathom_report *report);

#endif
