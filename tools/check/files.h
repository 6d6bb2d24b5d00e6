/*
 * files: checks of input and output: handles, and operations on them.
 */
#ifndef FATHOM_TOOLS_CHECK_FILES_H
#define FATHOM_TOOLS_CHECK_FILES_H

struct fathom_check;
struct fathom_otf2_event;

/* Prepares what this part keeps. */
void fathom_check_files_init(struct fathom_check *check);

/* Looks at an event of this part, whose definitions exist. */
void fathom_check_files_event(struct fathom_check *check, const struct fathom_otf2_event *event);

/* Reports what is still open at the end of the trace, and frees what this part kept. */
void fathom_check_files_finish(struct fathom_check *check);

#endif
