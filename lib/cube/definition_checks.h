/* definition_checks: the numbers by which a file names what it defines. */
#ifndef FATHOM_CUBE_DEFINITION_CHECKS_H
#define FATHOM_CUBE_DEFINITION_CHECKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fathom_cube;
struct fathom_cube_error;

/*
 * Whether the count numbers, each a stride after the one before, are all different; dense:
 * and just 0 to count - 1. 0 or -errno with a line in error.
 */
int fathom_cube_ids_check(struct fathom_cube_error *error, const char *path, const char *what, const uint32_t *ids,
			  size_t stride, uint32_t count, bool dense);

/* A decimal number from least to most, and blanks; false: the text is none. */
bool fathom_cube_integer_parse(const char *text, int64_t least, int64_t most, int64_t *result);

/* Whether there is what every profile has some of. 0 or -errno with a line in error. */
int fathom_cube_counts_check(struct fathom_cube_error *error, const char *path, const struct fathom_cube *cube);

#endif
