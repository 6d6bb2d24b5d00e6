/*
 * definition_pools: the definitions of this process, and at rank 0 those of all processes: a pool for each kind
 * (definitions.h).
 */
#ifndef FATHOM_TRACE_DEFINITION_POOLS_H
#define FATHOM_TRACE_DEFINITION_POOLS_H

#include <stdbool.h>
#include <stdint.h>

#include "system/tree_labels.h"
#include "system/definition_pool.h"
#include "comm/clock_sync.h"
#include "trace/clocks/message_times.h"
#include "trace/definitions/context_definitions.h"

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
	struct fathom_context_pools contexts;
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
	uint64_t processor_millis;			/* as in processor_count.h; valid at rank 0 */
	const struct fathom_clock_sync *sync;	/* NULL: there is one process */
	int err;			/* -ENOMEM: this process adds no definitions, but takes part in all
					 * communication */
};

#endif
