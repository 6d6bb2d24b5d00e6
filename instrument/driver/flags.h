/*
 * flags: the command `fathom flags', which prints the words that fathom would add to a compiler's command line, for
 * builds that cannot put a command before the compiler.
 */
#ifndef FATHOM_DRIVER_FLAGS_H
#define FATHOM_DRIVER_FLAGS_H

#include <stddef.h>
#include <stdio.h>

#include "driver/installation.h"

void fathom_flags_help(FILE *out);

/* Prints the flags. args are the words behind `fathom flags'. Returns the exit code. */
int fathom_flags_run(const struct fathom_installation *installation, char *const *args, size_t count);

#endif
