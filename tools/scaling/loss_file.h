/*
 * loss_file: the losses from the reference to the largest size as a profile: the metric of the largest size,
 * scaling_loss in its unit, and scaling_loss_percent of the whole run.
 *
 * The profile has the call paths of all runs and a column for each process of the largest size: the loss of a process
 * is its own value less its share of what is expected from the reference. So the sum over all processes is the loss of
 * the call path, as in the text. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_SCALING_LOSS_FILE_H
#define FATHOM_TOOLS_SCALING_LOSS_FILE_H

#include "tools/scaling/sizes.h"

/* Writes the file. 0, or -errno after an error message; then nothing is left behind. */
int fathom_loss_file_write(const struct fathom_scaling *scaling, const char *output);

/* Removes the file if it is incomplete, for atexit. */
void fathom_loss_file_abandon(void);

#endif
