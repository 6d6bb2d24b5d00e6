/*
 * made_ranks: processes that never ran: call trees with values made up by chance, as snapshots for
 * the code under test and as plain tables to compare with.
 */
#ifndef FATHOM_TEST_MADE_RANKS_H
#define FATHOM_TEST_MADE_RANKS_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/process_tree/process_tree.h"

/* A call path of one thread, and what happened there. */
struct made_path {
	uint32_t parent;		/* index; of the root: 0 */
	uint32_t region;		/* number among the made regions; the root's has none */
	uint64_t visits;
	uint64_t inclusive_ticks;
	uint64_t min_ticks, max_ticks;
	uint64_t counters[sizeof(struct fathom_tally) / sizeof(uint64_t)];	/* what a tally begins with */
	bool has_counters;
};

struct made_thread {
	struct made_path *paths;	/* the root first, parents before children */
	uint32_t count;
	struct fathom_node *nodes;	/* the same, as the profile has it */
};

struct made_rank {
	struct made_thread *threads;
	uint32_t thread_count;
	char host[32];
	uint64_t wall_units;
	struct fathom_process_tree snapshot;
};

struct made_world {
	struct made_rank *ranks;
	uint32_t rank_count;
	struct fathom_tick_scale scale;
};

struct made_world_kind {
	uint32_t rank_count;
	uint32_t most_threads;
	uint32_t most_paths;		/* of a thread, the root not counted */
	uint32_t host_count;
	bool is_deep;			/* long chains instead of bushes */
	bool is_full;			/* as many threads and paths as there may be */
	uint32_t first_paths;		/* most paths of a rank's first thread, where they are more */
	uint64_t seed;
};

/* How many different regions there are, and what a file says of each: its name, and the innermost
 * of the metrics that its time is counted in. */
uint32_t made_region_count(void);
const char *made_region_name(uint32_t region);
const char *made_region_metrics(uint32_t region);	/* blanks around each: " execution comp " */

/* Names the regions that have none, as wrappers/compiler would. */
void made_region_resolve(struct fathom_region *region, bool may_allocate);

struct made_world *made_world_create(const struct made_world_kind *kind);
/* A region by its name in the file; of some that only worlds know that are told what to do. */
uint32_t made_region(const char *name);

/*
 * A world of ranks that were told: threads and their paths are given (all calloc'ed), in which inclusive_ticks has
 * the own time; the rest is made from that. A tick is 2^-32 s.
 */
struct made_world *made_world_told(struct made_rank *ranks, uint32_t count);

void made_world_destroy(struct made_world *world);

#endif
