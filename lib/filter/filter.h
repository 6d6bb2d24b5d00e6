/*
 * filter: reads a file of rules that say which regions are measured, and applies them. The compiler plugin, the library
 * in the running program, and the tools use it.
 *
 *	# comment
 *	exclude PATTERN			regions of that name
 *	include PATTERN
 *	exclude file PATTERN		regions of a source file; also mangled, object
 *	exclude mpi PATTERN		only of that kind; also function, user, openmp, thread, io, any
 *	exclude rank 1-7,9 PATTERN	only in these processes; without a pattern: *
 *
 * A rule can have several of these words, in the order rank, kind, file. The rest of the line is the pattern, so it may
 * contain blanks; it must match the whole name (glob.h). The last rule that matches a region decides. A pattern that
 * begins with a wildcard matches functions and user regions only, as a pattern of the shell does not match .hidden
 * files; MPI_* or a kind selects other regions.
 *
 * A block SCOREP_REGION_NAMES_BEGIN .. SCOREP_REGION_NAMES_END, or SCOREP_FILE_NAMES_BEGIN .. _END, has the meaning
 * that it has in Score-P: its rules match functions and user regions only, and a region is excluded if the rules of
 * names or those of files exclude it.
 *
 * The lists of TAU, BEGIN_INCLUDE_LIST .. END_INCLUDE_LIST and the same with EXCLUDE, FILE_INCLUDE and FILE_EXCLUDE,
 * have one name a line. If there are lists that include, all that they do not name is excluded. The type and the
 * parameters of a function are ignored. # matches any text in names, * and ? in files.
 *
 * The functions do not call malloc, take no lock and do not depend on the locale. Context of all functions: start,
 * birth, finish. This folder includes no other header of fathom, because programs without fathom's libraries are built
 * with it.
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
	FATHOM_FILTER_NAME,		/* as in the source, or as the linker has it */
	FATHOM_FILTER_MANGLED,		/* the name of the linker only */
	FATHOM_FILTER_FILE,
	FATHOM_FILTER_OBJECT,
};

/* The rules of one chain decide together; a region is excluded if one of the chains excludes it. */
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

/* The properties of a region that rules can match. A rule about a property that is unknown now, but may be known later
 * (object, rank), does not exclude the region. */
struct fathom_filter_subject {
	enum fathom_filter_kind kind;
	const char *name;		/* NULL: none */
	const char *other_name;		/* another way to write it; NULL: none */
	const char *mangled;		/* NULL: none */
	const char *file;		/* NULL: none */
	const char *object;		/* path of the program or library; NULL: unknown, or no function */
	int64_t rank;			/* -1: unknown, or none */
};

enum fathom_filter_answer {
	FATHOM_FILTER_SILENT,		/* no rule matches, or the last matching rule is not about names */
	FATHOM_FILTER_INCLUDE,		/* a rule includes the name */
	FATHOM_FILTER_EXCLUDE,
};

/*
 * Reads the file path into filter, which the caller has zeroed. Returns 0, or -errno with one line in error that names
 * the file, line, column and what is allowed; filter is empty then.
 */
int fathom_filter_read(struct fathom_filter *filter, const char *path, char *error, size_t error_bytes);

/* Parses a filter from memory; path is the name in messages. */
int fathom_filter_parse(struct fathom_filter *filter, const char *path, const char *text, size_t bytes, char *error,
			size_t error_bytes);

/* Frees the filter. */
void fathom_filter_fini(struct fathom_filter *filter);

/* Returns what the rules say about a region. *decider is the rule that decided, or NULL; decider may be NULL. */
enum fathom_filter_answer fathom_filter_ask(const struct fathom_filter *filter,
					    const struct fathom_filter_subject *subject,
					    const struct fathom_filter_rule **decider);

/* Returns whether a single rule matches. */
bool fathom_filter_matches(const struct fathom_filter_rule *rule, const struct fathom_filter_subject *subject);

/* Return whether a rule for one of the kinds needs this property, and whether a rule needs the rank. */
bool fathom_filter_wants(const struct fathom_filter *filter, enum fathom_filter_kind kinds,
			 enum fathom_filter_about about);
bool fathom_filter_wants_rank(const struct fathom_filter *filter);

#ifdef __cplusplus
}
#endif

#endif
