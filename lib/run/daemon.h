/*
 * daemon: the measurement across a call of daemon(3).
 *
 * The process that calls daemon ends inside the C library, by a call that cannot be interposed, and its child continues
 * as the program. The measurement moves to the child.
 */
#ifndef FATHOM_RUN_DAEMON_H
#define FATHOM_RUN_DAEMON_H

#include <stdbool.h>

/* Called in each child of fork. Returns true if the child continues the measurement of its parent; then it adapts
 * process number, processor time and counters to the child. Context: signal. */
bool fathom_daemon_takes_over(void);

#endif
