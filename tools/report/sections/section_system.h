/*
 * section_system: the system tree of a profile, folded: equal sub-trees are printed once, with their number.
 *
 * The file has the whole tree. The section merges lists of equal sub-trees as the measurement did
 * (system/subtree_merge.h).
 */
#ifndef FATHOM_TOOLS_REPORT_SECTION_SYSTEM_H
#define FATHOM_TOOLS_REPORT_SECTION_SYSTEM_H

struct fathom_report;

/* Prints the tree. 0, or -errno after an error message. */
int fathom_report_system(struct fathom_report *report);

#endif
