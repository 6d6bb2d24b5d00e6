/*
 * record_stream: the records of one location's event file, read directly and from any position.
 *
 * OTF2's reader of events begins at the first event and calls a function for each. This reader decodes the file itself
 * (the encoding is in records.h), so that it can continue at a position that an earlier pass has noted, and is fast
 * enough to draw from millions of events. Ids and times are those of the file: translation.h makes them global.
 * The file is mapped into memory; a file that another program shortens meanwhile ends the program.
 * Context of all functions: tool.
 */
#ifndef FATHOM_OTF2_RECORD_STREAM_H
#define FATHOM_OTF2_RECORD_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "otf2/records.h"

enum { FATHOM_STREAM_FIELDS = 6 };

struct fathom_stream_record {
	uint8_t kind;		/* enum fathom_record */
	uint64_t ticks;		/* on the clock of the location */
	uint64_t fields[FATHOM_STREAM_FIELDS];	/* in the order of fathom_otf2_fields; only those of kinds with fields
						 * there. Missing fields are 0 */
};

/* The place of a record in its file, from which reading can continue. */
struct fathom_stream_position {
	uint64_t offset;	/* in the file, in bytes */
	uint64_t ticks;		/* time of the record before */
};

/* A range of bytes. at is NULL after a read beyond the end, and if there are none. */
struct fathom_record_bytes {
	const uint8_t *at, *end;
};

struct fathom_record_stream {
	const uint8_t *file;
	uint64_t bytes;		/* of the file */
	uint64_t chunk_bytes;
	uint64_t at;		/* offset of the next record */
	uint64_t ticks;		/* time of the last record */
	struct fathom_record_bytes attributes, fields;	/* of the last record; fields is not set for a record without a
							 * length */
	uint64_t released;	/* the pages of the file before this offset are not in memory any more */
};

/* Opens the event file; chunk_bytes is the size of its chunks. The stream stands before the first record. 0, or -errno;
 * -ENOTSUP: the file was written on a machine with another order of bytes; -EILSEQ: it has no events of OTF2. */
int fathom_record_stream_open(struct fathom_record_stream *stream, const char *path, uint64_t chunk_bytes);
void fathom_record_stream_close(struct fathom_record_stream *stream);

/* Returns the position of the next record. */
struct fathom_stream_position fathom_record_stream_position(const struct fathom_record_stream *stream);

/* Continues at a position. A position behind the end of the file is its end. */
void fathom_record_stream_seek(struct fathom_record_stream *stream, struct fathom_stream_position position);

/* Reads the next record. 1: a record; 0: the end of the file; -EILSEQ: the bytes are no record. */
int fathom_record_stream_next(struct fathom_record_stream *stream, struct fathom_stream_record *record);

/* Read a number that has its length in front (is_long: of 8 bytes at most, else of 4), and a byte. They return 0 beyond
 * the end. */
uint64_t fathom_record_take_number(struct fathom_record_bytes *bytes, bool is_long);
uint64_t fathom_record_take_byte(struct fathom_record_bytes *bytes);

/* Gives back the memory of the pages that were read, for readers that go through the whole file. */
void fathom_record_stream_release(struct fathom_record_stream *stream);

#endif
