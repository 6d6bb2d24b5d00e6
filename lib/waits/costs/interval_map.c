#include "waits/costs/interval_map.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* How far a map is looked for behind the interval. */
enum { MOST_RECORDS_TO_MAP = 1000 };

void fathom_waits_interval_fini(struct fathom_waits_interval *interval)
{
	free(interval->entries);
	free(interval->slots);
	*interval = (struct fathom_waits_interval){ 0 };
}

/* Adds an entry for a call path that the interval does not have. 0 or -ENOMEM. */
static __attribute__((noinline)) int add_entry(struct fathom_waits_interval *interval, uint32_t path, double time)
{
	if (path >= interval->slot_count) {
		uint32_t count = 2 * path + 64;
		uint32_t *larger = realloc(interval->slots, count * sizeof(*larger));

		if (!larger)
			return -ENOMEM;
		memset(larger + interval->slot_count, 0, (count - interval->slot_count) * sizeof(*larger));
		interval->slots = larger;
		interval->slot_count = count;
	}
	if (interval->count == interval->room) {
		uint32_t room = interval->room ? 2 * interval->room : 64;
		struct fathom_waits_interval_entry *larger = realloc(interval->entries, room * sizeof(*larger));

		if (!larger)
			return -ENOMEM;
		interval->entries = larger;
		interval->room = room;
	}
	interval->entries[interval->count] = (struct fathom_waits_interval_entry){ path, time };
	interval->slots[path] = ++interval->count;
	return 0;
}

/* Adds time to a call path of the interval. 0 or -ENOMEM. */
static inline int add_time(struct fathom_waits_interval *interval, uint32_t path, double time)
{
	uint32_t slot;

	if (time <= 0)
		return 0;
	slot = path < interval->slot_count ? interval->slots[path] : 0;
	if (!slot || slot > interval->count || interval->entries[slot - 1].path != path)
		return add_entry(interval, path, time);
	interval->entries[slot - 1].time += time;
	return 0;
}

/* Returns the first record of the next map from a record on; the number of records if there is none near. Intervals of
 * a location mostly follow each other backward, so the range that is known to have no map is not searched again. */
static uint32_t next_map(struct fathom_waits_location_state *location, uint32_t record)
{
	const struct fathom_waits_location *log = location->location;
	uint32_t most = log->count - record < MOST_RECORDS_TO_MAP ? log->count : record + MOST_RECORDS_TO_MAP;
	uint32_t at = record;

	while (at < most && fathom_waits_record_kind(&log->records[at]) != FATHOM_WAITS_MAP) {
		at++;
		if (at >= location->mapless_begin && at < location->mapless_end)
			at = location->mapless_end;
	}
	location->mapless_begin = record;
	location->mapless_end = at;
	return at < most ? at : log->count;
}

/* Spreads time over the call paths of a map, or gives it to path if there is no map. */
static int spread(struct fathom_waits_interval *interval, struct fathom_waits_state *state,
		  const struct fathom_waits_location_state *location, uint32_t map, double time, uint32_t path)
{
	const struct fathom_waits_location *log = location->location;
	uint32_t index = (uint32_t)(location - state->locations), end = map;
	double sum = 0;
	int err = 0;

	if (time <= 0)
		return 0;
	for (; end < log->count && (end == map || fathom_waits_record_kind(&log->records[end]) ==
				    FATHOM_WAITS_MAP_MORE); end++) {
		const struct fathom_waits_record *record = &log->records[end];

		for (uint32_t e = 0; e < fathom_waits_record_fill(record) && e < 2; e++)
			sum += (double)record->entries[e].ticks;
	}
	if (sum <= 0)
		return add_time(interval, path, time);
	for (uint32_t r = map; r < end && !err; r++) {
		const struct fathom_waits_record *record = &log->records[r];

		for (uint32_t e = 0; e < fathom_waits_record_fill(record) && e < 2 && !err; e++)
			err = add_time(interval, fathom_waits_path_of(state, index, record->entries[e].call_path),
				       time * ((double)record->entries[e].ticks / sum));
	}
	return err ? err : state->err;
}

int fathom_waits_interval_collect(struct fathom_waits_interval *interval, struct fathom_waits_state *state,
				  const struct fathom_waits_location_state *location, uint32_t first, uint32_t last,
				  bool inside, enum fathom_waits_left_out left_out)
{
	const struct fathom_waits_location *log = location->location;
	uint32_t index = (uint32_t)(location - state->locations), map = 0, path = 0;
	double until = last < log->count ? fathom_waits_enter(state, location, last) : location->end;
	double gap = 0;		/* time outside of operations that the map covers */
	static const uint8_t flags[] = {
		[FATHOM_WAITS_WITHOUT_DELAYS] = FATHOM_WAITS_HAS_DELAYS,
		[FATHOM_WAITS_WITHOUT_CAUSES] = FATHOM_WAITS_HAS_CAUSE,
		[FATHOM_WAITS_WHOLE] = 0,
	};
	uint8_t flag = flags[left_out];
	uint32_t end = first == FATHOM_WAITS_FROM_BEGIN ? 0 : first;
	int err = 0;

	interval->count = 0;
	interval->waiting = 0;
	interval->first = first == FATHOM_WAITS_FROM_BEGIN ? 0 : first + 1;
	if (!log->count)
		return 0;
	map = next_map(&state->locations[index], last < log->count ? last : log->count);
	if (last < log->count)
		path = fathom_waits_path_of(state, index, log->records[last].operation.call_path);
	else if (location->first_path)
		path = location->first_path - 1;
	for (uint32_t r = last; r-- > end && !err;) {
		const struct fathom_waits_record *record = &log->records[r];
		enum fathom_waits_record_kind kind = fathom_waits_record_kind(record);
		const struct fathom_waits_op_state *op = &location->ops[r];
		double enter, leave, wait;

		fathom_waits_release_at(state, location, r);
		if (kind == FATHOM_WAITS_MAP) {
			err = spread(interval, state, location, map, gap, path);
			gap = 0;
			map = r;
		}
		if (kind != FATHOM_WAITS_OPERATION)
			continue;
		enter = fathom_waits_enter(state, location, r);
		leave = fathom_waits_leave(state, location, r);
		if (until > leave)
			gap += until - leave;
		if (map >= log->count) {
			err = spread(interval, state, location, map, gap, path);
			gap = 0;
		}
		until = enter;
		path = fathom_waits_path_of(state, index, record->operation.call_path);
		if (r == first && !inside)
			break;
		wait = op->flags & flag ? op->wait : 0;
		if (!err)
			err = add_time(interval, path, leave - enter - wait);
		if (r != first)
			interval->waiting += wait;
	}
	if (first == FATHOM_WAITS_FROM_BEGIN && until > location->begin)
		gap += until - location->begin;
	if (!err)
		err = spread(interval, state, location, map, gap, path);
	return err ? err : state->err;
}
