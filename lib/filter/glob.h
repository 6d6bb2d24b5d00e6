/*
 * glob: patterns as in the shell. * matches any text, including slashes; ? one character; [abc] [a-z] [!a-z]
 * [[:digit:]] one of several characters; \ takes the next character literally. The result is that of fnmatch in the C
 * locale, in a time that grows at most with the product of the lengths, and without memory. Context of all functions:
 * signal.
 */
#ifndef FATHOM_FILTER_GLOB_H
#define FATHOM_FILTER_GLOB_H

#include <stdbool.h>
#include <stddef.h>

/* Returns whether the pattern, which must have no error, matches the whole text of that many bytes. */
bool fathom_glob_matches(const char *pattern, const char *text, size_t bytes);

/* Returns a message about an error in the pattern and its position in *where; NULL: there is no error. */
const char *fathom_glob_error(const char *pattern, const char **where);

#endif
