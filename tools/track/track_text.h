/* track_text: prints the experiments and the tracked kinds of bursts. */
#ifndef FATHOM_TOOLS_TRACK_TRACK_TEXT_H
#define FATHOM_TOOLS_TRACK_TRACK_TEXT_H

#include "tools/common/text_layout.h"
#include "tools/track/kind_trends.h"

/* Prints everything; of the kinds, at most top. Context: tool. */
void fathom_track_print(const struct fathom_kind_trends *trends, struct fathom_page *page, int64_t top);

/* Prints the table of kinds alone. Context: tool. */
void fathom_track_print_kinds(const struct fathom_kind_trends *trends, struct fathom_page *page, int64_t top);

/* Returns the words for what relates two clusters. Context: any. */
const char *fathom_relation_words(enum fathom_relation_reason reason);

#endif
