/*
 * processors: finds the processors that this process may use, and combines them for the processes of a node.
 */
#ifndef FATHOM_SYSTEM_PROCESSORS_H
#define FATHOM_SYSTEM_PROCESSORS_H

#include "comm/comm.h"
#include "system/capacity.h"

/*
 * Fills in the processors that this process may use. threads: the largest number of threads at a time. With one
 * thread, the mask is that of the calling thread; with more, it is the union of the masks of all living threads and of
 * the mask that the process had when it began. root is put in front of the paths of /proc and /sys, for tests. Does
 * not allocate. Context: finish, signal.
 */
FATHOM_API void fathom_processors_find(struct fathom_processors *own, uint32_t threads, const char *root);

/*
 * Combines the processors of the processes with the same host name. All processes of comm call this. Afterwards one
 * process of each host has the capacity of the host in *capacity, and the others have 0 there, so that the sum over
 * all processes is the capacity of the run. A node without memory for this counts as unknown. Returns 0, or -errno if
 * comm is broken. Context: finish; signal with the serial communicator.
 */
FATHOM_API int fathom_processors_unite(const struct fathom_processors *own, const char *host, struct fathom_comm *comm,
				       struct fathom_capacity *capacity);

#endif
