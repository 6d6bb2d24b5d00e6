/*
 * forked_child: a child of fork. It is not measured, unless it is the one that daemon(3) goes on with.
 */
#ifndef FATHOM_RUN_FORKED_CHILD_H
#define FATHOM_RUN_FORKED_CHILD_H

/* From now on each child of fork stops measuring before fork returns in it. Context: start. */
void fathom_forked_child_init(void);

#endif
