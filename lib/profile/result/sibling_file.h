/*
 * sibling_file: the names of the files next to a profile: NAME next to profile.cubex, rank-N.NAME next to rank-N.cubex.
 */
#ifndef FATHOM_PROFILE_SIBLING_FILE_H
#define FATHOM_PROFILE_SIBLING_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* Sets path to that of the file name next to the profile. While a process is crashing, the name of its profile has one
 * more ending, which does not matter. False: there is no room. Context: finish, signal. */
bool fathom_sibling_file(const char *profile, const char *name, char *path, size_t bytes);

#endif
