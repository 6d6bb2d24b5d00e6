/* processor_usage: the processor time of the run, and the numbers of processors and threads of a node. */
#ifndef FATHOM_PROFILE_PROCESSOR_USAGE_H
#define FATHOM_PROFILE_PROCESSOR_USAGE_H

#include "comm/comm.h"
#include "event/location.h"
#include "event/result.h"
#include "profile/process_tree/process_tree.h"
#include "profile/unification/union.h"

/*
 * All processes of comm call this. It finds the usage of this process and, at one process of each node, the
 * processors of the node. process: NULL if there was no memory for a tree. text gets the result of
 * fathom_processors_describe; empty: nothing is known. 0, or -errno: comm is broken. Context: finish; signal where
 * comm is serial.
 */
int fathom_usage_find(struct fathom_usage *usage, const struct fathom_process_tree *process, struct fathom_comm *comm,
		      const struct fathom_result *result, char text[FATHOM_PROCESSORS_TEXT]);

/* Returns the largest number of locations that existed at the same time; without memory, the number of all locations.
 * Context: finish, signal. */
uint32_t fathom_usage_most_alive(const struct fathom_process_tree *process);

#endif
