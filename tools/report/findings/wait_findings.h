/*
 * wait_findings: rules on wait states of MPI. The metrics are those of the search for wait states (lib/waits); a
 * profile without them has none of these findings.
 */
#ifndef FATHOM_TOOLS_REPORT_WAIT_FINDINGS_H
#define FATHOM_TOOLS_REPORT_WAIT_FINDINGS_H

struct fathom_finding_list;

/* Adds the findings about wait states to the list. Context: tool. */
void fathom_find_waits(struct fathom_finding_list *list);

#endif
