/*
 * source_text: the lines of a source file.
 */
#ifndef FATHOM_TOOLS_COMMON_SOURCE_TEXT_H
#define FATHOM_TOOLS_COMMON_SOURCE_TEXT_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct fathom_source_text {
	char *path;		/* where the file was found; NULL: it was not found */
	char **lines;		/* without their ends; tabs are blanks up to multiples of 4 columns, to save space */
	uint32_t count;
	time_t changed;		/* the last change of the file */
};

/*
 * Reads the file with that path. If it is not there, the file in the present directory is taken whose path has the
 * longest common ending: for /old/app/src/a.c these are old/app/src/a.c, app/src/a.c, src/a.c and a.c. Only the lines
 * from begin to end are kept. Returns whether the file was found.
 */
bool fathom_source_text_read(struct fathom_source_text *text, const char *path, uint32_t begin, uint32_t end);

/* Returns a line; NULL: the file has no such line, or it was not kept. */
const char *fathom_source_text_line(const struct fathom_source_text *text, uint32_t line);

void fathom_source_text_fini(struct fathom_source_text *text);

#endif
