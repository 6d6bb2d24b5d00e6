/*
 * Each process opens the file for itself: a collective open would wait by spinning (comm.c). The communicator for this
 * is a copy of MPI_COMM_SELF that is made in MPI_Init. MPI-IO copies the communicator it gets, and a copy of
 * MPI_COMM_SELF made later would call functions of the program, for the attributes that the program has attached to it.
 *
 * MPI's error classes are translated to errno's.
 */
#include "mpi/comm_file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "mpi/request_wait.h"

#define MOST_BYTES (1 << 30)	/* MPI counts are int */

struct fathom_comm_file {
	MPI_File mpi;
};

static MPI_Comm self;
static bool has_self;	/* whether self is valid; MPI_COMM_NULL is not a constant in every MPI */

void fathom_mpi_file_begin(void)
{
	MPI_Comm copy = MPI_COMM_NULL;
	MPI_Request request;

	if (PMPI_Comm_idup(MPI_COMM_SELF, &copy, &request) != MPI_SUCCESS || fathom_mpi_comm_wait(&request, false))
		return;
	PMPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN);
	self = copy;
	has_self = true;
}

void fathom_mpi_file_end(void)
{
	if (has_self)
		PMPI_Comm_free(&self);
}

static int errno_of(int code)
{
	int class = MPI_ERR_OTHER;

	PMPI_Error_class(code, &class);
	switch (class) {
	case MPI_ERR_NO_SPACE:
		return -ENOSPC;
	case MPI_ERR_QUOTA:
		return -EDQUOT;
	case MPI_ERR_NO_MEM:
		return -ENOMEM;
	case MPI_ERR_ACCESS:
		return -EACCES;
	case MPI_ERR_NO_SUCH_FILE:
		return -ENOENT;
	case MPI_ERR_READ_ONLY:
		return -EROFS;
	default:
		return -EIO;
	}
}

int fathom_mpi_file_open(struct fathom_comm *comm, const char *path, struct fathom_comm_file **result)
{
	struct fathom_comm_file *file;
	int code;

	(void)comm;
	if (!has_self)
		return -ENOTSUP;
	file = malloc(sizeof(*file));
	if (!file)
		return -ENOMEM;
	code = PMPI_File_open(self, path, MPI_MODE_WRONLY, MPI_INFO_NULL, &file->mpi);
	if (code != MPI_SUCCESS) {
		free(file);
		return errno_of(code);
	}
	*result = file;
	return 0;
}

int fathom_mpi_file_write(struct fathom_comm_file *file, const void *data, size_t bytes, uint64_t place)
{
	const char *next = data;

	while (bytes) {
		int part = bytes < MOST_BYTES ? (int)bytes : MOST_BYTES, done = 0;
		MPI_Status status;
		int code = PMPI_File_write_at(file->mpi, (MPI_Offset)place, next, part, MPI_BYTE, &status);

		if (code != MPI_SUCCESS)
			return errno_of(code);
		if (PMPI_Get_count(&status, MPI_BYTE, &done) != MPI_SUCCESS || done <= 0)
			return -ENOSPC;		/* MPI wrote nothing and gave no reason */
		next += done;
		bytes -= (size_t)done;
		place += (uint64_t)done;
	}
	return 0;
}

int fathom_mpi_file_close(struct fathom_comm_file *file)
{
	int code = PMPI_File_close(&file->mpi);

	free(file);
	return code == MPI_SUCCESS ? 0 : errno_of(code);
}
