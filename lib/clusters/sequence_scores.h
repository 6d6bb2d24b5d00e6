/*
 * sequence_scores: what the columns of aligned sequences say about their letters: whether all sequences have a letter
 * at the same places, and which letters appear together.
 *
 * Context of all functions: any that may allocate memory.
 */
#ifndef FATHOM_CLUSTERS_SEQUENCE_SCORES_H
#define FATHOM_CLUSTERS_SEQUENCE_SCORES_H

#include "clusters/sequence_alignment.h"

/* Finds letters that always appear together: all columns with one of them have the same set of letters, the letter 0
 * and gaps not counted. They may be one phase of the program that differs from sequence to sequence. Fills in the
 * lowest letter of the set of each letter. Returns whether there is a set of several letters; or -ENOMEM. */
int fathom_alignment_join_letters(const struct fathom_alignment *alignment, uint32_t letter_count, uint32_t *joined);

/* The score of a cluster: how many of the sequences have it, on average, in the columns in which any has it. */
struct fathom_sequence_score {
	double score;			/* 0: it is in no sequence */
	uint64_t occurrences;
};

/* Computes the score of each letter below letter_count. Returns the score of all letters, weighted by shares (by
 * letter, 0 for letters that do not count). */
double fathom_sequence_scores(const struct fathom_alignment *alignment, const struct fathom_sequence *sequences,
			      const double *shares, uint32_t letter_count, struct fathom_sequence_score *scores);

#endif
