/*
 * cluster_profile: writes the kinds of bursts as metrics of a profile (.cubex): the time and number of the bursts of
 * each kind, by call path and thread.
 */
#ifndef FATHOM_TOOLS_CLUSTERS_CLUSTER_PROFILE_H
#define FATHOM_TOOLS_CLUSTERS_CLUSTER_PROFILE_H

#include "tools/clusters/kinds.h"

/* Writes the profile. The file must not exist. 0, or -errno after an error message, and the file does not exist.
 * Context: tool. */
int fathom_cluster_profile_write(const struct fathom_clustering *clustering, const char *path);

#endif
