/*
 * files: checks of input and output: handles, and operations on them.
 */
#ifndef FATHOM_TOOLS_CHECK_FILES_H
#define FATHOM_TOOLS_CHECK_FILES_H

struct fathom_check;
struct fathom_otf2_event;

/* Prepares the data of this part. */
void fathom_check_files_init(struct fathom_check *check);

/* Checks an event of this part. Its definitions exist. */
void fathom_check_files_event(struct fathom_check *check, const struct fathom_otf2_event *event);

/* Reports operations that are still open at the end of the trace, and frees the data of this part. */
void fathom_check_files_finish(struct fathom_check *check);

#endif
