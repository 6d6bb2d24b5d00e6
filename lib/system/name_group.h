/*
 * name_group: links processes with the same name as a tree, by splitting a communicator.
 */
#ifndef FATHOM_SYSTEM_NAME_GROUP_H
#define FATHOM_SYSTEM_NAME_GROUP_H

#include "system/rank_chain.h"
#include "system/inorder_tree.h"

/*
 * Links the processes of comm with the same name as a tree whose root has the lowest rank. The ranks in *links are
 * those of the world, where this process has the number rank. 0; -ENOMEM at all processes of a group whose splitting
 * failed, and comm can still be used; another -errno if comm is broken. Context: finish.
 */
int fathom_name_group_link(struct fathom_comm *comm, const struct fathom_name *name, int32_t rank,
		      struct fathom_tree_links *links);

#endif
