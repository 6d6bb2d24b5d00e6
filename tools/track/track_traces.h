/*
 * track_traces: writes copies of the traces in which each burst is marked with its tracked kind.
 */
#ifndef FATHOM_TOOLS_TRACK_TRACK_TRACES_H
#define FATHOM_TOOLS_TRACK_TRACK_TRACES_H

#include "tools/track/kind_trends.h"

/* Writes the copy of experiment N, from 1, into DIRECTORY/N. 0, or -errno after an error message, and the directory
 * does not exist. Context: tool. */
int fathom_track_write_traces(const struct fathom_kind_trends *trends, const char *directory);

#endif
