/*
 * score_filter: chooses the functions to leave out of a trace, and writes a filter with them.
 *
 * Traces are mostly used to study communication and synchronization. Functions without these, and with no call path to
 * them, make most of the records and are least useful. A function that is above communication on any call path is kept
 * on all call paths, because a filter contains names and not call paths.
 */
#ifndef FATHOM_TOOLS_COMMON_SCORE_FILTER_H
#define FATHOM_TOOLS_COMMON_SCORE_FILTER_H

#include "tools/common/score/score_data.h"

/* Drops the functions that the rules exclude. 0, or -errno after an error message. */
int fathom_score_apply(struct fathom_score *score);

/* Chooses the functions to drop. 0, or -errno after an error message. */
int fathom_score_choose(struct fathom_score *score);

/* Writes the filter file. 0, or -errno after an error message. */
int fathom_score_write(const struct fathom_score *score);

/* Prints a rule in the form in which users write it, without the block that contains it. */
void fathom_score_print_rule(const struct fathom_filter_rule *rule);

/* Returns the name that the compiler gave a region, or else its name. Filter rules apply to this name. */
const char *fathom_score_linker_name(const struct fathom_cube_region *region);

/* Returns a region in the form to which filter rules are applied. */
struct fathom_filter_subject fathom_score_subject(const struct fathom_cube_region *region);

#endif
