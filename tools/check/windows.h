/*
 * windows: checks of one-sided communication: windows, operations on them, locks and synchronization.
 *
 * Operations of a process on a window that have the same id complete together. An operation that only reads from the
 * target (get) is complete when it completes locally. An operation that changes the target (put, atomic) must also
 * complete at the target: by a record for this, a fence, the release of a lock, or the end of the window.
 */
#ifndef FATHOM_TOOLS_CHECK_WINDOWS_H
#define FATHOM_TOOLS_CHECK_WINDOWS_H

struct fathom_check;
struct fathom_otf2_event;

/* Prepares the data of this part. */
void fathom_check_windows_init(struct fathom_check *check);

/* Checks an event of this part. Its definitions exist. */
void fathom_check_windows_event(struct fathom_check *check, const struct fathom_otf2_event *event);

/* Reports operations that are still open at the end of the trace, and frees the data of this part. */
void fathom_check_windows_finish(struct fathom_check *check);

#endif
