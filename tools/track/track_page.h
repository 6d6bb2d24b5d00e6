/* track_page: writes the tracked kinds of bursts as a page for a browser. */
#ifndef FATHOM_TOOLS_TRACK_TRACK_PAGE_H
#define FATHOM_TOOLS_TRACK_TRACK_PAGE_H

#include "tools/track/kind_trends.h"

/* Writes a page with a trend line of each kind in each metric, and a scatter plot of each experiment in which a kind
 * has the same colour everywhere. The page is one file without scripts. The file must not exist. 0, or -errno after an
 * error message, and the file does not exist. Context: tool. */
int fathom_track_page_write(const struct fathom_kind_trends *trends, const char *path);

#endif
