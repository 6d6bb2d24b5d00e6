/*
 * locks: checks of the locks of threads: acquisitions count from 1, and one thread holds a lock at a time.
 *
 * Events of the same moment on different threads come in any order. They wait until time goes on, and are then judged
 * in the order of acquisitions.
 */
#ifndef FATHOM_TOOLS_CHECK_LOCKS_H
#define FATHOM_TOOLS_CHECK_LOCKS_H

struct fathom_check;
struct fathom_otf2_event;

/* Prepares what this part keeps. */
void fathom_check_locks_init(struct fathom_check *check);

/* Looks at an event of this part, whose definitions exist. */
void fathom_check_locks_event(struct fathom_check *check, const struct fathom_otf2_event *event);

/* Reports what is still open at the end of the trace, and frees what this part kept. */
void fathom_check_locks_finish(struct fathom_check *check);

#endif
