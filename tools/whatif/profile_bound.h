/*
 * profile_bound: what faster code can gain at most, from a profile alone.
 *
 * A profile does not say who waits for whom. If a part s of the time of all threads takes 1/x of its time, and nobody
 * waits longer, the run is 1 / (1 - s (1 - 1/x)) times as fast (Amdahl's law); waiting can only make this less.
 */
#ifndef FATHOM_TOOLS_WHATIF_PROFILE_BOUND_H
#define FATHOM_TOOLS_WHATIF_PROFILE_BOUND_H

#include "tools/whatif/whatif_options.h"

/* Prints the bounds of the regions of the profile at path, of the rules of --faster, and of the efficiencies. 0, or
 * -errno after an error message. Context: tool. */
int fathom_profile_bound(const char *path, struct fathom_whatif_options *options);

#endif
