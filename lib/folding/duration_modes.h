/*
 * duration_modes: which instances of a region behave alike, by their durations.
 *
 * Instances of a region that takes different ways through its code have durations in separate groups, the modes.
 */
#ifndef FATHOM_FOLDING_DURATION_MODES_H
#define FATHOM_FOLDING_DURATION_MODES_H

#include <stddef.h>
#include <stdint.h>

enum {
	FATHOM_NO_MODE = 0,		/* the instance belongs to no mode */
	FATHOM_LEAST_INSTANCES = 8,	/* of a mode */
};

/*
 * Fills in the mode of each instance: from 1, by rising duration. The durations are sorted into count / 4 buckets, 100
 * at most; a gap of more than a bucket divides modes, which are then divided again. Of each mode, instances that are
 * more than three median deviations away from its median are left out. Groups of fewer than FATHOM_LEAST_INSTANCES are
 * no modes. *mode_count: how many modes there are. 0 or -ENOMEM. Context: any that may allocate memory.
 */
int fathom_duration_modes_find(const double *durations, size_t count, uint32_t *modes, uint32_t *mode_count);

#endif
