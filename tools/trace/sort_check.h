/*
 * sort_check: whether the events of a trace are in order: the times of each location, and messages received after they
 * were sent.
 */
#ifndef FATHOM_TOOLS_TRACE_SORT_CHECK_H
#define FATHOM_TOOLS_TRACE_SORT_CHECK_H

#include "otf2/archive_reader.h"

/* Reads the events of the trace, whose definitions are read, and prints the result. *is_sorted says whether all is in
 * order. 0, or -errno after an error message. Context: tool. */
int fathom_sort_check_print(struct fathom_otf2_archive *trace, bool json, bool *is_sorted);

#endif
