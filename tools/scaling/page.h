/*
 * page: the result of `fathom scaling` as an HTML page with charts: the efficiencies by size, and the call paths that
 * grow worst with their models. The page is one file without scripts, fonts or pictures from elsewhere. Context: tool.
 */
#ifndef FATHOM_TOOLS_SCALING_PAGE_H
#define FATHOM_TOOLS_SCALING_PAGE_H

#include "tools/scaling/sizes.h"

/* Writes the page, with at most top lines in each table. The file must not exist. 0, or -errno after an error message;
 * then nothing is left behind. */
int fathom_scaling_page(const struct fathom_scaling *scaling, const char *path, int64_t top);

#endif
