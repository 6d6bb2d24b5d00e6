/*
 * scaling_text: the result of `fathom scaling` for people (text) and for programs (JSON). Context: tool.
 */
#ifndef FATHOM_TOOLS_SCALING_SCALING_TEXT_H
#define FATHOM_TOOLS_SCALING_SCALING_TEXT_H

#include "tools/common/text_layout.h"
#include "tools/scaling/sizes.h"

/* Prints at most top lines of each list; all: also call paths that scale better than expected, or do not grow. */
void fathom_scaling_print(const struct fathom_scaling *scaling, struct fathom_page *page, int64_t top, bool all);
void fathom_scaling_json(const struct fathom_scaling *scaling);

#endif
