/*
 * match_key: the names by which regions of two runs match. A name loses what compilers append to copies and outlined
 * code ("work.constprop.0", "solve._omp_fn.1"), and the line behind a file ("!$omp parallel @omp.c:4"), because code
 * moves when a source file is edited.
 */
#ifndef FATHOM_TOOLS_COMMON_MATCH_KEY_H
#define FATHOM_TOOLS_COMMON_MATCH_KEY_H

#include <stddef.h>

/* Writes a name in the form in which names are compared to key, of bytes bytes. Returns key. Context: tool. */
const char *fathom_match_key(const char *name, char *key, size_t bytes);

#endif
