#include "frames/byte_buffer.h"


#include "otf2/memory.h"

static void append(struct fathom_byte_buffer *buffer, uint8_t byte)
{
	buffer->bytes = fathom_otf2_memory_grow(buffer->bytes, buffer->count, &buffer->room, 1);
	buffer->bytes[buffer->count++] = byte;
}

void fathom_byte_buffer_number(struct fathom_byte_buffer *buffer, uint64_t number)
{
	for (; number >= 0x80; number >>= 7)
		append(buffer, (uint8_t)(number | 0x80));
	append(buffer, (uint8_t)number);
}

void fathom_byte_buffer_bytes(struct fathom_byte_buffer *buffer, const void *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		append(buffer, ((const uint8_t *)bytes)[i]);
}

uint64_t fathom_byte_cursor_number(struct fathom_byte_cursor *cursor)
{
	uint64_t number = 0;

	for (unsigned shift = 0; cursor->at && shift < 64; shift += 7) {
		uint8_t byte;

		if (cursor->at == cursor->end)
			break;
		byte = *cursor->at++;
		number |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return number;
	}
	cursor->at = NULL;
	return 0;
}
