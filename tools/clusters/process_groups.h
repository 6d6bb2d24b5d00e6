/*
 * process_groups: puts processes together that spend their time in the same kinds of bursts.
 *
 * A process is a point with a dimension for each kind: the time of its bursts of that kind, as a share of the mean time
 * of all processes. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_CLUSTERS_PROCESS_GROUPS_H
#define FATHOM_TOOLS_CLUSTERS_PROCESS_GROUPS_H

#include "clusters/hierarchy.h"
#include "tools/clusters/kinds.h"
#include "tools/common/text_layout.h"

enum { FATHOM_PROCESSES_MOST = 4096 };	/* of more processes, no groups are made */

struct fathom_process_groups {
	uint32_t *processes;		/* indices of those with a burst that was clustered */
	uint32_t *groups;		/* by process in this list: from 1 */
	uint32_t count, group_count;	/* group_count 0: there are too many processes */
	struct fathom_join *joins;	/* count - 1 */
};

/* Finds the groups of processes: one group if none differs by more than 5 % of the mean time. */
void fathom_process_groups_make(struct fathom_process_groups *groups, const struct fathom_clustering *clustering);
void fathom_process_groups_fini(struct fathom_process_groups *groups);

/* Prints the groups and their processes. A group with less than a tenth of the processes is called small. */
void fathom_process_groups_print(const struct fathom_process_groups *groups, struct fathom_page *page);

/* Writes which processes were put together at which distance as a graph (Graphviz). The file must not exist. 0, or
 * -errno after an error message. */
int fathom_process_groups_write(const struct fathom_process_groups *groups, const char *path);

#endif
