/*
 * thread_findings: rules on the threads of a process: unequal work in parallel regions, waiting for locks, idle
 * threads, parallel regions and tasks that are too small.
 *
 * If threads were added up and the file therefore lacks the data for a rule, the rule reports nothing.
 */
#ifndef FATHOM_TOOLS_REPORT_THREAD_FINDINGS_H
#define FATHOM_TOOLS_REPORT_THREAD_FINDINGS_H

struct fathom_finding_list;

/* Adds the findings about threads to the list. Context: tool. */
void fathom_find_thread_problems(struct fathom_finding_list *list);

#endif
