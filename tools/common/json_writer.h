/*
 * json_writer: writes a JSON document to stdout, of which only one record at a time is a jansson object, so that
 * memory does not grow with the document.
 *
 * The user writes the outermost brackets. The functions release every json_t that they are given. Out of memory ends
 * the program with a line. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_COMMON_JSON_WRITER_H
#define FATHOM_TOOLS_COMMON_JSON_WRITER_H

#include <jansson.h>
#include <stdbool.h>

/* A text of a file, which may have any bytes, as a JSON string: bytes that are no UTF-8 become '?'. */
json_t *fathom_json_text(const char *bytes);

/* A number, counts without a fraction; null for "never" and for values that are no numbers. */
json_t *fathom_json_number(double value);

/* Add such a string or number as a member of object. */
void fathom_json_set_text(json_t *object, const char *key, const char *bytes);
void fathom_json_set_number(json_t *object, const char *key, double value);

/* A number, or null where it is not known. */
void fathom_json_set_known(json_t *object, const char *key, bool is_known, double value);

struct fathom_statistics;
json_t *fathom_json_statistics(const struct fathom_statistics *statistics);

/* A member of the document, never its first: "key": value. */
void fathom_json_member(const char *key, json_t *value);

/* A member that is a list: its beginning, a record of it, its end. */
void fathom_json_begin_list(const char *key);
void fathom_json_item(bool is_first, json_t *value);
void fathom_json_end_list(void);

#endif
