/*
 * select: which functions of a file are worth measuring.
 */
#ifndef FATHOM_PLUGIN_SELECT_H
#define FATHOM_PLUGIN_SELECT_H

#include "filter/filter.h"

/*
 * Measuring a call takes 114 instructions and reads the clock twice, which is as long as some 300
 * instructions or 60 ns. The count runs a third above what GCC makes of a function at -O2 (the
 * median over 52 functions of Lua), and in C++ with its accessors two or three times above (helpers of
 * test/bench/hydro.cc). So 10000 are 3000 to 7500 instructions. Only what surely takes less is left out,
 * for loops and calls that can take any time count as more: for each point of a grid, or each pair of
 * particles, such a function is called, and of what is called all the time and takes longer than that,
 * measuring is some per cent at most.
 */
#define FATHOM_DEFAULT_MIN_INSNS 10000

/* What hooks the functions get. */
enum fathom_hooks {
	FATHOM_HOOKS_EARLY,		/* those of -finstrument-functions */
	FATHOM_HOOKS_LATE,		/* sleds, where they can be */
};

struct fathom_selection {
	unsigned min_insns;		/* smaller functions are left out */
	enum fathom_hooks hooks;
	struct fathom_filter filter;
	int verbose;			/* say on stderr what was decided of each function */
};

/*
 * Mark every function of the file that shall not be instrumented, or have sleds. To be called once, when the
 * front end has read the file and no body has been lowered yet.
 */
void fathom_select_all(const struct fathom_selection *selection);

#endif
