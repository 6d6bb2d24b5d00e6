#include "config.h"

#include "tools/common/text_layout.h"

#include <langinfo.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wctype.h>

#include "tools/common/command.h"

static int terminal_width(void)
{
	struct winsize size;
	const char *columns = getenv("COLUMNS");
	char *end;
	long width;

	if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
		return size.ws_col;
	if (columns) {
		width = strtol(columns, &end, 10);
		if (end != columns && *end == '\0' && width > 0 && width < 100000)
			return (int)width;
	}
	return 80;
}

static bool wants_colour(enum fathom_colour colour)
{
	const char *terminal = getenv("TERM"), *refused = getenv("NO_COLOR");

	if (colour != FATHOM_COLOUR_AUTO)
		return colour == FATHOM_COLOUR_ALWAYS;
	if (refused && *refused)
		return false;
	return isatty(STDOUT_FILENO) && terminal && strcmp(terminal, "dumb") != 0;
}

void fathom_page_init(struct fathom_page *page, int width, enum fathom_colour colour)
{
	memset(page, 0, sizeof(*page));
	page->width = width ? width : terminal_width();
	if (page->width < FATHOM_PAGE_NARROWEST)
		page->width = FATHOM_PAGE_NARROWEST;
	if (page->width > FATHOM_PAGE_WIDEST)
		page->width = FATHOM_PAGE_WIDEST;
	page->colour = wants_colour(colour);
	page->unicode = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

void fathom_page_fini(struct fathom_page *page)
{
	free(page->scratch);
	page->scratch = NULL;
}

const char *fathom_page_style(const struct fathom_page *page, enum fathom_style style)
{
	static const char *const codes[FATHOM_STYLE_COUNT] = {
		[FATHOM_STYLE_PLAIN] = "\033[0m",	[FATHOM_STYLE_BOLD] = "\033[1m",
		[FATHOM_STYLE_DIM] = "\033[2m",		[FATHOM_STYLE_WARN] = "\033[1;33m",
		[FATHOM_STYLE_HOT] = "\033[1;31m",	[FATHOM_STYLE_WARM] = "\033[33m",
		[FATHOM_STYLE_BLUE] = "\033[34m",	[FATHOM_STYLE_GREEN] = "\033[32m",
		[FATHOM_STYLE_VIOLET] = "\033[35m",	[FATHOM_STYLE_TEAL] = "\033[36m",
	};

	return page->colour ? codes[style] : "";
}

const char *fathom_page_ellipsis(const struct fathom_page *page)
{
	return page->unicode ? "\u2026" : "~";
}

const char *fathom_page_times(const struct fathom_page *page)
{
	return page->unicode ? "\u00d7" : "x";
}

void fathom_page_blanks(int count)
{
	if (count > 0)
		printf("%*s", count, "");
}

void fathom_page_heading(struct fathom_page *page, const char *title, const char *remark)
{
	int left, i;

	printf("%s%s", page->begun ? "\n" : "", fathom_page_style(page, FATHOM_STYLE_BOLD));
	page->begun = true;
	left = page->width - fathom_page_text(page, title, page->width) - 2;
	printf("%s", fathom_page_style(page, FATHOM_STYLE_PLAIN));
	if (remark && *remark && left > 10) {
		printf("  %s", fathom_page_style(page, FATHOM_STYLE_DIM));
		fathom_page_text_right(page, remark, left);
		printf("%s", fathom_page_style(page, FATHOM_STYLE_PLAIN));
	}
	printf("\n%s", fathom_page_style(page, FATHOM_STYLE_DIM));
	for (i = 0; i < page->width; i++)
		fputs(page->unicode ? "\u2500" : "-", stdout);
	printf("%s\n", fathom_page_style(page, FATHOM_STYLE_PLAIN));
}

void fathom_page_bar(const struct fathom_page *page, double fraction, int columns)
{
	static const char *const eighths[] = {
		"", "\u258f", "\u258e", "\u258d", "\u258c", "\u258b", "\u258a", "\u2589"
	};
	int units = page->unicode ? 8 : 1;
	int length = (int)(fraction * columns * units + 0.5);
	int i;

	if (!(fraction > 0))
		return;
	if (length > columns * units)
		length = columns * units;
	for (i = 0; i < length / units; i++)
		fputs(page->unicode ? "\u2588" : "#", stdout);
	if (page->unicode)
		fputs(eighths[length % 8], stdout);
}

/* --- names ---------------------------------------------------------------------------------- */

static int columns_of(wchar_t letter)
{
	int columns = wcwidth(letter);

	return columns < 0 ? 1 : columns;
}

static long columns_of_all(const wchar_t *text, size_t count)
{
	long columns = 0;
	size_t i;

	for (i = 0; i < count; i++)
		columns += columns_of(text[i]);
	return columns;
}

/* Writes the name to the scratch as wide characters; characters that cannot be printed become '?'. */
static size_t decode(struct fathom_page *page, const char *name)
{
	size_t length = strlen(name), count = 0, at = 0;
	mbstate_t state;

	if (length + 1 > page->scratch_count) {
		free(page->scratch);
		page->scratch_count = length + 1 + length / 2;
		page->scratch = fathom_tool_alloc(page->scratch_count, sizeof(wchar_t));
	}
	memset(&state, 0, sizeof(state));
	while (at < length) {
		wchar_t letter;
		size_t bytes = mbrtowc(&letter, name + at, length - at, &state);

		if (bytes == (size_t)-1 || bytes == (size_t)-2 || bytes == 0) {
			memset(&state, 0, sizeof(state));
			letter = L'?';
			bytes = 1;
		} else if (!iswprint((wint_t)letter)) {
			letter = L'?';
		}
		page->scratch[count++] = letter;
		at += bytes;
	}
	return count;
}

static void encode(const wchar_t *text, size_t count)
{
	char bytes[MB_LEN_MAX * 4];
	mbstate_t state;
	size_t i, length;

	memset(&state, 0, sizeof(state));
	for (i = 0; i < count; i++) {
		length = wcrtomb(bytes, text[i], &state);
		if (length != (size_t)-1)
			fwrite(bytes, 1, length, stdout);
	}
}

/* Returns where in text[0..count) the bracket opens that the last character closes; count if no bracket does. */
static size_t opening(const wchar_t *text, size_t count, wchar_t open, wchar_t close)
{
	size_t at = count, depth = 0;

	while (at-- > 0) {
		if (text[at] == close)
			depth++;
		else if (text[at] == open && --depth == 0)
			return at;
	}
	return count;
}

/*
 * "f(int, char*) const" -> "f(~)": removes the contents of the last brackets and the words behind them.
 * "(anonymous namespace)::f" stays, because its brackets are no arguments.
 */
static size_t drop_arguments(wchar_t *text, size_t count, wchar_t ellipsis)
{
	size_t end = count, open;

	while (end > 0 && text[end - 1] != L')')
		end--;
	open = opening(text, end, L'(', L')');
	if (end == 0 || open == end || open == 0 || end - open <= 3)
		return count;
	if (end < count && text[end] != L' ' && text[end] != L'[')
		return count;
	text[open + 1] = ellipsis;
	text[open + 2] = L')';
	return open + 3;
}

/* "a<b<c>>::d" -> "a<~>::d": removes the contents of template brackets. Names of operators ("operator<") stay. */
static size_t drop_templates(wchar_t *text, size_t count, wchar_t ellipsis)
{
	static const wchar_t operator_word[] = L"operator";
	const size_t word = sizeof(operator_word) / sizeof(wchar_t) - 1;
	size_t from = 0, to = 0, at, depth;

	while (from < count) {
		text[to++] = text[from++];
		if (text[to - 1] != L'<' || to < 2)
			continue;
		if (to > word && wmemcmp(text + to - 1 - word, operator_word, word) == 0)
			continue;
		depth = 1;
		for (at = from; at < count && depth > 0; at++)
			depth += (text[at] == L'<') - (text[at] == L'>');
		if (depth > 0 || at - from < 3)
			continue;
		text[to++] = ellipsis;
		text[to++] = L'>';
		from = at;
	}
	return to;
}

/* Replaces the middle by an ellipsis. */
static size_t cut(wchar_t *text, size_t count, int columns, wchar_t ellipsis)
{
	int head_room = (columns - 1) / 2, tail_room = columns - 1 - head_room;
	size_t head = 0, tail = count;

	while (head < count && columns_of(text[head]) <= head_room)
		head_room -= columns_of(text[head++]);
	while (tail > head && columns_of(text[tail - 1]) <= tail_room)
		tail_room -= columns_of(text[--tail]);
	text[head++] = ellipsis;
	wmemmove(text + head, text + tail, count - tail);
	return head + count - tail;
}

/* Returns where the search for the function's own name begins: "operator" and the characters behind it are one name. */
static size_t operator_at(const wchar_t *text, size_t count)
{
	static const wchar_t word[] = L"operator";
	const size_t length = sizeof(word) / sizeof(wchar_t) - 1;
	size_t at;

	for (at = 0; at + length < count; at++)
		if (wmemcmp(text + at, word, length) == 0 &&
		    (at == 0 || text[at - 1] == L' ' || text[at - 1] == L':') &&
		    !iswalnum((wint_t)text[at + length]) && text[at + length] != L'_')
			return at;
	return count;
}

/* Returns the change of bracket depth at a character: 1, -1 or 0. */
static int nesting(wchar_t letter)
{
	switch (letter) {
	case L'(': case L'<': case L'{': case L'[': return 1;
	case L')': case L'>': case L'}': case L']': return -1;
	default: return 0;
	}
}

/* "void a::f<~>(~)" -> "a::f<~>(~)": removes the return type, which names of functions made from templates have. */
static size_t drop_return_type(wchar_t *text, size_t count)
{
	size_t end = operator_at(text, count), begin = 0, at;
	int depth = 0;

	for (at = 0; at < end; at++) {
		depth += nesting(text[at]);
		if (depth == 0 && text[at] == L' ')
			begin = at + 1;
	}
	wmemmove(text, text + begin, count - begin);
	return count - begin;
}

/*
 * "a::b::f(~)" -> "~b::f(~)": removes as few of the outermost name spaces as possible. A lambda has no name, so the
 * function around it stays.
 */
static size_t drop_namespaces(wchar_t *text, size_t count, int columns, wchar_t ellipsis)
{
	size_t end = wmemchr(text, L'{', count) ? 0 : operator_at(text, count), begin = 0, at;
	int depth = 0;

	for (at = 0; at + 2 < end && columns_of_all(text + begin, count - begin) + (begin > 0) > columns; at++) {
		depth += nesting(text[at]);
		if (depth == 0 && text[at] == L':' && text[at + 1] == L':')
			begin = at + 2;
	}
	if (begin == 0)
		return count;
	text[0] = ellipsis;
	wmemmove(text + 1, text + begin, count - begin);
	return count - begin + 1;
}

/* "f<~>(~)" -> "f<~>", or "f<~>" -> "f", depending on bracket; "operator()(~)" stays: its name ends with brackets. */
static size_t drop_end(const wchar_t *text, size_t count, wchar_t bracket, wchar_t ellipsis)
{
	if (count > 3 && text[count - 3] == bracket && text[count - 2] == ellipsis && iswalnum((wint_t)text[count - 4]))
		return count - 3;
	return count > 4 && bracket == L'(' && text[count - 2] == ellipsis && text[count - 4] == L'>' ? count - 3 :
	       count;
}

/* Returns whether the name has the parts of a C++ function: name spaces, template arguments or arguments. */
static bool is_qualified(const wchar_t *text, size_t count)
{
	size_t at;

	for (at = 0; at + 1 < count; at++)
		if ((text[at] == L':' && text[at + 1] == L':') || (at > 0 && text[at] == L'('))
			return true;
	return false;
}

int fathom_page_text(struct fathom_page *page, const char *text, int columns)
{
	size_t count = decode(page, text);

	if (columns < 1)
		return 0;
	if (columns_of_all(page->scratch, count) > columns)
		count = cut(page->scratch, count, columns, page->unicode ? L'\u2026' : L'~');
	encode(page->scratch, count);
	return (int)columns_of_all(page->scratch, count);
}

int fathom_page_name(struct fathom_page *page, const char *name, int columns)
{
	wchar_t ellipsis = page->unicode ? L'\u2026' : L'~';
	size_t count = decode(page, name);

	if (columns < 1)
		return 0;
	/* Removes template arguments, or else the argument list, or both if one is not enough. */
	if (columns_of_all(page->scratch, count) > columns)
		count = drop_templates(page->scratch, count, ellipsis);
	if (columns_of_all(page->scratch, count) > columns) {
		count = drop_arguments(page->scratch, decode(page, name), ellipsis);
		if (columns_of_all(page->scratch, count) > columns)
			count = drop_templates(page->scratch, count, ellipsis);
	}
	if (columns_of_all(page->scratch, count) > columns && is_qualified(page->scratch, count)) {
		count = drop_return_type(page->scratch, count);
		count = drop_namespaces(page->scratch, count, columns, ellipsis);
	}
	if (columns_of_all(page->scratch, count) > columns)
		count = drop_end(page->scratch, count, L'(', ellipsis);
	if (columns_of_all(page->scratch, count) > columns)
		count = drop_end(page->scratch, count, L'<', ellipsis);
	if (columns_of_all(page->scratch, count) > columns)
		count = cut(page->scratch, count, columns, ellipsis);
	encode(page->scratch, count);
	return (int)columns_of_all(page->scratch, count);
}

void fathom_page_name_left(struct fathom_page *page, const char *name, int columns)
{
	fathom_page_blanks(columns - fathom_page_name(page, name, columns));
}

void fathom_page_text_left(struct fathom_page *page, const char *text, int columns)
{
	fathom_page_blanks(columns - fathom_page_text(page, text, columns));
}

void fathom_page_text_right(struct fathom_page *page, const char *text, int columns)
{
	long width = columns_of_all(page->scratch, decode(page, text));

	if (width < columns)
		fathom_page_blanks(columns - (int)width);
	fathom_page_text(page, text, columns);
}

void fathom_page_paragraph(struct fathom_page *page, const char *text, int indent)
{
	int at = indent;

	while (*text) {
		size_t length = strcspn(text, " ");
		char word[256];
		int room = page->width - indent;
		long columns;

		snprintf(word, sizeof(word), "%.*s", (int)length, text);
		columns = columns_of_all(page->scratch, decode(page, word));
		if (at > indent && at + 1 + columns > page->width) {
			putchar('\n');
			fathom_page_blanks(indent);
			at = indent;
		} else if (at > indent) {
			putchar(' ');
			at++;
		}
		at += fathom_page_text(page, word, room);
		text += length;
		text += strspn(text, " ");
	}
	putchar('\n');
}

enum { FACT_COLUMNS = 11 };	/* of the name of a fact */

/* Prints a fact; columns: the columns for name and value, with blanks behind them; 0 or less: the rest of the line
 * without so many columns. */
static void print_fact(struct fathom_page *page, const char *name, const char *value, int columns)
{
	printf("%s%-*s%s", fathom_page_style(page, FATHOM_STYLE_DIM), FACT_COLUMNS, name,
	       fathom_page_style(page, FATHOM_STYLE_PLAIN));
	if (columns > 0)
		fathom_page_text_left(page, value, columns - FACT_COLUMNS);
	else
		fathom_page_text(page, value, page->width + columns - FACT_COLUMNS);
}

void fathom_page_facts(struct fathom_page *page, const char *name, const char *value, const char *name2,
		       const char *value2)
{
	int half = page->width / 2 + 2;

	if (value2 && (int)strlen(value) > half - FACT_COLUMNS - 2) {
		fathom_page_facts(page, name, value, NULL, NULL);
		fathom_page_facts(page, name2, value2, NULL, NULL);
		return;
	}
	if (!value2) {
		print_fact(page, name, value, 0);
	} else {
		print_fact(page, name, value, half - 2);
		printf("  ");
		print_fact(page, name2, value2, -half);
	}
	putchar('\n');
}
