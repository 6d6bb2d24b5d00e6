/*
 * sled_removal: takes all sleds out of the code when a run that measures nothing (FATHOM_MODE=none) starts.
 *
 * Otherwise each call of a function with sleds would execute some ten instructions for nothing. Nothing else of fathom
 * is needed for that, neither libfathom-patch nor .eh_frame: the bytes of a sled cannot be mistaken for anything else
 * (sleds.h). A call is taken for the sled of an exit if it leads to fathom_sled_exit or fathom_sled_tail and is
 * followed by the nopl with the distance to another call, which leads to fathom_sled_enter: eight bytes and two
 * addresses that must be right. The sled of an enter is changed only together with such an exit. (A function that has
 * no exit keeps its sled, which returns at once.)
 *
 * Sleds of libraries that the program loads later with dlopen stay, and return at once.
 */
#ifndef FATHOM_WRAPPERS_COMPILER_SLED_REMOVAL_H
#define FATHOM_WRAPPERS_COMPILER_SLED_REMOVAL_H

#include "config.h"

#ifndef FATHOM_WITHOUT_LATE_HOOKS

/* Takes the sleds out of the program and all libraries that are loaded, unless the setting FATHOM_PATCH is off or the
 * system does not let code be changed. Context: start. */
void fathom_sled_removal_start(void);

#else

static inline void fathom_sled_removal_start(void)
{
}

#endif

#endif
