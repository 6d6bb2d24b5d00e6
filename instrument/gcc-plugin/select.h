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
 * test/bench/hydro.cc). So 600 are 200 to 450 instructions: of what is smaller, most of the time
 * would be measuring, and that time were wrong.
 */
#define FATHOM_DEFAULT_MIN_INSNS 600

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
