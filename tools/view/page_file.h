/*
 * page_file: the file of a page.
 */
#ifndef FATHOM_TOOLS_VIEW_PAGE_FILE_H
#define FATHOM_TOOLS_VIEW_PAGE_FILE_H

#include "tools/view/packed_text.h"

/* Writes a page. An earlier page of that name is replaced; any other file is not. first_values: NULL if the page does
 * not compare two runs. 0, or -errno after an error message; then there is no new file. Context: tool. */
int fathom_page_file_write(const char *path, const struct fathom_packed_text *definitions,
			   const struct fathom_packed_text *values, const struct fathom_packed_text *first_values);

#endif
