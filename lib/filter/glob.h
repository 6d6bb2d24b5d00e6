/*
 * glob: patterns of the shell. * any text, slashes included; ? one character; [abc] [a-z] [!a-z] [[:digit:]] one of
 * these; \ takes the next character as it is. As fnmatch does in the C locale, but in a time that
 * grows with the lengths' product at most, and without memory.
 */
#ifndef FATHOM_FILTER_GLOB_H
#define FATHOM_FILTER_GLOB_H

#include <stdbool.h>
#include <stddef.h>

/* Whether the pattern, which has no error, matches the bytes of text as a whole. */
bool fathom_glob_matches(const char *pattern, const char *text, size_t bytes);

/* What is wrong with a pattern, and where; NULL: nothing. */
const char *fathom_glob_error(const char *pattern, const char **where);

#endif
