/*
 * run_command: fathom run, which starts a program as it is with the measurement preloaded.
 */
#ifndef FATHOM_DRIVER_RUN_COMMAND_H
#define FATHOM_DRIVER_RUN_COMMAND_H

#include <stddef.h>
#include <stdio.h>

#include "driver/installation.h"

/* Runs a program. args are the words behind `run`. Returns only if the program cannot be run; the result is the exit
 * code. */
int fathom_run_program(const struct fathom_installation *installation, char *const *args, size_t count);

/* Prints the text of `fathom help run`. */
void fathom_run_help(FILE *out);

#endif
