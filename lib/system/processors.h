/*
 * processors: finds out which processors this process may use, and puts together what the processes of a node know.
 */
#ifndef FATHOM_SYSTEM_PROCESSORS_H
#define FATHOM_SYSTEM_PROCESSORS_H

#include "comm/comm.h"
#include "system/capacity.h"

/*
 * Fills in what this process may use. threads: how many lived at a time. If that is 1, the mask is that of the calling
 * thread; else those of all living threads together, and of the process when it began. root stands before the paths
 * of /proc and /sys (for tests; normally ""). Does not allocate. Context: finish, signal.
 */
void fathom_processors_find(struct fathom_processors *own, uint32_t threads, const char *root);

/*
 * Puts together what the processes with the same name of the host know. Called by all of comm. Afterwards one process
 * of each host has the capacity of the host in *capacity, and the others have 0 there: added up, they are that of the
 * run. 0, or -errno: comm is broken. Where there is no memory for it, the node counts as unknown. Context: finish;
 * signal with the serial comm.
 */
int fathom_processors_unite(const struct fathom_processors *own, const char *host, struct fathom_comm *comm,
			    struct fathom_capacity *capacity);

#endif
