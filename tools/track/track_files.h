/*
 * track_files: writes the tracked kinds as lines of values (CSV). The files must not exist; after an error they do not
 * exist either.
 *
 * Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_TRACK_TRACK_FILES_H
#define FATHOM_TOOLS_TRACK_TRACK_FILES_H

#include "tools/track/kind_trends.h"

/* Writes a line for each kind and each experiment. 0, or -errno after an error message. */
int fathom_track_write_kinds(const struct fathom_kind_trends *trends, const char *path);

/* Writes a line for each burst that was clustered, with its cluster and its tracked kind (0: noise). 0, or -errno after
 * an error message. */
int fathom_track_write_bursts(const struct fathom_kind_trends *trends, const char *path);

#endif
