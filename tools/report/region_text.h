/*
 * region_text: how the report writes regions: their names, places, colours and shares.
 */
#ifndef FATHOM_TOOLS_REPORT_REGION_TEXT_H
#define FATHOM_TOOLS_REPORT_REGION_TEXT_H

#include <stddef.h>

#include "tools/common/text_layout.h"

struct fathom_cube_region;
struct fathom_values;

/* The place of a function without line numbers, "-". */
extern const char fathom_no_place[];

/*
 * Where a region is in the source: "lulesh.cc:1034". A region without a line has its paradigm as its place, a function
 * has fathom_no_place. The result is text or lives as long as the region.
 */
const char *fathom_region_place(const struct fathom_cube_region *region, char *text, size_t bytes);

/* The name; "(no name)" where it is empty. */
const char *fathom_region_name(const struct fathom_cube_region *region);

/* How many bytes of the name come before the place that names of OpenMP constructs contain; INT_MAX: all. */
int fathom_region_name_bytes(const struct fathom_cube_region *region);

/* The name of an OpenMP construct in a table of its kind: its place, else its name. Memory as fathom_region_place. */
const char *fathom_region_construct(const struct fathom_cube_region *region, char *text, size_t bytes);

/* The colour of a region's name, and of a share of the whole (0 to 1). */
enum fathom_style fathom_region_style(const struct fathom_cube_region *region);
enum fathom_style fathom_share_style(double share);

/* The share of value in the total; 0 where that has no meaning (minima, maxima). */
double fathom_values_share(const struct fathom_values *values, double value);

/* Prints a line that says why functions have no place. */
void fathom_report_explain_places(const struct fathom_page *page);

#endif
