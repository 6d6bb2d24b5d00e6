/*
 * packed_text: bytes in the form in which a page contains them: compressed with zlib's deflate, as base64 text.
 *
 * The browser unpacks them with DecompressionStream("deflate"). Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_VIEW_PACKED_TEXT_H
#define FATHOM_TOOLS_VIEW_PACKED_TEXT_H

#include <stddef.h>
#include <stdio.h>

struct fathom_packed_text {
	char *text;	/* not ended by a null byte; freed by fathom_packed_text_fini */
	size_t bytes;
};

/* Packs bytes of data. Out of memory ends the program with an error message. */
void fathom_packed_text_init(struct fathom_packed_text *packed, const void *data, size_t bytes);
void fathom_packed_text_fini(struct fathom_packed_text *packed);

#endif
