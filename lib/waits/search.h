/*
 * search: finds wait states, their causes and the critical path in operation logs (operation.h).
 *
 * One or several *hosts* search together: the processes of comm. A host has the logs of some processes of the measured
 * program: of one in a run that analyses itself, of all or a part of them in a program that reads a trace. The results
 * do not depend on the number of hosts, except for rounding.
 *
 * Errors in the logs (messages without a partner, collective operations in which not all members take part, logs that
 * end early, clocks that are wrong) are counted in the summary; the rest is searched, and the search always ends.
 */
#ifndef FATHOM_WAITS_SEARCH_H
#define FATHOM_WAITS_SEARCH_H

#include "comm/comm.h"
#include "waits/search_input.h"

/*
 * Searches. All ranks of comm call this together. 0 or -errno: comm is broken, or there is no memory; then no result
 * was added, and other hosts may wait until comm reports the error to them. Allocates with malloc. Context: finish.
 */
int fathom_waits_search(struct fathom_comm *comm, const struct fathom_waits_input *input,
			struct fathom_waits_summary *summary);

#endif
