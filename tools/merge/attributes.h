/*
 * attributes: merges the attributes of ranks into those of the run. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_MERGE_ATTRIBUTES_H
#define FATHOM_TOOLS_MERGE_ATTRIBUTES_H

#include "cube/cube.h"
#include "tools/merge/merged_definitions.h"

enum { FATHOM_ATTRIBUTES_LISTS = 3 };
enum { FATHOM_ATTRIBUTES_COUNTS = 9 };	/* of calls dropped, by reason; of maps left out; of samples */

/* How many regions a filter left out, by rank. */
struct fathom_attributes_filtered {
	uint64_t most;		/* of one rank */
	uint64_t count;	/* number that each of the ranks first to last left out; these are the ranks added last */
	int64_t first, last;
	bool differ;		/* the ranks left out different numbers of regions */
	bool is_cut;
	char ranks[500];	/* "0: 3, 1-7: 12", without the ranks first to last */
};

/* All zero: no rank was added yet. */
struct fathom_attributes {
	uint32_t rank_count;
	int64_t size;		/* number of ranks of the run; 0: the files do not contain it */
	double wall_time, processor_time;
	const char **processors;	/* the processors that each rank may use */
	size_t processor_room;
	uint32_t processor_count;	/* 0: the files do not contain processors */
	uint64_t events;
	double cost_ns;		/* own cost of all events; inside_ns: the part of it that is inside the regions */
	double inside_ns;
	uint64_t counts[FATHOM_ATTRIBUTES_COUNTS];
	const char *begin;	/* the earliest */
	char *lists[FATHOM_ATTRIBUTES_LISTS];	/* metrics, counters of threads, of processes; NULL: there are none */
	const char *reason;	/* of the first rank that ended early: the reason */
	int64_t reason_rank;
	bool reasons_differ;
	bool has_filter;
	struct fathom_attributes_filtered filtered;
	int64_t *ranks;		/* the ranks that left a file, ascending */
	size_t rank_room;
	struct fathom_arena texts;
};

/* Adds the attributes of a rank; ranks come in ascending order. Attributes that are not merged are copied into merged
 * from the first rank. */
void fathom_attributes_add(struct fathom_attributes *attributes, struct fathom_definitions *merged,
			   const struct fathom_cube *cube, int64_t rank);

/* For lists with commas (fathom::metrics): return whether a list has a name of so many bytes; and add to known the
 * names of list that it lacks. known and list may be NULL; known is freed. The caller frees the result. */
bool fathom_attributes_is_listed(const char *list, const char *name, size_t length);
char *fathom_attributes_add_list(char *known, const char *list);

/* Returns the number of ranks of the run that left no profile. */
uint32_t fathom_attributes_missing(const struct fathom_attributes *attributes);

/* Sets the merged attributes in merged. */
void fathom_attributes_finish(struct fathom_attributes *attributes, struct fathom_definitions *merged);
void fathom_attributes_fini(struct fathom_attributes *attributes);

#endif
