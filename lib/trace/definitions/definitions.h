/*
 * definitions: the meaning of the numbers in the records of all processes.
 *
 * Each process lists its definitions of each kind in a pool (system/pool.h), in the order of the numbers in its
 * records. All processes together make one union of each pool. Rank 0 writes the union's definitions and so gives
 * them their numbers in the trace. Each process gets these numbers, and writes tables from its own numbers to them
 * next to its event files.
 */
#ifndef FATHOM_TRACE_DEFINITIONS_H
#define FATHOM_TRACE_DEFINITIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "event/location.h"
#include "event/result.h"
#include "system/tree_labels.h"
#include "system/definition_pool.h"
#include "trace/clocks/clock_sync.h"
#include "trace/clocks/message_times.h"

struct fathom_definitions {
	struct fathom_arena arena;
	struct fathom_pool strings;	/* number in the pool: as in records */
	struct fathom_pool regions;	/* number: the region's id */
	struct fathom_pool comms;	/* number: as in comms.h */
	struct fathom_pool objects;	/* see mpi_objects.h */
	struct fathom_system system;	/* of all processes; its elements are at rank 0 */
	struct fathom_labels labels;
	struct fathom_pool metrics;	/* see metric_records.h */
	struct fathom_pool parameters;	/* number: the parameter's id */
	struct fathom_pool grids;	/* see topology_definitions.h */
	uint32_t *region_names;
	uint32_t *string_names;		/* these arrays at rank 0, by number in the union: the number in the trace */
	uint32_t *comm_names;
	uint32_t *object_names;
	uint32_t *metric_names;
	char *info;			/* data about this process for rank 0, see definitions.c */
	uint64_t info_bytes;
	uint32_t rank;
	uint32_t absent;		/* number of other ranks of the run, which are absent from the trace but have
					 * a location in it */
	bool is_alone;			/* this process writes a trace alone, and must describe all its communicators
					 * itself */
	struct fathom_message_times_result arrivals;	/* valid at rank 0 */
	const struct fathom_clock_sync *sync;	/* NULL: there is one process */
	int err;			/* -ENOMEM: this process adds no definitions, but takes part in all
					 * communication */
};

/* Lists all definitions of this process. Its events are complete; sync must live as long as defs. 0 or -ENOMEM, which
 * is also stored in defs->err: defs can then be used in all functions below but adds nothing. Context: finish. */
int fathom_definitions_init(struct fathom_definitions *defs, struct fathom_comm *comm,
			    const struct fathom_result *result, const struct fathom_clock_sync *sync);

/* Called by all processes of comm: makes the unions of all pools, and the system tree. 0 or -errno: comm is broken.
 * Context: finish. */
int fathom_definitions_unite(struct fathom_definitions *defs, struct fathom_comm *comm,
			     const struct fathom_result *result);

/* At rank 0, while all others call fathom_definitions_send: receives their data, creates the trace in directory, and
 * writes all definitions. 0 or -errno. Context: finish. */
int fathom_definitions_write(struct fathom_definitions *defs, struct fathom_comm *comm,
			     const struct fathom_result *result, const char *directory);

/* At other ranks: sends the data about this process to rank 0. 0 or -errno. Context: finish. */
int fathom_definitions_send(struct fathom_definitions *defs, struct fathom_comm *comm);

/* Called by all processes: receives the numbers in the trace, writes the tables of this process, and moves its files
 * into the trace. 0 or -errno. Context: finish. */
int fathom_definitions_place(struct fathom_definitions *defs, struct fathom_comm *comm, const char *directory);

/* Releases the memory of the definitions. Context: finish. */
void fathom_definitions_fini(struct fathom_definitions *defs);

#endif
