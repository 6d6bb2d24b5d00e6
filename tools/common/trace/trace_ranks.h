/*
 * trace_ranks: the processes of a trace that a user names by ranks.
 */
#ifndef FATHOM_TOOLS_COMMON_TRACE_RANKS_H
#define FATHOM_TOOLS_COMMON_TRACE_RANKS_H

#include <stdbool.h>

#include "otf2/archive_reader.h"

/* Returns which processes the value of an option --ranks, such as 0-3,8, names, by index; the caller frees them. NULL
 * after an error message. Context: tool. */
bool *fathom_trace_ranks_parse(const char *ranks, struct fathom_otf2_archive *trace);

#endif
