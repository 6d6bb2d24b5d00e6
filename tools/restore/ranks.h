/*
 * ranks: a process for each rank of a killed run, so that these can put their traces together by the code that the
 * ranks themselves would have used (comm/comm.h).
 *
 * The processes send each other datagrams through sockets whose names are no files. A process that waits to send
 * takes in what was sent to it, so no two of them wait for each other.
 */
#ifndef FATHOM_TOOLS_RESTORE_RANKS_H
#define FATHOM_TOOLS_RESTORE_RANKS_H

#include "comm/comm.h"

/*
 * Starts count processes; each calls work with its own communicator, and ends. Waits for all of them. 0, or -EINVAL
 * where one of them did not return 0 from work: then the others are ended, too. Other errors are said.
 */
int ranks_run(int count, int (*work)(struct fathom_comm *comm, void *data), void *data);

#endif
