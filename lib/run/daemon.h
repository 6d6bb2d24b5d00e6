/*
 * daemon: daemon(3). The process that calls it ends inside it, by a call that nothing can interpose, and a child goes
 * on as the program. The measurement moves to the child.
 */
#ifndef FATHOM_RUN_DAEMON_H
#define FATHOM_RUN_DAEMON_H

#include <stdbool.h>

/* In a child of fork: whether it goes on with the measurement of its parent. Context: signal. */
bool fathom_daemon_takes_over(void);

#endif
