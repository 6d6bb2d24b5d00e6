/*
 * location_patterns: finds processes with equal locations while a profile is parsed. Context of all functions: tool.
 */
#ifndef FATHOM_CUBE_LOCATION_PATTERNS_H
#define FATHOM_CUBE_LOCATION_PATTERNS_H

#include <stddef.h>

#include "cube/cube.h"

/* Number of patterns that a group is compared with; programs with equal processes have few. */
enum { FATHOM_CUBE_RECENT_PATTERNS = 16 };

struct fathom_cube_pattern {
	uint32_t first, count;		/* in cube->patterns */
};

struct fathom_cube_patterns {		/* all zero: empty */
	struct fathom_cube_pattern recent[FATHOM_CUBE_RECENT_PATTERNS];
	uint32_t recent_count;		/* number of all patterns; recent has the last ones */
};

enum fathom_cube_text { FATHOM_CUBE_TEXT_NAME, FATHOM_CUBE_TEXT_TYPE, FATHOM_CUBE_TEXT_THREADS };

/* Returns an equal text that the same location of an earlier pattern, or the location before, has; NULL: there is
 * none. */
const char *fathom_cube_patterns_text(const struct fathom_cube_patterns *patterns, const struct fathom_cube *cube,
				      enum fathom_cube_text which, const char *text, size_t length);

/* Ends the last group: its locations are removed if a recent group has equal ones, and the group refers to those. */
void fathom_cube_patterns_end(struct fathom_cube_patterns *patterns, struct fathom_cube *cube);

#endif
