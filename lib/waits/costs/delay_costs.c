#include "waits/costs/delay_costs.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "waits/costs/common_operation.h"
#include "waits/costs/delay_reports.h"
#include "waits/costs/held_interval.h"
#include "waits/costs/interval_map.h"
#include "waits/wait_formulas.h"

/* How many call paths a sent time map has at most. */
enum { MOST_ENTRIES = 3000 };

/* Locations that wait for each other in a circle are released one after the other; after so many rounds, all. */
enum { MOST_FORCED_ROUNDS = 100 };

/* The table of digests begins again when it has so many. */
enum { MOST_DIGESTS = 1 << 16 };

struct direct {
	struct fathom_waits_op_name waiter;
	double indirect;
};

struct place {			/* of a location on its way back */
	uint32_t floor;		/* records before this one belong to the next window */
	bool is_blocked;	/* the location waits for reports about the operation before next */
	bool is_released;	/* the location goes on without the reports that are missing */
	bool is_listed;
};

struct delays {
	struct fathom_waits_state *state;
	struct place *places;
	uint32_t *ready;	/* locations that can go on */
	uint32_t ready_count;
	struct fathom_waits_delay_reports reports;	/* that were received and not used */
	struct fathom_waits_key_table members;	/* by communicator and rank: 1 or 0 */
	struct fathom_waits_interval interval;
	struct fathom_waits_key_table digests;	/* by digest: use << 32 | index of an entry of the report */
	uint32_t digest_use;	/* number of the report; entries of other reports do not count */
	struct fathom_waits_report_entry *sent;	/* room for the entries of a report */
	uint32_t sent_room;
	bool is_forced;		/* no location waits any more */
	uint64_t blocked;
};

static uint32_t index_of(const struct delays *delays, const struct fathom_waits_location_state *location)
{
	return (uint32_t)(location - delays->state->locations);
}

/* Collects what a location did since it and the process with this rank synchronised last. */
static int collect(struct delays *delays, const struct fathom_waits_location_state *location, uint32_t record,
		   uint32_t rank)
{
	uint32_t first = fathom_waits_last_common(&delays->members, delays->state, location, record, rank);

	/* Behind the waiting in their last synchronisation, both locations are at the same time. */
	return fathom_waits_interval_collect(&delays->interval, delays->state, location, first, record, true,
					     FATHOM_WAITS_WITHOUT_DELAYS);
}

/* Does waiting of this pattern end when a lock is released? */
static bool is_for_lock(uint32_t pattern)
{
	return (pattern > FATHOM_WAITS_IN_LOCKS && pattern <= FATHOM_WAITS_CONTENTION_CONDITION) ||
	       pattern == FATHOM_WAITS_RMA_SYNC_LOCK_COMPETITION || pattern == FATHOM_WAITS_RMA_COMM_LOCK_COMPETITION;
}

/* --- a location that waited ---------------------------------------------------------------------------- */

static int by_time(const void *a, const void *b)
{
	const struct fathom_waits_report_entry *x = a, *y = b;

	return x->time > y->time ? -1 : x->time < y->time;
}

