/*
 * neighborhoods: the neighbours of processes in communicators, for neighbourhood operations.
 *
 * fathom's own traces list the neighbours in an attribute of each operation. In other traces, the neighbours follow
 * from the Cartesian topology of the communicator, if the trace has one. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_ANALYZE_NEIGHBORHOODS_H
#define FATHOM_TOOLS_ANALYZE_NEIGHBORHOODS_H

#include <stdbool.h>

#include "otf2/archive_reader.h"
#include "otf2/event_reader.h"

/* The neighbours of one process, by their ranks in the communicator: the sources, then the destinations. */
struct fathom_neighbor_list {
	uint32_t *ranks;
	size_t room;
	uint32_t source_count, destination_count;
};

struct fathom_neighborhoods {
	struct fathom_otf2_defs *defs;
	bool has_attribute;
	uint32_t attribute;			/* id of the attribute that lists the neighbours, if the trace has it */
	uint32_t **rank_at;			/* by topology: the rank at each position, the last dimension
						 * running fastest; made at the first use */
	struct fathom_neighbor_list list;	/* of the operation that was asked for last */
};

/* Prepare for a trace whose definitions are read, and free everything. */
void fathom_neighborhoods_init(struct fathom_neighborhoods *neighborhoods, struct fathom_otf2_defs *defs);
void fathom_neighborhoods_fini(struct fathom_neighborhoods *neighborhoods);

/* Returns whether event has the attribute that lists neighbours, and so completes a neighbourhood operation. */
bool fathom_lists_neighbors(const struct fathom_neighborhoods *neighborhoods, const struct fathom_otf2_event *event);

/* Returns the neighbours of a process in a neighbourhood operation, which event completes on the communicator with the
 * index comm. They stay until the next call. NULL: the trace does not have them. */
const struct fathom_neighbor_list *fathom_neighbors_of(struct fathom_neighborhoods *neighborhoods,
						       const struct fathom_otf2_event *event, uint32_t comm,
						       uint32_t process);

#endif
