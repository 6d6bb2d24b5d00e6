#include "waits/costs/held_interval.h"

/* How far back the acquisition of a lock is looked for. */
enum { MOST_RECORDS = 1000 };

/* Returns the record of the operation that acquired the lock which the operation at record releases; record itself:
 * it is not found. */
static uint32_t acquisition_of(const struct fathom_waits_location_state *location, uint32_t record)
{
	const struct fathom_waits_part *release = &location->location->records[record].operation.part;
	uint32_t r = record;

	for (uint32_t n = 0; r > 0 && n < MOST_RECORDS; n++) {
		const struct fathom_waits_part *part = &location->location->records[--r].operation.part;

		if (!fathom_waits_is_operation(location->location, r))
			continue;
		if (release->kind == FATHOM_WAITS_RMA ? part->kind == FATHOM_WAITS_RMA &&
		    part->tag == FATHOM_WAITS_RMA_LOCK && part->comm == release->comm && part->peer == release->peer :
		    part->kind == FATHOM_WAITS_LOCK && part->comm == release->comm && part->tag == release->tag)
			return r;
	}
	return record;
}

int fathom_waits_held_collect(struct fathom_waits_interval *interval, struct fathom_waits_state *state,
			      const struct fathom_waits_location_state *location, uint32_t record)
{
	uint32_t acquisition = acquisition_of(location, record);
	int err = fathom_waits_interval_collect(interval, state, location, acquisition, record, true,
						FATHOM_WAITS_WITHOUT_DELAYS);

	if (!err && acquisition < record && location->ops[acquisition].flags & FATHOM_WAITS_HAS_DELAYS) {
		interval->waiting += location->ops[acquisition].wait;
		interval->first = acquisition;
	}
	return err;
}
