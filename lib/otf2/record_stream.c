#include "otf2/record_stream.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "platform/compiler.h"

/* At the position of a record, this byte means that the rest of the chunk is empty. */
enum { NOTHING = 0 };

/* Pages are given back in steps of this size. */
enum { RELEASE_BYTES = 4 << 20 };

int fathom_record_stream_open(struct fathom_record_stream *stream, const char *path, uint64_t chunk_bytes)
{
	struct stat status;
	void *file;
	int err = 0, fd = open(path, O_RDONLY | O_CLOEXEC);

	*stream = (struct fathom_record_stream){ .chunk_bytes = chunk_bytes };
	if (fd < 0)
		return -errno;
	if (fstat(fd, &status) < 0)
		err = -errno;
	else if (status.st_size < FATHOM_OTF2_CHUNK_HEAD_BYTES || chunk_bytes < FATHOM_OTF2_CHUNK_HEAD_BYTES)
		err = -EILSEQ;
	if (err)
		goto close_file;
	file = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (file == MAP_FAILED) {
		err = -errno;
		goto close_file;
	}
	stream->file = file;
	stream->bytes = (uint64_t)status.st_size;
	if (stream->file[0] != FATHOM_RECORD_CHUNK_MARK)
		err = -EILSEQ;
	else if (stream->file[1] != FATHOM_RECORD_LITTLE_ENDIAN_MARK)
		err = -ENOTSUP;
	if (err)
		fathom_record_stream_close(stream);
close_file:
	close(fd);
	return err;
}

void fathom_record_stream_close(struct fathom_record_stream *stream)
{
	if (stream->file)
		munmap((void *)stream->file, (size_t)stream->bytes);
	stream->file = NULL;
	stream->bytes = stream->at = 0;
}

struct fathom_stream_position fathom_record_stream_position(const struct fathom_record_stream *stream)
{
	return (struct fathom_stream_position){ stream->at, stream->ticks };
}

void fathom_record_stream_seek(struct fathom_record_stream *stream, struct fathom_stream_position position)
{
	stream->at = position.offset < stream->bytes ? position.offset : stream->bytes;
	stream->ticks = position.ticks;
}

void fathom_record_stream_release(struct fathom_record_stream *stream)
{
	uint64_t until = stream->at / RELEASE_BYTES * RELEASE_BYTES;

	if (until <= stream->released)
		return;
	madvise((void *)(stream->file + stream->released), until - stream->released, MADV_DONTNEED);
	stream->released = until;
}

/* --- records ------------------------------------------------------------------------------------------- */

/* Reads a number and its length. */
static inline uint64_t take_number(struct fathom_record_bytes *bytes, bool is_long)
{
	uint64_t value = 0;
	uint8_t length;

	if (unlikely(!bytes->at || bytes->at >= bytes->end)) {
		bytes->at = NULL;
		return 0;
	}
	length = *bytes->at++;
	if (length == UINT8_MAX)
		return is_long ? UINT64_MAX : UINT32_MAX;
	if (unlikely(length > 8 || bytes->end - bytes->at < length)) {
		bytes->at = NULL;
		return 0;
	}
	if (likely(bytes->end - bytes->at >= 8)) {
		memcpy(&value, bytes->at, sizeof(value));
		value = length ? value & UINT64_MAX >> (64 - 8 * length) : 0;
	} else {
		memcpy(&value, bytes->at, length);
	}
	bytes->at += length;
	return value;
}

static inline uint64_t take_byte(struct fathom_record_bytes *bytes)
{
	if (unlikely(!bytes->at || bytes->at >= bytes->end)) {
		bytes->at = NULL;
		return 0;
	}
	return *bytes->at++;
}

/* Reads the length of what follows, and returns these bytes. */
static struct fathom_record_bytes take_part(struct fathom_record_bytes *bytes)
{
	struct fathom_record_bytes part = { NULL, NULL };
	uint64_t length = take_byte(bytes);

	if (length == FATHOM_RECORD_LONG_LENGTH && bytes->at) {
		if (bytes->end - bytes->at < 8) {
			bytes->at = NULL;
			return part;
		}
		memcpy(&length, bytes->at, sizeof(length));
		bytes->at += sizeof(length);
	}
	if (!bytes->at || length > (uint64_t)(bytes->end - bytes->at)) {
		bytes->at = NULL;
		return part;
	}
	part = (struct fathom_record_bytes){ bytes->at, bytes->at + length };
	bytes->at += length;
	return part;
}

