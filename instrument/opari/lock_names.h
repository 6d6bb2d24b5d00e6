/*
 * lock_names: the names of OpenMP's lock functions.
 */
#ifndef FATHOM_OPARI_LOCK_NAMES_H
#define FATHOM_OPARI_LOCK_NAMES_H

#include <stddef.h>

/* Returns whether name is that of a lock function, in upper or lower case. */
int fathom_lock_is(const char *name, size_t length);

#endif