static int send_report(struct delays *delays, const struct fathom_waits_location_state *location, uint32_t record)
{
	struct fathom_waits_state *state = delays->state;
	const struct fathom_waits_op_state *op = &location->ops[record];
	struct fathom_waits_interval *interval = &delays->interval;
	int err = is_for_lock(op->pattern) ? 0 : collect(delays, location, record, op->cause.rank);
	struct fathom_waits_delay_report report = {
		.cause = op->cause,
		.waiter = fathom_waits_name_of(state, location, record),
		.wait = op->wait,
		.cost = op->cost,
		.pattern = op->pattern,
		.count = is_for_lock(op->pattern) ? 0 : interval->count,
	};
	struct fathom_waits_report_entry *entries;

	if (err)
		return err;
	if (interval->count > delays->sent_room) {
		entries = realloc(delays->sent, 2 * (size_t)interval->count * sizeof(*entries));
		if (!entries)
			return -ENOMEM;
		delays->sent = entries;
		delays->sent_room = 2 * interval->count;
	}
	entries = delays->sent;
	for (uint32_t e = 0; e < report.count; e++)
		entries[e] = (struct fathom_waits_report_entry){ state->paths[interval->entries[e].path].digest,
						    interval->entries[e].time };
	if (report.count > MOST_ENTRIES) {
		qsort(entries, report.count, sizeof(*entries), by_time);
		report.count = MOST_ENTRIES;
	}
	err = fathom_waits_send_to(state, op->cause.rank, FATHOM_WAITS_MAIL_DELAY, &report, sizeof(report), entries,
				   report.count * sizeof(*entries));
	fathom_waits_add_at(state, location, record, FATHOM_WAITS_PROPAGATING, op->propagated);
	fathom_waits_add_at(state, location, record, FATHOM_WAITS_TERMINAL, op->wait - op->propagated);
	return err;
}

static int take_direct(struct delays *delays, const void *data, size_t bytes)
{
	struct fathom_waits_location_state *location;
	struct direct direct;

	if (bytes != sizeof(direct))
		return -EPROTO;
	memcpy(&direct, data, sizeof(direct));
	location = fathom_waits_location_at(delays->state, &direct.waiter);
	if (!location)
		return -EPROTO;
	fathom_waits_add_at(delays->state, location, direct.waiter.record, FATHOM_WAITS_INDIRECT, direct.indirect);
	fathom_waits_add_at(delays->state, location, direct.waiter.record, FATHOM_WAITS_DIRECT,
			    location->ops[direct.waiter.record].wait - direct.indirect);
	return 0;
}

/* --- a location that was late -------------------------------------------------------------------------- */

/* Returns the pattern of short-term costs; the next one is that of long-term costs. */
static enum fathom_waits_pattern short_term(uint32_t pattern)
{
	switch (pattern) {
	case FATHOM_WAITS_LATE_SENDER:
		return FATHOM_WAITS_DELAY_LATE_SENDER_SHORT;
	case FATHOM_WAITS_LATE_RECEIVER:
		return FATHOM_WAITS_DELAY_LATE_RECEIVER_SHORT;
	case FATHOM_WAITS_NXN_WAIT:
		return FATHOM_WAITS_DELAY_N2N_SHORT;
	case FATHOM_WAITS_LATE_BROADCAST:
		return FATHOM_WAITS_DELAY_12N_SHORT;
	case FATHOM_WAITS_EARLY_REDUCE:
		return FATHOM_WAITS_DELAY_N21_SHORT;
	case FATHOM_WAITS_EARLY_SCAN:
		return FATHOM_WAITS_DELAY_SCAN_SHORT;
	case FATHOM_WAITS_OMP_BARRIER_EXPLICIT:
	case FATHOM_WAITS_OMP_BARRIER_IMPLICIT:
		return FATHOM_WAITS_DELAY_OMP_BARRIER_SHORT;
	case FATHOM_WAITS_RMA_AT_CREATE:
	case FATHOM_WAITS_RMA_AT_FREE:
	case FATHOM_WAITS_RMA_AT_FENCE:
	case FATHOM_WAITS_RMA_SYNC_LATE_POST:
	case FATHOM_WAITS_RMA_COMM_LATE_POST:
	case FATHOM_WAITS_RMA_EARLY_WAIT:
	case FATHOM_WAITS_RMA_SYNC_PROGRESS:
	case FATHOM_WAITS_RMA_COMM_PROGRESS:
		return FATHOM_WAITS_DELAY_RMA_SHORT;
	default:
		return is_for_lock(pattern) ? FATHOM_WAITS_DELAY_LOCK_SHORT : FATHOM_WAITS_DELAY_BARRIER_SHORT;
	}
}

/* Digests are hashes already; 0 is no key. */
static uint64_t key_of_digest(uint64_t digest)
{
	return digest ? digest : 1;
}

