/* html_text: text in pages that commands write for a browser. Context: tool. */
#ifndef FATHOM_TOOLS_COMMON_HTML_TEXT_H
#define FATHOM_TOOLS_COMMON_HTML_TEXT_H

#include <stdio.h>

/* Writes a text, as the content of an element. The characters that HTML uses are replaced; control characters become
 * blanks. */
void fathom_html_text(FILE *file, const char *text);

#endif
