/*
 * derived: metrics that are worked out from others, as formulas in the file: instructions a cycle, shares of misses.
 *
 * Each is a ratio of two metrics with a factor; readers of CUBE4 evaluate it for whatever is selected.
 */
#ifndef FATHOM_CUBE_DERIVED_H
#define FATHOM_CUBE_DERIVED_H

#include "cube/cube.h"

struct fathom_derived {
	const char *name, *title, *unit, *description;
	const char *above, *below;	/* unique names, as a file has them */
	double factor;
	const char *expression;		/* the same in CubePL */
};

enum { FATHOM_DERIVED_MOST = 16 };

/* They end with one without a name. */
extern const struct fathom_derived fathom_derived_table[];

/* NULL: there is none of that name. */
const struct fathom_derived *fathom_derived_find(const char *name);

/* Put those whose metrics the cube has behind its metrics, which have room for FATHOM_DERIVED_MOST more; returns how
 * many. */
uint32_t fathom_derived_add(struct fathom_cube *cube);

#endif
