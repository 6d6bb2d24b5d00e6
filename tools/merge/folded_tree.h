/*
 * folded_tree: the call tree of a profile in which the clusters of each phase are put together in the phase itself,
 * as with FATHOM_PHASE_CLUSTERS=1.
 *
 * Which iterations of a phase are in a cluster depends on how long they took, so it differs from run to run; all of
 * them together are the same. A call path of the fold stands for one or several of the file, its members, whose values
 * are added up, minima and maxima aside, which stay such.
 */
#ifndef FATHOM_TOOLS_MERGE_FOLDED_TREE_H
#define FATHOM_TOOLS_MERGE_FOLDED_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "cube/reader.h"

struct fathom_fold {
	struct fathom_cube cube;	/* the file's, with call paths of its own */
	uint32_t *of;			/* by call path of the file: which one it is here */
	int32_t *first, *next;		/* members: the first of one here, the next of one of the file; -1: no more */
};

/* Whether a profile has clusters. */
bool fathom_fold_needed(const struct fathom_cube *cube);

void fathom_fold_init(struct fathom_fold *fold, const struct fathom_cube *cube);
void fathom_fold_fini(struct fathom_fold *fold);

/* As those of the reader, for a call path of the fold. Values of the third are added up: not for minima and maxima. */
bool fathom_fold_present(const struct fathom_fold *fold, struct fathom_cube_reader *reader, uint32_t metric,
			 uint32_t cnode);
int fathom_fold_raw_row(const struct fathom_fold *fold, struct fathom_cube_reader *reader, uint32_t metric,
			uint32_t cnode, void *values, struct fathom_cube_error *error);
int fathom_fold_row(const struct fathom_fold *fold, struct fathom_cube_reader *reader, uint32_t metric, uint32_t cnode,
		    double *values, struct fathom_cube_error *error);

#endif