/* Finds the excess of the late location's time over the waiting one's, by call path: the interval then has delays in
 * place of times. *sum: of all delays. */
static int subtract(struct delays *delays, struct fathom_waits_kept_report *kept, double *sum)
{
	struct fathom_waits_interval *interval = &delays->interval;
	uint64_t use;
	int err = 0;

	*sum = 0;
	if (!++delays->digest_use || delays->digests.count > MOST_DIGESTS) {
		fathom_waits_key_fini(&delays->digests);
		delays->digest_use = 1;
	}
	use = (uint64_t)delays->digest_use << 32;
	for (uint32_t e = 0; e < kept->report.count && !err; e++) {
		uint64_t *found = fathom_waits_key_add(&delays->digests, key_of_digest(kept->entries[e].digest), 0);

		if (!found)
			err = -ENOMEM;
		else if (*found >= use)
			kept->entries[*found - use].time += kept->entries[e].time;
		else
			*found = use | e;
	}
	for (uint32_t e = 0; e < interval->count && !err; e++) {
		struct fathom_waits_interval_entry *entry = &interval->entries[e];
		const uint64_t *found = fathom_waits_key_find(&delays->digests, key_of_digest(
			delays->state->paths[entry->path].digest));

		if (found && *found >= use)
			entry->time -= kept->entries[*found - use].time;
		if (entry->time < 0)
			entry->time = 0;
		*sum += entry->time;
	}
	return err;
}

static int use_report(struct delays *delays, const struct fathom_waits_location_state *location, uint32_t record,
		      struct fathom_waits_kept_report *kept)
{
	struct fathom_waits_state *state = delays->state;
	const struct fathom_waits_delay_report *report = &kept->report;
	enum fathom_waits_pattern pattern = short_term(report->pattern);
	struct direct direct = { report->waiter, 0 };
	struct fathom_waits_delay delay;
	double sum;
	int err = is_for_lock(report->pattern) ? fathom_waits_held_collect(&delays->interval, state, location, record) :
		  collect(delays, location, record, report->waiter.rank);

	if (!err)
		err = subtract(delays, kept, &sum);
	if (err)
		return err;
	delay = fathom_waits_delay_of(report->wait, report->cost, sum, delays->interval.waiting);
	state->summary.unexplained += delay.unexplained;
	state->summary.delays += (delay.scale + delay.long_scale) * sum;
	for (uint32_t e = 0; e < delays->interval.count; e++) {
		const struct fathom_waits_interval_entry *entry = &delays->interval.entries[e];

		fathom_waits_add(state, entry->path, pattern, delay.scale * entry->time);
		fathom_waits_add(state, entry->path, pattern + 1, delay.long_scale * entry->time);
	}
	for (uint32_t r = delays->interval.first; delays->interval.waiting > 0 && r < record; r++) {
		struct fathom_waits_op_state *op = &location->ops[r];

		if (!(op->flags & FATHOM_WAITS_HAS_DELAYS))
			continue;
		op->cost += (delay.scale + delay.long_scale) * op->wait;
		if (delay.scale * op->wait > op->propagated)
			op->propagated = delay.scale * op->wait;
	}
	direct.indirect = delay.indirect;
	return fathom_waits_send_to(state, report->waiter.rank, FATHOM_WAITS_MAIL_DIRECT, &direct, sizeof(direct), NULL,
				    0);
}

/* Uses the reports about an operation. */
static int use_reports(struct delays *delays, const struct fathom_waits_location_state *location, uint32_t record)
{
	struct fathom_waits_kept_report *first, *kept;
	int err = fathom_waits_reports_take(&delays->reports, index_of(delays, location), record, &first);

	for (kept = first; kept && !err; kept = kept->next)
		err = use_report(delays, location, record, kept);
	fathom_waits_reports_free(first);
	return err;
}

/* --- going back ---------------------------------------------------------------------------------------- */

