/*
 * select: decides which functions of a source file get hooks.
 */
#ifndef FATHOM_PLUGIN_SELECT_H
#define FATHOM_PLUGIN_SELECT_H

#include "filter/filter.h"

/*
 * The default of min_insns. To measure a call takes 114 instructions and two readings of the clock, which is as long as
 * some 300 instructions or 60 ns. The estimate from finished code (late/work.h) is close to the number of instructions.
 * The estimate from the source (measure.h) is a third above the number of instructions that GCC
 * generates at -O2 (median over 52 functions of Lua), and in C++ with its accessors two or three times above (helpers
 * of test/bench/hydro.cc). So an estimate of 10000 means 3000 to 7500 instructions. A function is left out only if it
 * certainly takes less: a loop or call of unknown duration counts as more. Functions below this limit are those that a
 * program calls for each point of a grid or each pair of particles. For functions above it, measuring costs some per
 * cent at most, even if they are called all the time.
 */
#define FATHOM_DEFAULT_MIN_INSNS 10000

/* The kind of hooks that the functions get. */
enum fathom_hooks {
	FATHOM_HOOKS_EARLY,		/* the hooks of -finstrument-functions */
	FATHOM_HOOKS_LATE,		/* sleds; early hooks for functions that cannot have sleds */
};

/* Which calls of functions with late hooks are measured. Early hooks measure all calls in any case. */
enum fathom_calls {
	FATHOM_CALLS_COMPILED,		/* those that GCC leaves in the code: functions are inlined as without hooks */
	FATHOM_CALLS_ALL,		/* all: functions with hooks are not inlined */
};

struct fathom_selection {
	unsigned min_insns;		/* functions with a smaller estimate are left out; 0: none */
	enum fathom_hooks hooks;
	enum fathom_calls calls;
	struct fathom_filter filter;
	int verbose;			/* 1: the plugin prints its decision about each function to stderr */
};

/*
 * Decides about each function of the file, as far as the source shows it: marks functions that get no hooks and those
 * that get hooks in any case, and passes the others to late/compiled_functions.h. To be called once, when the front end
 * has read the file and no body has been lowered yet.
 */
void fathom_select_all(const struct fathom_selection *selection);

#endif
