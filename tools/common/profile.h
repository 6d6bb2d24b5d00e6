/*
 * profile: a profile in the form that the commands need: the call tree with values over all locations, or over the
 * locations of one rank.
 *
 * Own (exclusive) values are of a call path itself; inclusive values add those of the call paths below. A file contains
 * explicit OpenMP tasks twice: as a stub where a thread ran them, and in detail in a separate tree. `counted` selects
 * the call paths to add up so that nothing is counted twice: the details instead of the stubs if both agree, otherwise
 * the stubs. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_COMMON_PROFILE_H
#define FATHOM_TOOLS_COMMON_PROFILE_H

#include "define/activity.h"
#include "cube/derived.h"
#include "cube/reader/reader.h"
#include "tools/common/profile_columns.h"
#include "tools/common/profile_rows.h"

enum fathom_values_kind { FATHOM_VALUES_SUM, FATHOM_VALUES_LEAST, FATHOM_VALUES_MOST, FATHOM_VALUES_RATIO };

struct fathom_values {		/* of a metric, one for each cnode */
	const struct fathom_cube_metric *metric;
	enum fathom_values_kind kind;	/* LEAST, MOST: of one visit; own and inclusive are equal */
	double factor;			/* of a RATIO; if the lower part is 0, the ratio is never */
	double *above, *below;		/* of a RATIO: own values of its parts */
	double *own;
	double *inclusive;
	double total;			/* over all counted call paths */
};

/* Opens a profile for the values of rank (-1: of all ranks). 0, or -errno after an error message. */
int fathom_profile_open(struct fathom_profile *profile, const char *path, int64_t rank);
void fathom_profile_close(struct fathom_profile *profile);

/* Returns whether the profile has values of the metric, or of the metrics of its formula. */
bool fathom_profile_has_values(const struct fathom_profile *profile, uint32_t metric);

/* A formula: a ratio of two metrics, times a factor. */
struct fathom_ratio {
	uint32_t above, below;
	double factor;
};

/* Finds the metrics of a formula. False: the metric is no formula of fathom, or the file lacks a metric of the
 * formula. */
bool fathom_profile_formula(const struct fathom_profile *profile, uint32_t metric, struct fathom_ratio *ratio);

/* Returns the ratio of two sums, times factor; "never" if below is 0. */
double fathom_ratio_of(double factor, double above, double below);

/* Returns the activity class of a region: by fathom's rules, or for files of other tools by the rules of Score-P's
 * remapping, so that the report shows these files in the same way as their own tools. */
enum fathom_activity fathom_profile_activity(const struct fathom_profile *profile,
					     const struct fathom_cube_region *region);

/* Reads the values of a metric that has some. 0, or -errno after an error message. */
int fathom_profile_values(struct fathom_profile *profile, uint32_t metric, struct fathom_values *values);
void fathom_values_free(struct fathom_values *values);

/* Returns whether a value is the neutral one of a minimum or maximum: there was no visit. */
bool fathom_value_is_never(double value);

/* Returns whether a call path is the root of the whole program, which contains the time before and after main. */
bool fathom_profile_is_program(const struct fathom_profile *profile, uint32_t cnode);

const struct fathom_cube_region *fathom_profile_region(const struct fathom_profile *profile, uint32_t cnode);

/* Return the group with that rank, -1: there is none; and whether a group is a process. */
int32_t fathom_profile_group(const struct fathom_cube *cube, int64_t rank);
bool fathom_group_is_process(const struct fathom_cube_group *group);

#endif