static void take_fields(struct fathom_record_stream *stream, struct fathom_record_bytes *bytes, const char *types,
			uint64_t *fields)
{
	struct fathom_record_bytes part = take_part(bytes);

	stream->fields = part;
	for (int i = 0; i < FATHOM_STREAM_FIELDS && types[i] && part.at && part.at < part.end; i++)
		fields[i] = types[i] == 'b' ? take_byte(&part) : take_number(&part, types[i] != 'i');
	if (!part.at)
		bytes->at = NULL;
}

static void take_record(struct fathom_record_stream *stream, struct fathom_record_bytes *bytes,
			struct fathom_stream_record *record)
{
	const char *types;

	record->kind = (uint8_t)take_byte(bytes);
	types = record->kind < FATHOM_RECORD_COUNT ? fathom_otf2_fields[record->kind] : "";
	memset(record->fields, 0, sizeof(record->fields));
	if (*types == '-')
		record->fields[0] = take_number(bytes, types[1] != 'i');
	else
		take_fields(stream, bytes, types, record->fields);
}

/* Steps over the head of a chunk. False: there is none. */
static bool begin_chunk(struct fathom_record_stream *stream)
{
	const uint8_t *head = stream->file + stream->at;

	if (stream->bytes - stream->at < FATHOM_OTF2_CHUNK_HEAD_BYTES || head[0] != FATHOM_RECORD_CHUNK_MARK ||
	    head[1] != FATHOM_RECORD_LITTLE_ENDIAN_MARK)
		return false;
	stream->at += FATHOM_OTF2_CHUNK_HEAD_BYTES;
	return true;
}

/* Reads the time and the attributes before a record, if there are any. False: they are cut off. */
static bool take_prefix(struct fathom_record_stream *stream, struct fathom_record_bytes *bytes)
{
	if (bytes->at < bytes->end && *bytes->at == FATHOM_RECORD_TIME_MARK) {
		if (bytes->end - bytes->at < FATHOM_OTF2_TIME_BYTES)
			return false;
		memcpy(&stream->ticks, bytes->at + 1, sizeof(stream->ticks));
		bytes->at += FATHOM_OTF2_TIME_BYTES;
	}
	stream->attributes.at = NULL;
	if (bytes->at < bytes->end && *bytes->at == FATHOM_RECORD_ATTRIBUTES_MARK) {
		bytes->at++;
		stream->attributes = take_part(bytes);
	}
	return bytes->at;
}

uint64_t fathom_record_take_number(struct fathom_record_bytes *bytes, bool is_long)
{
	return take_number(bytes, is_long);
}

uint64_t fathom_record_take_byte(struct fathom_record_bytes *bytes)
{
	return take_byte(bytes);
}

int fathom_record_stream_next(struct fathom_record_stream *stream, struct fathom_stream_record *record)
{
	for (;;) {
		uint64_t chunk_end = (stream->at / stream->chunk_bytes + 1) * stream->chunk_bytes;
		struct fathom_record_bytes bytes;

		if (stream->at >= stream->bytes)
			return 0;
		if (chunk_end - stream->at == stream->chunk_bytes && !begin_chunk(stream))
			return -EILSEQ;
		if (chunk_end > stream->bytes)
			chunk_end = stream->bytes;
		bytes = (struct fathom_record_bytes){ stream->file + stream->at, stream->file + chunk_end };
		if (!take_prefix(stream, &bytes))
			return -EILSEQ;
		if (bytes.at == bytes.end || *bytes.at == NOTHING || *bytes.at == FATHOM_RECORD_END_OF_BUFFER) {
			stream->at = chunk_end;		/* the next record is in the next chunk */
			continue;
		}
		if (*bytes.at == FATHOM_RECORD_END_OF_FILE) {
			stream->at = stream->bytes;
			return 0;
		}
		take_record(stream, &bytes, record);
		if (!bytes.at)
			return -EILSEQ;
		record->ticks = stream->ticks;
		stream->at = (uint64_t)(bytes.at - stream->file);
		return 1;
	}
}
