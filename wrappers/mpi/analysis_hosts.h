/*
 * analysis_hosts: the processes of an analysis under mpirun. `fathom analyze` finds these functions by their names in
 * the module fathom-analyze-mpich.so, because it is not linked with MPI itself. Context of all functions: tool.
 */
#ifndef FATHOM_MPI_ANALYSIS_HOSTS_H
#define FATHOM_MPI_ANALYSIS_HOSTS_H

#include "comm/comm.h"

/* Initializes MPI and opens a communicator of all processes. NULL: MPI does not work, or there is no memory. */
FATHOM_API struct fathom_comm *fathom_analysis_hosts_open(void);

/* Closes the communicator and finalizes MPI. */
FATHOM_API void fathom_analysis_hosts_close(struct fathom_comm *comm);

/* Ends all processes with that exit code. */
FATHOM_API void fathom_analysis_hosts_abort(int code);

#endif
