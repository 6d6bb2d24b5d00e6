/*
 * windows: checks of one-sided communication: windows, operations on them, locks and synchronization.
 *
 * Operations of a process on a window that carry the same id complete together. An operation that only moves data
 * here (get) is done when it completes locally. An operation that changes the target (put, atomic) must also complete
 * there: by a record of its own, a fence, the release of a lock, or the end of the window.
 */
#ifndef FATHOM_TOOLS_CHECK_WINDOWS_H
#define FATHOM_TOOLS_CHECK_WINDOWS_H

struct fathom_check;
struct fathom_otf2_event;

/* Prepares what this part keeps. */
void fathom_check_windows_init(struct fathom_check *check);

/* Looks at an event of this part, whose definitions exist. */
void fathom_check_windows_event(struct fathom_check *check, const struct fathom_otf2_event *event);

/* Reports what is still open at the end of the trace, and frees what this part kept. */
void fathom_check_windows_finish(struct fathom_check *check);

#endif
