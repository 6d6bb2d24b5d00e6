/*
 * cluster_profile_system: the machine, processes and threads of the bursts of a trace, as definitions of a profile.
 */
#ifndef FATHOM_TOOLS_CLUSTERS_CLUSTER_PROFILE_SYSTEM_H
#define FATHOM_TOOLS_CLUSTERS_CLUSTER_PROFILE_SYSTEM_H

#include "cube/cube.h"
#include "tools/clusters/burst_data.h"

struct fathom_cluster_profile_system {
	uint32_t *column_of;		/* by location: its column in the profile; UINT32_MAX: it has no burst */
};

/* Fill in the definitions of the system in cube, and free these. Context: tool. */
void fathom_cluster_profile_system_make(struct fathom_cluster_profile_system *system,
					const struct fathom_burst_data *data, struct fathom_cube *cube);
void fathom_cluster_profile_system_fini(struct fathom_cluster_profile_system *system, struct fathom_cube *cube);

#endif
