/*
 * union: the call trees and definitions of several processes, merged into one (unification.h).
 */
#ifndef FATHOM_PROFILE_UNION_H
#define FATHOM_PROFILE_UNION_H

#include <stdbool.h>
#include <stdint.h>

#include "define/metric.h"
#include "define/region.h"
#include "platform/arena.h"
#include "platform/number_table.h"
#include "profile/process_tree/call_tree.h"
#include "profile/process_tree/process_tree.h"
#include "profile/process_tree/thread_aggregation.h"
#include "system/capacity.h"

struct fathom_cube_attribute;

/* Maps a process's number of a metric to its number in the union. In most processes the numbers are the same. */
struct fathom_metric_map {
	uint8_t ours[FATHOM_METRIC_MOST];
};
enum { FATHOM_METRIC_NOT_KEPT = 255 };	/* the metric is not in the union, because there are too many metrics */

/* The processor time of one process, or of several. */
struct fathom_usage {
	uint64_t wall_units;		/* of the process with the longest time, in units of 2^-32 s */
	uint64_t processor_ns;		/* sum of the processor times */
	struct fathom_capacity capacity;	/* of the nodes that these processes report */
};

/* Counts that are added up over processes. */
struct fathom_counts {
	struct fathom_totals totals;
	struct fathom_usage usage;
	uint32_t process_count, most_locations, threads, is_mixed, metrics_lost, pad;
};

struct fathom_iterations_block;

/* Maps of phases (phases/iteration_maps.h). All zero: there are none. */
struct fathom_iterations {
	struct fathom_iterations_block *first, *last;
	uint64_t bytes;		/* of the maps in all blocks */
	uint64_t lost;		/* number of maps that were dropped */
};

struct fathom_wait_states;

struct fathom_union {
	struct fathom_arena arena;
	struct fathom_region *regions;	/* until fathom_model_name_regions, names of compiler regions may be NULL */
	uint32_t region_count;
	uint32_t region_room;
	struct fathom_number_table region_table;	/* regions by their hash */
	struct fathom_tree tree;	/* keys: indices of regions */
	fathom_presence *present;	/* by tree node: which values are not neutral, bits by enum fathom_value */
	uint32_t present_room;
	struct fathom_metric metrics[FATHOM_METRIC_MOST];
	uint32_t metric_count;
	uint32_t metrics_lost;		/* upper limit of the number of metrics that are not kept */
	struct fathom_iterations iterations;	/* maps of phases */
	struct fathom_cube_attribute *notes;	/* at rank 0: attributes made from these maps */
	uint32_t note_count;
	struct fathom_totals totals;
	struct fathom_usage usage;
	const struct fathom_wait_states *waits;	/* what became of the search for wait states; NULL: not known */
	uint32_t process_count;
	uint32_t most_locations;	/* largest number of locations of a process */
	uint32_t threads;		/* enum fathom_threads: the strategy of this process */
	bool is_mixed;			/* other processes have another strategy */
	bool is_uniform;		/* all ranks below have the same call paths as this one */
	uint32_t own_count;		/* number of nodes of this process, which are the first ones */
	int child_count;
	int parent;
	struct fathom_aggregate own;	/* the threads of this process */
	/* Set by fathom_result_write: the number in the file of this process's call paths, by tree node (NULL: not
	 * known), and the column of its first location. */
	const uint32_t *numbers;
	uint32_t first_column;
	int err;			/* -ENOMEM at this rank or below it: the union is not complete */
};

/* Returns the index of a region, which is added if it is new. Its texts are copied if is_copied is true; otherwise
 * they must outlive the union. Negative: -errno. Context: finish, signal. */
int64_t fathom_union_add_region(struct fathom_union *u, const struct fathom_region *region, bool is_copied);

/* Notes when a region was disabled (0: it was not); of several processes, the first one counts. Context: finish,
 * signal. */
void fathom_union_note_disabled(struct fathom_union *u, int64_t region, uint64_t disabled_ns);

/* Adds the root of the tree. 0 or -ENOMEM. Context: finish, signal. */
int fathom_union_add_root(struct fathom_union *u, uint32_t region, fathom_presence present);

/* Returns the node below parent for a region, which is added if it is new, and adds the values in present to those that
 * the node has. 0: no memory. Context: finish, signal. */
uint32_t fathom_union_add_node(struct fathom_union *u, uint32_t parent, uint32_t region, fathom_presence present);

/* Returns the number of a metric, which is added if it is new; is_copied is as in fathom_union_add_region.
 * FATHOM_METRIC_NOT_KEPT: there is no room for the metric. Context: finish, signal. */
uint8_t fathom_union_add_metric(struct fathom_union *u, const struct fathom_metric *metric, bool is_copied);

/* Returns a hash of the properties that distinguish metrics in the union. Any context. */
uint64_t fathom_union_metric_hash(const struct fathom_metric *metric);

/* Releases the memory of the union. Context: finish, signal. */
void fathom_union_fini(struct fathom_union *u);

#endif
