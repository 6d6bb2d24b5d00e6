/*
 * tau_profiles: reads the profiles of TAU.
 *
 * A run of TAU leaves a file profile.NODE.CONTEXT.THREAD for each thread in one directory, or, with several metrics, in
 * a directory MULTI__METRIC for each metric. A file has a line for each function and one for each call path, whose
 * functions have " => " between them:
 *
 *	3 templated_functions_MULTI_TIME
 *	# Name Calls Subrs Excl Incl ProfileCalls #
 *	"main" 1 2 100 5100 0 GROUP="TAU_DEFAULT"
 *	"main => solve" 2 0 5000 5000 0 GROUP="TAU_DEFAULT | TAU_CALLPATH"
 *	"solve" 2 0 5000 5000 0 GROUP="TAU_DEFAULT"
 *	0 aggregates
 *	1 userevents
 *	# eventname numevents max min mean sumsqr
 *	"Message size sent to all nodes" 4 8 8 8 256
 *
 * Times are in microseconds. A function's own values that belong to none of its call paths are those of a root.
 * A user event becomes two metrics, the sum of its values and their number.
 */
#ifndef FATHOM_TOOLS_IMPORT_TAU_PROFILES_H
#define FATHOM_TOOLS_IMPORT_TAU_PROFILES_H

#include <stdbool.h>

struct fathom_imported_profile;

/* Returns whether a directory contains profiles of TAU. */
bool fathom_tau_profiles_are_in(const char *directory);

/* Adds all profiles of a directory. 0, or -errno after an error message. Context: tool. */
int fathom_tau_profiles_read(struct fathom_imported_profile *profile, const char *directory);

#endif
