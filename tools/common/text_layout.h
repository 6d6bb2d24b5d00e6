/*
 * text_layout: the page of a report on a terminal or in a file: its width, colours and characters, and names that are
 * fitted into columns.
 *
 * Columns are those of a terminal: wide characters take two. Output of this module never exceeds the width that it is
 * given, whatever names the profile has. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_COMMON_TEXT_LAYOUT_H
#define FATHOM_TOOLS_COMMON_TEXT_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <wchar.h>

enum fathom_style {
	FATHOM_STYLE_PLAIN,
	FATHOM_STYLE_BOLD,
	FATHOM_STYLE_DIM,
	FATHOM_STYLE_WARN,
	FATHOM_STYLE_HOT,
	FATHOM_STYLE_WARM,
	FATHOM_STYLE_BLUE,
	FATHOM_STYLE_GREEN,
	FATHOM_STYLE_VIOLET,
	FATHOM_STYLE_TEAL,
	FATHOM_STYLE_COUNT
};

enum fathom_colour { FATHOM_COLOUR_AUTO, FATHOM_COLOUR_ALWAYS, FATHOM_COLOUR_NEVER };

enum { FATHOM_PAGE_NARROWEST = 80, FATHOM_PAGE_WIDEST = 1000 };

struct fathom_page {
	int width;
	bool colour;
	bool unicode;		/* lines and bars may be drawn with Unicode characters */
	bool begun;		/* the page has output already */
	wchar_t *scratch;	/* grows to the longest name seen */
	size_t scratch_count;
};

/* Prepares a page on stdout. width 0: the width of the terminal, or else COLUMNS, or else 80. */
void fathom_page_init(struct fathom_page *page, int width, enum fathom_colour colour);
void fathom_page_fini(struct fathom_page *page);

/* Returns the text that switches the terminal to a colour, or back (FATHOM_STYLE_PLAIN); empty on a page without
 * colours. */
const char *fathom_page_style(const struct fathom_page *page, enum fathom_style style);

/*
 * Prints a heading: a blank line, unless it is the first, a title on the left, a remark on the right, and a line
 * below.
 */
void fathom_page_heading(struct fathom_page *page, const char *title, const char *remark);

/* Prints a bar for a fraction of 1, of at most so many columns; not padded. */
void fathom_page_bar(const struct fathom_page *page, double fraction, int columns);

/* Return the characters for an omission, and for "times". */
const char *fathom_page_ellipsis(const struct fathom_page *page);
const char *fathom_page_times(const struct fathom_page *page);

/* Prints the name of a region in at most that many columns; returns the number of columns. If the name is longer, the
 * function omits the text in its template brackets, or its argument list if the rest then fits, or both; then the
 * return type; then the outer name spaces; and a part of the middle only if the function's own name is too long. */
int fathom_page_name(struct fathom_page *page, const char *name, int columns);

/* Prints any text in at most so many columns; omits the middle of a longer text. Returns the number of columns. */
int fathom_page_text(struct fathom_page *page, const char *text, int columns);

/* Prints two facts, each as its name and its value, on one line; the second name and value may be NULL. A value that
 * does not fit into half a line is printed on a separate line. */
void fathom_page_facts(struct fathom_page *page, const char *name, const char *value, const char *name2,
		       const char *value2);

/* Print a name or a text, padded with blanks to exactly so many columns (right: with the blanks before it). */
void fathom_page_name_left(struct fathom_page *page, const char *name, int columns);
void fathom_page_text_left(struct fathom_page *page, const char *text, int columns);
void fathom_page_text_right(struct fathom_page *page, const char *text, int columns);

/*
 * Prints text in lines of at most the page's width. The cursor is at column indent, and all further lines begin
 * there.
 */
void fathom_page_paragraph(struct fathom_page *page, const char *text, int indent);

void fathom_page_blanks(int count);

#endif
