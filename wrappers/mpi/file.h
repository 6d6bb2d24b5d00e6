/*
 * file: what MPI does with files.
 *
 * Profiles need the bytes that were moved. Only where traces are written more is found out and kept: what the
 * trace calls each open file, where in it an operation begins, how much it was to move.
 */
#ifndef FATHOM_MPI_FILE_H
#define FATHOM_MPI_FILE_H

#include "mpi/window.h"

#include <string.h>

/* Constants of calls.txt. An operation is where its offset says, or where one of the pointers is. */
#define FATHOM_MPI_READ FATHOM_IO_READ
#define FATHOM_MPI_WRITE FATHOM_IO_WRITE
#define FATHOM_MPI_ALONE 0
#define FATHOM_MPI_COLLECTIVE FATHOM_IO_COLLECTIVE
#define FATHOM_MPI_OWN_POINTER (-1)
#define FATHOM_MPI_SHARED_POINTER (-2)

struct fathom_mpi_file;

/* The length of a text of Fortran, whose end is filled with blanks. */
static inline size_t fathom_mpi_length(const void *text, size_t length)
{
	while (length && ((const char *)text)[length - 1] == ' ')
		length--;
	return length;
}

void fathom_mpi_file_opened(MPI_Comm comm, const char *path, size_t length, int mode, MPI_File file);
void fathom_mpi_file_deleted(const char *path, size_t length);

/* MPI_File_close: before the call, which is the end of the handle, and after it. */
struct fathom_mpi_file *fathom_mpi_file_detach_slow(MPI_File file);
void fathom_mpi_file_closed_slow(struct fathom_mpi_scope scope, struct fathom_mpi_file *file, int err);

static inline struct fathom_mpi_file *fathom_mpi_file_detach(MPI_File file)
{
	return likely(!fathom_mpi_tracing) ? NULL : fathom_mpi_file_detach_slow(file);
}

static inline void fathom_mpi_file_closed(struct fathom_mpi_scope scope, struct fathom_mpi_file *file, int err)
{
	if (unlikely(file))
		fathom_mpi_file_closed_slow(scope, file, err);
}

/* Where in the file an operation will begin; before the call, which moves the pointer. */
uint64_t fathom_mpi_file_place_slow(MPI_File file, MPI_Offset where);

static inline uint64_t fathom_mpi_file_place(struct fathom_mpi_scope scope, MPI_File file, MPI_Offset where)
{
	if (likely(!fathom_mpi_tracing || !scope.region))
		return FATHOM_IO_NO_OFFSET;
	return fathom_mpi_file_place_slow(file, where);
}

/* Bytes were moved: what counts. */
static inline void fathom_mpi_moved(enum fathom_io_operation what, const MPI_Status *status)
{
	uint64_t bytes = fathom_mpi_status_bytes(status);

	if (what == FATHOM_IO_READ)
		fathom_event_io(bytes, 0);
	else
		fathom_event_io(0, bytes);
}

/* Steps of operations, where traces are written: all of one, its start, the two halves of one. how is
 * FATHOM_MPI_ALONE or FATHOM_MPI_COLLECTIVE; bytes were asked for. */
void fathom_mpi_file_moved(MPI_File file, enum fathom_io_operation what, uint32_t how, uint64_t place, uint64_t bytes,
			   const MPI_Status *status);
void fathom_mpi_file_started(MPI_File file, enum fathom_io_operation what, uint32_t how, uint64_t place,
			     uint64_t bytes, MPI_Request request);
void fathom_mpi_file_begun(MPI_File file, enum fathom_io_operation what, uint64_t place, uint64_t bytes);
void fathom_mpi_file_ended(MPI_File file, const MPI_Status *status);
void fathom_mpi_file_synced(MPI_File file);
void fathom_mpi_file_sought(MPI_File file, MPI_Offset distance, int whence, int pointer);

/* A started operation is over. status NULL: it failed or was cancelled. in_call: in a call that is recorded. */
void fathom_mpi_file_waited(const struct fathom_mpi_request *request, const MPI_Status *status, bool in_call);

#endif
