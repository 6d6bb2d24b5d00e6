/*
 * buffer: a growing text, and changes to a text that are collected first and made together.
 *
 * Out of memory ends the command, as in word_list.h.
 */
#ifndef FATHOM_OPARI_BUFFER_H
#define FATHOM_OPARI_BUFFER_H

#include <stddef.h>

struct fathom_buffer {
	char *text;		/* length bytes, then a '\0'; NULL itself while nothing was added */
	size_t length;
	size_t room;
};

/* Add text at the end. A zeroed struct is an empty buffer. */
void fathom_buffer_add(struct fathom_buffer *buffer, const char *text, size_t length);
void fathom_buffer_puts(struct fathom_buffer *buffer, const char *text);
void fathom_buffer_addf(struct fathom_buffer *buffer, const char *format, ...) __attribute__((format(printf, 2, 3)));
void fathom_buffer_fini(struct fathom_buffer *buffer);

/* Adds the contents of a file. 0 or -errno; after an error the buffer is as before. */
int fathom_buffer_read(struct fathom_buffer *buffer, const char *path);

/* Writes the text to a file, which it makes or overwrites. 0 or -errno. */
int fathom_buffer_write(const struct fathom_buffer *buffer, const char *path);

/* Returns list, moved and larger if it has no room for count entries of bytes each. list NULL: its first memory. */
void *fathom_buffer_list(void *list, size_t count, size_t bytes);

struct fathom_edit {
	size_t at, cut;		/* the cut bytes at offset at are taken out */
	char *text;		/* and replaced by text */
	long number;		/* of edits at one place, the lowest one comes first */
};

struct fathom_edits {
	struct fathom_edit *list;
	size_t count, room;
};

/* Adds an edit, behind earlier ones for the same offset. Cuts must not overlap. A zeroed struct is an empty list. */
void fathom_edits_add(struct fathom_edits *edits, size_t at, size_t cut, const char *text);

/* Adds an edit that takes nothing out, before all edits for the same offset. */
void fathom_edits_add_first(struct fathom_edits *edits, size_t at, const char *text);

/* Adds text with all edits made to result. */
void fathom_edits_apply(struct fathom_edits *edits, const char *text, size_t length, struct fathom_buffer *result);
void fathom_edits_fini(struct fathom_edits *edits);

#endif
