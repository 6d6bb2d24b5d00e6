/*
 * filter: rules that say which regions are measured, from a file; for the compiler plugin, for the library
 * while the program runs, and for tools that say what a filter would do.
 *
 *	# comment
 *	exclude PATTERN			regions of that name
 *	include PATTERN
 *	exclude file PATTERN		regions of a source file; also mangled, object
 *	exclude mpi PATTERN		only of that kind; also function, user, openmp, thread, io, any
 *	exclude rank 1-7,9 PATTERN	only in these processes; without a pattern: *
 *
 * The words go together, in the order: rank, kind, file. The rest of the line is the pattern, so it may contain
 * blanks; it must match as a whole (glob.h). The last rule that matches a region decides. A pattern that begins with
 * a wildcard means functions and user regions, as one in a shell does not mean .hidden files; MPI_* or a
 * kind says that others are meant.
 *
 * A block SCOREP_REGION_NAMES_BEGIN .. SCOREP_REGION_NAMES_END, or SCOREP_FILE_NAMES_BEGIN .. _END, is read as the
 * measurement system that it was written for does: functions and user regions only, and what the rules of names, or
 * those of files, exclude, is excluded.
 *
 * Nothing here allocates with malloc, takes a lock, or depends on the locale. A leaf: it includes nothing of ours,
 * because programs that link no library of ours are built with it.
 */
#ifndef FATHOM_FILTER_FILTER_H
#define FATHOM_FILTER_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum fathom_filter_kind {
	FATHOM_FILTER_FUNCTION = 1,	/* that the compiler instruments */
	FATHOM_FILTER_USER = 2,
	FATHOM_FILTER_MPI = 4,
	FATHOM_FILTER_OPENMP = 8,
	FATHOM_FILTER_THREAD = 16,
	FATHOM_FILTER_IO = 32,
	FATHOM_FILTER_OTHER = 64,
	FATHOM_FILTER_ANY = 127,
};

enum fathom_filter_about {
	FATHOM_FILTER_NAME,		/* as people write it, or the linker */
	FATHOM_FILTER_MANGLED,		/* the linker's alone */
	FATHOM_FILTER_FILE,
	FATHOM_FILTER_OBJECT,
};

/* Rules of one chain are judged together; the region is excluded if one of the chains says so. */
enum fathom_filter_chain {
	FATHOM_FILTER_OWN,
	FATHOM_FILTER_BLOCK_FILES,
	FATHOM_FILTER_BLOCK_NAMES,
	FATHOM_FILTER_CHAINS
};

struct fathom_filter_rule {
	const char *pattern;
	const char *ranks;		/* "1-7,9"; NULL: all */
	uint32_t line, column;		/* of the pattern, from 1 */
	uint8_t include;		/* 0: exclude */
	uint8_t about, kinds, chain;	/* of the enums above */
};

struct fathom_filter {
	struct fathom_filter_rule *rules;	/* in the order of the file */
	size_t count;
	void *memory;
	size_t memory_bytes;
	char *text;
	size_t text_bytes;
};

/* A region as rules see it. What is not known now, but may be later (object, rank), keeps a region from being
 * excluded. */
struct fathom_filter_subject {
	enum fathom_filter_kind kind;
	const char *name;		/* NULL: none */
	const char *other_name;		/* another way to write it; NULL: none */
	const char *mangled;		/* NULL: none */
	const char *file;		/* NULL: none */
	const char *object;		/* path of the program or library; NULL: not known, or (not a function) none */
	int64_t rank;			/* -1: not known, or none */
};

enum fathom_filter_answer {
	FATHOM_FILTER_SILENT,		/* no rule matches, or the last that does is not about names */
	FATHOM_FILTER_INCLUDE,		/* asked for by name */
	FATHOM_FILTER_EXCLUDE,
};

/*
 * Read path into filter, which is zeroed before. 0, or -errno with one line in error that names
 * file, line, column and what is allowed; filter is empty then.
 */
int fathom_filter_read(struct fathom_filter *filter, const char *path, char *error, size_t error_bytes);

/* The same from memory; path is what errors call it. */
int fathom_filter_parse(struct fathom_filter *filter, const char *path, const char *text, size_t bytes, char *error,
			size_t error_bytes);

void fathom_filter_fini(struct fathom_filter *filter);

/* What the rules say of a region. decider: which rule decided, may be NULL; *decider is NULL where none did. */
enum fathom_filter_answer fathom_filter_ask(const struct fathom_filter *filter,
					    const struct fathom_filter_subject *subject,
					    const struct fathom_filter_rule **decider);

/* Whether a rule matches, alone. */
bool fathom_filter_matches(const struct fathom_filter_rule *rule, const struct fathom_filter_subject *subject);

/* Whether there is a rule for one of kinds that asks for this. */
bool fathom_filter_wants(const struct fathom_filter *filter, enum fathom_filter_kind kinds,
			 enum fathom_filter_about about);
bool fathom_filter_wants_rank(const struct fathom_filter *filter);

#ifdef __cplusplus
}
#endif

#endif
