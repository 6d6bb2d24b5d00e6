/*
 * context_definitions: the definitions of calling contexts and of the sources of samples, of all processes.
 *
 * A context refers to another one and to a region, whose numbers differ from process to process. So an entry of the
 * pool has digests in place of numbers: 16 bytes that are made of all regions and places on the way to the context. Two
 * contexts have the same digest with a probability of 2^-128; no protection against a deliberate collision is needed.
 *
 * Rank 0 looks up the source lines of the contexts' places. Contexts of the same region, in the same line, below the
 * same context are one context in the trace. Context of all functions: finish.
 */
#ifndef FATHOM_TRACE_DEFINITIONS_CONTEXT_DEFINITIONS_H
#define FATHOM_TRACE_DEFINITIONS_CONTEXT_DEFINITIONS_H

#include "system/definition_pool.h"
#include "trace/definitions/definition_writer.h"
#include "trace/samples/calling_contexts.h"

/* The pools of all processes. All zero: the trace has no samples. */
struct fathom_context_pools {
	struct fathom_pool contexts;	/* number: as in samples/calling_contexts.h */
	struct fathom_pool generators;	/* number: as in samples/calling_contexts.h */
	uint32_t *names;		/* at rank 0, by context of the union: its number in the trace */
};

/* Lists the contexts and generators of this process. regions has the regions of this process, by their ids. 0 or
 * -ENOMEM. */
int fathom_context_pools_list(struct fathom_context_pools *pools, const struct fathom_pool *regions);

/* Called by all processes: makes the unions. 0 or -errno: comm is broken. */
int fathom_context_pools_reduce(struct fathom_context_pools *pools, struct fathom_comm *comm);

/* At rank 0: writes the contexts and generators of the union. regions is the union of the regions, and region_names has
 * their numbers in the trace. An error is stored in w. */
void fathom_context_pools_write(struct fathom_context_pools *pools, struct fathom_trace_writing *w,
				const struct fathom_pool *regions, const uint32_t *region_names);

/* Called by all processes: receives the numbers in the trace, in memory of pools. 0 or -errno. */
int fathom_context_pools_hand_back(struct fathom_context_pools *pools, struct fathom_comm *comm,
				   struct fathom_context_numbers *numbers);

/* Frees the pools. */
void fathom_context_pools_fini(struct fathom_context_pools *pools);

#endif
