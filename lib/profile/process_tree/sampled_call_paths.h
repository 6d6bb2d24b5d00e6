/*
 * sampled_call_paths: makes call paths of the samples of all locations, as a part of the process tree.
 *
 * The exclusive time of a recorded call path is exact. It is shared out among the samples that were taken there: a
 * sampled call path gets the part of the time that corresponds to its part of the samples, rounded to whole ticks in
 * such a way that the parts add up to the recorded time. Samples in the region's own code leave their part with the
 * recorded call path.
 *
 *	record		what samples add to a node: the number of those taken right there, and sampled call paths below
 *	sampled node	a node of the process tree that no thread's tree has; it has time and samples, but no visits
 *
 * Not all machine frames are call paths: see event/sampled_frames.h.
 */
#ifndef FATHOM_PROFILE_SAMPLED_CALL_PATHS_H
#define FATHOM_PROFILE_SAMPLED_CALL_PATHS_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/process_tree/call_tree.h"
#include "profile/recording/callpath.h"
#include "profile/process_tree/sample_lines.h"
#include "profile/process_tree/sample_paths.h"
#include "profile/process_tree/sampled_code.h"

struct fathom_sampling;

enum fathom_samples {		/* what is counted of samples of processor time */
	FATHOM_SAMPLES_TAKEN,
	FATHOM_SAMPLES_PARTIAL,	/* of them: machine frames are missing */
	FATHOM_SAMPLES_SHORTENED,	/* of them: counted at an outer frame for want of room */
	FATHOM_SAMPLES_DROPPED,	/* not taken */
	FATHOM_SAMPLES_COUNT
};

struct fathom_sample_record {
	const struct fathom_node *node;
	struct fathom_node *first_child;	/* sampled nodes below node, linked by sibling */
	uint64_t samples;		/* of processor time */
	uint64_t *values;		/* by sampled event from 1 on: the sum of periods; NULL: there are none */
	struct fathom_sample_record *chain;	/* next at the same place of the table */
	struct fathom_sample_record *next;	/* next recorded call path with samples, of the same location */
	struct fathom_sampled_root *roots;	/* what was sampled there */
};

/* What a process tree has of samples. Zero: there are none. The first three members are those of the process tree that
 * gets the sampled call paths; process_tree.c sets them. */
struct fathom_sampled {
	struct fathom_arena *arena;
	struct fathom_tree *tree;
	uint32_t serial;
	struct fathom_code code;
	struct fathom_sample_record **table;	/* by hash of the node; 2^table_bits places */
	uint32_t record_count;
	uint8_t table_bits;
	bool folds;			/* recursion is folded, see fathom_sampled_fold */
	uint32_t event_count;		/* of sampled events, with that of processor time; 0: there are no samples */
	const uint8_t *metrics;		/* by sampled event from 1 on: 1 + id of its metric; 0: it has none */
	uint64_t totals[FATHOM_SAMPLES_COUNT];
	struct fathom_sample_lines lines;	/* the samples by address */
	struct fathom_sample_paths paths;	/* and by call path; columns are numbers of locations */
};

/* Chooses how recursion is shown (FATHOM_RECURSION): with folding, a run of calls of one function to itself keeps the
 * first and the last call. Context: start. */
void fathom_sampled_fold(bool is_folding);

/* Defines the metrics of sampled events; NULL: there are none. Called before the process tree is built, if the process
 * may take locks. Context: finish. */
void fathom_sampled_events(const struct fathom_sampling *sampling);

/* Adds the sampled call paths of these locations to the tree, whose nodes of recorded call paths are complete. Without
 * memory some samples stay with the recorded call path. Context: finish, signal. */
void fathom_sampled_add(struct fathom_sampled *sampled, struct fathom_location *const *locations, uint32_t count);

/* Returns the record of a node; NULL: it has none. Context: finish, signal. */
const struct fathom_sample_record *fathom_sampled_record(const struct fathom_sampled *sampled,
							 const struct fathom_node *node);

/* Returns the first sampled node below a node; NULL: there is none. Context: finish, signal. */
static inline struct fathom_node *fathom_sampled_below(const struct fathom_sampled *sampled,
						       const struct fathom_node *node)
{
	return node->has_samples ? fathom_sampled_record(sampled, node)->first_child : NULL;
}

#endif
