/*
 * callpath: the tree of call paths of one thread, which grows with the thread's events.
 *
 * node         a call path: the regions from the root down to this one.
 * visits       number of enters of the node's region at this call path.
 * inclusive    ticks between enters and exits, including the callees.
 * exclusive    inclusive - sum of the children's inclusive; never stored.
 *
 * Nodes are added and never removed. Only the thread itself writes the values of its nodes. The thread that finishes
 * the measurement may read them, also while the owner runs.
 */
#ifndef FATHOM_PROFILE_CALLPATH_H
#define FATHOM_PROFILE_CALLPATH_H

#include <stdbool.h>
#include <stdint.h>

#include "define/metric.h"
#include "event/location.h"
#include "event/substrate.h"

/* Values of a call path besides visits and time. */
enum fathom_counter {
	FATHOM_COUNTER_BYTES_SENT,
	FATHOM_COUNTER_BYTES_RECEIVED,
	FATHOM_COUNTER_MESSAGES_SENT,
	FATHOM_COUNTER_MESSAGES_RECEIVED,
	FATHOM_COUNTER_BYTES_PUT,
	FATHOM_COUNTER_BYTES_GET,
	FATHOM_COUNTER_IO_READ,
	FATHOM_COUNTER_IO_WRITTEN,
	FATHOM_COUNTER_TASK_SWITCHES,	/* times that an explicit task was suspended */
	FATHOM_COUNTER_TASK_MIGRATIONS,	/* times that an explicit task came from another thread */
	FATHOM_COUNTER_LOCK_WAIT,	/* from here on: ticks. See event/locks/contention.h */
	FATHOM_COUNTER_LOCK_BLAME,	/* this and CONDITION_BLAME: other threads may add to the counter */
	FATHOM_COUNTER_CONDITION_WAIT,
	FATHOM_COUNTER_CONDITION_BLAME,
	FATHOM_COUNTER_TASK_WAIT,	/* of the tasks that the call path created; other threads may add to it */
	FATHOM_COUNTER_IDLE_BLAME,	/* in units of event/teams/idleness.h */
	FATHOM_COUNTER_COUNT,
	FATHOM_COUNTER_FIRST_TIME = FATHOM_COUNTER_LOCK_WAIT
};

/* The distance from a counter of bytes to the counter of the corresponding messages. */
enum { FATHOM_COUNTER_MESSAGES = FATHOM_COUNTER_MESSAGES_SENT - FATHOM_COUNTER_BYTES_SENT };

_Static_assert(FATHOM_COUNTER_MESSAGES_RECEIVED == FATHOM_COUNTER_BYTES_RECEIVED + FATHOM_COUNTER_MESSAGES,
	       "the counters of messages stand as those of bytes");

/* The sum of the values of one given metric at a call path. */
struct fathom_given {
	struct fathom_given *next;	/* stored (release) when complete */
	const struct fathom_metric *metric;
	uint64_t sum;			/* in the bits of the metric's type */
	uint64_t count;
};

/* Values that most call paths do not have. If there are strict metrics, every call path has them. */
struct fathom_tally {
	uint64_t counters[FATHOM_COUNTER_COUNT];
	struct fathom_given *given;	/* newest first; stored (release) when the new entry is complete */
	uint64_t *frozen;		/* by strict metric, including callees; written by process_tree.c */
	uint64_t metered[];		/* by strict metric, see metered.h */
};

struct fathom_node {
	/* The first cache line: the members that an enter and its exit use. */
	const struct fathom_region *region;	/* NULL in the node that takes events without a call path */
	struct fathom_node *last;	/* the child that was entered last; never NULL */
	struct fathom_node *follower;	/* the sibling that was entered after this node the last time, perhaps this
					 * node; never NULL. An enter tries this sibling first, because loops repeat */
	uint64_t visits;
	uint64_t inclusive_ticks;
	uint64_t min_ticks;		/* of visits that have ended */
	uint64_t max_ticks;
	struct fathom_tally *tally;	/* stored (release) when complete; NULL: all values are 0 */

