/*
 * rank_findings: rules on ranks and threads that need no wait states: unequal work of ranks, small messages, access to
 * files, and more threads than processors.
 */
#ifndef FATHOM_TOOLS_REPORT_RANK_FINDINGS_H
#define FATHOM_TOOLS_REPORT_RANK_FINDINGS_H

struct fathom_finding_list;

/* Adds the findings about ranks to the list. Context: tool. */
void fathom_find_rank_problems(struct fathom_finding_list *list);

#endif
