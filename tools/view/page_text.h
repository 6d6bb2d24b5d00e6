/*
 * page_text: the parts of a page that are the same for all profiles. tools/view/page/assemble.py makes page_text.c
 * from the files in tools/view/page.
 */
#ifndef FATHOM_TOOLS_VIEW_PAGE_TEXT_H
#define FATHOM_TOOLS_VIEW_PAGE_TEXT_H

extern const char fathom_page_before_definitions[];	/* begins with fathom_page_mark */
extern const char fathom_page_before_values[];
extern const char fathom_page_before_first[];	/* before the values of the first of two compared runs */
extern const char fathom_page_end[];

/* How a page begins, without an ending null byte in the page. */
static const char fathom_page_mark[] = "<!DOCTYPE html><!-- fathom view -->";

#endif
