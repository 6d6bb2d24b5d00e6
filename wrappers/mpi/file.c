/*
 * file: a list of open files; the one that was used last is the first.
 */
#include "mpi/file.h"

#include <sys/mman.h>

struct fathom_mpi_file {
	struct fathom_mpi_file *next;
	uint64_t key;
	uint32_t number;	/* of the file handle in the trace */
	struct fathom_mpi_request *split_operation;	/* the split collective operation that is open; NULL: none */
};

/* Protects the list; held for a walk; nests in nothing. */
static int lock;
static struct fathom_mpi_file *files;

/* Takes a file out of the list. The caller holds the lock. NULL: the file is not in the list. */
static struct fathom_mpi_file *take(uint64_t key)
{
	struct fathom_mpi_file **link = &files, *file;

	while (*link && (*link)->key != key)
		link = &(*link)->next;
	file = *link;
	if (file)
		*link = file->next;
	return file;
}

static void put(struct fathom_mpi_file *file)
{
	file->next = files;
	files = file;
}

static struct fathom_mpi_file *find(MPI_File handle)
{
	struct fathom_mpi_file *file;

	fathom_mpi_lock(&lock);
	file = take(FATHOM_MPI_KEY(handle));
	if (file)
		put(file);
	fathom_mpi_unlock(&lock);
	return file;
}

/* --- opening and closing ------------------------------------------------------------------------- */

static uint32_t flags_of(int mode)
{
	uint32_t flags = 0;

	if (mode & (MPI_MODE_RDONLY | MPI_MODE_RDWR))
		flags |= FATHOM_IO_MAY_READ;
	if (mode & (MPI_MODE_WRONLY | MPI_MODE_RDWR))
		flags |= FATHOM_IO_MAY_WRITE;
	if (mode & MPI_MODE_CREATE)
		flags |= FATHOM_IO_CREATES;
	if (mode & MPI_MODE_EXCL)
		flags |= FATHOM_IO_EXCLUSIVE;
	if (mode & MPI_MODE_APPEND)
		flags |= FATHOM_IO_APPENDS;
	if (mode & MPI_MODE_DELETE_ON_CLOSE)
		flags |= FATHOM_IO_TEMPORARY;
	return flags;
}

/* Returns the number of the file at a path in the trace. */
static uint32_t file_number(const char *path, size_t length)
{
	char *copy = fathom_mpi_pages(length + 1);
	uint32_t number = FATHOM_NO_OBJECT;

	if (!copy)
		return number;
	memcpy(copy, path, length);
	number = fathom_event_object_define(&(struct fathom_object){ .kind = FATHOM_OBJECT_FILE, .path = copy });
	munmap(copy, length + 1);
	return number;
}

void fathom_mpi_file_opened(MPI_Comm comm_handle, const char *path, size_t length, int mode, MPI_File handle)
{
	struct fathom_mpi_communicator *comm = fathom_mpi_communicator(comm_handle);
	struct fathom_mpi_file *file = comm ? fathom_mpi_pages(sizeof(*file)) : NULL, *stale;

	if (!file)
		return;
	file->key = FATHOM_MPI_KEY(handle);
	file->number = fathom_event_object_define(&(struct fathom_object){
		.kind = FATHOM_OBJECT_HANDLE,
		.comm = &comm->base,
		.file = file_number(path, length),
	});
	if (file->number == FATHOM_NO_OBJECT) {
		munmap(file, sizeof(*file));
		return;
	}
	fathom_mpi_lock(&lock);
	stale = take(file->key);	/* the program closed it by a PMPI_ call, which no wrapper sees */
	put(file);
	fathom_mpi_unlock(&lock);
	if (stale)
		munmap(stale, sizeof(*stale));
	fathom_event_io_step(&(struct fathom_io_step){
		.kind = FATHOM_IO_OPENED,
		.object = file->number,
		.flags = flags_of(mode),
	});
}

void fathom_mpi_file_deleted(const char *path, size_t length)
{
	uint32_t number = file_number(path, length);

	if (number != FATHOM_NO_OBJECT)
		fathom_event_io_step(&(struct fathom_io_step){ .kind = FATHOM_IO_DELETED, .object = number });
}

struct fathom_mpi_file *fathom_mpi_file_detach_slow(MPI_File handle)
{
	struct fathom_mpi_file *file;

	fathom_mpi_lock(&lock);
	file = take(FATHOM_MPI_KEY(handle));
	fathom_mpi_unlock(&lock);
	return file;
}

void fathom_mpi_file_closed_slow(struct fathom_mpi_scope scope, struct fathom_mpi_file *file, int err)
{
	if (err != MPI_SUCCESS) {
		fathom_mpi_lock(&lock);
		put(file);
		fathom_mpi_unlock(&lock);
		return;
	}
	if (scope.region)
		fathom_event_io_step(&(struct fathom_io_step){ .kind = FATHOM_IO_CLOSED, .object = file->number });
	munmap(file, sizeof(*file));
}

/* --- operations ---------------------------------------------------------------------------------- */

uint64_t fathom_mpi_file_place_slow(MPI_File handle, MPI_Offset where)
{
	MPI_Offset bytes = 0;

	/* Only handles of open files are passed to MPI here: errors about others must come from the program's call. */
	if (where == FATHOM_MPI_SHARED_POINTER || !find(handle))
		return FATHOM_IO_NO_OFFSET;
	if (where == FATHOM_MPI_OWN_POINTER && PMPI_File_get_position(handle, &where) != MPI_SUCCESS)
		return FATHOM_IO_NO_OFFSET;
	if (where < 0 || PMPI_File_get_byte_offset(handle, where, &bytes) != MPI_SUCCESS)
		return FATHOM_IO_NO_OFFSET;
	return (uint64_t)bytes;
}

