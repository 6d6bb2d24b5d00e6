/*
 * subtree_merge: lists of sub-trees of the system tree, made one.
 *
 * A list is what stands below one node: sub-trees in the order of fathom_records_compare, none of them equal. Its
 * entries are the topmost records. Where two lists are merged, an entry of either goes into an entry of the result, and
 * its copies become some of the copies there, without a gap: `part` says which.
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
	uint32_t offset;	/* which copy the first one became */
};

/*
 * The stack holds, on top: ours, count parts (those of lists that were merged into it before), theirs. Afterwards:
 * the merged list, which ours says, the same parts as they are now, and one for each entry of theirs.
 * is_before: the copies of theirs come before those of ours. 0, or -ENOMEM: the stack is as it was.
 * Context: finish, signal.
 */
int fathom_list_merge(struct fathom_byte_stack *stack, struct fathom_list *ours, uint32_t count,
		      const struct fathom_list *theirs, bool is_before);

/* Put the node, whose children are the list, above it: a list of one entry. 0 or -ENOMEM. */
int fathom_list_wrap(struct fathom_byte_stack *stack, struct fathom_list *list, enum fathom_element kind,
		     uint32_t class);

#endif
