/*
 * clustering: finds the kinds of bursts.
 *
 * Everything that the user does not choose is chosen here from the bursts, and can be printed. Context of all
 * functions: tool.
 */
#ifndef FATHOM_TOOLS_CLUSTERS_CLUSTERING_H
#define FATHOM_TOOLS_CLUSTERS_CLUSTERING_H

#include "tools/clusters/kinds.h"

/* Clusters the bursts. 0, or -errno after an error message. */
int fathom_clustering_make(struct fathom_clustering *clustering, const struct fathom_burst_data *data,
			   const struct fathom_cluster_choice *choice);
void fathom_clustering_fini(struct fathom_clustering *clustering);

#endif
