/*
 * clusters_page: the kinds of bursts as a page for a browser: a table, a scatter plot and a time line.
 */
#ifndef FATHOM_TOOLS_CLUSTERS_CLUSTERS_PAGE_H
#define FATHOM_TOOLS_CLUSTERS_CLUSTERS_PAGE_H

#include "tools/clusters/kinds.h"

/* Writes a page of one file without scripts. The file must not exist. 0, or -errno after an error message, and the file
 * does not exist. Context: tool. */
int fathom_clusters_page_write(const struct fathom_clustering *clustering, const char *path);

#endif
