/*
 * cluster_trace: writes a copy of the trace in which each burst is marked with its kind.
 *
 * The mark is a metric "cluster" of each thread: at the begin of a burst it gets the number of the kind, at the end 0.
 * Every reader of OTF2 traces can show it as a curve, or as colours of a time line; kind_intervals reads it.
 */
#ifndef FATHOM_TOOLS_CLUSTERS_CLUSTER_TRACE_H
#define FATHOM_TOOLS_CLUSTERS_CLUSTER_TRACE_H

#include "tools/clusters/kinds.h"

/* Writes the copy into a new directory. 0, or -errno after an error message, and the directory does not exist. Context:
 * tool. */
int fathom_cluster_trace_write(const struct fathom_clustering *clustering, const char *directory);

#endif
