/*
 * algebra_inputs: the profiles that an operation combines, and how their call paths, metrics and locations match.
 *
 * Matching: metrics by their unique names. Call paths if their callers, parameters and regions match: first regions
 * with equal names, files, roles and lines, then without the lines, then without the files, then without what compilers
 * append to names (match_key.h); each call path of a profile matches at most one of the result. The roots of the
 * programs match whatever the programs are called. Loops (scope_region.h) match by their distance from the begin of
 * their function; what is called from a loop or inlined function that the other profile lacks matches what the same
 * function calls elsewhere. Locations by the rank of the process and their number in it. If the profiles differ in
 * their locations, each process becomes one location; if they differ in their processes, all locations of a profile
 * become one. The values are then sums. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_ALGEBRA_ALGEBRA_INPUTS_H
#define FATHOM_TOOLS_ALGEBRA_ALGEBRA_INPUTS_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "tools/algebra/united_tree.h"
#include "tools/common/profile.h"

enum { FATHOM_ALGEBRA_INPUTS_MOST = 64 };

struct fathom_algebra_input {
	char path[PATH_MAX];
	struct fathom_profile profile;
	/* Lists of the call paths that make up one of the result: the first by call path of the result, the next by
	 * call path of the profile; -1: none. */
	int32_t *first, *next;
	bool *is_absorbed;	/* by call path of the profile: it is put into its caller; NULL: none is */
	int32_t *metric;	/* by metric of the result: its number in the profile; -1: the profile lacks it */
	uint32_t *column;	/* by location: its column in the result; NULL: the same number */
};

enum fathom_algebra_columns { FATHOM_COLUMNS_SAME, FATHOM_COLUMNS_PROCESSES, FATHOM_COLUMNS_WHOLE };

struct fathom_algebra {
	struct fathom_algebra_input inputs[FATHOM_ALGEBRA_INPUTS_MOST];
	uint32_t count;
	struct fathom_cube cube;	/* the definitions of the result */
	enum fathom_algebra_columns columns;
	bool hides_lines;			/* nothing is printed about results */
};

/* Opens the profiles that the targets name. 0, or -errno after an error message. */
int fathom_algebra_open(struct fathom_algebra *algebra, char *const *targets, int count);

/* Finds the call paths and locations of the result, and how those of the inputs match them. */
void fathom_algebra_match(struct fathom_algebra *algebra);

/* Sets the lists of an input's call paths that make up those of the result. node: by call path of the input, its number
 * in the tree, which is finished; -1: it has none there. */
void fathom_algebra_set_members(struct fathom_algebra *algebra, struct fathom_algebra_input *input,
				const struct fathom_united_tree *tree, const int32_t *node);

/* Gives the result the nodes, processes and locations that all inputs have. */
void fathom_algebra_match_locations(struct fathom_algebra *algebra);

void fathom_algebra_fini(struct fathom_algebra *algebra);

#endif
