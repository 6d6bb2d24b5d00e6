/*
 * scoped_tree: the call tree of a profile with the loops and inlined functions between its call paths.
 *
 * A call path of the profile becomes one node or several: the function itself, the scopes in it that have samples or
 * call paths, and, where a sampled function is called from several scopes of its caller, one of these for each. All
 * nodes of a call path together have its values. A recorded call path has one node for the function itself, because it
 * is not known how its values are distributed over the places that call it.
 *
 *	main			call path 0
 *	  loop main.c:12	call path 0
 *	    solve		call path 1
 *	  inlined setup		call path 0
 *	    solve		call path 1
 *
 * Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_REPORT_SCOPES_SCOPED_TREE_H
#define FATHOM_TOOLS_REPORT_SCOPES_SCOPED_TREE_H

#include "tools/report/scopes/code_scopes.h"

struct fathom_scoped_node {
	int32_t parent;		/* -1: a root */
	int32_t first_child, last_child, sibling;	/* -1: none */
	uint32_t call_path;	/* of the profile */
	int32_t next;		/* the next node of the same call path; -1: this is the last one */
	const struct fathom_code_scope *scope;	/* NULL: the function itself */
	uint64_t samples;	/* that its values stand for */
	struct fathom_sample_count *counts;	/* by column, which may stand here several times */
	size_t count_count, count_room;
};

struct fathom_scoped_tree {
	struct fathom_scoped_node *nodes;
	size_t count, room;
	int32_t *first_of;	/* by call path: the first of its nodes */
	uint32_t *order;	/* all nodes, in pre-order */
	uint32_t scope_count;	/* nodes that are scopes */
};

/* Makes the tree. is_sampled: by call path, as above. */
void fathom_scoped_tree_init(struct fathom_scoped_tree *tree, struct fathom_code_scopes *scopes,
			     const bool *is_sampled);
void fathom_scoped_tree_fini(struct fathom_scoped_tree *tree);

#endif
