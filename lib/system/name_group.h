/*
 * name_group: processes of the same name find each other by splitting a communicator.
 */
#ifndef FATHOM_SYSTEM_NAME_GROUP_H
#define FATHOM_SYSTEM_NAME_GROUP_H

#include "system/rank_chain.h"
#include "system/inorder_tree.h"

/*
 * The tree over those of comm that have the same name, the lowest rank at the root; ranks are those of the world,
 * in which this process is number rank. 0; -ENOMEM: those whose splitting failed all know, and comm is as before; or
 * another -errno: comm is broken. Context: finish.
 */
int fathom_name_group_link(struct fathom_comm *comm, const struct fathom_name *name, int32_t rank,
		      struct fathom_tree_links *links);

#endif
