/*
 * wait_formulas: how long an operation waited, from the times of its partners, in plain numbers.
 *
 * All times are seconds of one clock. enter and leave are the times of the operation in which a process waits. No
 * result is negative, and none is longer than the operation.
 */
#ifndef FATHOM_WAITS_WAIT_FORMULAS_H
#define FATHOM_WAITS_WAIT_FORMULAS_H

#include <stdbool.h>

/* An operation that receives a message, whose send was entered at send_enter. Any context. */
double fathom_waits_late_sender(double enter, double leave, double send_enter);

/* An operation that completes a send, where the receiver asked for the message at request: the enter of the receive, or
 * of the call that began it. Any context. */
double fathom_waits_late_receiver(double enter, double leave, double request);

/* What the members of a collective operation have in common. */
struct fathom_waits_meeting {
	double last_begin;		/* the latest enter, of the call that began the operation */
	double first_end;		/* the earliest leave, of the call in which the operation was complete */
};

/* A barrier: waiting until the last process entered, and time after the first process left. MPI_Finalize is a
 * barrier for the first, MPI_Init for the second. Any context. */
double fathom_waits_barrier_wait(double enter, double leave, const struct fathom_waits_meeting *meeting);
double fathom_waits_barrier_completion(double enter, double leave, const struct fathom_waits_meeting *meeting);

/* As above, for operations in which each process needs data of all. If some process left before the last one entered,
 * not all data were needed: only processes that left after the last one entered have waited. Any context. */
double fathom_waits_nxn_wait(double enter, double leave, const struct fathom_waits_meeting *meeting);
double fathom_waits_nxn_completion(double enter, double leave, const struct fathom_waits_meeting *meeting);

/* An operation that waits until another process entered at begin: the root of a broadcast, the last sender of a
 * reduction, the last lower rank of a scan. Any context. */
double fathom_waits_until(double enter, double leave, double begin);

/* The processes of a collective operation on a window, if they overlap. Any context. */
double fathom_waits_window_wait(double enter, double leave, const struct fathom_waits_meeting *meeting);

/* MPI_Win_fence at a target: until the last operation on it ended. Any context. */
double fathom_waits_early_fence(double enter, double leave, double last_access_end);

/* MPI_Win_wait: the whole waiting until the last MPI_Win_complete was entered, and its part after the last operation on
 * this process had ended. Any context. */
double fathom_waits_early_wait(double enter, double leave, double last_complete);
double fathom_waits_late_complete(double enter, double leave, double last_complete, double last_access_end);

/* A thread in a barrier, where the last thread entered at last_enter; tasks is the time it executed tasks. Any
 * context. */
double fathom_waits_team_barrier(double enter, double leave, double last_enter, double tasks);

/* Delay costs of one wait state (section "Delay costs" of doc/internals/wait-states.md). */
struct fathom_waits_delay {
	double scale;		/* cost of a second of delay, and of earlier waiting, for this wait state itself */
	double long_scale;	/* the same for what the wait state caused later */
	double indirect;	/* the part of the waiting that came from earlier waiting */
	double unexplained;	/* the part of waiting and costs that neither delay nor earlier waiting explains */
};

/* wait is the waiting, cost what it caused later, delay the sum of all delays of the late location, earlier the sum of
 * its own waiting in the interval. Any context. */
struct fathom_waits_delay fathom_waits_delay_of(double wait, double cost, double delay, double earlier);

/* Returns the smaller one of two numbers, neither of which is a NaN. libfathom has no fmin and fmax, as it is not
 * linked with libm. Any context. */
static inline double fathom_waits_smaller(double a, double b)
{
	return a < b ? a : b;
}

/* Returns the larger one of two numbers. Any context. */
static inline double fathom_waits_larger(double a, double b)
{
	return a > b ? a : b;
}

#endif
