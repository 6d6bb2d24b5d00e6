/* track_json: prints the experiments and the tracked kinds of bursts for programs. */
#ifndef FATHOM_TOOLS_TRACK_TRACK_JSON_H
#define FATHOM_TOOLS_TRACK_TRACK_JSON_H

#include "tools/track/kind_trends.h"

/* Prints a JSON document to stdout. Context: tool. */
void fathom_track_json(const struct fathom_kind_trends *trends);

/* Prints the kinds as a member of a document, which must not be its first. Context: tool. */
void fathom_track_json_kinds(const struct fathom_kind_trends *trends);

#endif
