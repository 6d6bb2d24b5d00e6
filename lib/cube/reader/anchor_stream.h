/*
 * anchor_stream: the text of anchor.xml, in pieces, uncompressed if necessary. Context of all functions: tool.
 */
#ifndef FATHOM_CUBE_ANCHOR_STREAM_H
#define FATHOM_CUBE_ANCHOR_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

#include "cube/reader/error_line.h"

struct fathom_cube_container;

struct fathom_cube_anchor_stream {
	struct fathom_cube_container *container;
	const char *path;
	uint64_t place;		/* in the file, of the next piece */
	uint64_t end;		/* of the member */
	uint64_t packed_bytes;	/* its size */
	bool packed;
	bool ended;		/* the packed stream */
	z_stream zlib;
	unsigned char *input;
	unsigned char *output;	/* unpacked; NULL where nothing is packed */
};

/* Opens the stream. 0 or -errno with a line in error. */
int fathom_cube_anchor_stream_open(struct fathom_cube_anchor_stream *stream, struct fathom_cube_container *container,
				   struct fathom_cube_error *error);

/* Returns the next piece, which is valid until the next call; count 0: there are no more. 0 or -errno with a line in
 * error. */
int fathom_cube_anchor_stream_next(struct fathom_cube_anchor_stream *stream, const char **bytes, size_t *count,
				   struct fathom_cube_error *error);

/* Closes the stream and frees its memory. */
void fathom_cube_anchor_stream_close(struct fathom_cube_anchor_stream *stream);

#endif
