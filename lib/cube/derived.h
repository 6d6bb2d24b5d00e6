/*
 * derived: metrics that are worked out from others: instructions a cycle, shares of misses. The file has them as
 * formulas in its remapping specification (metric_tree.h); the reader adds them to a profile of ours by itself.
 *
 * Each is a ratio of two metrics with a factor; readers of CUBE4 evaluate it for whatever is selected. Those of the
 * table are known by their names. Besides, what the program gave at points ("load", "load::count", ...) has a mean:
 * "load::mean".
 */
#ifndef FATHOM_CUBE_DERIVED_H
#define FATHOM_CUBE_DERIVED_H

#include <stdbool.h>

#include "cube/cube.h"

struct fathom_derived {
	const char *name, *title, *unit, *description;
	const char *above, *below;	/* unique names, as a file has them */
	double factor;
	const char *expression;		/* the same in CubePL */
};

enum { FATHOM_DERIVED_MOST = 32 };

/* They end with one without a name. */
extern const struct fathom_derived fathom_derived_table[];

/* Whether two unique names are one in the file: what is no letter, digit, ':', '_' or '=' is '_' there. */
bool fathom_derived_is_called(const char *name, const char *wanted);

/* NULL: there is none of that name. */
const struct fathom_derived *fathom_derived_find(const char *name);

/* Whether a derived metric of a cube that was read is one of these. */
bool fathom_derived_is_known(const struct fathom_cube *cube, uint32_t metric);

/*
 * Put those whose metrics the cube has, and which it lacks, behind its metrics, which have room for FATHOM_DERIVED_MOST
 * more. Texts come from arena. 0 or -ENOMEM.
 */
struct fathom_arena;
int fathom_derived_add(struct fathom_cube *cube, struct fathom_arena *arena);

#endif
