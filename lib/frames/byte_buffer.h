/*
 * byte_buffer: numbers as bytes: seven bits a byte, the lowest first; all but the last byte of a number have bit 7 set.
 * Context of all functions: tool.
 */
#ifndef FATHOM_FRAMES_BYTE_BUFFER_H
#define FATHOM_FRAMES_BYTE_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fathom_byte_buffer {
	uint8_t *bytes;		/* the caller frees them */
	size_t count, room;
};

/* A range of bytes that is read. at is NULL after a read beyond the end or of an invalid number. */
struct fathom_byte_cursor {
	const uint8_t *at, *end;
};

/* Appends a number; appends bytes. */
void fathom_byte_buffer_number(struct fathom_byte_buffer *buffer, uint64_t number);
void fathom_byte_buffer_bytes(struct fathom_byte_buffer *buffer, const void *bytes, size_t count);

/* Reads a number; 0 after an error. */
uint64_t fathom_byte_cursor_number(struct fathom_byte_cursor *cursor);

#endif
