/*
 * communicator: a group of processes that messages and collectives name.
 *
 * Made by wrappers/mpi when a communicator comes to life, and kept until it is freed and
 * no request refers to it any more; events only ever point at one.
 */
#ifndef FATHOM_DEFINE_COMMUNICATOR_H
#define FATHOM_DEFINE_COMMUNICATOR_H

#include <stdbool.h>
#include <stdint.h>

struct fathom_communicator {
	uint32_t id;		/* of this life; ids of the dead are used again */
	uint32_t number;	/* what the trace calls it; see trace/comms.h */
	int32_t rank;		/* the calling process in it (in the local group of an inter-communicator) */
	int32_t size;		/* of the local group */
	int32_t remote_size;	/* of the other group; equal to size within one group */
	bool is_inter;
};

#endif
