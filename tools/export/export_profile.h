/*
 * export_profile: the values of one metric in the form that most formats need: whole numbers, own and inclusive, for
 * each call path.
 *
 * Times are in nanoseconds. Values are rounded so that the sum of a region over its call paths is off by at most half a
 * unit: the rounding error of one call path is added to the next one of the region. Inclusive values are sums of
 * the rounded own values. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_EXPORT_EXPORT_PROFILE_H
#define FATHOM_TOOLS_EXPORT_EXPORT_PROFILE_H

#include "tools/common/profile.h"

struct fathom_export_profile {
	struct fathom_profile *profile;		/* the caller's */
	const struct fathom_cube_metric *metric;
	bool is_time;
	const char *unit;	/* of the whole numbers: "nanoseconds", "bytes", "count" or another word */
	char other_unit[80];
	int64_t *own;		/* by cnode; 0 for call paths that are not counted; never negative */
	int64_t *inclusive;	/* by cnode */
	int64_t *visits;	/* by cnode; NULL: the profile has no visits */
	int64_t total;
};

/* Reads a metric, which must be a sum. 0, or -errno after an error message. */
int fathom_export_profile_init(struct fathom_export_profile *source, struct fathom_profile *profile, uint32_t metric);
void fathom_export_profile_fini(struct fathom_export_profile *source);

/* Returns the name of a call path in a flame graph: its region, with the values of its parameters. text is used if
 * there are parameters. */
const char *fathom_export_frame_name(const struct fathom_cube *cube, uint32_t cnode, char *text, size_t bytes);

/* Returns the name of the measured program; "" if it is not known. */
const char *fathom_export_program(const struct fathom_cube *cube);

/* Returns the line of a region; 0: not known. */
uint32_t fathom_export_line(const struct fathom_cube_region *region);

#endif
