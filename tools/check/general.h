/*
 * general: checks of regions, metrics, parameters, program begin and end, measurement on and off, and flushes.
 */
#ifndef FATHOM_TOOLS_CHECK_GENERAL_H
#define FATHOM_TOOLS_CHECK_GENERAL_H

struct fathom_check;
struct fathom_otf2_event;

/* Prepares what this part keeps. */
void fathom_check_general_init(struct fathom_check *check);

/* Looks at an event of this part, whose definitions exist. */
void fathom_check_general_event(struct fathom_check *check, const struct fathom_otf2_event *event);

/* Reports what is still open at the end of the trace, and frees what this part kept. */
void fathom_check_general_finish(struct fathom_check *check);

#endif
