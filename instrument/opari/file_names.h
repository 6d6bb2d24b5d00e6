/*
 * file_names: the names of the files that a preprocessed text comes from: as the preprocessor wrote them, and absolute
 * for OPARI2.
 *
 * OPARI2 reads a relative name as a file in the folder of its temporary input, so it gets absolute names. In the
 * finished text the compiler, and so the program, sees the names as they were. OPARI2 also loses which files are system
 * headers.
 */
#ifndef FATHOM_OPARI_FILE_NAMES_H
#define FATHOM_OPARI_FILE_NAMES_H

#include <stddef.h>

struct fathom_name {
	char *absolute;
	char *written;
	int is_system;		/* the last marker of the file says that it is a system header */
};

struct fathom_names {
	struct fathom_name *list;
	size_t count, room;
	size_t last;		/* index of the name that was found last */
};

/* A line `# LINE "FILE" FLAGS` of a preprocessed text, or `#line LINE "FILE"`. */
struct fathom_marker {
	unsigned long line;
	const char *file;	/* within the text; quotes in the name stay escaped */
	size_t file_length;
	const char *flags;
	size_t flags_length;
};

/* Reads a marker. 1: text, one line of length bytes, is a marker. */
int fathom_marker_read(struct fathom_marker *marker, const char *text, size_t length);

/*
 * Returns the absolute name of the file of a marker, and keeps both names. A name that is no file ("<built-in>") stays
 * as it is.
 */
const char *fathom_names_absolute(struct fathom_names *names, const struct fathom_marker *marker);

/* Returns the names of the file with this absolute name, or NULL. */
struct fathom_name *fathom_names_find(struct fathom_names *names, const char *absolute, size_t length);

void fathom_names_fini(struct fathom_names *names);

/* Returns the path made absolute and without "." and ".."; symbolic links stay. The caller frees it. */
char *fathom_names_resolve(const char *path, size_t length);

#endif
