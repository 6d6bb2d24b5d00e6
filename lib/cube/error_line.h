/*
 * error_line: the one line that says what is wrong with a file.
 */
#ifndef FATHOM_CUBE_ERROR_LINE_H
#define FATHOM_CUBE_ERROR_LINE_H

#include "cube/reader.h"
#include "platform/compiler.h"

/*
 * Fill error, which may be NULL, with "path: " and the text, and return err. Texts come from
 * damaged files, too: whatever could spoil a line on a terminal is replaced.
 */
int fathom_cube_error_set(struct fathom_cube_error *error, int err, const char *path, const char *format, ...)
	FATHOM_PRINTF(4, 5);

#endif
