/*
 * token: preprocessed C and C++ text, cut into what matters for finding statements.
 */
#ifndef FATHOM_OPARI_TOKEN_H
#define FATHOM_OPARI_TOKEN_H

#include <stddef.h>

enum fathom_token_kind {
	FATHOM_TOKEN_END,
	FATHOM_TOKEN_NAME,
	FATHOM_TOKEN_NUMBER,
	FATHOM_TOKEN_STRING,	/* and characters, with what stands before the quote */
	FATHOM_TOKEN_RAW,	/* a raw string */
	FATHOM_TOKEN_MARK,	/* any other single character */
	FATHOM_TOKEN_LINE,	/* a whole line that begins with #, without its end */
};

struct fathom_token {
	enum fathom_token_kind kind;
	size_t begin, end;	/* offsets in the text */
};

/* The token at or behind offset `at`. */
struct fathom_token fathom_token_next(const char *text, size_t length, size_t at);

/* Whether the token reads like word. */
int fathom_token_is(const char *text, struct fathom_token token, const char *word);

/*
 * The end of the statement that begins at or behind `at`, behind its last character: where a
 * directive's body ends. *body is where it begins. Lines with # before the statement belong to
 * it. 0 if the text ends before.
 */
size_t fathom_token_statement(const char *text, size_t length, size_t at, size_t *body);

#endif
