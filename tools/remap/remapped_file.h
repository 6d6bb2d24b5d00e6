/*
 * remapped_file: a copy of a profile with a metric for each activity class below the metric time.
 *
 * The class of a region follows from its paradigm, role and name by the rules of cube/reader/activity_rules.h, as in
 * the profiles that fathom writes; the own time of each call path is the value of its class and of all classes around
 * it. All other values are copied bit by bit. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_REMAP_REMAPPED_FILE_H
#define FATHOM_TOOLS_REMAP_REMAPPED_FILE_H

#include "tools/common/profile.h"

/* What was written. */
struct fathom_remapped {
	uint32_t added;					/* metrics of classes */
	uint32_t left_out;				/* metrics that cannot be written: formulas, histograms */
	double seconds[FATHOM_ACTIVITY_COUNT];		/* by class, over all counted call paths */
	double total;
};

/* Writes the file. 0, or -errno after an error message; then nothing is left behind. */
int fathom_remapped_file_write(struct fathom_profile *profile, const char *output, struct fathom_remapped *remapped);

/* Removes the file if it is incomplete, for atexit. */
void fathom_remapped_file_abandon(void);

#endif
