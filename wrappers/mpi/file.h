/*
 * file: events of MPI's file operations.
 *
 * Profiles need only the number of bytes that were read and written. If a trace is written, more is recorded: the
 * trace's number of each open file, the offset at which an operation begins, and the number of bytes that the program
 * requested.
 */
#ifndef FATHOM_MPI_FILE_H
#define FATHOM_MPI_FILE_H

#include "mpi/window.h"

#include <string.h>

/* Constants of calls.txt. An operation begins at its own offset, or where one of the two file pointers is. */
#define FATHOM_MPI_READ FATHOM_IO_READ
#define FATHOM_MPI_WRITE FATHOM_IO_WRITE
#define FATHOM_MPI_ALONE 0
#define FATHOM_MPI_COLLECTIVE FATHOM_IO_COLLECTIVE
#define FATHOM_MPI_OWN_POINTER (-1)
#define FATHOM_MPI_SHARED_POINTER (-2)

struct fathom_mpi_file;

/* Returns the length of a Fortran text without the blanks at its end. Context: hook. */
static inline size_t fathom_mpi_length(const void *text, size_t length)
{
	while (length && ((const char *)text)[length - 1] == ' ')
		length--;
	return length;
}

/* Record that MPI_File_open and MPI_File_delete have succeeded. Context: hook; a new file: birth. */
void fathom_mpi_file_opened(MPI_Comm comm, const char *path, size_t length, int mode, MPI_File file);
void fathom_mpi_file_deleted(const char *path, size_t length);

/* MPI_File_close: detach is called before MPI, which ends the handle; closed after it. The functions without _slow do
 * nothing where no trace is written. Context: hook. */
struct fathom_mpi_file *fathom_mpi_file_detach_slow(MPI_File file);
void fathom_mpi_file_closed_slow(struct fathom_mpi_scope scope, struct fathom_mpi_file *file, int err);

/* Returns the file's record, taken out of the table; NULL: there is none. Context: hook. */
static inline struct fathom_mpi_file *fathom_mpi_file_detach(MPI_File file)
{
	return likely(!fathom_mpi_tracing) ? NULL : fathom_mpi_file_detach_slow(file);
}

/* Records that the file was closed; after an error puts its record back into the table. file may be NULL.
 * Context: hook. */
static inline void fathom_mpi_file_closed(struct fathom_mpi_scope scope, struct fathom_mpi_file *file, int err)
{
	if (unlikely(file))
		fathom_mpi_file_closed_slow(scope, file, err);
}

/* Returns the place in the file where an operation will begin. Called before MPI, which moves the file pointer.
 * Context: hook. */
uint64_t fathom_mpi_file_place_slow(MPI_File file, MPI_Offset where);

/* Returns the result of fathom_mpi_file_place_slow if the call is recorded in a trace; otherwise FATHOM_IO_NO_OFFSET.
 * Context: hook. */
static inline uint64_t fathom_mpi_file_place(struct fathom_mpi_scope scope, MPI_File file, MPI_Offset where)
{
	if (likely(!fathom_mpi_tracing || !scope.region))
		return FATHOM_IO_NO_OFFSET;
	return fathom_mpi_file_place_slow(file, where);
}

/* Counts the bytes that an operation has moved. Context: hook. */
static inline void fathom_mpi_moved(enum fathom_io_operation what, const MPI_Status *status)
{
	uint64_t bytes = fathom_mpi_status_bytes(status);

	if (what == FATHOM_IO_READ)
		fathom_event_io(bytes, 0);
	else
		fathom_event_io(0, bytes);
}

/* Record steps of operations if a trace is written: a whole operation, the start of a nonblocking one, the begin and
 * the end of a split collective one, a sync, a seek. how: FATHOM_MPI_ALONE or FATHOM_MPI_COLLECTIVE. bytes: the number
 * that the program requested. Context: hook. */
void fathom_mpi_file_moved(MPI_File file, enum fathom_io_operation what, uint32_t how, uint64_t place, uint64_t bytes,
			   const MPI_Status *status);
void fathom_mpi_file_started(MPI_File file, enum fathom_io_operation what, uint32_t how, uint64_t place,
			     uint64_t bytes, MPI_Request request);
void fathom_mpi_file_begun(MPI_File file, enum fathom_io_operation what, uint64_t place, uint64_t bytes);
void fathom_mpi_file_ended(MPI_File file, const MPI_Status *status);
void fathom_mpi_file_synced(MPI_File file);
void fathom_mpi_file_sought(MPI_File file, MPI_Offset distance, int whence, int pointer);

/* Records that a nonblocking operation is over. status NULL: it failed or was cancelled. in_call: the call that
 * completes it is recorded. Context: hook. */
void fathom_mpi_file_waited(const struct fathom_mpi_request *request, const MPI_Status *status, bool in_call);

#endif
