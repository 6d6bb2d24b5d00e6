/*
 * unify: makes the call trees and definitions of all processes one.
 *
 * A reduction along a binary tree of the ranks: each takes in what its children know and hands the
 * whole to its parent, so nobody ever holds more than the union. On the way back each learns
 * which number its call paths have in the union. What a rank keeps of its children meanwhile is
 * one number for each of their call paths.
 */
#ifndef FATHOM_PROFILE_UNIFY_H
#define FATHOM_PROFILE_UNIFY_H

#include <stdbool.h>
#include <stdint.h>

#include "comm/comm.h"
#include "define/metric.h"
#include "define/region.h"
#include "platform/arena.h"
#include "profile/aggregate.h"
#include "profile/snapshot.h"
#include "profile/tree.h"

struct fathom_process {		/* what the file's system tree says of one */
	uint32_t rank;
	uint32_t location_count;
	uint32_t host;		/* index */
	uint32_t names;		/* index: those of its locations */
	uint32_t threads;	/* enum fathom_threads: what they are made of */
	uint32_t metrics;	/* index: what its metrics are called in the union */
};

/* What the locations of a process are called, see fathom_aggregate_names. Most processes have the same. */
struct fathom_names {
	const char *texts;
	uint64_t bytes;
};

/* By a process's number of a metric, the union's. Most processes have the same. */
struct fathom_metric_map {
	uint8_t ours[FATHOM_METRIC_MOST];
};
enum { FATHOM_METRIC_NOT_KEPT = 255 };	/* there were too many */

struct fathom_union {
	struct fathom_arena arena;
	struct fathom_region *regions;	/* names of compiler regions may be missing */
	uint32_t region_count;
	uint32_t region_room;
	uint32_t *region_table;		/* index + 1 by hash; 0: empty */
	uint32_t region_table_size;
	struct fathom_tree tree;	/* keys: indices of regions */
	uint64_t *present;		/* by tree node: which values are not all zero, bits by enum fathom_value */
	uint32_t present_room;
	struct fathom_process *processes;	/* in the order of their coming */
	uint32_t process_count;
	uint32_t process_room;
	const char **hosts;
	uint32_t host_count;
	uint32_t host_room;
	struct fathom_names *names;
	uint32_t names_count;
	uint32_t names_room;
	uint32_t *names_table;		/* index + 1 by hash; 0: empty */
	uint32_t names_table_size;
	struct fathom_metric metrics[FATHOM_METRIC_MOST];
	uint32_t metric_count;
	uint32_t metrics_lost;		/* at most so many are not kept */
	struct fathom_metric_map *maps;
	uint32_t map_count;
	uint32_t map_room;
	struct fathom_totals totals;
	uint64_t wall_units;		/* the longest, in 2^-32 s */
	uint32_t most_locations;	/* of a process */
	struct fathom_union_child {	/* who must be told, and what of ours theirs are */
		int rank;
		uint32_t count;
		uint32_t *ours;
	} children[32];
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
 * locations as fathom_aggregate_choose was told.
 */
int fathom_union_reduce(struct fathom_union *u, struct fathom_comm *comm, const struct fathom_snapshot *snapshot,
			const char *host, uint64_t wall_units);

/*
 * Hand back: numbers[i] is the number of node i of one's own tree. Rank 0 gives it; everybody else gets
 * it, with header (the same for all). Room for u->tree.count numbers. Without numbers (NULL) at rank 0,
 * all get the header alone. Elsewhere has_numbers says whether they came: there are none either where
 * one's own room, or that of a rank in between, could not be had. 0, or -errno: comm is broken.
 */
int fathom_union_hand_back(struct fathom_union *u, struct fathom_comm *comm, void *header, size_t header_bytes,
			   uint32_t *numbers, bool *has_numbers);

/* Tells metrics apart as the union does: by everything that matters. */
uint64_t fathom_union_metric_hash(const struct fathom_metric *metric);

/*
 * At rank 0, once regions have names: those that read the same are one to people (a static function of a
 * header, compiled into several objects), and so are call paths that differ in nothing else. Afterwards
 * merged[i] is the node that node i has become; room for the old u->tree.count. 0 or -ENOMEM.
 */
int fathom_union_merge_twins(struct fathom_union *u, uint32_t *merged);

/*
 * Send and receive in pieces, so that what there is no memory for can be received all the same, and dropped
 * (data NULL). For the other parts of a profile's end, too. 0 or -errno.
 */
int fathom_pieces_send(struct fathom_comm *comm, int to, const void *data, uint64_t bytes);
int fathom_pieces_receive(struct fathom_comm *comm, int from, void *data, uint64_t bytes);

void fathom_union_fini(struct fathom_union *u);

#endif
