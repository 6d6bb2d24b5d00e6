/*
 * wait_records: counts messages by partner (partners.h), and passes the events of MPI calls to the operation logs of
 * lib/waits, from which the search for wait states works at the end of the run.
 *
 * An event belongs to the innermost region, which is an MPI call. Its operation begins at the enter of that region; the
 * exit stores the end (the member operation_end of the location).
 */
#ifndef FATHOM_PROFILE_WAIT_RECORDS_H
#define FATHOM_PROFILE_WAIT_RECORDS_H

#include <stdint.h>

#include "event/location.h"
#include "event/substrate.h"
#include "waits/operation.h"

/* The functions of the substrate's table with these names. They also count messages, as the profile does without them;
 * the function for collective operations does not. Context: hook; birth for the first operation of a location, and for
 * a new chunk of its log. */
void fathom_wait_record_send(struct fathom_location *self, const struct fathom_communicator *comm, int32_t peer,
			     int32_t tag, uint64_t bytes, uint64_t request);
void fathom_wait_record_send_complete(struct fathom_location *self, uint64_t request);
void fathom_wait_record_receive_begin(struct fathom_location *self, uint64_t request);
void fathom_wait_record_receive(struct fathom_location *self, const struct fathom_communicator *comm, int32_t peer,
				int32_t tag, uint64_t bytes, uint64_t request);
void fathom_wait_record_request_cancelled(struct fathom_location *self, uint64_t request);
void fathom_wait_record_collective_begin(struct fathom_location *self, uint64_t request);
void fathom_wait_record_collective(struct fathom_location *self, const struct fathom_communicator *comm,
				   enum fathom_collective operation, int32_t root, uint64_t bytes, uint64_t request);

/* The functions send and receive of the substrate's table where nothing is recorded for the search: they only count.
 * Context: hook; birth for the first message of a call path or a partner. */
void fathom_wait_record_count_send(struct fathom_location *self, const struct fathom_communicator *comm, int32_t peer,
				   int32_t tag, uint64_t bytes, uint64_t request);
void fathom_wait_record_count_receive(struct fathom_location *self, const struct fathom_communicator *comm,
				      int32_t peer, int32_t tag, uint64_t bytes, uint64_t request);

/* Adds a part to the operation of the innermost region. Context: hook; birth as above. */
void fathom_wait_record_part(struct fathom_location *self, struct fathom_waits_part part);

/* The functions comm_note, comm_note_operation and comm_note_neighbors of the substrate's table. Context: birth. */
void fathom_wait_record_comm(uint32_t number, const struct fathom_comm_members *members);
void fathom_wait_record_comm_operation(uint32_t number, uint32_t parent, uint32_t operation);
uint32_t fathom_wait_record_comm_neighbors(uint32_t number, const struct fathom_comm_neighbors *neighbors);

#endif
