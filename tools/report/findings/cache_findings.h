/*
 * cache_findings: the rule on cache lines that move between processors because several threads write to them (false
 * sharing, or data that threads really share).
 *
 * Such threads do not wait, they compute slowly. Only a counter of accesses to lines that another processor has
 * modified shows it. A profile without such a counter has none of these findings.
 */
#ifndef FATHOM_TOOLS_REPORT_CACHE_FINDINGS_H
#define FATHOM_TOOLS_REPORT_CACHE_FINDINGS_H

struct fathom_finding_list;

/* Adds the finding about modified cache lines to the list. Context: tool. */
void fathom_find_cache_problems(struct fathom_finding_list *list);

#endif
