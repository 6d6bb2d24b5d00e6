/*
 * locks: checks of the locks of threads: acquisitions count from 1, and one thread holds a lock at a time.
 *
 * Events of the same time on different threads come in any order. So they are stored until an event of a later time
 * comes, and are then checked in the order of acquisitions.
 */
#ifndef FATHOM_TOOLS_CHECK_LOCKS_H
#define FATHOM_TOOLS_CHECK_LOCKS_H

struct fathom_check;
struct fathom_otf2_event;

/* Prepares the data of this part. */
void fathom_check_locks_init(struct fathom_check *check);

/* Checks an event of this part. Its definitions exist. */
void fathom_check_locks_event(struct fathom_check *check, const struct fathom_otf2_event *event);

/* Reports operations that are still open at the end of the trace, and frees the data of this part. */
void fathom_check_locks_finish(struct fathom_check *check);

#endif
