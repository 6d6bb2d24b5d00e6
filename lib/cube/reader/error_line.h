/*
 * error_line: the one-line message about an error in a file. Context of all functions: tool.
 */
#ifndef FATHOM_CUBE_ERROR_LINE_H
#define FATHOM_CUBE_ERROR_LINE_H

#include "platform/compiler.h"

/* A line for people: "profile.cubex: metric time: data ends at byte 120 of 4000". */
struct fathom_cube_error {
	char text[512];
};

/*
 * Fills error, which may be NULL, with "path: " and the text, and returns err. Texts may come from damaged files, so
 * characters that could disturb a terminal are replaced.
 */
int fathom_cube_error_set(struct fathom_cube_error *error, int err, const char *path, const char *format, ...)
	FATHOM_PRINTF(4, 5);

#endif
