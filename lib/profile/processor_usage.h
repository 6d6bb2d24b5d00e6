/* processor_usage: how much processor time this run had, and how many processors for how many threads. */
#ifndef FATHOM_PROFILE_PROCESSOR_USAGE_H
#define FATHOM_PROFILE_PROCESSOR_USAGE_H

#include "comm/comm.h"
#include "event/location.h"
#include "event/result.h"
#include "profile/process_tree.h"
#include "profile/unification.h"

/*
 * Called by all of comm: finds the usage of this process and, at one process of each node, the processors of the node.
 * process: NULL where there was no memory for a tree. text becomes what fathom_processors_describe says; empty:
 * nothing is known. 0, or -errno: comm is broken. Context: finish; signal where comm is serial.
 */
int fathom_usage_find(struct fathom_usage *usage, const struct fathom_process_tree *process, struct fathom_comm *comm,
		      const struct fathom_result *result, char text[FATHOM_PROCESSORS_TEXT]);

/* Returns the most locations that lived at the same time; without memory, the number of all locations.
 * Context: finish, signal. */
uint32_t fathom_usage_most_alive(const struct fathom_process_tree *process);

#endif
