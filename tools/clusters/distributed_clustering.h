/*
 * distributed_clustering: finds the kinds of bursts of a trace that several processes under mpirun read in parts.
 *
 * Each process has the bursts of some processes of the run. The process of rank 0 gets a sample of all bursts and
 * clusters it. The points of the sample and their clusters are the model: every process puts each of its bursts into
 * the cluster of the nearest point of the model, if that is within eps, and else into noise. Rank 0 adds up what the
 * bursts of each cluster have in common. Memory of rank 0 does not grow with the number of bursts of the others.
 * Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_CLUSTERS_DISTRIBUTED_CLUSTERING_H
#define FATHOM_TOOLS_CLUSTERS_DISTRIBUTED_CLUSTERING_H

#include "comm/comm.h"
#include "tools/clusters/clustering.h"

struct fathom_distributed_clustering {
	struct fathom_clustering clustering;	/* at rank 0: of the sample, with the values of all bursts */
	struct fathom_burst_data sample;	/* at rank 0; shares the trace with the data of rank 0 */
	uint32_t sample_count;			/* bursts in the sample */
};

/* Clusters the bursts of all processes of comm, which call this together; sample_size: bursts in the sample. 0, or
 * -errno after an error message. */
int fathom_distributed_clustering_make(struct fathom_distributed_clustering *distributed, struct fathom_comm *comm,
				       struct fathom_burst_data *data, const struct fathom_cluster_choice *choice,
				       uint32_t sample_size);
void fathom_distributed_clustering_fini(struct fathom_distributed_clustering *distributed);

#endif
