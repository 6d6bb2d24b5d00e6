/* region_search: finds the regions and call paths that a user names. */
#ifndef FATHOM_TOOLS_REPORT_REGION_SEARCH_H
#define FATHOM_TOOLS_REPORT_REGION_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

struct fathom_report;

/* Sets matches (by region) for the visited regions of that name. A name matches exactly, or if no region has it,
 * without regard to argument lists ("f" is "f(int)"), or else as a pattern. 0, or -EINVAL after an error message: there
 * is none. */
int fathom_report_find_regions(const struct fathom_report *report, const char *wanted, bool *matches);

/* Checks that there are regions of that name. 0, or -EINVAL after an error message. */
int fathom_report_check_regions(const struct fathom_report *report, const char *wanted);

/* Lists the call paths of regions in matches, sorted by inclusive time, or else by visits, the largest first. Returns
 * their number; the caller frees *cnodes. */
uint32_t fathom_report_places(const struct fathom_report *report, const bool *matches, uint32_t **cnodes);

#endif
