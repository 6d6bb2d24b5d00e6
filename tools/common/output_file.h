/*
 * output_file: where a command writes its result: standard output, or a file that appears when it is complete.
 *
 * The file is written under its name with ".part" at the end. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_COMMON_OUTPUT_FILE_H
#define FATHOM_TOOLS_COMMON_OUTPUT_FILE_H

#include <stdbool.h>
#include <stdio.h>

struct fathom_output_file {
	FILE *stream;
	const char *path;	/* NULL: standard output */
	char *part;		/* the path of the unfinished file */
};

/* Opens the output. If path exists, it is replaced at the end, or refused without force. 0, or -errno after an error
 * message. */
int fathom_output_file_open(struct fathom_output_file *file, const char *path, bool force);

/* Completes the file, or removes it if err is not 0. Returns err, or -errno after an error message. */
int fathom_output_file_close(struct fathom_output_file *file, int err);

#endif
