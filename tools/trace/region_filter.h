/*
 * region_filter: applies the rules of a filter file to the regions of a trace.
 */
#ifndef FATHOM_TOOLS_TRACE_REGION_FILTER_H
#define FATHOM_TOOLS_TRACE_REGION_FILTER_H

#include "otf2/archive_reader.h"

struct fathom_region_filter;

/* Reads the file of rules. NULL after an error message. The trace must live as long as the filter. Context: tool. */
struct fathom_region_filter *fathom_region_filter_create(const char *path, struct fathom_otf2_archive *trace);
void fathom_region_filter_destroy(struct fathom_region_filter *filter);

/* Returns whether the rules exclude the region of an enter or leave, with or without calling context. Context: tool. */
bool fathom_region_filter_excludes(struct fathom_region_filter *filter, const struct fathom_otf2_event *event);

#endif
