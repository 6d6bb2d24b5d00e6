/*
 * fold_output: the forms in which folds are shown: text, JSON, a table, a page.
 *
 * Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_FOLD_FOLD_OUTPUT_H
#define FATHOM_TOOLS_FOLD_FOLD_OUTPUT_H

#include <stddef.h>

#include "tools/common/text_layout.h"
#include "tools/fold/folds.h"

/* Prints the folds. */
void fathom_folds_print(const struct fathom_folds *folds, struct fathom_page *page);
void fathom_folds_json(const struct fathom_folds *folds);

/* Write a new file: the rates as a table, and a page with curves. 0, or -errno after an error message: no file is left
 * behind. */
int fathom_folds_csv(const struct fathom_folds *folds, const char *path);
int fathom_folds_page(const struct fathom_folds *folds, const char *path);

/* Writes "region file:line" of a place into text, which has that many bytes; returns text. */
const char *fathom_folded_place_text(const struct fathom_folds *folds, const struct fathom_folded_place *place,
				     char *text, size_t bytes);

/* Writes the name of a fold, with its mode if there are several, into text; returns text. */
const char *fathom_fold_name(const struct fathom_fold *fold, char *text, size_t bytes);

#endif
