/*
 * section_tree: the call tree by inclusive values.
 */
#ifndef FATHOM_TOOLS_REPORT_SECTION_TREE_H
#define FATHOM_TOOLS_REPORT_SECTION_TREE_H

struct fathom_report;

void fathom_report_tree(struct fathom_report *report);

#endif
