/*
 * comm_descriptions: the descriptions of MPI communicators that processes send to rank 0.
 *
 * All members of a communicator identify it by the same few words (struct fathom_trace_comm_identity). Its first
 * member describes it: its members, the communicator from which it was made, its grid and its name.
 */
#ifndef FATHOM_TRACE_COMM_DESCRIPTIONS_H
#define FATHOM_TRACE_COMM_DESCRIPTIONS_H

#include "trace/comms.h"
#include "trace/definitions/definition_writer.h"

/* Returns bytes rounded up to a multiple of 8. The parts of messages are padded to this size, so that the next part can
 * be read where it lies. Any context. */
static inline uint32_t fathom_trace_padded_bytes(size_t bytes)
{
	return (uint32_t)(bytes + 7) & ~7u;
}

/* Returns the identity of an MPI communicator, which is equal at all its members. Context: finish. */
struct fathom_trace_comm_identity fathom_trace_comm_identify(const struct fathom_trace_comm *comm);

/* For the communicators of which this process is the first member: fathom_trace_comm_descriptions_bytes returns the
 * number of bytes of all their descriptions, and fathom_trace_comm_descriptions_pack writes the descriptions to at,
 * which is aligned to 8 bytes, adds their number to *count, and returns their end. Context: finish. */
size_t fathom_trace_comm_descriptions_bytes(const struct fathom_definitions *defs);
char *fathom_trace_comm_descriptions_pack(const struct fathom_definitions *defs, char *at, uint32_t *count);

/* At rank 0: reads one description into w->descriptions, if the communicator is in the union. Returns the end of the
 * description. Context: finish. */
const char *fathom_trace_comm_description_read(struct fathom_trace_writing *w, const char *at);

#endif