static void make_ready(struct delays *delays, uint32_t location)
{
	if (delays->places[location].is_listed)
		return;
	delays->places[location].is_listed = true;
	delays->ready[delays->ready_count++] = location;
}

/* Returns how many reports about an operation have arrived. */
static uint32_t arrived_at(const struct delays *delays, const struct fathom_waits_location_state *location,
			   uint32_t record)
{
	return fathom_waits_reports_count(&delays->reports, index_of(delays, location), record);
}

static int go_back(struct delays *delays, uint32_t index)
{
	struct fathom_waits_location_state *location = &delays->state->locations[index];
	struct place *place = &delays->places[index];
	int err = 0;

	while (location->next > place->floor && !err) {
		uint32_t record = location->next - 1;
		const struct fathom_waits_op_state *op = &location->ops[record];

		if (fathom_waits_is_operation(location->location, record)) {
			if (op->flags & FATHOM_WAITS_HAS_DELAYS && !place->is_blocked)
				err = send_report(delays, location, record);
			if (op->expected && !err) {
				if (arrived_at(delays, location, record) < op->expected && !delays->is_forced) {
					delays->blocked += !place->is_blocked;
					place->is_blocked = true;
					return 0;
				}
				err = use_reports(delays, location, record);
			}
			delays->blocked -= place->is_blocked;
			place->is_blocked = place->is_released = false;
		}
		location->next--;
	}
	return err ? err : delays->state->err;
}

static int work(void *context, bool *is_idle)
{
	struct delays *delays = context;
	int err = 0;

	*is_idle = !delays->ready_count;
	if (!*is_idle) {
		uint32_t index = delays->ready[--delays->ready_count];

		delays->places[index].is_listed = false;
		err = go_back(delays, index);
	}
	return err;
}

static int take_report(struct delays *delays, const void *data, size_t bytes)
{
	struct fathom_waits_state *state = delays->state;
	struct fathom_waits_location_state *location;
	struct fathom_waits_delay_report report;
	uint32_t index;
	int err;

	if (bytes < sizeof(report))
		return -EPROTO;
	memcpy(&report, data, sizeof(report));
	location = fathom_waits_location_at(state, &report.cause);
	if (!location || bytes != sizeof(report) + report.count * sizeof(struct fathom_waits_report_entry))
		return -EPROTO;
	index = index_of(delays, location);
	if (location->next <= report.cause.record ||
	    (location->next == report.cause.record + 1 && delays->places[index].is_released)) {
		struct direct direct = { report.waiter, 0 };

		state->summary.unexplained += report.wait + report.cost;
		return fathom_waits_send_to(state, report.waiter.rank, FATHOM_WAITS_MAIL_DIRECT, &direct,
					    sizeof(direct), NULL, 0);
	}
	err = fathom_waits_reports_keep(&delays->reports, index, data);
	if (err)
		return err;
	if (delays->places[index].is_blocked && location->next == report.cause.record + 1 &&
	    arrived_at(delays, location, report.cause.record) >= location->ops[report.cause.record].expected)
		make_ready(delays, index);
	return 0;
}

static int take_mail(void *context, uint32_t type, const void *data, size_t bytes)
{
	switch (type) {
	case FATHOM_WAITS_MAIL_DELAY:
		return take_report(context, data, bytes);
	case FATHOM_WAITS_MAIL_DIRECT:
		return take_direct(context, data, bytes);
	default:
		return -EPROTO;
	}
}

/* Runs the stage until no location can go on. */
static int run_stage(struct delays *delays)
{
	struct fathom_waits_stage stage = { take_mail, work, delays };

	return fathom_waits_mail_run(delays->state->mail, &stage);
}

