/* region_text: the texts of regions in reports: their names, places, colours and shares. */
#ifndef FATHOM_TOOLS_REPORT_REGION_TEXT_H
#define FATHOM_TOOLS_REPORT_REGION_TEXT_H

#include <stddef.h>

#include "tools/common/text_layout.h"

struct fathom_cube_region;
struct fathom_values;

/* The place "-" of a function without line numbers. */
extern const char fathom_no_place[];

/* Returns the place of a region in the source: "lulesh.cc:1034". A region without a line has its paradigm as its place,
 * a function has fathom_no_place. The result is text or lives as long as the region. */
const char *fathom_region_place(const struct fathom_cube_region *region, char *text, size_t bytes);

/* Returns the name of a region; "(no name)" if it is empty. */
const char *fathom_region_name(const struct fathom_cube_region *region);

/* Returns the number of bytes of the name before the place that names of OpenMP constructs contain; INT_MAX: the name
 * has no place. */
int fathom_region_name_bytes(const struct fathom_cube_region *region);

/* Returns the text for an OpenMP construct in a table of its kind: its place, or else its name. The result is text or
 * lives as long as the region. */
const char *fathom_region_construct(const struct fathom_cube_region *region, char *text, size_t bytes);

/* Return the colour of a region's name, and of a share of the whole (0 to 1). */
enum fathom_style fathom_region_style(const struct fathom_cube_region *region);
enum fathom_style fathom_share_style(double share);

/* Prints a line that explains why functions have no place. */
void fathom_report_explain_places(const struct fathom_page *page);

#endif
