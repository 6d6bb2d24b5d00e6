/*
 * united_tree: the call tree that an operation makes of those of its inputs.
 *
 * Call paths are added one by one, callers first; then fathom_united_tree_finish puts them into the order of a file. A
 * call path has a key: its region's name as in match_key.h, and its parameters. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_ALGEBRA_UNITED_TREE_H
#define FATHOM_TOOLS_ALGEBRA_UNITED_TREE_H

#include "tools/common/hash_index.h"
#include "tools/common/profile.h"

/* How much the regions of two call paths with the same key and caller are alike. Each includes those after it. */
enum fathom_likeness { FATHOM_SAME_LINE, FATHOM_SAME_FILE, FATHOM_SAME_NAME, FATHOM_SAME_KEY, FATHOM_LIKENESSES };

struct fathom_united_node {
	const struct fathom_profile *origin;	/* the first profile that has the call path, and its number there */
	uint32_t cnode;
	int32_t parent;			/* -1: a root */
	int32_t first_child, last_child, next_child;
	int32_t next_alike;		/* the next one with the same parent and key */
	uint32_t taken;			/* the number of the last input that has it, from 1 on */
	uint32_t number;		/* in the result, after fathom_united_tree_finish */
	char *key;
};

struct fathom_united_tree {		/* all zero: empty */
	struct fathom_united_node *nodes;
	size_t count, room;
	struct fathom_index index;	/* of the first node with each parent and key */
};

/* Finds the node for call path cnode of a profile, whose caller is the node parent. A node whose member taken is
 * `number` is not found. -1: there is none that is so much alike. */
int32_t fathom_united_tree_find(const struct fathom_united_tree *tree, const struct fathom_profile *profile,
				uint32_t number, uint32_t cnode, int32_t parent, enum fathom_likeness likeness);

/* Finds the node for such a call path below the node of a function: directly, or in a loop or inlined function that
 * belongs to the function. */
int32_t fathom_united_tree_find_in_scopes(const struct fathom_united_tree *tree, const struct fathom_profile *profile,
					  uint32_t number, uint32_t cnode, int32_t function,
					  enum fathom_likeness likeness);

/* Adds a node for call path cnode of a profile, whose caller is the node parent. Returns its number in the tree. */
int32_t fathom_united_tree_add(struct fathom_united_tree *tree, const struct fathom_profile *profile, uint32_t cnode,
			       int32_t parent);

/* Makes the call paths, regions and parameters of the cube, whose texts remain those of the profiles. */
void fathom_united_tree_finish(struct fathom_united_tree *tree, struct fathom_cube *cube);
void fathom_united_tree_fini(struct fathom_united_tree *tree);

#endif
