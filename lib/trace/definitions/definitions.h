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

#include "event/result.h"
#include "comm/clock_sync.h"
#include "trace/definitions/definition_pools.h"

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
 * into the trace. has_events: the trace has the event files of this process already. 0 or -errno. Context: finish. */
int fathom_definitions_place(struct fathom_definitions *defs, struct fathom_comm *comm, const char *directory,
			     bool has_events);

/* Releases the memory of the definitions. Context: finish. */
void fathom_definitions_fini(struct fathom_definitions *defs);

#endif
