/*
 * message: events of point-to-point calls. The generated wrappers call these functions after MPI returned success,
 * unless a comment says otherwise. A message to or from MPI_PROC_NULL is not recorded. Context of all: hook.
 */
#ifndef FATHOM_MPI_MESSAGE_H
#define FATHOM_MPI_MESSAGE_H

#include "mpi/request.h"

/* The upper bits of a predefined type's handle in MPICH. */
#define FATHOM_MPI_PREDEFINED 0x13

/* Returns the bytes of count elements. Called after MPI accepted the type; with a count of 0, MPI may have accepted any
 * handle. MPI_Type_size would be limited to 2 GiB. */
static inline uint64_t fathom_mpi_bytes(uint64_t count, MPI_Datatype datatype)
{
	MPI_Count size = 0;

	if (unlikely(count == 0 || datatype == MPI_DATATYPE_NULL))
		return 0;
#ifdef MPICH_NUMVERSION
	/* The handle of a predefined type contains the type's size, according to the common ABI of MPICH and its
	 * relatives. */
	if (likely((uint32_t)datatype >> 26 == FATHOM_MPI_PREDEFINED))
		return count * ((uint32_t)datatype >> 8 & 0xff);
#endif
	PMPI_Type_size_x(datatype, &size);
	return size > 0 ? count * (uint64_t)size : 0;
}

/* Returns the bytes of the message to which a status belongs. In MPICH and its relatives the status contains them,
 * according to their common ABI; a call of MPI would take 200 instructions. */
static inline uint64_t fathom_mpi_status_bytes(const MPI_Status *status)
{
#ifdef MPICH_NUMVERSION
	return (uint64_t)((uint32_t)status->count_hi_and_cancelled >> 1) << 32 | (uint32_t)status->count_lo;
#else
	MPI_Count bytes = 0;

	PMPI_Get_elements_x(status, MPI_BYTE, &bytes);
	return bytes > 0 ? (uint64_t)bytes : 0;
#endif
}

/* Returns the address to which MPI shall write the status: that of the wrapper's own status, if the program ignores the
 * status and the call is recorded. */
static inline MPI_Status *fathom_mpi_status(struct fathom_mpi_scope scope, MPI_Status *status, MPI_Status *own)
{
	return scope.region && status == MPI_STATUS_IGNORE ? own : status;
}

/* Record messages of blocking calls. Called only if the call is recorded. */
void fathom_mpi_sent(MPI_Comm comm, int peer, int tag, uint64_t bytes);
void fathom_mpi_received(MPI_Comm comm, int source, const MPI_Status *status);

/* Follow the requests of nonblocking calls, recorded or not. */
void fathom_mpi_isent(struct fathom_mpi_scope scope, MPI_Comm comm, int peer, int tag, uint64_t bytes,
		      MPI_Request request);
void fathom_mpi_ireceive(struct fathom_mpi_scope scope, MPI_Comm comm, int source, MPI_Request request);
void fathom_mpi_isendrecv(struct fathom_mpi_scope scope, MPI_Comm comm, int dest, int tag, uint64_t bytes, int source,
			  int receive_tag, uint64_t receive_bytes, MPI_Request request);

/*
 * Persistent requests. bytes and tag of a partitioned receive are known from the start. A partitioned operation is
 * recorded as a point-to-point message at MPI_Start. MPI matches partitioned operations in the order of their
 * initialization; so where a program starts two requests of the same peer, tag and communicator in another order than
 * it initialized them, a reader of a trace pairs their records wrongly.
 */
void fathom_mpi_send_prepared(struct fathom_mpi_scope scope, MPI_Comm comm, int peer, int tag, uint64_t bytes,
			      MPI_Request request);
void fathom_mpi_receive_prepared(struct fathom_mpi_scope scope, MPI_Comm comm, int source, MPI_Request request);
void fathom_mpi_partitioned_receive_prepared(struct fathom_mpi_scope scope, MPI_Comm comm, int source, int tag,
					     uint64_t bytes, MPI_Request request);
void fathom_mpi_started(struct fathom_mpi_scope scope, int count, const MPI_Request requests[]);

/*
 * Matched messages: MPI_Mprobe and MPI_Improbe find them, MPI_Mrecv and MPI_Imrecv receive them. The receive request
 * begins when the message is found, because this decides the order of matching: the program may receive the messages in
 * another order. fathom_mpi_message_take is called before MPI_Mrecv and MPI_Imrecv, which end the message's handle; its
 * result is passed to fathom_mpi_message_received or fathom_mpi_message_ireceive.
 */
void fathom_mpi_message_matched(struct fathom_mpi_scope scope, MPI_Comm comm, MPI_Message message);
struct fathom_mpi_request *fathom_mpi_message_take(MPI_Message message);
void fathom_mpi_message_received(struct fathom_mpi_scope scope, struct fathom_mpi_request *matched, int err,
				 const MPI_Status *status);
void fathom_mpi_message_ireceive(struct fathom_mpi_scope scope, struct fathom_mpi_request *matched, int err,
				 const MPI_Request *request);

/* Follows a request whose completion is not recorded. It is followed because other requests may share its handle. */
void fathom_mpi_request_of_nothing(MPI_Request request);

/* Follows the request of a nonblocking file operation. */
void fathom_mpi_request_of_file(struct fathom_mpi_scope scope, enum fathom_io_operation what, MPI_Request request);

/* Follows the request of MPI_Comm_idup: when it completes, *newcomm is the communicator. */
void fathom_mpi_request_of_idup(struct fathom_mpi_scope scope, MPI_Comm comm, MPI_Comm *newcomm, MPI_Request request);

/* The bytes of a collective operation, as this process counts them (collective.h). */
struct fathom_mpi_transfer {
	enum fathom_collective operation;
	int32_t root;	/* rank in the communicator, or one of the constants of event.h */
	uint64_t sent;	/* bytes */
	uint64_t received;
};

/* Follows a nonblocking operation that was begun, or a persistent one that was initialised; the call may be recorded or
 * not. Context: hook. */
void fathom_mpi_collective_begun(struct fathom_mpi_scope scope, MPI_Comm comm,
				 const struct fathom_mpi_transfer *transfer, bool persistent, MPI_Request request);

#endif
