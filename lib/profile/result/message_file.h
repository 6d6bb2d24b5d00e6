/*
 * message_file: the file messages.txt next to a profile: how many messages and bytes each rank exchanged with each
 * other rank, and how long they waited for each other. doc/reference/files.md describes it.
 *
 * Each rank has the lines of its own partners; along a binomial tree of the ranks, they come to rank 0 in the order of
 * the ranks. There are at most a million of such lines (FATHOM_MESSAGE_LINES), or four for each rank, if this is more.
 */
#ifndef FATHOM_PROFILE_MESSAGE_FILE_H
#define FATHOM_PROFILE_MESSAGE_FILE_H

#include "comm/comm.h"

struct fathom_result;
struct fathom_wait_states;

enum { FATHOM_MESSAGE_LINES = 1000000, FATHOM_LEAST_LINES_OF_RANK = 4 };

/*
 * Called by all ranks: rank 0 writes the file in the directory of the profile; there is none if no process has sent or
 * received a message. waits: as fathom_wait_states_find filled it in. What a rank without memory has,
 * and the ranks below it, is not in the file; errors of writing get a message. 0, or -errno:
 * comm is broken. Context: finish; signal where comm is serial.
 */
int fathom_message_file_write(struct fathom_comm *comm, const struct fathom_wait_states *waits,
			      const struct fathom_result *result);

#endif