/* Releases locations that wait for reports that never come: one operation each, or all for good. */
static int release_blocked(struct delays *delays)
{
	struct fathom_waits_state *state = delays->state;
	int err = 0;

	for (int round = 0; !err; round++) {
		double blocked = (double)delays->blocked;

		err = fathom_waits_mail_sum(state->mail, &blocked, 1);
		if (err || blocked == 0)
			return err;
		delays->is_forced = round >= MOST_FORCED_ROUNDS;
		for (uint32_t l = 0; l < state->location_count && !err; l++) {
			struct fathom_waits_location_state *location = &state->locations[l];

			if (!delays->places[l].is_blocked)
				continue;
			state->summary.forced++;
			location->ops[location->next - 1].expected = arrived_at(delays, location, location->next - 1);
			delays->places[l].is_released = true;
			make_ready(delays, l);
		}
		err = run_stage(delays);
	}
	return err;
}

/* Sets the floors of the next window: all operations that begin after a time. */
static void set_floors(struct delays *delays, double time)
{
	struct fathom_waits_state *state = delays->state;

	for (uint32_t l = 0; l < state->location_count; l++) {
		const struct fathom_waits_location_state *location = &state->locations[l];
		uint32_t low = 0, high = location->next;

		/* All records before low begin before the time. */
		while (low < high) {
			uint32_t middle = low + (high - low) / 2, record = middle;

			while (record > low && !fathom_waits_is_operation(location->location, record))
				record--;
			if (fathom_waits_is_operation(location->location, record) &&
			    fathom_waits_enter(state, location, record) >= time)
				high = record;
			else
				low = middle + 1;
		}
		delays->places[l].floor = low < location->next ? low : location->next;
		if (!delays->places[l].is_blocked)
			make_ready(delays, l);
	}
}

/* Returns the latest time that leaves no location of this host more records in the next window than a window has;
 * -INFINITY: the next window is the last one. */
static double next_time(const struct delays *delays)
{
	const struct fathom_waits_state *state = delays->state;
	double time = -INFINITY;

	for (uint32_t l = 0; l < state->location_count; l++) {
		const struct fathom_waits_location_state *location = &state->locations[l];
		uint32_t floor = delays->places[l].floor, window = fathom_waits_window(state);

		if (floor <= window)
			continue;
		for (floor -= window; floor > 0 && !fathom_waits_is_operation(location->location, floor);)
			floor--;
		if (floor > 0)
			time = fathom_waits_larger(time, fathom_waits_enter(state, location, floor));
	}
	return time;
}

/* Runs the stage in windows, from the end of the program to its begin. */
static int run_windows(struct delays *delays)
{
	struct fathom_waits_state *state = delays->state;
	double most = 0, time;
	int err, windows;

	for (uint32_t l = 0; l < state->location_count; l++) {
		state->locations[l].next = delays->places[l].floor = state->locations[l].location->count;
		most = fathom_waits_larger(most, state->locations[l].location->count);
	}
	err = fathom_waits_mail_largest(state->mail, &most, 1);
	/* Processes may have their records at different times; then some windows are larger. */
	windows = 4 * (int)(most / fathom_waits_window(state)) + 4;
	do {
		time = --windows > 0 ? next_time(delays) : -INFINITY;
		if (!err)
			err = fathom_waits_mail_largest(state->mail, &time, 1);
		if (err)
			return err;
		set_floors(delays, time);
		err = run_stage(delays);
		fathom_waits_state_release(state);
	} while (!err && isfinite(time));
	return err ? err : release_blocked(delays);
}

int fathom_waits_delays_find(struct fathom_waits_state *state)
{
	struct delays delays = { .state = state };
	int err;

	delays.places = calloc((size_t)state->location_count + 1, sizeof(*delays.places));
	delays.ready = calloc((size_t)state->location_count + 1, sizeof(*delays.ready));
	err = fathom_waits_mail_agree(state->mail, delays.places && delays.ready ? 0 : -ENOMEM);
	if (!err)
		err = run_windows(&delays);
	fathom_waits_reports_fini(&delays.reports);
	fathom_waits_key_fini(&delays.members);
	fathom_waits_key_fini(&delays.digests);
	fathom_waits_interval_fini(&delays.interval);
	free(delays.sent);
	free(delays.places);
	free(delays.ready);
	return err;
}
