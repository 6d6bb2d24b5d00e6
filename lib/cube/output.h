/*
 * output: a file written front to back for the most part, through one buffer.
 *
 * An error is kept and everything after it is ignored, so that long sequences need one look
 * at the end. Nothing is written that was not put: holes stay holes. Context: signal.
 */
#ifndef FATHOM_CUBE_OUTPUT_H
#define FATHOM_CUBE_OUTPUT_H

#include <stddef.h>
#include <stdint.h>

struct fathom_cube_output {
	int fd;
	int (*write)(void *context, const void *bytes, size_t count, uint64_t place);	/* in place of fd; NULL: none */
	void *context;
	int err;		/* 0, or the first error as -errno */
	uint64_t start;		/* place in the file of the buffer's first byte */
	size_t filled;
	size_t room;
	char *buffer;
};

/* Go on at place. */
void fathom_cube_output_seek(struct fathom_cube_output *output, uint64_t place);

/* Where the next byte goes. */
uint64_t fathom_cube_output_place(const struct fathom_cube_output *output);

void fathom_cube_output_bytes(struct fathom_cube_output *output, const void *bytes, size_t count);
void fathom_cube_output_text(struct fathom_cube_output *output, const char *text);
void fathom_cube_output_number(struct fathom_cube_output *output, int64_t number);

/* Hand over to the kernel what is buffered. 0 or the first error. */
int fathom_cube_output_flush(struct fathom_cube_output *output);

#endif
