/*
 * profile: the substrate that records a call-path profile of every thread and writes one .cubex file from them.
 */
#ifndef FATHOM_PROFILE_PROFILE_H
#define FATHOM_PROFILE_PROFILE_H

struct fathom_settings;
struct fathom_substrate;

/* Returns the profile's table of functions for the core; there is one profile in a process. NULL: no memory.
 * Context: start. */
const struct fathom_substrate *fathom_profile_substrate(const struct fathom_settings *settings);

#endif
