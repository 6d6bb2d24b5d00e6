#include "cube/reader/location_patterns.h"

#include <string.h>

static uint32_t known_of(const struct fathom_cube_patterns *patterns)
{
	return patterns->recent_count < FATHOM_CUBE_RECENT_PATTERNS ? patterns->recent_count :
								      FATHOM_CUBE_RECENT_PATTERNS;
}

/* Returns the pattern that was added i additions before the next one. */
static const struct fathom_cube_pattern *recent(const struct fathom_cube_patterns *patterns, uint32_t i)
{
	return &patterns->recent[(patterns->recent_count - i) % FATHOM_CUBE_RECENT_PATTERNS];
}

/* Returns one of the texts of a location. */
static const char *text_of(const struct fathom_cube_location *location, enum fathom_cube_text which)
{
	return which == FATHOM_CUBE_TEXT_NAME ? location->name :
	       which == FATHOM_CUBE_TEXT_TYPE ? location->type : location->threads;
}

static bool same_text(const char *kept, const char *text, size_t length)
{
	return kept && strncmp(kept, text, length) == 0 && !kept[length];
}

const char *fathom_cube_patterns_text(const struct fathom_cube_patterns *patterns, const struct fathom_cube *cube,
				      enum fathom_cube_text which, const char *text, size_t length)
{
	uint32_t known = known_of(patterns);
	uint32_t first = cube->groups[cube->group_count - 1].first_pattern, at = cube->pattern_count - 1 - first;

	for (uint32_t i = 1; i <= known; i++) {
		const struct fathom_cube_pattern *pattern = recent(patterns, i);
		const char *kept = at < pattern->count ? text_of(&cube->patterns[pattern->first + at], which) : NULL;

		if (same_text(kept, text, length))
			return kept;
	}
	if (at > 0) {
		const char *kept = text_of(&cube->patterns[first + at - 1], which);

		if (same_text(kept, text, length))
			return kept;
	}
	return NULL;
}

static bool same_or_none(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_patterns(const struct fathom_cube_location *a, const struct fathom_cube_location *b, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		if (a[i].rank != b[i].rank || !same_or_none(a[i].name, b[i].name) ||
		    !same_or_none(a[i].type, b[i].type) || !same_or_none(a[i].threads, b[i].threads))
			return false;
	}
	return true;
}

void fathom_cube_patterns_end(struct fathom_cube_patterns *patterns, struct fathom_cube *cube)
{
	struct fathom_cube_group *group = &cube->groups[cube->group_count - 1];
	struct fathom_cube_pattern mine = { group->first_pattern, cube->pattern_count - group->first_pattern };
	uint32_t known = known_of(patterns);

	if (!mine.count)
		return;
	for (uint32_t i = 1; i <= known; i++) {
		const struct fathom_cube_pattern *other = recent(patterns, i);

		if (other->count == mine.count &&
		    same_patterns(&cube->patterns[other->first], &cube->patterns[mine.first], mine.count)) {
			group->first_pattern = other->first;
			cube->pattern_count = mine.first;
			return;
		}
	}
	patterns->recent[patterns->recent_count++ % FATHOM_CUBE_RECENT_PATTERNS] = mine;
}