	/* The second cache line: the shape of the tree, and notes of process_tree.c. */
	struct fathom_node *parent;
	struct fathom_node *first_child;	/* newest first; stored (release) when the new child is complete */
	struct fathom_node *sibling;
	struct fathom_node **table;	/* hash table of the children by region, used from the second child on; the
					 * pointer and its entries are never NULL */
	uint32_t child_count;
	uint32_t snapshot_node;		/* number of the node in the process tree */
	uint64_t total_ticks;		/* written by process_tree.c: inclusive time, with active visits */
	uint64_t open_ticks;		/* written by process_tree.c: time of active visits */
	uint32_t snapshot_serial : 30;	/* serial of the process tree that has this node; 0: none */
	uint32_t has_less : 1;		/* written by process_tree.c: the time of folded visits was subtracted. In
					 * another byte than the bits that the thread itself writes */
	uint32_t has_samples : 1;	/* written by sampled_call_paths.c: it, or a call path below it, was sampled */
	uint16_t open_visits;		/* written by process_tree.c: number of active visits */
	uint8_t table_shift;		/* table has 2^(64 - table_shift) entries */
	uint8_t is_anchor : 1;		/* an anchor node, see anchor_nodes.h; has no values */
	uint8_t in_tasks : 1;		/* belongs to the tree of explicit tasks */
	uint8_t is_series : 1;		/* its children are iterations, see iteration_clusters.h */
	uint8_t is_iteration : 1;	/* an iteration */
	uint8_t in_series : 1;		/* an iteration, or below one */
};

_Static_assert(sizeof(struct fathom_node) == 2 * FATHOM_CACHE_LINE, "a node is two cache lines");

/*
 * An anchor node, see anchor_nodes.h: it stands for a call path of another thread (the origin), below which this
 * thread's regions appear.
 */
struct fathom_anchor_node {
	struct fathom_node node;	/* its region is that of the origin; its parent is NULL */
	struct fathom_node *origin;	/* a node in another location's tree */
	struct fathom_anchor_node *next;	/* the next anchor node of this location; stored (release) when
						 * complete */
	uint32_t iteration;		/* index of the iteration that was active in the origin, if the origin is in a
					 * series */
};

/* A communicator whose messages the location has recorded lately: the ranks in the world of the processes that these
 * messages name. */
struct fathom_recent_comm {
	uint32_t number;		/* of the communicator in events */
	uint32_t count;			/* of processes; 0: the entry is not used */
	uint32_t first, stride;		/* process i has rank first + i * stride, if ranks is NULL */
	const uint32_t *ranks;		/* by process */
};

enum { FATHOM_RECENT_COMMS = 4 };

/* The profile's data of a location; its substrate_data points to this. */
struct fathom_callpaths {
	struct fathom_node *root;
	struct fathom_node *tasks;	/* root of the tree of explicit tasks, which has no visits; NULL: no tasks
					 * yet. Stored (release) when complete */
	struct fathom_anchor_node *anchors;	/* all series, newest first; stored (release) when complete */
	struct fathom_anchor_node *last_anchor;	/* the anchor node that was used last */
	struct fathom_anchor_node **table;	/* hash table of the anchor nodes by origin, once there are many */
	uint32_t anchor_count;
	uint8_t table_bits;
	struct fathom_series *series;	/* all series, newest first; stored (release) when complete */
	struct fathom_sample_store *samples;	/* NULL: there are no samples; stored (release) when complete */
	struct fathom_waits_log *waits;	/* the operation log, see wait_records.h; NULL: no operation yet */
	struct fathom_burst_log *bursts;	/* see burst_stage.h; NULL: bursts are not recorded */
	struct fathom_time_map *time_map;	/* see time_maps.h; NULL: none yet */
	struct fathom_partners *partners;	/* see partners.h; NULL: no message yet; stored (release) when
						 * complete */
	struct fathom_recent_comm recent_comms[FATHOM_RECENT_COMMS];	/* by the remainder of the number */
	struct fathom_node *unreported;	/* takes the events for which there is no node; is never reported */
};

