/*
 * file_names: the files that a preprocessed text comes from, as OPARI2 gets them and as the compiler gave them.
 *
 * OPARI2 takes a relative name for one in the folder of its own, temporary input, so it is given absolute
 * ones; what the compiler, and so the program, sees in the end are the names as they were. OPARI2
 * also forgets which files are system headers.
 */
#ifndef FATHOM_OPARI_FILE_NAMES_H
#define FATHOM_OPARI_FILE_NAMES_H

#include <stddef.h>

struct fathom_name {
	char *absolute;
	char *written;
	int is_system;		/* as last said */
};

struct fathom_names {
	struct fathom_name *list;
	size_t count, room;
	size_t last;		/* the one found last */
};

/* A line `# LINE "FILE" FLAGS` of a preprocessed text, or `#line LINE "FILE"`. */
struct fathom_marker {
	unsigned long line;
	const char *file;	/* within the text, quotes inside it as they were written */
	size_t file_length;
	const char *flags;
	size_t flags_length;
};

/* 1 if text, one line of length bytes, is a marker. */
int fathom_marker_read(struct fathom_marker *marker, const char *text, size_t length);

/*
 * The absolute name for the file of a marker; both are remembered. Names that are no files
 * ("<built-in>") are their own.
 */
const char *fathom_names_absolute(struct fathom_names *names, const struct fathom_marker *marker);

/* What is known of an absolute name, or NULL. */
struct fathom_name *fathom_names_find(struct fathom_names *names, const char *absolute, size_t length);

void fathom_names_fini(struct fathom_names *names);

/* The path, absolute and without dots, as a string to free; links stay. */
char *fathom_names_resolve(const char *path, size_t length);

#endif
