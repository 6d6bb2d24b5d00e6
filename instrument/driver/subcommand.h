/*
 * subcommand: the commands of fathom (`fathom report`, ...), most of which are programs of their own.
 */
#ifndef FATHOM_DRIVER_SUBCOMMAND_H
#define FATHOM_DRIVER_SUBCOMMAND_H

#include <stddef.h>
#include <stdio.h>

#include "driver/installation.h"

/* Returns whether word is a command of fathom. Its program may be missing nevertheless. */
int fathom_subcommand_is_known(const char *word);

/* Returns whether there is a program for this word, which may be unknown to fathom. */
int fathom_subcommand_is_there(const struct fathom_installation *installation, const char *word);

/* Replaces the process by the program for args[0]. Returns only if it cannot be run; the result is the exit code. */
int fathom_subcommand_run(const struct fathom_installation *installation, char *const *args, size_t count);

/* Returns the known command whose name is most similar to word, or NULL. */
const char *fathom_subcommand_nearest(const char *word);

/* Prints the known commands with their purpose, a line each. */
void fathom_subcommand_list(FILE *out);

#endif
