/*
 * changes: which differences between the runs of two sides are changes, and which may be noise.
 *
 * The runs from 0 on, first_count of them, are the first side; the others are the second side.
 *
 * With several runs of a side, the spread of its runs gives the noise. A difference of means is a change if it lies
 * outside of its confidence interval. There are many regions, so the level of 99 % is for all of them together (Holm's
 * method), and the few runs of one region borrow from the relative spread of all regions (a moderated t-test,
 * spread_prior.h); a region that is noisier than the others does not.
 * With one run of each side nothing tells the noise: then a difference of at least 5 % is called a change. In both
 * cases the error of times that samples estimate is added, and a change is at least 0.1 % of the whole (with one run of
 * each side, 0.5 %).
 */
#ifndef FATHOM_TOOLS_DIFF_CHANGES_H
#define FATHOM_TOOLS_DIFF_CHANGES_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/common/matched_runs.h"

struct fathom_change {
	uint32_t item;		/* in the list */
	double before, after;	/* means over the runs of a side, per process */
	double noise;		/* half the width of the confidence interval of after - before */
	bool is_change;
	bool is_new, is_gone;	/* no run of the first, or of the second, side has it */
};


enum fathom_change_values { FATHOM_CHANGE_OWN, FATHOM_CHANGE_INCLUSIVE };

/* Compares all items of a list; the caller frees the result, which has list->count elements, the largest differences
 * first. Context of all functions: tool. */
struct fathom_change *fathom_changes_find(const struct fathom_matched_runs *matched,
					  const struct fathom_matched_list *list, uint32_t first_count,
					  enum fathom_change_values values);

/* Compares the totals of the metric (item is not used). */
struct fathom_change fathom_changes_total(const struct fathom_matched_runs *matched, uint32_t first_count);

#endif
