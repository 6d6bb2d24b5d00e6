/*
 * kind_changes: how the kinds of computation in the traces of two runs changed, as a section of `fathom diff`.
 *
 * Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_DIFF_KIND_CHANGES_H
#define FATHOM_TOOLS_DIFF_KIND_CHANGES_H

#include <stdint.h>

#include "tools/common/text_layout.h"

struct fathom_kind_changes;

/* Reads the traces in two experiment directories and tracks their kinds. NULL after an error message: a run has no
 * trace, or this fathom was built without OTF2. */
struct fathom_kind_changes *fathom_kind_changes_find(char *before, char *after);
void fathom_kind_changes_destroy(struct fathom_kind_changes *changes);

/* Print the section: at most top kinds; and as members of the JSON document. */
void fathom_kind_changes_print(const struct fathom_kind_changes *changes, struct fathom_page *page, int64_t top);
void fathom_kind_changes_json(const struct fathom_kind_changes *changes);

#endif
