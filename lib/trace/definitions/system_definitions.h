/*
 * system_definitions: the system tree of a trace, built by all processes (system/builder.h) and written by rank 0.
 *
 * The number of a node in the trace is its position in a depth-first walk over the tree's nodes.
 */
#ifndef FATHOM_TRACE_SYSTEM_DEFINITIONS_H
#define FATHOM_TRACE_SYSTEM_DEFINITIONS_H

#include "trace/definitions/definition_writer.h"
#include "trace/definitions/definition_pools.h"

/* Builds the system and its labels in defs, together with all processes of comm. 0; -ENOMEM, the same in all
 * processes; or another -errno: comm is broken. Context: finish. */
int fathom_trace_system_build(struct fathom_definitions *defs, struct fathom_comm *comm,
			      const struct fathom_result *result);

/* At rank 0: writes the nodes of the system tree, and sets w->node_of. Errors are noted in w. Context: finish. */
void fathom_trace_write_system(struct fathom_trace_writing *w);

#endif
