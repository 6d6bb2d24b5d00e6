/*
 * mpi_objects: the MPI objects that records of one-sided communication and of files refer to: windows, lists of ranks,
 * files and file handles.
 *
 * Each kind has numbers of its own in a process, dense from 0. At the end all processes agree on the meaning of the
 * numbers. A window or handle is identified by its communicator and by the number of those made there before it, which
 * all its members count in the same way; a handle of POSIX or stdio by its process and a number; a file by its path; a
 * list of ranks by the ranks.
 */
#ifndef FATHOM_TRACE_MPI_OBJECTS_H
#define FATHOM_TRACE_MPI_OBJECTS_H

#include <stdbool.h>
#include <stdint.h>

#include "event/location.h"
#include "event/substrate.h"
#include "system/definition_pool.h"
#include "trace/copied_roots.h"

struct fathom_trace_writing;

/* A window or handle of this process. */
struct fathom_trace_handle {
	uint32_t io;			/* of a handle: enum fathom_io_paradigm */
	uint32_t comm;			/* UINT32_MAX: a handle of another interface than MPI's */
	uint32_t serial;		/* number among those that its communicator made, or among the other handles of
					 * this process; from 0 */
	uint32_t file;			/* of a handle: number of its file */
	bool describes;			/* this process is the first member of comm, and describes the object */
	const char *name;		/* of a window; NULL: it has none */
};

/* Add objects of a process that was killed; the caller does this in the order of their numbers.
 * fathom_trace_handle_restore adds a window or handle, fathom_trace_object_restore a list of processes (its ranks) or
 * a file (its path, with the NUL). 0 or -ENOMEM. Context: finish. */
int fathom_trace_handle_restore(enum fathom_object_kind kind, const struct fathom_trace_handle *handle);
int fathom_trace_object_restore(enum fathom_object_kind kind, const void *data, uint32_t bytes);

/* The functions of the substrate's table (event/substrate.h). Context: birth. Take the lock of objects. */
uint32_t fathom_trace_object_define(const struct fathom_object *object);
void fathom_trace_window_name(uint32_t window, const char *name);

/* By kind of object: the numbers in the trace, by the numbers of this process. */
struct fathom_trace_object_tables {
	uint32_t *numbers[FATHOM_OBJECT_KINDS];
	uint32_t counts[FATHOM_OBJECT_KINDS];
};

/* Lists all objects of this process in the pool, which is empty. is_alone: this process writes the trace alone and
 * describes all its objects, also those that another process would describe. 0 or -ENOMEM. Context: finish. */
int fathom_trace_objects_list(struct fathom_pool *pool, uint32_t rank, bool is_alone);

/* At rank 0, after fathom_trace_write_comms: writes the objects of the union. Returns the number in the trace of
 * each entry of the pool, which counts within its kind; NULL: no memory. Errors are noted in w. Context: finish. */
uint32_t *fathom_trace_objects_write(struct fathom_trace_writing *w, struct fathom_pool *pool);

/* Makes the tables from the numbers that fathom_pool_hand_back returned for the entries of the pool. Memory comes
 * from arena. 0 or -ENOMEM. Context: finish. */
int fathom_trace_objects_tables(struct fathom_trace_object_tables *tables, const uint32_t *numbers,
				struct fathom_arena *arena);

/* The attributes of records. Each has the same number in every process and in the trace. OTF2 demands that the
 * numbers of the attributes that are written are dense from 0. */
enum {
	FATHOM_TRACE_ATTRIBUTE_PROCESS,	/* of a program's begin: the process id */
	FATHOM_TRACE_ATTRIBUTE_THREAD,	/* of a thread's begin: the thread id of the system */
	FATHOM_TRACE_ATTRIBUTE_NEIGHBORS,	/* of a neighbourhood operation: see fathom_trace_comm_neighbors */
	FATHOM_TRACE_ATTRIBUTE_OFFSET,	/* of a file operation, in bytes; only if there are files */
};

/* The I/O paradigms have the numbers of enum fathom_io_paradigm. */
enum { FATHOM_TRACE_IO_MPI = FATHOM_IO_MPI };

/* Copies the objects for a run snapshot. Context: the helper. */
void fathom_trace_objects_copy(const struct fathom_memory_copy *copy, struct fathom_trace_roots *roots);

#endif
