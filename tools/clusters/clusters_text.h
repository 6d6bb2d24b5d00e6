/*
 * clusters_text: the kinds of bursts as text or JSON on stdout.
 */
#ifndef FATHOM_TOOLS_CLUSTERS_CLUSTERS_TEXT_H
#define FATHOM_TOOLS_CLUSTERS_CLUSTERS_TEXT_H

#include "tools/clusters/kinds.h"
#include "tools/common/text_layout.h"

/* Prints what was chosen, and at most top clusters. Context: tool. */
void fathom_clusters_print(const struct fathom_clustering *clustering, struct fathom_page *page, int64_t top);

/* Prints how many bursts have which duration. Context: tool. */
void fathom_clusters_print_histogram(const struct fathom_burst_data *data, struct fathom_page *page);

/* Prints everything as JSON. Context: tool. */
void fathom_clusters_json(const struct fathom_clustering *clustering);

/* Returns words for the score of a cluster. Context: tool. */
const char *fathom_cluster_regularity(double score);

#endif
