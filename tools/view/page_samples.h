/*
 * page_samples: where in the code the processor time of a run was spent, from its samples by address, as one JSON
 * object.
 *
 * The object has:
 *	total		seconds of all samples
 *	objects		[[path, seconds, remark]]: programs and libraries, those with most time first, with the time
 *			of samples in their own code. The remark says why their lines are not known; null: they are
 *	lines		[[index in objects, function, file, line, own, calls]]: source lines, those with most time
 *			first: seconds in the line itself, and in functions called from it that are not recorded; file
 *			is "" and line is 0 where they are not known
 *	line_count	number of all lines, of which the page may have fewer
 *
 * Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_VIEW_PAGE_SAMPLES_H
#define FATHOM_TOOLS_VIEW_PAGE_SAMPLES_H

#include <jansson.h>
#include <stdbool.h>

#include "tools/common/samples/sample_places.h"

/* Reads the samples of processor time of the experiment to which the profile with that path belongs. report: that of
 * the profile. Returns whether there are any; then the caller frees them with fathom_sample_places_fini. */
bool fathom_page_samples_read(struct fathom_sample_places *places, const char *path, const json_t *report);

/* Returns the object. */
json_t *fathom_page_samples(const struct fathom_sample_places *places);

#endif
