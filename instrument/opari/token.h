/*
 * token: cuts preprocessed C and C++ text into tokens, as far as needed to find statements.
 */
#ifndef FATHOM_OPARI_TOKEN_H
#define FATHOM_OPARI_TOKEN_H

#include <stddef.h>

enum fathom_token_kind {
	FATHOM_TOKEN_END,
	FATHOM_TOKEN_NAME,
	FATHOM_TOKEN_NUMBER,
	FATHOM_TOKEN_STRING,	/* a string or character literal, with its prefix */
	FATHOM_TOKEN_RAW,	/* a raw string */
	FATHOM_TOKEN_MARK,	/* any other single character */
	FATHOM_TOKEN_LINE,	/* a whole line that begins with #, without the newline */
};

struct fathom_token {
	enum fathom_token_kind kind;
	size_t begin, end;	/* offsets in the text */
};

/* Returns the first token at or behind offset `at`. */
struct fathom_token fathom_token_next(const char *text, size_t length, size_t at);

/* Returns whether the text of the token is word. */
int fathom_token_is(const char *text, struct fathom_token token, const char *word);

/* Returns the offset behind the last character of the statement that begins at or behind `at`: the end of a directive's
 * body. Sets *body to the offset of its begin. Lines with # before the statement belong to the statement. 0: the text
 * ends before the statement does. */
size_t fathom_token_statement(const char *text, size_t length, size_t at, size_t *body);

#endif
