/*
 * folded_tree: the call tree of a profile with all clusters of each phase merged into the phase, as with
 * FATHOM_PHASE_CLUSTERS=1.
 *
 * The clusters of iterations depend on their times and differ from run to run, but all clusters of a phase together
 * contain the same iterations in each run. A call path of the folded tree has as its members one or several call paths
 * of the file. Their values are added up; for minima and maxima, the least and the greatest value is taken. Context of
 * all functions: tool.
 */
#ifndef FATHOM_TOOLS_MERGE_FOLDED_TREE_H
#define FATHOM_TOOLS_MERGE_FOLDED_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "cube/reader/reader.h"

/* A folded tree. */
struct fathom_folded_tree {
	struct fathom_cube cube;	/* the definitions of the file, with the call paths of the folded tree */
	uint32_t *of;			/* by call path of the file: its call path in the folded tree */
	/* Lists of members: the first by call path of the folded tree, the next by call path of the file; -1: none. */
	int32_t *first, *next;
};

/* Returns whether a profile has clusters. */
bool fathom_folded_tree_needed(const struct fathom_cube *cube);

void fathom_folded_tree_init(struct fathom_folded_tree *fold, const struct fathom_cube *cube);
void fathom_folded_tree_fini(struct fathom_folded_tree *fold);

/* Like the functions of the reader (cube/reader/reader.h), for a call path of the folded tree. fathom_folded_tree_row
 * only adds up values and is not for minima and maxima. */
bool fathom_folded_tree_present(const struct fathom_folded_tree *fold, struct fathom_cube_reader *reader,
				uint32_t metric, uint32_t cnode);
int fathom_folded_tree_raw_row(const struct fathom_folded_tree *fold, struct fathom_cube_reader *reader,
			       uint32_t metric, uint32_t cnode, void *values, struct fathom_cube_error *error);
int fathom_folded_tree_row(const struct fathom_folded_tree *fold, struct fathom_cube_reader *reader, uint32_t metric,
			   uint32_t cnode, double *values, struct fathom_cube_error *error);

#endif
