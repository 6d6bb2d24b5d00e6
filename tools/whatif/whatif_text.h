/*
 * whatif_text: the result of a what-if as text.
 */
#ifndef FATHOM_TOOLS_WHATIF_WHATIF_TEXT_H
#define FATHOM_TOOLS_WHATIF_WHATIF_TEXT_H

#include "tools/common/text_layout.h"
#include "tools/whatif/study.h"

/* Prints the result. Context: tool. */
void fathom_whatif_print(const struct fathom_study *study, struct fathom_page *page);

#endif
