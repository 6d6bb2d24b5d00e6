/*
 * definitions: what the numbers in the records of all processes mean.
 */
#ifndef FATHOM_TRACE_DEFINITIONS_H
#define FATHOM_TRACE_DEFINITIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "event/substrate.h"
#include "system/tree_labels.h"
#include "system/definition_pool.h"
#include "trace/clock_sync.h"
#include "trace/message_times.h"

struct fathom_definitions {
	struct fathom_arena arena;
	struct fathom_pool strings;	/* number: as in records */
	struct fathom_pool regions;	/* number: the region's id */
	struct fathom_pool comms;	/* number: as in comms.h */
	struct fathom_pool objects;	/* see mpi_objects.h */
	struct fathom_system system;	/* of all processes; what is in it: at rank 0 */
	struct fathom_labels labels;
	struct fathom_pool metrics;	/* see metric_records.h */
	struct fathom_pool parameters;	/* number: the parameter's id */
	struct fathom_pool grids;	/* see topology_definitions.h */
	uint32_t *region_names;
	uint32_t *string_names;		/* at rank 0: what things of the union are called in the trace */
	uint32_t *comm_names;
	uint32_t *object_names;
	uint32_t *metric_names;
	char *info;			/* what rank 0 must know of this process, see definitions.c */
	uint64_t info_bytes;
	uint32_t rank;
	uint32_t absent;		/* ranks of the run that have no part in the trace, but a place */
	bool is_alone;			/* one process, of one or of several: nobody else tells anything */
	struct fathom_arrivals_result arrivals;	/* at rank 0 */
	const struct fathom_sync *sync;	/* NULL: there is one process */
	int err;			/* -ENOMEM: this process has no part in it, but talks to the others */
};

/* Everything that this process has. Its events are complete; sync lives as long as own. -errno also stands in err.
 * Context: finish. */
int fathom_definitions_init(struct fathom_definitions *own, struct fathom_comm *comm,
			    const struct fathom_result *result, const struct fathom_sync *sync);

/* Make those of all processes one. 0 or -errno: comm is broken. Context: finish. */
int fathom_definitions_unite(struct fathom_definitions *own, struct fathom_comm *comm,
			     const struct fathom_result *result);

/* Rank 0: take what the others send, make the trace in directory, and write the definitions. 0 or -errno.
 * Context: finish. */
int fathom_definitions_write(struct fathom_definitions *own, struct fathom_comm *comm,
			     const struct fathom_result *result, const char *directory);

/* The others' part in that. 0 or -errno. Context: finish. */
int fathom_definitions_send(struct fathom_definitions *own, struct fathom_comm *comm);

/* Everybody: write the tables, and put the files into the trace. 0 or -errno. Context: finish. */
int fathom_definitions_place(struct fathom_definitions *own, struct fathom_comm *comm, const char *directory);

void fathom_definitions_fini(struct fathom_definitions *own);

#endif
