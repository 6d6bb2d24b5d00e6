/*
 * hosts: the processes that work on a trace together: one, or those that mpirun started. Context of all functions:
 * tool.
 */
#ifndef FATHOM_TOOLS_COMMON_HOSTS_H
#define FATHOM_TOOLS_COMMON_HOSTS_H

#include "comm/comm.h"

/*
 * Returns the communicator of all processes. Under mpirun with several processes, loads the module for MPI. NULL after
 * an error message of the first process. A program calls this before it reads its command line: until
 * fathom_hosts_command_line_read, errors of the command line and help are printed by the first process only, and all
 * processes end in order.
 */
struct fathom_comm *fathom_hosts_open(void);

/* To be called after the whole command line was read. */
void fathom_hosts_command_line_read(void);

/* Closes the communicator. A process that ends without this call ends all others as well. */
void fathom_hosts_close(void);

/* Returns the error that a process has, if there is one; 0 if no process has one. All processes call this together. */
int fathom_hosts_agree(struct fathom_comm *comm, int err);

#endif
