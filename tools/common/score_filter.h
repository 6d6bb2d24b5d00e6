/*
 * score_filter: chooses the functions to leave out of a trace, and writes a filter with them.
 *
 * People look at traces for communication and synchronization. Functions that lead to neither make most of the
 * records and say least. A function that leads there on any path is kept on all paths, because a filter knows names
 * and not paths.
 */
#ifndef FATHOM_TOOLS_COMMON_SCORE_FILTER_H
#define FATHOM_TOOLS_COMMON_SCORE_FILTER_H

#include "tools/common/score.h"

/* Drops what the rules exclude. 0, or -errno after an error message. */
int fathom_score_apply(struct fathom_score *score);

/* Chooses what to drop. 0, or -errno after an error message. */
int fathom_score_choose(struct fathom_score *score);

/* Writes the filter file. 0, or -errno after an error message. */
int fathom_score_write(const struct fathom_score *score);

/* Prints a rule as people write it, without the rules that it belongs to. */
void fathom_score_print_rule(const struct fathom_filter_rule *rule);

/* A region in the terms of filter rules. */
struct fathom_filter_subject fathom_score_subject(const struct fathom_cube_region *region);

#endif
