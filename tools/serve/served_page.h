/*
 * served_page: the page of fathom serve. tools/serve/page/assemble_page.py makes it from tools/serve/page and from the
 * time line of the page of fathom view.
 */
#ifndef FATHOM_TOOLS_SERVE_SERVED_PAGE_H
#define FATHOM_TOOLS_SERVE_SERVED_PAGE_H

extern const char fathom_served_page[];

#endif
