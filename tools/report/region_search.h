/*
 * region_search: the regions and call paths that a user means by a name.
 */
#ifndef FATHOM_TOOLS_REPORT_REGION_SEARCH_H
#define FATHOM_TOOLS_REPORT_REGION_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

struct fathom_report;

/*
 * Marks the visited regions of that name in matches (by region). A name matches exactly, else without regard to
 * argument lists ("f" is "f(int)"), else as a pattern. 0, or -EINVAL after an error message: there is none.
 */
int fathom_report_find_regions(const struct fathom_report *report, const char *wanted, bool *matches);

/* Returns whether there are such regions. 0, or -EINVAL after an error message. */
int fathom_report_check_regions(const struct fathom_report *report, const char *wanted);

/*
 * The call paths of marked regions, sorted by inclusive time, else visits, the largest first. Returns how many; the
 * caller frees *cnodes.
 */
uint32_t fathom_report_places(const struct fathom_report *report, const bool *matches, uint32_t **cnodes);

#endif
