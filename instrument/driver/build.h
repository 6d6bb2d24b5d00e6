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
#include "driver/installation.h"
#include "driver/word_list.h"

/*
 * Become the compiler. args[0] is its name, count words in all. Returns only if it cannot be
 * run; then the exit code.
 */
int fathom_build_run(const struct fathom_installation *installation, const struct fathom_options *options,
		     char *const *args, size_t count);

/*
 * What would be added to a line of this compiler's, in its order, into added. compiler may have words behind it, as in
 * "gcc -m64", and a launcher before it. Returns 0, or the exit code after one line.
 */
int fathom_build_added(const struct fathom_installation *installation, const struct fathom_options *options,
		       const char *compiler, char *const *args, size_t count, struct fathom_words *added);

#endif
