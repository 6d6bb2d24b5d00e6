#include "tools/export/protobuf.h"

#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"

enum { KIND_NUMBER = 0, KIND_BYTES = 2 };	/* wire types */
enum { NUMBER_MOST_BYTES = 10 };		/* 64 bits, 7 in each byte */

static void reserve(struct fathom_protobuf *message, size_t bytes)
{
	if (message->room - message->bytes >= bytes)
		return;
	while (message->room - message->bytes < bytes)
		message->room = message->room ? 2 * message->room : 256;
	message->data = realloc(message->data, message->room);
	if (!message->data)
		fathom_tool_out_of_memory(message->room);
}

/* Appends a number in groups of 7 bits, the lowest first. */
static void append_number(struct fathom_protobuf *message, uint64_t number)
{
	reserve(message, NUMBER_MOST_BYTES);
	for (; number >= 0x80; number >>= 7)
		message->data[message->bytes++] = (unsigned char)(number | 0x80);
	message->data[message->bytes++] = (unsigned char)number;
}

static size_t number_bytes(uint64_t number)
{
	size_t bytes = 1;

	for (; number >= 0x80; number >>= 7)
		bytes++;
	return bytes;
}

void fathom_protobuf_clear(struct fathom_protobuf *message)
{
	message->bytes = 0;
}

void fathom_protobuf_fini(struct fathom_protobuf *message)
{
	free(message->data);
}

void fathom_protobuf_add_number(struct fathom_protobuf *message, unsigned field, uint64_t number)
{
	if (!number)
		return;
	append_number(message, field << 3 | KIND_NUMBER);
	append_number(message, number);
}

void fathom_protobuf_add_bytes(struct fathom_protobuf *message, unsigned field, const void *data, size_t bytes)
{
	append_number(message, field << 3 | KIND_BYTES);
	append_number(message, bytes);
	reserve(message, bytes);
	if (bytes)
		memcpy(message->data + message->bytes, data, bytes);
	message->bytes += bytes;
}

void fathom_protobuf_add_numbers(struct fathom_protobuf *message, unsigned field, const uint64_t *numbers,
				 size_t count)
{
	size_t bytes = 0;

	if (!count)
		return;
	for (size_t i = 0; i < count; i++)
		bytes += number_bytes(numbers[i]);
	append_number(message, field << 3 | KIND_BYTES);
	append_number(message, bytes);
	for (size_t i = 0; i < count; i++)
		append_number(message, numbers[i]);
}
