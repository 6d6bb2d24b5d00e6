/*
 * protobuf: writes the few kinds of fields of Protocol Buffers that pprof's profile.proto needs.
 *
 * A message is built in memory; a message inside of a message is added as bytes. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_EXPORT_PROTOBUF_H
#define FATHOM_TOOLS_EXPORT_PROTOBUF_H

#include <stddef.h>
#include <stdint.h>

struct fathom_protobuf {	/* all zero: empty and ready */
	unsigned char *data;
	size_t bytes, room;
};

/* Makes the message empty; its memory is kept. */
void fathom_protobuf_clear(struct fathom_protobuf *message);
void fathom_protobuf_fini(struct fathom_protobuf *message);

/* Add a field: a number (int64, uint64, bool), bytes (a string, a message), a list of numbers (packed). A number 0 and
 * an empty list are the default and add nothing. */
void fathom_protobuf_add_number(struct fathom_protobuf *message, unsigned field, uint64_t number);
void fathom_protobuf_add_bytes(struct fathom_protobuf *message, unsigned field, const void *data, size_t bytes);
void fathom_protobuf_add_numbers(struct fathom_protobuf *message, unsigned field, const uint64_t *numbers,
				 size_t count);

#endif
