/*
 * metered: the functions of the profile where there are strict metrics.
 *
 * At an enter a counter's reading is taken off what the call path has, at the exit it is added: what remains is the
 * sum of the differences. So nothing needs to be remembered for a visit, and a task that is suspended only
 * has its visits closed, and opened again when it goes on.
 *
 * open      a call path that was entered and not left: a large number is also subtracted from it, which distinguishes
 *           it from one that is closed. No call path of a thread is open twice; where recursion is folded, the
 *           call paths between a visit and the one that it belongs to are closed meanwhile.
 */
#ifndef FATHOM_PROFILE_METERED_H
#define FATHOM_PROFILE_METERED_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/callpath.h"

#define FATHOM_METERED_OPEN ((uint64_t)1 << 62)

/* Whether a call path with this value is open. Readings and sums are smaller than half of FATHOM_METERED_OPEN, above
 * and below zero. Any context. */
static inline bool fathom_metered_is_open(uint64_t value)
{
	return (int64_t)value < -(int64_t)(FATHOM_METERED_OPEN / 2);
}

/* Returns the inclusive value of a metric at a call path. A visit that is not over counts up to the last reading of the
 * thread's counters, which meter has; NULL: that reading is not known. Context: finish, signal. */
static inline uint64_t fathom_metered_value(const struct fathom_tally *tally, const struct fathom_meter *meter,
					    uint32_t metric)
{
	uint64_t value = fathom_peek(&tally->metered[metric]);

	if (!fathom_metered_is_open(value))
		return value;
	return meter ? value + FATHOM_METERED_OPEN + fathom_peek(&meter->values[metric]) : 0;
}

/* The visit that is open at from goes on at to. Context: hook. */
void fathom_metered_pass(struct fathom_location *self, struct fathom_node *from, struct fathom_node *to);

/* The stage behind that of the call paths, in front of the stage after. The location's meter has been read. There can
 * be one. Context: start. */
struct fathom_stage fathom_metered_before(struct fathom_stage after);

/* Other functions of the substrate's table (event/substrate.h). The core reads the location's meter before it calls
 * one. Context: birth; of the others: hook. */
int fathom_metered_birth(struct fathom_location *self, struct fathom_frame *root);
void fathom_metered_task_begin(struct fathom_location *self, struct fathom_frame *frame, uint64_t now);
void fathom_metered_task_end(struct fathom_location *self, struct fathom_frame *frame, uint64_t now);
void fathom_metered_suspend(struct fathom_location *self, struct fathom_frame *frame, uint64_t now);
void fathom_metered_resume(struct fathom_location *self, struct fathom_frame *frame, uint64_t now, bool is_moved);

#endif
