/*
 * derived: metrics that are computed from others: instructions per cycle, shares of misses. The file has them as
 * formulas in its remapping specification (metric_tree.h); for a profile of fathom, the reader adds them by itself.
 *
 * Each is a ratio of two metrics with a factor; readers of CUBE4 evaluate it for the current selection. The table lists
 * them by name. In addition, values at points of the user API ("load", "load::count", ...) have a mean: "load::mean".
 * Context of all functions: tool; fathom_derived_is_called also signal.
 */
#ifndef FATHOM_CUBE_DERIVED_H
#define FATHOM_CUBE_DERIVED_H

#include <stdbool.h>

#include "cube/cube.h"

struct fathom_derived {
	const char *name, *title, *unit, *description;
	const char *above, *below;	/* unique names, in the spelling of files */
	double factor;
	const char *expression;		/* the same in CubePL */
};

enum { FATHOM_DERIVED_MOST = 32 };

/* The table ends with an entry without a name. */
extern const struct fathom_derived fathom_derived_table[];

/* Returns whether two unique names are equal in the file, where characters other than letters, digits, ':', '_' and '='
 * become '_'. */
bool fathom_derived_is_called(const char *name, const char *wanted);

/* Returns the derived metric of that name; NULL: there is none. */
const struct fathom_derived *fathom_derived_find(const char *name);

/* Returns whether a derived metric of a cube that was read is in the table or a mean. */
bool fathom_derived_is_known(const struct fathom_cube *cube, uint32_t metric);

/*
 * Adds the derived metrics that the cube lacks and whose parts it has behind its metrics, which must have space for
 * FATHOM_DERIVED_MOST more. Texts come from arena. 0 or -ENOMEM.
 */
struct fathom_arena;
int fathom_derived_add(struct fathom_cube *cube, struct fathom_arena *arena);

#endif
