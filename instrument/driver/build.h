/*
 * build: run a compiler with what instrumentation adds to its command line.
 *
 * There is one compiler command, ours replaces itself by it, and the words the user wrote stay
 * as and where they are. So exit code, signals, output and everything else that a build
 * system can see are the compiler's own. Sources with OpenMP are compiled a second time (openmp.h).
 */
#ifndef FATHOM_DRIVER_BUILD_H
#define FATHOM_DRIVER_BUILD_H

#include <stddef.h>

#include "driver/options.h"
#include "driver/place.h"

/*
 * Become the compiler. args[0] is its name, count words in all. Returns only if it cannot be
 * run; then the exit code.
 */
int fathom_build_run(const struct fathom_place *place, const struct fathom_options *options, char *const *args,
		     size_t count);

#endif
