/* location_patterns: while a profile is parsed, finds the processes that have the same locations below them. */
#ifndef FATHOM_CUBE_LOCATION_PATTERNS_H
#define FATHOM_CUBE_LOCATION_PATTERNS_H

#include <stddef.h>

#include "cube/cube.h"

/* How many patterns a group is compared with; programs that start the same way everywhere have few. */
enum { FATHOM_CUBE_RECENT_PATTERNS = 16 };

struct fathom_cube_pattern {
	uint32_t first, count;		/* in cube->patterns */
};

struct fathom_cube_patterns {		/* all zero: none yet */
	struct fathom_cube_pattern recent[FATHOM_CUBE_RECENT_PATTERNS];
	uint32_t recent_count;		/* ever; the last ones are in recent */
};

enum fathom_cube_text { FATHOM_CUBE_TEXT_NAME, FATHOM_CUBE_TEXT_TYPE, FATHOM_CUBE_TEXT_THREADS };

/* The text as a location in the last one's place of a pattern has it, or the location before; NULL: none has. */
const char *fathom_cube_patterns_text(const struct fathom_cube_patterns *patterns, const struct fathom_cube *cube,
				      enum fathom_cube_text which, const char *text, size_t length);

/* What is below the last group is complete: it is forgotten if another group has the same. */
void fathom_cube_patterns_end(struct fathom_cube_patterns *patterns, struct fathom_cube *cube);

#endif
