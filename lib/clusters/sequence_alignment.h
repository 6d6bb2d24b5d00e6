/*
 * sequence_alignment: puts sequences of letters below each other such that equal letters stand in the same column
 * (multiple sequence alignment).
 *
 * The letters are the cluster numbers of the bursts of a thread, in the order of time. Sequences are aligned pair by
 * pair: first those that are most similar by the pairs of letters that follow each other, then the groups that this
 * makes (a guide tree by UPGMA). Two groups are aligned with the best score over all ways (Needleman and Wunsch, with
 * affine gaps by Gotoh); a gap that was made stays. Context of all functions: any that may allocate memory.
 */
#ifndef FATHOM_CLUSTERS_SEQUENCE_ALIGNMENT_H
#define FATHOM_CLUSTERS_SEQUENCE_ALIGNMENT_H

#include <stddef.h>
#include <stdint.h>

#define FATHOM_GAP UINT32_MAX		/* in place of a letter */

struct fathom_sequence {
	const uint32_t *letters;
	uint32_t length;
	uint32_t weight;		/* how many equal sequences this one stands for */
};

/* How good it is that letters stand in one column. All arrays are by letter. */
struct fathom_alignment_scores {
	const double *matches;		/* of two equal letters */
	const double *mismatches;	/* two different letters have the sum of theirs; usually negative */
	double gap_open, gap_extend;	/* what a gap costs, and each column of it in addition */
	double end_gap;			/* what a column of a gap before or behind a sequence costs */
};

struct fathom_alignment {
	uint32_t *letters;		/* [sequence][column]; FATHOM_GAP: none */
	uint32_t count, columns;
};

/* Returns the number of cells of the largest table that the alignment of sequences may need, which is about the square
 * of the length of the longest. It takes a byte for each. */
uint64_t fathom_alignment_cells(const struct fathom_sequence *sequences, uint32_t count);

/* Aligns sequences. 0 or -ENOMEM: nothing is left to be freed. */
int fathom_alignment_make(struct fathom_alignment *alignment, const struct fathom_sequence *sequences, uint32_t count,
			  const struct fathom_alignment_scores *scores);
void fathom_alignment_fini(struct fathom_alignment *alignment);

#endif
