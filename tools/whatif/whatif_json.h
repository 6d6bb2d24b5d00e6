/*
 * whatif_json: the result of a what-if as JSON.
 */
#ifndef FATHOM_TOOLS_WHATIF_WHATIF_JSON_H
#define FATHOM_TOOLS_WHATIF_WHATIF_JSON_H

#include "tools/whatif/study.h"

/* Prints the result as a JSON document. Context: tool. */
void fathom_whatif_json(const struct fathom_study *study);

#endif
