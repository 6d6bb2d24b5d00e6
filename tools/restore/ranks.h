/*
 * ranks: one process for each rank of a killed run. These processes join their traces by the code that the ranks
 * themselves would have used (comm/comm.h).
 *
 * The processes send each other datagrams through sockets whose names are no files. A process that waits until it can
 * send receives the datagrams that were sent to it, so no two processes wait for each other.
 */
#ifndef FATHOM_TOOLS_RESTORE_RANKS_H
#define FATHOM_TOOLS_RESTORE_RANKS_H

#include "comm/comm.h"

/* Starts count processes, each of which calls work with its own communicator and ends; waits for all of them. 0, or
 * -EINVAL if work did not return 0 in one of them: then the other processes are ended, too. Prints a message about
 * other errors. */
int ranks_run(int count, int (*work)(struct fathom_comm *comm, void *data), void *data);

#endif
