/*
 * companion_file: a text file that belongs to a profile and is next to it, such as samples.txt. For the profile of one
 * rank, rank-N.cubex, it is rank-N.samples.txt. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_COMMON_COMPANION_FILE_H
#define FATHOM_TOOLS_COMMON_COMPANION_FILE_H

#include <stdbool.h>

struct fathom_companion_kind {
	const char *name;	/* "samples.txt" */
	const char *content;	/* for error messages: "samples (fathom samples 2)" */
	unsigned long lines;	/* a file has at least so many */
	/* Takes a line, which it may change, without its end; number: from 1 on. Returns false if it is wrong. */
	bool (*take_line)(void *context, char *line, unsigned long number);
};

struct fathom_companion_file {
	char *path;
	char *problem;		/* after an error: what is wrong; else NULL */
};

/* Returns the path of the file of that name that belongs to the profile `result`; the caller frees it. */
char *fathom_companion_path(const char *result, const char *name);

/* Reads the file of a kind that belongs to the profile `result`: calls kind->take_line with the context for each line.
 * 0, or -errno and a problem. Also then, the caller calls fathom_companion_file_fini. */
int fathom_companion_file_read(struct fathom_companion_file *file, const struct fathom_companion_kind *kind,
			       const char *result, void *context);
void fathom_companion_file_fini(struct fathom_companion_file *file);

#endif
