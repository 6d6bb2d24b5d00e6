#include "cube/reader/anchor_stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cube/reader/container.h"
#include "cube/reader/error_line.h"

#define PIECE_BYTES ((size_t)64 << 10)

/* Definitions repeat themselves and are compressed to a thirtieth. A malicious stream may expand a thousandfold, and
 * its contents would take all memory. */
#define MOST_GROWTH 200
#define ALWAYS_ALLOWED_BYTES ((uint64_t)64 << 20)

static int start_unpacking(struct fathom_cube_anchor_stream *stream, struct fathom_cube_error *error)
{
	stream->output = malloc(PIECE_BYTES);
	/* 16: zlib expects the header of gzip */
	if (!stream->output || inflateInit2(&stream->zlib, 16 + MAX_WBITS) != Z_OK) {
		free(stream->output);
		free(stream->input);
		return fathom_cube_error_set(error, -ENOMEM, stream->path, "out of memory");
	}
	stream->packed = true;
	return 0;
}

int fathom_cube_anchor_stream_open(struct fathom_cube_anchor_stream *stream, struct fathom_cube_container *container,
				   struct fathom_cube_error *error)
{
	const struct fathom_cube_member *member = fathom_cube_container_find(container, "anchor.xml");
	unsigned char first[2] = { 0 };
	int err;

	memset(stream, 0, sizeof(*stream));
	stream->container = container;
	stream->path = container->path;
	if (!member)
		return fathom_cube_error_set(error, -EILSEQ, stream->path,
					     "is not a .cubex profile, or truncated: it has no member anchor.xml");
	stream->place = member->place;
	stream->end = member->place + member->size;
	stream->packed_bytes = member->size;
	if (member->size >= sizeof(first)) {
		err = fathom_cube_container_read(container, member->place, first, sizeof(first), error);
		if (err)
			return err;
	}
	stream->input = malloc(PIECE_BYTES);
	if (!stream->input)
		return fathom_cube_error_set(error, -ENOMEM, stream->path, "out of memory");
	return first[0] == 0x1f && first[1] == 0x8b ? start_unpacking(stream, error) : 0;
}

/* Fills the input buffer from the file. *count is 0 at the end of the file. */
static int read_piece(struct fathom_cube_anchor_stream *stream, size_t *count, struct fathom_cube_error *error)
{
	uint64_t left = stream->end - stream->place;
	int err;

	*count = left < PIECE_BYTES ? (size_t)left : PIECE_BYTES;
	err = fathom_cube_container_read(stream->container, stream->place, stream->input, *count, error);
	stream->place += *count;
	return err;
}

static int unpack_piece(struct fathom_cube_anchor_stream *stream, size_t *count, struct fathom_cube_error *error)
{
	z_stream *zlib = &stream->zlib;

	zlib->next_out = stream->output;
	zlib->avail_out = PIECE_BYTES;
	while (zlib->avail_out == PIECE_BYTES && !stream->ended) {
		int result;

		if (!zlib->avail_in) {
			size_t more;
			int err = read_piece(stream, &more, error);

			if (err)
				return err;
			if (!more)
				return fathom_cube_error_set(error, -EILSEQ, stream->path,
							     "compressed anchor.xml ends early");
			zlib->next_in = stream->input;
			zlib->avail_in = (uInt)more;
		}
		result = inflate(zlib, Z_NO_FLUSH);
		if (result == Z_MEM_ERROR)
			return fathom_cube_error_set(error, -ENOMEM, stream->path, "out of memory");
		if (result != Z_OK && result != Z_STREAM_END)
			return fathom_cube_error_set(error, -EILSEQ, stream->path,
						     "compressed anchor.xml is damaged: %s",
						     zlib->msg ? zlib->msg : "no gzip data");
		stream->ended = result == Z_STREAM_END;
	}
	*count = PIECE_BYTES - zlib->avail_out;
	if (zlib->total_out > ALWAYS_ALLOWED_BYTES && zlib->total_out / MOST_GROWTH > stream->packed_bytes)
		return fathom_cube_error_set(error, -EILSEQ, stream->path,
					     "compressed anchor.xml grows to more than %d times its size", MOST_GROWTH);
	return 0;
}

int fathom_cube_anchor_stream_next(struct fathom_cube_anchor_stream *stream, const char **bytes, size_t *count,
				   struct fathom_cube_error *error)
{
	if (stream->packed) {
		*bytes = (const char *)stream->output;
		return unpack_piece(stream, count, error);
	}
	*bytes = (const char *)stream->input;
	return read_piece(stream, count, error);
}

void fathom_cube_anchor_stream_close(struct fathom_cube_anchor_stream *stream)
{
	if (stream->packed)
		inflateEnd(&stream->zlib);
	free(stream->output);
	free(stream->input);
}
