/*
 * simulated_comm: many ranks in one process, each a thread, behind the table of comm/comm.h.
 *
 * Nobody spins: who waits sleeps. A send returns when the message was taken, as a large one does with
 * MPI, so what would hang there hangs here; the test then ends by its alarm.
 */
#ifndef FATHOM_TEST_SIMULATED_COMM_H
#define FATHOM_TEST_SIMULATED_COMM_H

#include "comm/comm.h"

/* What a rank does. 0 or -errno. */
typedef int simulated_rank(struct fathom_comm *comm, void *argument);

/*
 * Run a function on all ranks of a new world and wait for them; arguments[rank] is handed to each, its
 * result goes to results[rank].
 */
void simulated_run(int size, simulated_rank *function, void *const arguments[], int results[]);

/* A transfer that does not fit its other end, seen by anybody since the start of the process. */
extern int simulated_mismatches;

#endif
