/*
 * page_sources: the source texts of the functions that take the most time, for the page.
 */
#ifndef FATHOM_TOOLS_VIEW_PAGE_SOURCES_H
#define FATHOM_TOOLS_VIEW_PAGE_SOURCES_H

#include <jansson.h>

#include "tools/common/profile.h"
#include "tools/common/samples/sample_places.h"

/*
 * Returns an object with a member for each region whose source was found: its number, as text, to {"path", "first":
 * number of the first line, "lines": [text], "changed": seconds since 1970}. If there are samples (places is not NULL),
 * also to "own" and "calls": estimated seconds of each line, in the line itself and in functions it calls that are not
 * recorded. Regions with the largest own time come first, until the texts have most_bytes bytes. Context: tool.
 */
json_t *fathom_page_sources(struct fathom_profile *profile, const struct fathom_sample_places *places,
			    size_t most_bytes);

#endif
