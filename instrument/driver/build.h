/*
 * build: runs a compiler with the words that instrumentation adds to its command line.
 *
 * The process replaces itself by the compiler, and the words that the user wrote stay in their places. So exit code,
 * signals, output and everything else that a build system can see are the compiler's own. Sources with OpenMP are
 * compiled a second time (openmp.h).
 */
#ifndef FATHOM_DRIVER_BUILD_H
#define FATHOM_DRIVER_BUILD_H

#include <stddef.h>

#include "common/word_list.h"
#include "driver/installation.h"
#include "driver/options.h"

/* Replaces the process by the compiler. args[0] is the compiler's name, count the number of all words. Returns only if
 * the compiler cannot be run; the result is the exit code. */
int fathom_build_run(const struct fathom_installation *installation, const struct fathom_options *options,
		     char *const *args, size_t count);

/*
 * Sets added to the words that would be added to a command line of this compiler, in their order. compiler may have
 * options, as in "gcc -m64", and a launcher before it. Returns 0, or the exit code after a message.
 */
int fathom_build_added(const struct fathom_installation *installation, const struct fathom_options *options,
		       const char *compiler, char *const *args, size_t count, struct fathom_words *added);

#endif
