/*
 * message_records: the records of MPI messages, requests, collective operations and communicators.
 *
 * The location's own thread calls all functions, during the MPI call that is its innermost region. event/event.h
 * describes their arguments. A peer is a rank in comm; request is the number of a request, or FATHOM_NO_REQUEST for
 * blocking calls.
 */
#ifndef FATHOM_TRACE_MESSAGE_RECORDS_H
#define FATHOM_TRACE_MESSAGE_RECORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "event/substrate.h"

/* The functions of the substrate's table (event/substrate.h). Context: hook. */
void fathom_trace_send(struct fathom_location *self, const struct fathom_communicator *comm, int32_t peer, int32_t tag,
		       uint64_t bytes, uint64_t request);
void fathom_trace_send_complete(struct fathom_location *self, uint64_t request);
void fathom_trace_receive_begin(struct fathom_location *self, uint64_t request);
void fathom_trace_receive_matched(struct fathom_location *self, uint64_t request);
void fathom_trace_receive(struct fathom_location *self, const struct fathom_communicator *comm, int32_t peer,
			  int32_t tag, uint64_t bytes, uint64_t request);
void fathom_trace_request_cancelled(struct fathom_location *self, uint64_t request);
void fathom_trace_request_tested(struct fathom_location *self, uint64_t request);
void fathom_trace_collective_begin(struct fathom_location *self, uint64_t request);
void fathom_trace_collective(struct fathom_location *self, const struct fathom_communicator *comm,
			     enum fathom_collective operation, int32_t root, uint64_t bytes_sent,
			     uint64_t bytes_received, uint64_t request);
void fathom_trace_comm_create(struct fathom_location *self, const struct fathom_communicator *comm);
void fathom_trace_comm_destroy(struct fathom_location *self, const struct fathom_communicator *comm);

/*
 * Returns the number of the text in records that lists the neighbours of the process: the ranks of the sources, a
 * semicolon, and the ranks of the destinations, with spaces between ranks ("1 3;0"). The records of neighbourhood
 * operations have it as an attribute. 0: there are too many neighbours for the definition of a text, or no memory.
 * Context: birth.
 */
uint32_t fathom_trace_neighbors_text(const struct fathom_comm_neighbors *neighbors);

/* Notes that some MPI communication was not recorded, so that the trace is not marked as complete. Context: hook. */
void fathom_trace_incomplete(void);

/* Returns true if the records of this process show all its MPI communication, and every request that it began was
 * completed. Called when recording is over. Context: finish. */
bool fathom_trace_messages_are_complete(void);

#endif
