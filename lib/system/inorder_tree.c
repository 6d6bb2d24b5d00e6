#include "system/inorder_tree.h"

void fathom_tree_links_meet(struct fathom_tree_links *links, uint64_t position, int i, int32_t left, int32_t right)
{
	int level = position ? __builtin_ctzll(position) : 63;

	if (i < level) {	/* the most distant ranks are the children */
		if (left >= 0)
			links->left = left;
		if (right >= 0)
			links->right = right;
	} else if (i == level) {
		/* The parent is the one of the two that is one level higher, or the other one if the row ends before
		 * it. */
		if (position >> level & 2)
			links->parent = left >= 0 ? left : right;
		else
			links->parent = right >= 0 ? right : left;
	}
}

struct fathom_tree_links fathom_tree_links_of(int64_t position, int64_t size)
{
	struct fathom_tree_links links = fathom_no_tree_links;

	for (int i = 0; i < 31; i++) {
		int64_t left = position - ((int64_t)1 << i), right = position + ((int64_t)1 << i);

		if (left < 0 && right >= size)
			break;
		fathom_tree_links_meet(&links, (uint64_t)position, i, left < 0 ? -1 : (int32_t)left,
				  right < size ? (int32_t)right : -1);
	}
	return links;
}
