/*
 * allocation_findings: the rule on memory that a program allocates and frees again and again.
 *
 * The functions of the allocator (malloc, free, operator new, ...) have no hooks. Samples show how often the processor
 * executes them, and which call path calls them. A profile without samples has none of these findings.
 */
#ifndef FATHOM_TOOLS_REPORT_ALLOCATION_FINDINGS_H
#define FATHOM_TOOLS_REPORT_ALLOCATION_FINDINGS_H

#include <stdbool.h>

struct fathom_cube_region;
struct fathom_finding_list;

/* Returns whether the region is a function that allocates or frees memory: of the C library, of C++, or of one of the
 * libraries that replace them. */
bool fathom_is_allocator(const struct fathom_cube_region *region);

/* Adds the finding about allocation to the list. Context: tool. */
void fathom_find_allocation(struct fathom_finding_list *list);

#endif
