/*
 * callpath: the tree of call paths of one thread, grown by its events.
 *
 * node         a call path: the regions from the root to here.
 * visits       how often its region was entered here.
 * inclusive    ticks between enters and exits, what was called included.
 * exclusive    inclusive - sum of the children's inclusive; never stored.
 *
 * A node is only ever added; what it counts is written by its thread alone, and may be
 * read by whoever finishes the measurement, also while the thread runs.
 */
#ifndef FATHOM_PROFILE_CALLPATH_H
#define FATHOM_PROFILE_CALLPATH_H

#include <stdbool.h>
#include <stdint.h>

#include "define/metric.h"
#include "event/location.h"
#include "event/substrate.h"

/* What call paths count besides visits and time. */
enum fathom_counter {
	FATHOM_COUNTER_BYTES_SENT,
	FATHOM_COUNTER_BYTES_RECEIVED,
	FATHOM_COUNTER_MESSAGES_SENT,
	FATHOM_COUNTER_MESSAGES_RECEIVED,
	FATHOM_COUNTER_BYTES_PUT,
	FATHOM_COUNTER_BYTES_GET,
	FATHOM_COUNTER_IO_READ,
	FATHOM_COUNTER_IO_WRITTEN,
	FATHOM_COUNTER_TASK_SWITCHES,	/* explicit tasks that were suspended */
	FATHOM_COUNTER_TASK_MIGRATIONS,	/* and that came from another thread */
	FATHOM_COUNTER_COUNT
};

/* From a counter of bytes to that of the messages. */
enum { FATHOM_COUNTER_MESSAGES = FATHOM_COUNTER_MESSAGES_SENT - FATHOM_COUNTER_BYTES_SENT };

_Static_assert(FATHOM_COUNTER_MESSAGES_RECEIVED == FATHOM_COUNTER_BYTES_RECEIVED + FATHOM_COUNTER_MESSAGES,
	       "the counters of messages stand as those of bytes");

/* The values that a call path was given of a metric. */
struct fathom_given {
	struct fathom_given *next;	/* released when complete */
	const struct fathom_metric *metric;
	uint64_t sum;			/* in the bits of the metric's type */
	uint64_t count;
};

/* What most call paths do not have. Where there are strict metrics, all have it. */
struct fathom_tally {
	uint64_t counters[FATHOM_COUNTER_COUNT];
	struct fathom_given *given;	/* newest first; released when complete */
	uint64_t *frozen;		/* written by process_tree.c: by strict metric, callees included */
	uint64_t metered[];		/* by strict metric, see metered.c */
};

struct fathom_node {
	/* One cache line: all that an enter and its exit touch. */
	const struct fathom_region *region;	/* NULL in the node that stands for no call path */
	struct fathom_node *last;	/* the child that was entered last; never NULL */
	struct fathom_node *follower;	/* the sibling entered after this one the last time, perhaps itself; never
					 * NULL. In a loop it will be so again: there an enter looks first */
	uint64_t visits;
	uint64_t inclusive_ticks;
	uint64_t min_ticks;		/* of visits that have ended */
	uint64_t max_ticks;
	struct fathom_tally *tally;	/* released when complete; NULL: all zero */

	/* The other cache line: the shape, and what process_tree.c notes. */
	struct fathom_node *parent;
	struct fathom_node *first_child;	/* newest first; released when complete */
	struct fathom_node *sibling;
	struct fathom_node **table;	/* hash of the children by region, once they are several; never NULL, nor
					 * is anything in it */
	uint32_t child_count;
	uint32_t snapshot_node;		/* number of the node in the process tree */
	uint64_t total_ticks;		/* by process_tree.c: inclusive, with active visits */
	uint64_t open_ticks;		/* by process_tree.c: of active visits */
	uint32_t snapshot_serial : 31;	/* serial of the process tree that has this node; 0: none */
	uint32_t has_less : 1;		/* by process_tree.c: time of folded visits was subtracted. Not in one byte
					 * with the bits that the thread itself writes and reads meanwhile */
	uint16_t open_visits;		/* by process_tree.c: number of active visits */
	uint8_t table_shift;		/* 2^(64 - table_shift) places in table */
	uint8_t is_anchor : 1;		/* an anchor node, see anchor_nodes.h; has no values */
	uint8_t in_tasks : 1;		/* of an explicit task, in the tree of these */
	uint8_t is_series : 1;		/* its children are iterations, see iteration_clusters.h */
	uint8_t is_iteration : 1;	/* one of these */
	uint8_t in_series : 1;		/* it, or below one */
};

_Static_assert(sizeof(struct fathom_node) == 2 * FATHOM_CACHE_LINE, "a node is two cache lines");

