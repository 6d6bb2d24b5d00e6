/*
 * metered: the stage of the profile for strict metrics.
 *
 * At an enter, a counter's reading is subtracted from the value of the call path, and at the exit it is added; the
 * sum of the differences remains. So nothing needs to be stored for each visit. When a task is suspended its visits
 * are only closed, and opened again when it continues.
 *
 * A call path is *open* if its region was entered and not left. A large number is also subtracted from the value of
 * an open call path, which distinguishes it from a closed one. A thread never opens a call path twice; if recursion
 * is folded, the call paths between a folded visit and its node are closed during the visit.
 */
#ifndef FATHOM_PROFILE_METERED_H
#define FATHOM_PROFILE_METERED_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/recording/callpath.h"

#define FATHOM_METERED_OPEN ((uint64_t)1 << 62)

/* Returns true if value is that of an open call path. Readings and sums are smaller than half of FATHOM_METERED_OPEN,
 * both above and below zero. Any context. */
static inline bool fathom_metered_is_open(uint64_t value)
{
	return (int64_t)value < -(int64_t)(FATHOM_METERED_OPEN / 2);
}

/* Returns the inclusive value of a metric at a call path. An active visit counts up to the last reading of the
 * thread's counters, which is in meter; NULL: the reading is not known. Context: finish, signal. */
static inline uint64_t fathom_metered_value(const struct fathom_tally *tally, const struct fathom_meter *meter,
					    uint32_t metric)
{
	uint64_t value = fathom_peek(&tally->metered[metric]);

	if (!fathom_metered_is_open(value))
		return value;
	return meter ? value + FATHOM_METERED_OPEN + fathom_peek(&meter->values[metric]) : 0;
}

/* The visit that is open at from continues at to. Context: hook. */
void fathom_metered_pass(struct fathom_location *self, struct fathom_node *from, struct fathom_node *to);

/* Returns the stage that follows the stages of call paths and calls the stage after. The location's meter has been
 * read before. Only one can exist. Context: start. */
struct fathom_stage fathom_metered_before(struct fathom_stage after);

#endif
