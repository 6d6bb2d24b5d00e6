/*
 * subtree_merge: merges lists of sub-trees of the system tree.
 *
 * A list contains the sub-trees below one node, in the order of fathom_records_compare; no two of them are equal. Its
 * entries are the topmost records of the sub-trees. When two lists are merged, each entry of either list becomes a
 * part of an entry of the result: its copies become consecutive copies there, which a struct fathom_part describes.
 * Context of all functions: finish, signal.
 */
#ifndef FATHOM_SYSTEM_SUBTREE_MERGE_H
#define FATHOM_SYSTEM_SUBTREE_MERGE_H

#include <stdbool.h>
#include <stdint.h>

#include "system/sequence.h"
#include "system/byte_stack.h"

struct fathom_list {
	size_t at;		/* in the stack */
	uint32_t entries;
	uint32_t records;
};

struct fathom_part {
	uint32_t entry;		/* of the result */
	uint32_t offset;	/* the number of the copy that the first copy became */
};

/*
 * Merges theirs into ours. On top of the stack are our list, count parts (of the lists that were merged into ours
 * before), and their list. Afterwards the stack has the merged list, which *ours describes, the count parts adapted to
 * the merged list, and one new part for each entry of theirs.
 * is_before: the copies of theirs come before those of ours. 0, or -ENOMEM: the stack is unchanged.
 */
int fathom_list_merge(struct fathom_byte_stack *stack, struct fathom_list *ours, uint32_t count,
		      const struct fathom_list *theirs, bool is_before);

/* Makes the list the children of a new node, and *list a list with this node as its only entry. 0 or -ENOMEM. */
int fathom_list_wrap(struct fathom_byte_stack *stack, struct fathom_list *list, enum fathom_element kind,
		     uint32_t class);

#endif
