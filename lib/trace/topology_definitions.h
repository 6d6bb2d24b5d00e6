/*
 * topology_definitions: the topologies that programs told of, in the definitions of a trace.
 */
#ifndef FATHOM_TRACE_TOPOLOGY_DEFINITIONS_H
#define FATHOM_TRACE_TOPOLOGY_DEFINITIONS_H

#include <stdint.h>

#include "system/definition_pool.h"

struct fathom_trace;
struct fathom_trace_writing;

/* Put in what this process has; list: its count traces. 0 or -ENOMEM. Context: finish. */
int fathom_trace_grids_list(struct fathom_pool *pool, uint32_t rank, const struct fathom_trace **list, uint32_t count);

/* At rank 0, once communicators are written. Context: finish. */
void fathom_trace_grids_write(struct fathom_trace_writing *w, const struct fathom_pool *pool);

#endif
