/*
 * text_layout: a report on a terminal or in a file: its width, colours and characters, and how
 * numbers and names are fitted into columns.
 *
 * A column here is what a terminal calls one: wide characters count twice. Nothing that is
 * printed through this module exceeds the width it is given, whatever is in the profile.
 */
#ifndef FATHOM_TOOLS_COMMON_TEXT_LAYOUT_H
#define FATHOM_TOOLS_COMMON_TEXT_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <wchar.h>

enum fathom_ink {
	FATHOM_INK_PLAIN,
	FATHOM_INK_BOLD,
	FATHOM_INK_DIM,
	FATHOM_INK_WARN,
	FATHOM_INK_HOT,
	FATHOM_INK_WARM,
	FATHOM_INK_BLUE,
	FATHOM_INK_GREEN,
	FATHOM_INK_VIOLET,
	FATHOM_INK_TEAL,
	FATHOM_INK_COUNT
};

enum fathom_colour { FATHOM_COLOUR_AUTO, FATHOM_COLOUR_ALWAYS, FATHOM_COLOUR_NEVER };

enum { FATHOM_PAGE_NARROWEST = 80, FATHOM_PAGE_WIDEST = 1000 };

struct fathom_page {
	int width;
	bool colour;
	bool unicode;		/* may we draw lines with it? */
	bool begun;		/* something stands above */
	wchar_t *scratch;	/* grows to the longest name seen */
	size_t scratch_count;
};

/* A page on stdout. width 0: the terminal's, else COLUMNS, else 80. */
void fathom_page_init(struct fathom_page *page, int width, enum fathom_colour colour);
void fathom_page_fini(struct fathom_page *page);

/* What changes to that ink, and (PLAIN) back; an empty text on a page without colours. */
const char *fathom_page_ink(const struct fathom_page *page, enum fathom_ink ink);

/* A blank line (but at the top), a title on the left with a remark on the right, and a rule below. */
void fathom_page_heading(struct fathom_page *page, const char *title, const char *remark);

/* A bar for a fraction of 1, at most that many columns; not padded. */
void fathom_page_bar(const struct fathom_page *page, double fraction, int columns);

/* What stands for a thing left out, and for "times". */
const char *fathom_page_ellipsis(const struct fathom_page *page);
const char *fathom_page_times(const struct fathom_page *page);

/*
 * Prints the name of a region in at most that many columns; returns how many it took. A longer one loses what is in its
 * template brackets, or its argument list where that alone makes it fit, or both; then its return type; then its
 * outermost name spaces; and its middle only where the function's own name does not fit.
 */
int fathom_page_name(struct fathom_page *page, const char *name, int columns);

/* The same of any text: a longer one loses its middle. */
int fathom_page_text(struct fathom_page *page, const char *text, int columns);

/* Both, with blanks behind (or before) up to exactly that many columns. */
void fathom_page_name_left(struct fathom_page *page, const char *name, int columns);
void fathom_page_text_left(struct fathom_page *page, const char *text, int columns);
void fathom_page_text_right(struct fathom_page *page, const char *text, int columns);

/* Text in lines of at most the page's width, each but the first indented so far. The cursor
 * is at that column when it begins. */
void fathom_page_paragraph(struct fathom_page *page, const char *text, int indent);

void fathom_page_blanks(int count);

#endif
