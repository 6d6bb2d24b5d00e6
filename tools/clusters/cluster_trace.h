/*
 * cluster_trace: writes a copy of the trace in which each burst is marked with its kind.
 *
 * The mark is a metric "cluster" of each thread: at the begin of a burst it gets the number of the kind, at the end 0.
 * Every reader of OTF2 traces can show it as a curve, or as colours of a time line; kind_intervals reads it.
 */
#ifndef FATHOM_TOOLS_CLUSTERS_CLUSTER_TRACE_H
#define FATHOM_TOOLS_CLUSTERS_CLUSTER_TRACE_H

#include "tools/clusters/kinds.h"

/* Kinds in place of clusters, such as those that are tracked over several traces. */
struct fathom_trace_kinds {
	const uint32_t *of_clusters;	/* by cluster from 1: its kind, from 1 */
	char *const *names;		/* by kind: a call path */
	uint32_t count;			/* the largest kind */
};

/* Writes the copy into a new directory. kinds NULL: each cluster is a kind. 0, or -errno after an error message, and
 * the directory does not exist. Context: tool. */
int fathom_cluster_trace_write(const struct fathom_clustering *clustering, const struct fathom_trace_kinds *kinds,
			       const char *directory);

#endif
