/*
 * attributes: the attributes of a run, put together from those of its ranks.
 */
#ifndef FATHOM_TOOLS_MERGE_ATTRIBUTES_H
#define FATHOM_TOOLS_MERGE_ATTRIBUTES_H

#include "cube/cube.h"
#include "tools/merge/merged_definitions.h"

enum { FATHOM_FACTS_LISTS = 3 };
enum { FATHOM_FACTS_COUNTS = 5 };	/* of calls dropped, by reason; of maps left out */

struct fathom_facts_filtered {	/* regions that a filter left out */
	uint64_t most;		/* of one rank */
	uint64_t count;		/* of each of the ranks first to last, which were added last */
	int64_t first, last;
	bool differ;		/* not all ranks left out as many */
	bool is_cut;
	char ranks[500];	/* "0: 3, 1-7: 12", without those */
};

struct fathom_facts {		/* all zero: of no rank yet */
	uint32_t rank_count;
	int64_t size;		/* ranks the run had; 0: the files do not say */
	double wall_time, processor_time;
	const char **processors;	/* what ranks say of the processors that they may use, */
	size_t processor_room;
	uint32_t processor_count;	/* if they do */
	uint64_t events;
	double cost_ns;		/* of all events together; the next: the part of it inside their regions */
	double inside_ns;
	uint64_t dropped[FATHOM_FACTS_COUNTS];
	const char *begin;	/* the earliest */
	char *lists[FATHOM_FACTS_LISTS];	/* metrics, counters of threads, of processes; NULL: there are none */
	const char *reason;	/* why the first rank that ended early did; */
	int64_t reason_rank;
	bool reasons_differ;
	bool has_filter;
	struct fathom_facts_filtered filtered;
	int64_t *ranks;		/* that left a file, ascending */
	size_t rank_room;
	struct fathom_arena texts;
};

/* Add those of a rank, in ascending order; the other attributes of the first one are taken over
 * into join as they are. */
void fathom_facts_add(struct fathom_facts *facts, struct fathom_join *join, const struct fathom_cube *cube,
		      int64_t rank);

/* Lists with commas (fathom::metrics): whether one has a name, of so many bytes; and known (NULL: none, else freed)
 * with what list (may be NULL) has besides, to be freed. */
bool fathom_facts_is_listed(const char *list, const char *name, size_t length);
char *fathom_facts_add_list(char *known, const char *list);

/* How many ranks left nothing. */
uint32_t fathom_facts_missing(const struct fathom_facts *facts);

/* Set the attributes of the whole. */
void fathom_facts_finish(struct fathom_facts *facts, struct fathom_join *join);
void fathom_facts_fini(struct fathom_facts *facts);

#endif
