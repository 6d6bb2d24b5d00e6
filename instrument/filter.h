/*
 * filter: rules that say which functions are instrumented, from a file.
 *
 *	# comment
 *	include PATTERN			a function by name
 *	exclude PATTERN
 *	include file PATTERN		all functions of a source file
 *	exclude file PATTERN
 *
 * Patterns are those of the shell (* ? [...] and \), and must match as a whole; * matches
 * slashes too. The rest of the line is the pattern, so it may contain blanks. The last rule
 * that matches a function decides.
 *
 * Shared by the driver, which checks the file, and the compiler plugin, which obeys it.
 */
#ifndef FATHOM_INSTRUMENT_FILTER_H
#define FATHOM_INSTRUMENT_FILTER_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct fathom_filter_rule {
	int include;		/* 0: exclude */
	int file;		/* pattern is for files; 0: for functions */
	char *pattern;
};

struct fathom_filter {
	struct fathom_filter_rule *rules;	/* in the order of the file */
	size_t count;
};

enum fathom_filter_answer {
	FATHOM_FILTER_SILENT,		/* no rule matches, or the last that does is `include file` */
	FATHOM_FILTER_INCLUDE,		/* asked for by name */
	FATHOM_FILTER_EXCLUDE,
};

/*
 * Read path into filter, which is zeroed before. 0, or -errno with one line in error that names
 * file, line, column and what is allowed; filter is empty then.
 */
int fathom_filter_read(struct fathom_filter *filter, const char *path, char *error, size_t error_bytes);

/* What the rules say of a function that has these names, in this file. */
enum fathom_filter_answer fathom_filter_ask(const struct fathom_filter *filter, const char *const *names,
					    size_t name_count, const char *file);

/* Whether there is a rule that asks for a function's name (and not only for its file). */
int fathom_filter_wants_names(const struct fathom_filter *filter);

void fathom_filter_fini(struct fathom_filter *filter);

#ifdef __cplusplus
}
#endif

#endif
