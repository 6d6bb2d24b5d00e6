/*
 * profile: the substrate that keeps a call-path profile of every thread and makes one
 * .cubex file of them.
 */
#ifndef FATHOM_PROFILE_PROFILE_H
#define FATHOM_PROFILE_PROFILE_H

struct fathom_settings;
struct fathom_substrate;

/* The table of functions for the event core; there is one profile in a process. Context: start. */
const struct fathom_substrate *fathom_profile_substrate(const struct fathom_settings *settings);

#endif
