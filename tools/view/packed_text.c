#include "tools/view/packed_text.h"

#include <stdlib.h>
#include <zlib.h>

#include "tools/common/command.h"

static void encode_base64(char *text, const unsigned char *data, size_t bytes)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	for (size_t i = 0; i < bytes; i += 3) {
		size_t rest = bytes - i;
		unsigned group = (unsigned)data[i] << 16;

		group |= rest > 1 ? (unsigned)data[i + 1] << 8 : 0;
		group |= rest > 2 ? data[i + 2] : 0;
		*text++ = digits[group >> 18];
		*text++ = digits[group >> 12 & 63];
		*text++ = rest > 1 ? digits[group >> 6 & 63] : '=';
		*text++ = rest > 2 ? digits[group & 63] : '=';
	}
}

void fathom_packed_text_init(struct fathom_packed_text *packed, const void *data, size_t bytes)
{
	uLongf compressed_bytes = compressBound(bytes);
	unsigned char *compressed = fathom_tool_alloc(compressed_bytes + 1, 1);

	/* The only possible error of compress2 with enough room is a lack of memory. */
	if (compress2(compressed, &compressed_bytes, data, bytes, 6) != Z_OK)
		fathom_tool_out_of_memory(bytes);
	packed->bytes = (compressed_bytes + 2) / 3 * 4;
	packed->text = fathom_tool_alloc(packed->bytes + 1, 1);
	encode_base64(packed->text, compressed, compressed_bytes);
	free(compressed);
}

void fathom_packed_text_fini(struct fathom_packed_text *packed)
{
	free(packed->text);
	packed->text = NULL;
}
