/*
 * unification: makes the call trees and definitions of all processes one.
 *
 * A reduction along a binary tree of the ranks: each takes in what its children know and hands the whole to its
 * parent, so nobody ever holds more than the union. Most ranks have the same call paths: each is told first what its
 * parent has, in a few bytes (call_path_digest.h), and sends nothing where it has the same. Where it has not, both
 * find out which sub-trees are the same, and the rest is sent (subtree_pruning.h). On the way back all learn which
 * number a call path has in the union.
 */
#ifndef FATHOM_PROFILE_UNIFICATION_H
#define FATHOM_PROFILE_UNIFICATION_H

#include <stdbool.h>
#include <stdint.h>

#include "comm/comm.h"
#include "define/metric.h"
#include "define/region.h"
#include "platform/arena.h"
#include "profile/call_tree.h"
#include "profile/iteration_maps.h"
#include "profile/process_tree.h"
#include "profile/thread_aggregation.h"
#include "system/capacity.h"

/* By a process's number of a metric, the union's. Most processes have the same. */
struct fathom_metric_map {
	uint8_t ours[FATHOM_METRIC_MOST];
};
enum { FATHOM_METRIC_NOT_KEPT = 255 };	/* there were too many */

/* What a process, or several, had of time and of processors. */
struct fathom_usage {
	uint64_t wall_units;		/* the longest, in 2^-32 s */
	uint64_t processor_ns;		/* processor time, added up */
	struct fathom_capacity capacity;	/* of the nodes for which these processes speak */
};

/* What is counted over processes. */
struct fathom_counts {
	struct fathom_totals totals;
	struct fathom_usage usage;
	uint32_t process_count, most_locations, threads, is_mixed, metrics_lost, pad;
};

struct fathom_union {
	struct fathom_arena arena;
	struct fathom_region *regions;	/* names of compiler regions may be missing */
	uint32_t region_count;
	uint32_t region_room;
	uint32_t *region_table;		/* index + 1 by hash; 0: empty */
	uint32_t region_table_size;
	struct fathom_tree tree;	/* keys: indices of regions */
	fathom_presence *present;	/* by tree node: which values are not all zero, bits by enum fathom_value */
	uint32_t present_room;
	struct fathom_metric metrics[FATHOM_METRIC_MOST];
	uint32_t metric_count;
	uint32_t metrics_lost;		/* at most so many are not kept */
	struct fathom_iterations iterations;	/* maps of phases */
	struct fathom_cube_attribute *notes;	/* at rank 0: what becomes of these */
	uint32_t note_count;
	struct fathom_totals totals;
	struct fathom_usage usage;
	uint32_t process_count;
	uint32_t most_locations;	/* of a process */
	uint32_t threads;		/* enum fathom_threads: what locations are made of, of this process */
	bool is_mixed;			/* and not of all */
	bool is_uniform;		/* all below have the same call paths as this one */
	uint32_t own_count;		/* the first nodes are those of this process */
	int child_count;
	int parent;
	struct fathom_aggregate own;	/* this process's threads */
	int err;			/* -ENOMEM here or below: the union is not complete */
};

/*
 * Reduce (without a snapshot, NULL: this rank had no memory for one): afterwards rank 0 holds the union of
 * all, every other rank that of its subtree; the first nodes of the tree are those of its own snapshot, in
 * the same order. 0, or -errno: comm is broken. Where a rank had no memory, u->err says so, there and up
 * to rank 0; the union is then good for nothing but to hand that back. The threads of each process become
 * locations as fathom_aggregate_choose was told. usage: of this process.
 */
int fathom_union_reduce(struct fathom_union *u, struct fathom_comm *comm, const struct fathom_process_tree *process,
			const struct fathom_usage *usage);

/* --- for the parts of the reduction ------------------------------------------------------------- */

/* The index of a region, added if it is new; if not copied its texts must outlive the union. Negative: -errno. */
int64_t fathom_union_add_region(struct fathom_union *u, const struct fathom_region *region, bool is_copied);

/* The root. 0 or -ENOMEM. */
int fathom_union_add_root(struct fathom_union *u, uint32_t region, fathom_presence present);

/* The union's node below parent for a region, with these values present. 0: out of memory. */
uint32_t fathom_union_add_node(struct fathom_union *u, uint32_t parent, uint32_t region, fathom_presence present);

/* The number of a metric, added if it is new. FATHOM_METRIC_NOT_KEPT: no room. */
uint8_t fathom_union_add_metric(struct fathom_union *u, const struct fathom_metric *metric, bool is_copied);

/* Tells metrics apart as the union does: by everything that matters. */
uint64_t fathom_union_metric_hash(const struct fathom_metric *metric);

void fathom_union_fini(struct fathom_union *u);

#endif