static void record_begin(const struct fathom_mpi_file *file, enum fathom_io_operation what, uint32_t flags,
			 uint64_t place, uint64_t bytes, uint64_t id)
{
	fathom_event_io_step(&(struct fathom_io_step){
		.kind = FATHOM_IO_BEGIN,
		.object = file->number,
		.operation = what,
		.flags = flags,
		.bytes = bytes,
		.offset = place,
		.id = id,
	});
}

static void record_step(uint32_t object, enum fathom_io_kind kind, uint64_t bytes, uint64_t id)
{
	fathom_event_io_step(&(struct fathom_io_step){ .kind = kind, .object = object, .bytes = bytes, .id = id });
}

/* Returns a new record of a file operation; the operation gets the number of the record. NULL: no memory. */
static struct fathom_mpi_request *number_for(const struct fathom_mpi_file *file, uint64_t key)
{
	struct fathom_mpi_request *request = fathom_mpi_request_create(key, FATHOM_MPI_REQUEST_FILE);

	if (request)
		request->object = file->number;
	return request;
}

void fathom_mpi_file_moved(MPI_File handle, enum fathom_io_operation what, uint32_t how, uint64_t place,
			   uint64_t bytes, const MPI_Status *status)
{
	struct fathom_mpi_file *file = find(handle);
	struct fathom_mpi_request *request = file ? number_for(file, file->key) : NULL;

	if (!request)
		return;
	record_begin(file, what, how, place, bytes, request->number);
	record_step(file->number, FATHOM_IO_DONE, status ? fathom_mpi_status_bytes(status) : 0, request->number);
	fathom_mpi_request_drop(request);
}

void fathom_mpi_file_synced(MPI_File handle)
{
	fathom_mpi_file_moved(handle, FATHOM_IO_FLUSH, FATHOM_IO_COLLECTIVE, FATHOM_IO_NO_OFFSET, 0, NULL);
}

void fathom_mpi_file_started(MPI_File handle, enum fathom_io_operation what, uint32_t how, uint64_t place,
			     uint64_t bytes, MPI_Request request_handle)
{
	struct fathom_mpi_file *file = find(handle);
	struct fathom_mpi_request *request = NULL;

	if (file && request_handle != MPI_REQUEST_NULL)
		request = number_for(file, FATHOM_MPI_KEY(request_handle));
	if (!request) {
		fathom_mpi_request_of_nothing(request_handle);
		return;
	}
	request->begin_recorded = true;
	request->io = what;
	record_begin(file, what, how | FATHOM_IO_NONBLOCKING, place, bytes, request->number);
	record_step(file->number, FATHOM_IO_ISSUED, 0, request->number);
	fathom_mpi_request_add(request);
}

void fathom_mpi_file_waited(const struct fathom_mpi_request *request, const MPI_Status *status, bool in_call)
{
	if (status) {
		if (in_call)
			fathom_mpi_moved(request->io, status);
		record_step(request->object, FATHOM_IO_DONE, fathom_mpi_status_bytes(status), request->number);
	} else {
		record_step(request->object, FATHOM_IO_CANCELLED, 0, request->number);
	}
}

/* MPI allows one split collective operation on a file at a time. */
void fathom_mpi_file_begun(MPI_File handle, enum fathom_io_operation what, uint64_t place, uint64_t bytes)
{
	struct fathom_mpi_file *file = find(handle);

	if (!file || file->split_operation)
		return;
	file->split_operation = number_for(file, file->key);
	if (!file->split_operation)
		return;
	record_begin(file, what, FATHOM_IO_COLLECTIVE | FATHOM_IO_NONBLOCKING, place, bytes,
		     file->split_operation->number);
	record_step(file->number, FATHOM_IO_ISSUED, 0, file->split_operation->number);
}

void fathom_mpi_file_ended(MPI_File handle, const MPI_Status *status)
{
	struct fathom_mpi_file *file = find(handle);

	if (!file || !file->split_operation)
		return;
	record_step(file->number, FATHOM_IO_DONE, fathom_mpi_status_bytes(status), file->split_operation->number);
	fathom_mpi_request_drop(file->split_operation);
	file->split_operation = NULL;
}

void fathom_mpi_file_sought(MPI_File handle, MPI_Offset distance, int whence, int pointer)
{
	struct fathom_mpi_file *file = find(handle);
	enum fathom_io_whence from = FATHOM_IO_FROM_START;
	MPI_Offset where = pointer;

	if (!file)
		return;
	if (pointer == FATHOM_MPI_SHARED_POINTER)
		PMPI_File_get_position_shared(handle, &where);
	if (whence == MPI_SEEK_CUR)
		from = FATHOM_IO_FROM_HERE;
	else if (whence == MPI_SEEK_END)
		from = FATHOM_IO_FROM_END;
	fathom_event_io_step(&(struct fathom_io_step){
		.kind = FATHOM_IO_SEEK,
		.object = file->number,
		.distance = distance,
		.whence = from,
		.offset = fathom_mpi_file_place_slow(handle, where),
	});
}
