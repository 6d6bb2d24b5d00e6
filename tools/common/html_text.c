#include "tools/common/html_text.h"

void fathom_html_text(FILE *file, const char *text)
{
	for (; *text; text++) {
		unsigned char letter = (unsigned char)*text;

		if (letter == '&')
			fputs("&amp;", file);
		else if (letter == '<')
			fputs("&lt;", file);
		else if (letter == '>')
			fputs("&gt;", file);
		else
			fputc(letter < ' ' || letter == 127 ? ' ' : letter, file);
	}
}
