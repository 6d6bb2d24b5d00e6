/*
 * comm_descriptions: what the first member of each communicator of MPI tells rank 0 of it.
 */
#ifndef FATHOM_TRACE_COMM_DESCRIPTIONS_H
#define FATHOM_TRACE_COMM_DESCRIPTIONS_H

#include "trace/definition_writer.h"

/* Parts of messages take a multiple of 8 bytes, so that what is in them can be read where it lies. */
static inline uint32_t fathom_trace_in_eights(size_t bytes)
{
	return (uint32_t)(bytes + 7) & ~7u;
}

/* A communicator of MPI as all its members call it. Context: finish. */
struct fathom_trace_comm_thing fathom_trace_told_thing(const struct fathom_trace_comm *comm);

/* Those of which this process is the first member: their bytes, and these themselves, put at a multiple of 8. *count
 * grows by how many there are; returns where they end. Context: finish. */
size_t fathom_trace_told_bytes(const struct fathom_definitions *own);
char *fathom_trace_told_put(const struct fathom_definitions *own, char *at, uint32_t *count);

/* Rank 0: take one into w->told; returns where it ends. Context: finish. */
const char *fathom_trace_told_read(struct fathom_trace_writing *w, const char *at);

#endif
