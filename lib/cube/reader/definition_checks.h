/* definition_checks: checks of the numbers in definitions that were read. Context of all functions: tool. */
#ifndef FATHOM_CUBE_DEFINITION_CHECKS_H
#define FATHOM_CUBE_DEFINITION_CHECKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fathom_cube;
struct fathom_cube_error;

/*
 * Checks that count numbers, each a stride behind the one before, are all different and, if dense is set, are 0 to
 * count - 1. Returns 0 or -errno with a line in error.
 */
int fathom_cube_ids_check(struct fathom_cube_error *error, const char *path, const char *what, const uint32_t *ids,
			  size_t stride, uint32_t count, bool dense);

/* Parses a decimal number from least to most, with blanks around it; false: the text has another form. */
bool fathom_cube_integer_parse(const char *text, int64_t least, int64_t most, int64_t *result);

/* Checks that the profile has at least one element of each required kind. 0 or -errno with a line in error. */
int fathom_cube_counts_check(struct fathom_cube_error *error, const char *path, const struct fathom_cube *cube);

#endif
