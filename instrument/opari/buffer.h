/*
 * buffer: a growing text, and changes to a text that are collected first and made together.
 *
 * Out of memory ends the command, as with words.
 */
#ifndef FATHOM_OPARI_BUFFER_H
#define FATHOM_OPARI_BUFFER_H

#include <stddef.h>

struct fathom_buffer {
	char *text;		/* length bytes, then a '\0'; NULL itself while nothing was added */
	size_t length;
	size_t room;
};

/* Begin empty with a zeroed struct. */
void fathom_buffer_add(struct fathom_buffer *buffer, const char *text, size_t length);
void fathom_buffer_puts(struct fathom_buffer *buffer, const char *text);
void fathom_buffer_addf(struct fathom_buffer *buffer, const char *format, ...) __attribute__((format(printf, 2, 3)));
void fathom_buffer_fini(struct fathom_buffer *buffer);

/* Add what the file holds. 0 or -errno; after an error the buffer is as before. */
int fathom_buffer_read(struct fathom_buffer *buffer, const char *path);

/* Make, or overwrite, the file. 0 or -errno. */
int fathom_buffer_write(const struct fathom_buffer *buffer, const char *path);

/* A list that has to grow to count entries of bytes each, or its first piece. */
void *fathom_buffer_list(void *list, size_t count, size_t bytes);

struct fathom_edit {
	size_t at, cut;		/* these bytes go */
	char *text;		/* this comes in their place */
	long number;		/* of edits at one place, the lowest one comes first */
};

struct fathom_edits {
	struct fathom_edit *list;
	size_t count, room;
};

/* Begin empty with a zeroed struct. What is cut must not overlap. Goes behind what was added for this place. */
void fathom_edits_add(struct fathom_edits *edits, size_t at, size_t cut, const char *text);

/* The same, in front of all that is added for this place. */
void fathom_edits_add_first(struct fathom_edits *edits, size_t at, const char *text);

/* Add text with all changes made to result. */
void fathom_edits_apply(struct fathom_edits *edits, const char *text, size_t length, struct fathom_buffer *result);
void fathom_edits_fini(struct fathom_edits *edits);

#endif
