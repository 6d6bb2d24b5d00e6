/*
 * communicator: a group of processes that messages and collective operations refer to.
 *
 * wrappers/mpi makes it when the program creates a communicator, and keeps it until the program frees the communicator
 * and no request refers to it any more. Events point to it.
 */
#ifndef FATHOM_DEFINE_COMMUNICATOR_H
#define FATHOM_DEFINE_COMMUNICATOR_H

#include <stdbool.h>
#include <stdint.h>

struct fathom_communicator {
	uint32_t id;		/* unique among the present communicators; the id of a freed one is used again */
	uint32_t number;	/* the number of the communicator in events, see fathom_event_comm_define */
	int32_t rank;		/* of the calling process (in the local group of an intercommunicator) */
	int32_t size;		/* of the local group */
	int32_t remote_size;	/* size of the remote group of an intercommunicator; else equal to size */
	uint32_t neighbors;	/* names the neighbours in events, see fathom_event_comm_neighbors; 0: no name */
	bool is_inter;
};

#endif
