/*
 * output: writes a file through one buffer, mostly from front to back.
 *
 * The first error is kept and all later output is ignored, so callers need to check for an error only at the end.
 * Places that are never written stay holes of the file. Context of all functions: signal.
 */
#ifndef FATHOM_CUBE_OUTPUT_H
#define FATHOM_CUBE_OUTPUT_H

#include <stddef.h>
#include <stdint.h>

struct fathom_cube_output {
	int fd;
	int (*write)(void *context, const void *bytes, size_t count, uint64_t place);	/* replaces fd unless NULL */
	void *context;
	int err;		/* 0, or the first error as -errno */
	uint64_t start;		/* place in the file of the buffer's first byte */
	size_t filled;
	size_t room;
	char *buffer;
};

/* Continues at a place of the file. */
void fathom_cube_output_seek(struct fathom_cube_output *output, uint64_t place);

/* Returns the place of the next byte. */
uint64_t fathom_cube_output_place(const struct fathom_cube_output *output);

/* Write bytes, a text, and a number as decimal text. */
void fathom_cube_output_bytes(struct fathom_cube_output *output, const void *bytes, size_t count);
void fathom_cube_output_text(struct fathom_cube_output *output, const char *text);
void fathom_cube_output_number(struct fathom_cube_output *output, int64_t number);

/* Writes the buffer. Returns 0 or the first error. */
int fathom_cube_output_flush(struct fathom_cube_output *output);

#endif
