/*
 * thread_sequences: the sequences of kinds of bursts that the threads execute, aligned with each other.
 *
 * If all threads do the same (SPMD), their sequences are equal. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_CLUSTERS_THREAD_SEQUENCES_H
#define FATHOM_TOOLS_CLUSTERS_THREAD_SEQUENCES_H

#include "clusters/sequence_alignment.h"
#include "tools/clusters/kinds.h"

struct fathom_thread_sequences {
	uint32_t *letters;		/* of all threads: numbers of clusters */
	struct fathom_sequence *sequences;	/* the different ones */
	uint32_t count;
	uint32_t *threads;		/* by thread, in the order of locations: its sequence; FATHOM_GAP: left out */
	uint32_t *locations;		/* by thread */
	uint32_t thread_count;
	uint32_t aligned;		/* threads whose sequence is aligned */
	uint32_t most_length;		/* longer sequences are cut; 0: none is */
	struct fathom_alignment alignment;
};

/* Aligns the sequences of the threads. If there are many different ones, or long ones, only a part of them is. */
void fathom_thread_sequences_make(struct fathom_thread_sequences *all, const struct fathom_clustering *clustering);
void fathom_thread_sequences_fini(struct fathom_thread_sequences *all);

/* Fills in the scores of a clustering and its clusters. */
void fathom_thread_sequences_score(const struct fathom_thread_sequences *all, struct fathom_clustering *clustering);

/* Writes the aligned sequences as letters (FASTA), which programs for sequences read. The file must not exist. 0, or
 * -errno after an error message. */
int fathom_thread_sequences_write(const struct fathom_thread_sequences *all, const struct fathom_clustering *clustering,
				  const char *path);

#endif
