/*
 * diff_text: the result of `fathom diff` for people (text) and for programs (JSON).
 */
#ifndef FATHOM_TOOLS_DIFF_DIFF_TEXT_H
#define FATHOM_TOOLS_DIFF_DIFF_TEXT_H

#include "tools/common/text_layout.h"
#include "tools/diff/changes.h"
#include "tools/diff/kind_changes.h"

struct fathom_diff {
	struct fathom_matched_runs matched;
	uint32_t first_count;		/* runs of the first side */
	struct fathom_change total;
	struct fathom_change *own, *inclusive;	/* of regions, the changes first */
	struct fathom_change *paths;		/* own values of call paths */
	struct fathom_kind_changes *kinds;	/* NULL: they are not wanted */
	int64_t top;			/* lines of a list */
	bool all;			/* list differences that may be noise, too */
};

/* Print the comparison. Context: tool. */
void fathom_diff_print(const struct fathom_diff *diff, struct fathom_page *page);
void fathom_diff_json(const struct fathom_diff *diff);

#endif