/*
 * An anchor node, see anchor_nodes.h: stands for a call path of another thread, the origin, below which this thread's
 * regions hang.
 */
struct fathom_anchor_node {
	struct fathom_node node;	/* its region is that of the origin; its parent is NULL */
	struct fathom_node *origin;	/* in another location's tree */
	struct fathom_anchor_node *next;	/* of the same location; released when complete */
	uint32_t iteration;		/* index of the iteration that this was for, if the origin is in a series */
};

/* What a location's substrate_data points at. */
struct fathom_callpaths {
	struct fathom_node *root;
	struct fathom_node *tasks;	/* above the explicit tasks' regions; never visited itself; NULL: no tasks yet.
					 * Released when complete */
	struct fathom_anchor_node *anchors;	/* all, newest first; released when complete */
	struct fathom_anchor_node *last_anchor;	/* used last */
	struct fathom_anchor_node **table;	/* the anchor nodes by hash of their origins, once they are many */
	uint32_t anchor_count;
	uint8_t table_bits;
	struct fathom_series *series;	/* all, newest first; released when complete */
	struct fathom_node *junk;	/* takes events for which there is no node; never reported */
};

/* The region above explicit tasks. */
extern const struct fathom_region *fathom_tasks_region;

/* The region of the child to which calls are charged that have no node of their own. */
extern const struct fathom_region *fathom_truncated_region;

/* Sets how many nodes this process may have at most. Called before the first birth. 0 or -ENOMEM. Context: start. */
int fathom_callpath_init(uint64_t most_nodes);

/* The stage that finds a region's call path below its caller's, and counts its visits and time, in front of the stage
 * after. Where after is the end of the chain, this stage is all of it. There can be one. Context: start. */
struct fathom_stage fathom_callpath_before(struct fathom_stage after);

/* The functions birth and again of the substrate's table (event/substrate.h). The first makes the root of the
 * location's tree. Context: birth; again: hook. */
int fathom_callpath_birth(struct fathom_location *self, struct fathom_frame *root);
void fathom_callpath_again(struct fathom_frame *frame);

/* For the other files of this folder: make a node that has no place in a tree; and count the time of a visit of node
 * that is over and took that many ticks. Context: hook. */
void fathom_callpath_init_node(struct fathom_node *node, const struct fathom_region *region);
void fathom_callpath_end_visit(struct fathom_node *node, uint64_t ticks);

/* Updates the shortest and the longest visit of node by a visit that took that many ticks. The caller counts the
 * visit's time. Context: hook. */
static inline void fathom_callpath_note_duration(struct fathom_node *node, uint64_t ticks)
{
	if (ticks < node->min_ticks)
		fathom_poke(&node->min_ticks, ticks);
	if (ticks > node->max_ticks)
		fathom_poke(&node->max_ticks, ticks);
}

/* Returns whether nothing was recorded at a node; then nothing was recorded below it either. Context: hook, finish,
 * signal. */
bool fathom_callpath_is_empty(const struct fathom_node *node);

/* Returns a new node for region without a parent. NULL: no memory. Context: birth. */
struct fathom_node *fathom_callpath_create(struct fathom_location *self, const struct fathom_region *region);

/* Returns the child of parent for region, which is made if there is none. Never NULL: without memory or nodes, returns
 * the child {truncated}, or the node that is never reported. Context: hook; where a node is made: birth. */
struct fathom_node *fathom_callpath_child(struct fathom_location *self, struct fathom_node *parent,
					  const struct fathom_region *region);

/* Gives node a tally, in the location's arena, and returns it. NULL: no memory; the event is counted as dropped.
 * Context: birth. */
struct fathom_tally *fathom_callpath_make_tally(struct fathom_location *self, struct fathom_node *node);

/* Gives a new node a tally if there are strict metrics, which need one at every node. False: no memory.
 * Context: birth. */
bool fathom_callpath_has_tally(struct fathom_location *self, struct fathom_node *node);

/* Makes child, which is complete, the first child of parent. Context: birth. */
void fathom_callpath_adopt(struct fathom_location *self, struct fathom_node *parent, struct fathom_node *child);

/* Add to a counter of a node, and of the innermost region's call path. Context: hook. */
void fathom_callpath_count_at(struct fathom_location *self, struct fathom_node *node, enum fathom_counter counter,
			      uint64_t amount);
void fathom_callpath_count(struct fathom_location *self, enum fathom_counter counter, uint64_t amount);
/* Counts a message of that many bytes; counter is that of its bytes. Context: hook. */
void fathom_callpath_count_message(struct fathom_location *self, enum fathom_counter counter, uint64_t bytes);

#endif
