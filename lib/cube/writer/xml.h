/*
 * xml: the pieces of XML text that anchor.xml and the remapping specification are made of, in the narrow form that
 * all known readers accept. Context of all functions: signal.
 */
#ifndef FATHOM_CUBE_XML_H
#define FATHOM_CUBE_XML_H

#include <stddef.h>
#include <stdint.h>

struct fathom_cube_output;

/* Writes text with XML's own characters escaped. Invalid UTF-8 and control characters become U+FFFD, line feeds and
 * tabs become blanks. NULL is the empty text. The bytes end before an ASCII character, or where the text ends. */
void fathom_xml_text(struct fathom_cube_output *output, const char *text);
void fathom_xml_bytes(struct fathom_cube_output *output, const char *text, size_t bytes);

/* Write <tag>text</tag> or <tag>number</tag> and a line feed. */
void fathom_xml_element(struct fathom_cube_output *output, const char *tag, const char *text);
void fathom_xml_number(struct fathom_cube_output *output, const char *tag, int64_t number);

/* Write before, which ends in the attribute's name and '=', and the quoted value. */
void fathom_xml_number_attribute(struct fathom_cube_output *output, const char *before, int64_t number);
void fathom_xml_text_attribute(struct fathom_cube_output *output, const char *before, const char *text);

/* Returns text, or otherwise if text is NULL or empty. */
const char *fathom_xml_either(const char *text, const char *otherwise);

#endif
