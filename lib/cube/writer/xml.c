#include "cube/writer/xml.h"

#include <string.h>

#include "cube/writer/output.h"

/* Written in place of characters that XML does not allow: U+FFFD, "replacement character". */
#define REPLACEMENT "\xef\xbf\xbd"

/* Returns the number of bytes of the UTF-8 character at text, or 0 if XML does not allow it. The first byte must be
 * 0x80 or more. Not allowed are overlong forms, surrogates, numbers above 0x10ffff, U+FFFE, U+FFFF, and the control
 * characters U+0080 to U+009F. */
static size_t utf8_length(const unsigned char *text)
{
	uint32_t code;
	size_t length;

	if (text[0] >= 0xc2 && text[0] <= 0xdf) {
		length = 2;
		code = text[0] & 0x1f;
	} else if (text[0] >= 0xe0 && text[0] <= 0xef) {
		length = 3;
		code = text[0] & 0x0f;
	} else if (text[0] >= 0xf0 && text[0] <= 0xf4) {
		length = 4;
		code = text[0] & 0x07;
	} else {
		return 0;
	}
	/* The loop stops at the NUL, because a NUL does not continue a character. */
	for (size_t i = 1; i < length; i++) {
		if ((text[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (text[i] & 0x3f);
	}
	if (code < 0xa0 || (length == 3 && code < 0x800) || (length == 4 && code < 0x10000))
		return 0;
	if ((code >= 0xd800 && code <= 0xdfff) || (code & 0xfffe) == 0xfffe || code > 0x10ffff)
		return 0;
	return length;
}

/* Returns the text that is written in place of the ASCII character c. NULL: the character itself is written. */
static const char *substitute(unsigned char c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&apos;";
	case '\t':
	case '\n':
	case '\r':
		return " ";	/* readers treat these characters in different ways, but agree about the blank */
	default:
		return c < 0x20 || c == 0x7f ? REPLACEMENT : NULL;
	}
}

void fathom_xml_bytes(struct fathom_cube_output *output, const char *text, size_t bytes)
{
	const unsigned char *run = (const unsigned char *)text, *end = run + bytes;
	const unsigned char *next = run;

	while (next < end) {
		const char *instead = NULL;
		size_t length = 1;

		if (*next < 0x80) {
			instead = substitute(*next);
		} else {
			length = utf8_length(next);
			if (!length) {
				length = 1;
				instead = REPLACEMENT;
			}
		}
		if (instead) {
			fathom_cube_output_bytes(output, run, (size_t)(next - run));
			fathom_cube_output_text(output, instead);
			run = next + length;
		}
		next += length;
	}
	fathom_cube_output_bytes(output, run, (size_t)(next - run));
}

void fathom_xml_text(struct fathom_cube_output *output, const char *text)
{
	if (text)
		fathom_xml_bytes(output, text, strlen(text));
}

const char *fathom_xml_either(const char *text, const char *otherwise)
{
	return text && *text ? text : otherwise;
}

void fathom_xml_element(struct fathom_cube_output *output, const char *tag, const char *text)
{
	fathom_cube_output_text(output, "<");
	fathom_cube_output_text(output, tag);
	fathom_cube_output_text(output, ">");
	fathom_xml_text(output, text);
	fathom_cube_output_text(output, "</");
	fathom_cube_output_text(output, tag);
	fathom_cube_output_text(output, ">\n");
}

void fathom_xml_number(struct fathom_cube_output *output, const char *tag, int64_t number)
{
	fathom_cube_output_text(output, "<");
	fathom_cube_output_text(output, tag);
	fathom_cube_output_text(output, ">");
	fathom_cube_output_number(output, number);
	fathom_cube_output_text(output, "</");
	fathom_cube_output_text(output, tag);
	fathom_cube_output_text(output, ">\n");
}

void fathom_xml_number_attribute(struct fathom_cube_output *output, const char *before, int64_t number)
{
	fathom_cube_output_text(output, before);
	fathom_cube_output_text(output, "\"");
	fathom_cube_output_number(output, number);
	fathom_cube_output_text(output, "\"");
}

void fathom_xml_text_attribute(struct fathom_cube_output *output, const char *before, const char *text)
{
	fathom_cube_output_text(output, before);
	fathom_cube_output_text(output, "\"");
	fathom_xml_text(output, text);
	fathom_cube_output_text(output, "\"");
}
