/*
 * comm_definitions: the definitions of groups and communicators of the whole trace, which rank 0 writes.
 */
#ifndef FATHOM_TRACE_COMM_DEFINITIONS_H
#define FATHOM_TRACE_COMM_DEFINITIONS_H

#include <stdint.h>

#include "trace/definitions/definition_writer.h"

/* At rank 0, after the locations: writes all groups and communicators of the union, and the topologies of Cartesian
 * communicators. Sets comm_names of the definitions. Errors are noted in w. Context: finish. */
void fathom_trace_write_comms(struct fathom_trace_writing *w);

/* Returns the number in the trace of the communicator of all processes; OTF2_UNDEFINED_COMM: there is none. Called
 * after fathom_trace_write_comms. Context: finish. */
uint32_t fathom_trace_world(const struct fathom_trace_writing *w);

#endif
