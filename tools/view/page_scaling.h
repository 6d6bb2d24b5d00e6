/*
 * page_scaling: how a program scales, from runs of several sizes, for a page about the largest run.
 *
 * `fathom scaling` computes the results. The page has them as an object with the members metric, unit, expectation,
 * recognised_by, target, sizes, first_broken, projected and model of `fathom scaling --json`, and the lists
 *	losses		the call paths that lose most
 *	growing		those that grow worst, with their models
 * The losses are metrics of the call tree, too. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_VIEW_PAGE_SCALING_H
#define FATHOM_TOOLS_VIEW_PAGE_SCALING_H

#include <jansson.h>

/* Returns the object for runs that the targets name, and makes the profile of their losses, a new file. NULL after an
 * error message. */
json_t *fathom_page_scaling(char *const *targets, int count, const char *losses);

/* Returns the path of the profile of the largest run. */
const char *fathom_page_scaling_largest(const json_t *scaling);

#endif
