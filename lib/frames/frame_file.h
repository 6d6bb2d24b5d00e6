/*
 * frame_file: the file of an index of frames: a head, and records with checksums.
 *
 *	head	struct fathom_frame_head
 *	record	length of the content and its checksum (4 bytes each), content
 *
 * The contents are described in doc/internals/frames.md. The file is written from its begin to its end under another
 * name, and gets its own name when it is complete. Context of all functions: tool.
 */
#ifndef FATHOM_FRAMES_FRAME_FILE_H
#define FATHOM_FRAMES_FRAME_FILE_H

#include <limits.h>
#include <stdio.h>

#include "frames/byte_buffer.h"
#include "otf2/archive_reader.h"

enum {
	FATHOM_FRAME_VERSION = 2,
	FATHOM_FRAME_BYTE_ORDER = 0x01020304,
	FATHOM_FRAME_CELL_EVENTS = 192,		/* events of a cell, the finest interval with a preview */
	FATHOM_FRAME_FAN_OUT = 16,		/* cells or blocks in a block */
	FATHOM_FRAME_LEVELS = 16,		/* more than any trace needs: 16^16 cells */
};

struct fathom_frame_head {
	char magic[8];			/* "FathomFx" */
	uint32_t byte_order, version;
	uint32_t cell_events, fan_out;
	uint64_t fingerprint;		/* of the trace's files */
	uint64_t file_bytes;		/* of the index */
	uint64_t tables_at;		/* offset of the record with the tables */
	uint64_t events;		/* in all locations */
	uint32_t location_count, checksum;	/* of the head, with 0 in its place */
};

/* An index that is being written. */
struct fathom_frame_writer {
	FILE *file;
	uint64_t at;			/* offset of the next record */
	char path[PATH_MAX + 8];	/* the present name of the file */
};

/* Begin a file, for the index with that path; append a record with the bytes of a buffer, and return its offset;
 * complete the file with its head, 0 or -errno; remove an incomplete file. */
int fathom_frame_writer_open(struct fathom_frame_writer *writer, const char *path);
uint64_t fathom_frame_writer_put(struct fathom_frame_writer *writer, const struct fathom_byte_buffer *buffer);
int fathom_frame_writer_close(struct fathom_frame_writer *writer, const char *path, struct fathom_frame_head *head);
void fathom_frame_writer_abandon(struct fathom_frame_writer *writer);

/* An index that is read: the whole file in memory. */
struct fathom_frame_file {
	const uint8_t *bytes;
	uint64_t count;
	struct fathom_frame_head head;
};

/* Opens an index. 0, or -errno; -EILSEQ: the file is no index, damaged, or of another version of fathom. */
int fathom_frame_file_open(struct fathom_frame_file *file, const char *path);
void fathom_frame_file_close(struct fathom_frame_file *file);

/* Returns the content of the record at an offset; at is NULL if there is no record with the right checksum. */
struct fathom_byte_cursor fathom_frame_file_record(const struct fathom_frame_file *file, uint64_t offset);

/* Returns a number that changes if a file of the trace gets another size or another time of its last change. The
 * definitions must be read. */
uint64_t fathom_frame_fingerprint(const struct fathom_otf2_archive *trace);

#endif
