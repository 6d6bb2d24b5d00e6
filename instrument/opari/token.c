#define _GNU_SOURCE
#include "opari/token.h"

#include <ctype.h>
#include <string.h>

/* More nested statements than any real program has. The limit ends the recursion on broken texts. */
#define DEPTH 200

static int is_name(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

/* Returns the offset behind white space and comments. */
static size_t skip_blank(const char *text, size_t length, size_t at)
{
	for (;;) {
		while (at < length && isspace((unsigned char)text[at]))
			at++;
		if (at + 1 < length && text[at] == '/' && text[at + 1] == '/') {
			while (at < length && text[at] != '\n')
				at++;
		} else if (at + 1 < length && text[at] == '/' && text[at + 1] == '*') {
			const char *end = memmem(text + at + 2, length - at - 2, "*/", 2);

			at = end ? (size_t)(end - text) + 2 : length;
		} else {
			return at;
		}
	}
}

static int begins_line(const char *text, size_t at)
{
	while (at && (text[at - 1] == ' ' || text[at - 1] == '\t'))
		at--;
	return at == 0 || text[at - 1] == '\n';
}

/* Returns the offset behind the quote that closes the one at `at`. */
static size_t skip_quoted(const char *text, size_t length, size_t at)
{
	char quote = text[at++];

	while (at < length && text[at] != quote && text[at] != '\n')
		at += text[at] == '\\' ? 2 : 1;
	return at < length ? at + 1 : length;
}

/* For R"mark( ... )mark", returns the offset behind the closing quote; at is the offset of the opening quote. */
static size_t skip_raw(const char *text, size_t length, size_t at)
{
	size_t mark = at + 1, bytes = 0;

	while (mark + bytes < length && text[mark + bytes] != '(')
		bytes++;
	for (size_t i = mark + bytes; i + bytes + 1 < length; i++) {
		if (text[i] == ')' && memcmp(text + i + 1, text + mark, bytes) == 0 && text[i + 1 + bytes] == '"')
			return i + bytes + 2;
	}
	return length;
}

/* Returns the kind of string that the letters before a quote introduce: 0: none, 1: a string or character, 2: a raw
 * string. */
static int string_prefix(const char *name, size_t length)
{
	static const struct { const char *word; int kind; } known[] = {
		{ "L", 1 }, { "u", 1 }, { "U", 1 }, { "u8", 1 },
		{ "R", 2 }, { "LR", 2 }, { "uR", 2 }, { "UR", 2 }, { "u8R", 2 },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (strlen(known[i].word) == length && memcmp(name, known[i].word, length) == 0)
			return known[i].kind;
	}
	return 0;
}

/* Returns the offset behind a number as the preprocessor defines it: 1'000, 0x1p-3, 1e+5, 1.5f. */
static size_t skip_number(const char *text, size_t length, size_t at)
{
	for (at++; at < length; at++) {
		if ((text[at] == '+' || text[at] == '-') && strchr("eEpP", text[at - 1]))
			continue;
		if (text[at] == '\'' && at + 1 < length && is_name(text[at + 1]))
			continue;
		if (text[at] != '.' && !is_name(text[at]))
			break;
	}
	return at;
}

/* Returns the end of a line. A backslash at the end of a line continues it. */
static size_t skip_line(const char *text, size_t length, size_t at)
{
	while (at < length && (text[at] != '\n' || text[at - 1] == '\\'))
		at++;
	return at;
}

struct fathom_token fathom_token_next(const char *text, size_t length, size_t at)
{
	struct fathom_token token;
	int quoted;

	token.begin = at = skip_blank(text, length, at);
	token.end = at + 1;
	if (at >= length) {
		token.kind = FATHOM_TOKEN_END;
		token.begin = token.end = length;
	} else if (text[at] == '#' && begins_line(text, at)) {
		token.kind = FATHOM_TOKEN_LINE;
		token.end = skip_line(text, length, at);
	} else if (isdigit((unsigned char)text[at]) ||
		   (text[at] == '.' && at + 1 < length && isdigit((unsigned char)text[at + 1]))) {
		token.kind = FATHOM_TOKEN_NUMBER;
		token.end = skip_number(text, length, at);
	} else if (is_name(text[at])) {
		token.kind = FATHOM_TOKEN_NAME;
		while (token.end < length && is_name(text[token.end]))
			token.end++;
		quoted = token.end < length && (text[token.end] == '"' || text[token.end] == '\'')
				 ? string_prefix(text + at, token.end - at) : 0;
		if (quoted == 2 && text[token.end] == '"') {
			token.kind = FATHOM_TOKEN_RAW;
			token.end = skip_raw(text, length, token.end);
		} else if (quoted == 1) {
			token.kind = FATHOM_TOKEN_STRING;
			token.end = skip_quoted(text, length, token.end);
		}
	} else if (text[at] == '"' || text[at] == '\'') {
		token.kind = FATHOM_TOKEN_STRING;
		token.end = skip_quoted(text, length, at);
	} else {
		token.kind = FATHOM_TOKEN_MARK;
	}
	return token;
}

int fathom_token_is(const char *text, struct fathom_token token, const char *word)
{
	return strlen(word) == token.end - token.begin && memcmp(text + token.begin, word, strlen(word)) == 0;
}

/* --- statements ---------------------------------------------------------------------------------- */

/* A position in the text while a statement is parsed. Parsing ends early if the text ends or is nested too deeply. */
struct cursor {
	const char *text;
	size_t length;
	/* The next token; lines with # are skipped unless a function reads them itself. */
	struct fathom_token token;
	size_t behind;			/* offset behind the last token that was taken */
	int depth;
	int ended;
};

static void look(struct cursor *cursor, size_t at)
{
	do {
		cursor->token = fathom_token_next(cursor->text, cursor->length, at);
		at = cursor->token.end;
	} while (cursor->token.kind == FATHOM_TOKEN_LINE);
	if (cursor->token.kind == FATHOM_TOKEN_END)
		cursor->ended = 1;
}

static void take(struct cursor *cursor)
{
	cursor->behind = cursor->token.end;
	look(cursor, cursor->token.end);
}

static int sees(const struct cursor *cursor, const char *word)
{
	return !cursor->ended && fathom_token_is(cursor->text, cursor->token, word);
}

/* Takes a bracket and all tokens up to the one that closes it. */
static void take_brackets(struct cursor *cursor)
{
	int depth = 0;

	do {
		char c = cursor->token.kind == FATHOM_TOKEN_MARK ? cursor->text[cursor->token.begin] : ' ';

		depth += c == '(' || c == '[' || c == '{';
		depth -= c == ')' || c == ']' || c == '}';
		take(cursor);
	} while (depth > 0 && !cursor->ended);
}

/* Takes an expression or declaration up to its semicolon. */
static void take_simple(struct cursor *cursor)
{
	while (!cursor->ended && !sees(cursor, ";")) {
		if (sees(cursor, "}") || sees(cursor, ")") || sees(cursor, "]")) {
			cursor->ended = 1;	/* the tokens do not form a statement */
			return;
		}
		if (sees(cursor, "(") || sees(cursor, "[") || sees(cursor, "{"))
			take_brackets(cursor);
		else
			take(cursor);
	}
	if (!cursor->ended)
		take(cursor);
}

static void take_statement(struct cursor *cursor);

/* Takes a label: case 1:, default:, or name:. Returns whether there was one. */
static int take_label(struct cursor *cursor)
{
	struct cursor saved = *cursor;

	if (sees(cursor, "case")) {
		while (!cursor->ended && !sees(cursor, ":"))
			take(cursor);
		take(cursor);
		return 1;
	}
	if (cursor->token.kind != FATHOM_TOKEN_NAME)
		return 0;
	take(cursor);
	if (sees(cursor, ":")) {
		take(cursor);
		if (!sees(cursor, ":"))
			return 1;
	}
	*cursor = saved;
	return 0;
}

static void take_if(struct cursor *cursor)
{
	take(cursor);
	while (cursor->token.kind == FATHOM_TOKEN_NAME || sees(cursor, "!"))	/* if constexpr, if consteval */
		take(cursor);
	if (sees(cursor, "("))
		take_brackets(cursor);
	take_statement(cursor);
	if (sees(cursor, "else")) {
		take(cursor);
		take_statement(cursor);
	}
}

static void take_try(struct cursor *cursor)
{
	take(cursor);
	take_brackets(cursor);
	while (sees(cursor, "catch")) {
		take(cursor);
		take_brackets(cursor);
		take_brackets(cursor);
	}
}

static void take_statement(struct cursor *cursor)
{
	if (++cursor->depth > DEPTH)
		cursor->ended = 1;
	while (!cursor->ended && (take_label(cursor) || sees(cursor, "["))) {
		if (sees(cursor, "["))	/* an attribute such as [[likely]], or a lambda that is called at once */
			take_brackets(cursor);
	}
	if (sees(cursor, "{")) {
		take_brackets(cursor);
	} else if (sees(cursor, "if")) {
		take_if(cursor);
	} else if (sees(cursor, "for") || sees(cursor, "while") || sees(cursor, "switch")) {
		take(cursor);
		take_brackets(cursor);
		take_statement(cursor);
	} else if (sees(cursor, "do")) {
		take(cursor);
		take_statement(cursor);
		take_simple(cursor);
	} else if (sees(cursor, "try")) {
		take_try(cursor);
	} else {
		take_simple(cursor);
	}
	cursor->depth--;
}

/* Returns whether a line is a marker such as # 12 "file". */
static int is_marker(const char *text, struct fathom_token line)
{
	size_t at = line.begin + 1;

	while (at < line.end && isblank((unsigned char)text[at]))
		at++;
	return at < line.end && isdigit((unsigned char)text[at]);
}

size_t fathom_token_statement(const char *text, size_t length, size_t at, size_t *body)
{
	struct cursor cursor = { .text = text, .length = length };
	struct fathom_token first;

	*body = at;
	do {
		first = fathom_token_next(text, length, *body);
		*body = first.kind == FATHOM_TOKEN_LINE && is_marker(text, first) ? first.end : first.begin;
	} while (*body == first.end && first.kind != FATHOM_TOKEN_END);
	look(&cursor, at);
	if (!cursor.ended)
		take_statement(&cursor);
	/* The end of the text also ends its last statement. */
	return cursor.behind > at && (!cursor.ended || cursor.token.kind == FATHOM_TOKEN_END) ? cursor.behind : 0;
}
