/*
 * mpi_objects: what records of one-sided communication and of files refer to: windows, lists of processes, files and
 * their handles.
 *
 * Each kind has numbers of its own in a process, dense from 0. At the end all processes agree what they mean: a
 * window or handle is told by its communicator and by how many that made there before it, which all its members
 * count alike; a file by its path, a list of processes by their ranks.
 */
#ifndef FATHOM_TRACE_MPI_OBJECTS_H
#define FATHOM_TRACE_MPI_OBJECTS_H

#include <stdbool.h>
#include <stdint.h>

#include "event/substrate.h"
#include "system/definition_pool.h"

struct fathom_trace_writing;

/* Functions of the substrate's table. */
uint32_t fathom_trace_object_define(const struct fathom_object *object);
void fathom_trace_window_name(uint32_t window, const char *name);

/* By kind: numbers of the trace, by those of this process. */
struct fathom_trace_object_tables {
	uint32_t *numbers[FATHOM_OBJECT_KINDS];
	uint32_t counts[FATHOM_OBJECT_KINDS];
};

/* Everything that this process has, into a pool that is empty; is_alone: nobody else says what it is called. 0 or
 * -ENOMEM. Context: finish. */
int fathom_trace_objects_list(struct fathom_pool *pool, uint32_t rank, bool is_alone);

/* Rank 0: write the definitions of the union, after those of communicators. Returns what its things are called, each
 * within its kind; NULL: no memory. Context: finish. */
uint32_t *fathom_trace_objects_write(struct fathom_trace_writing *w, struct fathom_pool *pool);

/* Everybody: the tables from what fathom_pool_hand_back gave. Context: finish. */
int fathom_trace_objects_tables(struct fathom_trace_object_tables *tables, const uint32_t *numbers,
				struct fathom_arena *arena);

/* Attributes of records; each has the same number in every process and in the trace. OTF2 wants those that are
 * written to be dense from 0. */
enum {
	FATHOM_TRACE_ATTRIBUTE_PROCESS,	/* of the begin of a program, as the system calls it */
	FATHOM_TRACE_ATTRIBUTE_THREAD,	/* of the begin of a thread, the same */
	FATHOM_TRACE_ATTRIBUTE_OFFSET,	/* of an operation on a file, in bytes; only where there are files */
};

/* The one way of using files that there is. */
enum { FATHOM_TRACE_IO_MPI };

#endif