/* The region of the root of explicit tasks. */
extern const struct fathom_region *fathom_tasks_region;

/* The region of the child that gets the calls for which no further node may be created. */
extern const struct fathom_region *fathom_truncated_region;

/* Sets the largest number of nodes of this process. Called before the first birth. 0 or -ENOMEM. Context: start. */
int fathom_callpath_init(uint64_t most_nodes);

/* Returns the stage that creates the root of a location's tree, finds a region's call path below its caller's, adds
 * the visit and the time, and then calls the stage after. If after is the end of the chain for an enter or exit, the
 * returned stage ends the event itself. Only one can exist. Context: start. */
struct fathom_stage fathom_callpath_before(struct fathom_stage after);

/* The function again of the substrate's table (event/substrate.h): takes back one visit of the frame's node; so each
 * stage that gives a frame a node counts a visit there. Context: hook. */
void fathom_callpath_uncount_visit(struct fathom_frame *frame);

/* For the other files of this folder: fathom_callpath_init_node initialises a node that is not in a tree; each caller
 * sets the bits that nodes have from the node above them or from the origin, such as in_series.
 * fathom_callpath_end_visit adds a visit of node that has ended after this many ticks. Context: hook. */
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

/* Returns true if nothing was recorded at node; then nothing was recorded below it either. Context: hook, finish,
 * signal. */
bool fathom_callpath_is_empty(const struct fathom_node *node);

/* Returns a new node for region without a parent. NULL: no memory. Context: birth. */
struct fathom_node *fathom_callpath_create(struct fathom_location *self, const struct fathom_region *region);

/* Returns the child of parent for region; creates it if there is none. Never NULL: if there is no memory, or there
 * are too many nodes, it returns the child {truncated}, or the node that is never reported. Context: hook; birth for
 * a new node. */
struct fathom_node *fathom_callpath_child(struct fathom_location *self, struct fathom_node *parent,
					  const struct fathom_region *region);

/* Creates the tally of node in the location's arena, and returns it. NULL: no memory; the event is counted as
 * dropped. Context: birth. */
struct fathom_tally *fathom_callpath_make_tally(struct fathom_location *self, struct fathom_node *node);

/* Creates the tally of a new node if there are strict metrics, because then every node needs one. False: no memory.
 * Context: birth. */
bool fathom_callpath_has_tally(struct fathom_location *self, struct fathom_node *node);

/* Makes child, which is complete, the first child of parent. Context: birth. */
void fathom_callpath_adopt(struct fathom_location *self, struct fathom_node *parent, struct fathom_node *child);

/* Adds amount to a counter of node; fathom_callpath_count uses the node of the innermost region. Context: hook. */
void fathom_callpath_count_at(struct fathom_location *self, struct fathom_node *node, enum fathom_counter counter,
			      uint64_t amount);
void fathom_callpath_count(struct fathom_location *self, enum fathom_counter counter, uint64_t amount);
/* Adds amount to a counter of node that several threads add to. self: the location of the calling thread, from which
 * the memory comes if the node has no tally yet; NULL: the caller makes a result, which one thread does at a time.
 * Context: hook, finish, signal. */
void fathom_callpath_count_shared(struct fathom_location *self, struct fathom_node *node, enum fathom_counter counter,
				  uint64_t amount);
/* Adds blame to FATHOM_COUNTER_IDLE_BLAME of node. Keeps vector registers. Context: hook. */
void fathom_callpath_blame_for_idleness(struct fathom_location *self, struct fathom_node *node, uint64_t blame);
/* Adds a message of this many bytes to the innermost region. counter is the counter of the bytes. Context: hook. */
void fathom_callpath_count_message(struct fathom_location *self, enum fathom_counter counter, uint64_t bytes);

#endif
