/*
 * json_text: texts as strings of JSON, with their quotes. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_EXPORT_JSON_TEXT_H
#define FATHOM_TOOLS_EXPORT_JSON_TEXT_H

/* Returns the text in quotes, escaped; the caller frees it. Bytes that are not UTF-8 become '?'. */
char *fathom_export_json_text(const char *text);

#endif
