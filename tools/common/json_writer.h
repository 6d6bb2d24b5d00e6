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

/* Returns a text of a file as a JSON string. The text may have any bytes; bytes that are not UTF-8 become '?'. */
json_t *fathom_json_text(const char *bytes);

/* Returns a number, without a fraction if it is a count; null for "never" and for values that are not numbers. */
json_t *fathom_json_number(double value);

/* Add a string or number, converted as above, as a member of object. */
void fathom_json_set_text(json_t *object, const char *key, const char *bytes);
void fathom_json_set_number(json_t *object, const char *key, double value);

/* Adds a number, or null if it is unknown. */
void fathom_json_set_known(json_t *object, const char *key, bool is_known, double value);

struct fathom_statistics;
json_t *fathom_json_statistics(const struct fathom_statistics *statistics);

/* Prints a member of the document, which must not be its first: "key": value. */
void fathom_json_member(const char *key, json_t *value);

/* Print a member that is a list: its beginning, a record of it, its end. */
void fathom_json_begin_list(const char *key);
void fathom_json_item(bool is_first, json_t *value);
void fathom_json_end_list(void);

#endif
