/*
 * fold_reading: reads the samples and counter readings within the instances of folds from a trace.
 */
#ifndef FATHOM_TOOLS_FOLD_FOLD_READING_H
#define FATHOM_TOOLS_FOLD_FOLD_READING_H

#include "tools/fold/folds.h"

/* Reads all events of the trace of the folds, and adds what is within the instances. 0, or -errno after an error
 * message. Context: tool. */
int fathom_folds_read(struct fathom_folds *folds, const struct fathom_instances *instances);

#endif
