#include "waits/wait_causes.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "waits/wait_formulas.h"

/* The last late senders of a location, among which a message in wrong order is looked for (as Scalasca does). */
enum { LATE_SENDERS = 100 };

/* So many records are looked at before messages are taken: messages to this host itself wait in memory. */
enum { NOTIFIED_RECORDS = 4096 };

/* After so many messages, which may each have touched a page, memory is given back. */
enum { RELEASE_MESSAGES = 4096 };

struct late_sender {
	double wait;
	double send_enter;
	uint32_t record, rank;
};

struct judge {
	struct fathom_waits_state *state;
	struct fathom_waits_threads *threads;
	struct fathom_waits_epochs *epochs;
	uint32_t next, next_record;	/* location and record whose causes come next */
	uint32_t taken;			/* number of messages */
	int err;			/* of the judging, which the stage reports to the other hosts */
	struct late_sender late_senders[LATE_SENDERS];
	uint32_t first, count;		/* ring */
	double last_send;		/* no message of the ring was sent later than this */
};

struct cause {
	struct fathom_waits_op_name name;
	uint32_t waiter_rank;
};

/* Reports the time of the waiting in an operation, which begins with the operation, if the profile has its call
 * path. */
static void report_interval(const struct fathom_waits_state *state, const struct fathom_waits_location_state *location,
			    uint32_t record, enum fathom_waits_pattern pattern)
{
	const struct fathom_waits_input *input = state->input;
	const struct fathom_waits_op_state *op = &location->ops[record];
	bool has_cause = op->flags & FATHOM_WAITS_HAS_CAUSE;
	struct fathom_waits_interval_found found = {
		.process = state->processes[location->process].process,
		.location = location->location,
		.pattern = pattern,
		.cause_rank = has_cause ? op->cause.rank : FATHOM_WAITS_NO_HOST,
		.cause_thread = has_cause ? op->cause.thread : 0,
	};

	if (!input->add_interval || op->wait <= 0 ||
	    location->location->records[record].operation.call_path == FATHOM_WAITS_NO_CALL_PATH)
		return;
	found.begin = fathom_waits_enter(state, location, record);
	found.end = found.begin + op->wait;
	input->add_interval(input->context, &found);
}

/* --- late senders and wrong order ---------------------------------------------------------------------- */

static void add_late_sender(struct judge *judge, struct fathom_waits_location_state *location,
			    const struct late_sender *late, enum fathom_waits_pattern pattern)
{
	fathom_waits_add_at(judge->state, location, late->record, pattern, late->wait);
	report_interval(judge->state, location, late->record, pattern);
	fathom_waits_add_at(judge->state, location, late->record, pattern == FATHOM_WAITS_LATE_SENDER ?
			    FATHOM_WAITS_COUNT_LATE_SENDER : FATHOM_WAITS_COUNT_WRONG_ORDER, 1);
}

static void keep_at(struct judge *judge, uint32_t place, const struct late_sender *late)
{
	judge->late_senders[(judge->first + place) % LATE_SENDERS] = *late;
	judge->last_send = fathom_waits_larger(judge->last_send, late->send_enter);
}

/* The operation received a message that was sent at early_begin: earlier late senders that sent after that were
 * received in wrong order. */
static void find_wrong_order(struct judge *judge, struct fathom_waits_location_state *location,
			     const struct fathom_waits_op_state *op)
{
	uint32_t left = 0;

	if (!judge->count || op->early_begin >= judge->last_send)
		return;
	judge->last_send = -INFINITY;
	for (uint32_t i = 0; i < judge->count; i++) {
		struct late_sender late = judge->late_senders[(judge->first + i) % LATE_SENDERS];

		if (op->early_begin < late.send_enter)
			add_late_sender(judge, location, &late, late.rank == op->early_rank ?
					FATHOM_WAITS_WRONG_ORDER_SAME : FATHOM_WAITS_WRONG_ORDER_DIFFERENT);
		else
			keep_at(judge, left++, &late);
	}
	judge->count = left;
}

static void drop_oldest(struct judge *judge, struct fathom_waits_location_state *location)
{
	add_late_sender(judge, location, &judge->late_senders[judge->first], FATHOM_WAITS_LATE_SENDER);
	judge->first = (judge->first + 1) % LATE_SENDERS;
	judge->count--;
}

static void keep_late_sender(struct judge *judge, struct fathom_waits_location_state *location, uint32_t record)
{
	const struct fathom_waits_op_state *op = &location->ops[record];

	if (judge->count == LATE_SENDERS)
		drop_oldest(judge, location);
	keep_at(judge, judge->count++,
		&(struct late_sender){ op->wait, op->late_begin, record, op->cause.rank });
}

/* --- late receivers ------------------------------------------------------------------------------------ */

/* part: FATHOM_WAITS_SEND or FATHOM_WAITS_SEND_DONE. */
static void find_late_receiver(struct judge *judge, struct fathom_waits_location_state *location, uint32_t record,
			       const struct fathom_waits_part *part)
{
	const struct fathom_waits_op_state *sender;
	struct fathom_waits_op_state *op = &location->ops[record];
	double wait;

	if ((part->flags & FATHOM_WAITS_TEST) ||
	    ((op->flags & FATHOM_WAITS_HAS_CAUSE) && op->pattern == FATHOM_WAITS_LATE_SENDER))
		return;
	sender = fathom_waits_request_of(location, part->kind == FATHOM_WAITS_SEND ? record :
						   fathom_waits_posted(location->location, part, record));
	if (!(sender->flags & FATHOM_WAITS_HAS_REQUEST))
		return;
	wait = fathom_waits_late_receiver(fathom_waits_enter(judge->state, location, record),
					  fathom_waits_leave(judge->state, location, record), sender->request);
	if (wait < op->wait || wait <= 0)
		return;
	if (wait == op->wait && fathom_waits_name_compare(&op->cause, &sender->requester) <= 0)
		return;
	op->wait = wait;
	op->cause = sender->requester;
	op->pattern = FATHOM_WAITS_LATE_RECEIVER;
	op->flags |= FATHOM_WAITS_HAS_CAUSE;
}

/* --- operations ---------------------------------------------------------------------------------------- */

static enum fathom_waits_pattern count_of(enum fathom_waits_pattern pattern)
{
	if (pattern == FATHOM_WAITS_LATE_RECEIVER)
		return FATHOM_WAITS_COUNT_LATE_RECEIVER;
	if (pattern > FATHOM_WAITS_IN_COLLECTIVES && pattern < FATHOM_WAITS_IN_RMA)
		return FATHOM_WAITS_COUNT_COLLECTIVE;
	if (pattern > FATHOM_WAITS_IN_RMA && pattern < FATHOM_WAITS_IN_OPENMP)
		return FATHOM_WAITS_COUNT_RMA;
	return FATHOM_WAITS_COUNT_THREADS;
}

/* Are the causes of waiting of this pattern searched? */
static bool has_delays(enum fathom_waits_pattern pattern)
{
	switch (pattern) {
	case FATHOM_WAITS_LATE_SENDER:
	case FATHOM_WAITS_LATE_RECEIVER:
	case FATHOM_WAITS_BARRIER_WAIT:
	case FATHOM_WAITS_NXN_WAIT:
	case FATHOM_WAITS_LATE_BROADCAST:
	case FATHOM_WAITS_EARLY_REDUCE:
	case FATHOM_WAITS_EARLY_SCAN:
	case FATHOM_WAITS_FINALIZE_WAIT:
	case FATHOM_WAITS_RMA_AT_CREATE:
	case FATHOM_WAITS_RMA_AT_FREE:
	case FATHOM_WAITS_RMA_AT_FENCE:
	case FATHOM_WAITS_RMA_SYNC_LATE_POST:
	case FATHOM_WAITS_RMA_COMM_LATE_POST:
	case FATHOM_WAITS_RMA_EARLY_WAIT:
	case FATHOM_WAITS_RMA_SYNC_LOCK_COMPETITION:
	case FATHOM_WAITS_RMA_COMM_LOCK_COMPETITION:
	case FATHOM_WAITS_RMA_SYNC_PROGRESS:
	case FATHOM_WAITS_RMA_COMM_PROGRESS:
	case FATHOM_WAITS_OMP_BARRIER_EXPLICIT:
	case FATHOM_WAITS_OMP_BARRIER_IMPLICIT:
	case FATHOM_WAITS_CONTENTION_CRITICAL:
	case FATHOM_WAITS_CONTENTION_OMP_LOCK:
	case FATHOM_WAITS_CONTENTION_MUTEX:
	case FATHOM_WAITS_CONTENTION_CONDITION:
		return true;
	default:
		return false;
	}
}

static bool is_contention(enum fathom_waits_pattern pattern)
{
	return pattern > FATHOM_WAITS_IN_LOCKS && pattern <= FATHOM_WAITS_CONTENTION_CONDITION;
}

/* Charges the waiting for a lock to the operation that released it, in the same process. */
static void blame_holder(struct fathom_waits_state *state, const struct fathom_waits_op_state *op)
{
	struct fathom_waits_location_state *holder = fathom_waits_location_at(state, &op->cause);

	if (holder)
		fathom_waits_add_at(state, holder, op->cause.record, FATHOM_WAITS_LOCK_BLAME, op->wait);
}

/* Reports for which process an operation waited, if it waited for a message and the profile has its call path. */
static void report_partner(const struct fathom_waits_state *state, const struct fathom_waits_location_state *location,
			   uint32_t record, const struct fathom_waits_op_state *op)
{
	const struct fathom_waits_input *input = state->input;
	bool is_receiver = op->pattern == FATHOM_WAITS_LATE_SENDER;

	if (location->location->records[record].operation.call_path == FATHOM_WAITS_NO_CALL_PATH)
		return;
	if (input->add_partner && (op->flags & FATHOM_WAITS_HAS_CAUSE) &&
	    (is_receiver || op->pattern == FATHOM_WAITS_LATE_RECEIVER))
		input->add_partner(input->context, state->processes[location->process].process, op->cause.rank,
				   is_receiver, op->wait);
}

static int judge_operation(struct judge *judge, struct fathom_waits_location_state *location, uint32_t record)
{
	struct fathom_waits_state *state = judge->state;
	struct fathom_waits_op_state *op = &location->ops[record];
	struct fathom_waits_part_walk walk = { location->location, record, 0 };
	const struct fathom_waits_part *part;
	enum fathom_waits_pattern pattern;

	while ((part = fathom_waits_part_next(&walk))) {
		switch (part->kind) {
		case FATHOM_WAITS_SEND:
		case FATHOM_WAITS_SEND_DONE:
			find_late_receiver(judge, location, record, part);
			break;
		case FATHOM_WAITS_BARRIER:
		case FATHOM_WAITS_LOCK:
			fathom_waits_threads_judge(judge->threads, location, record, part);
			break;
		case FATHOM_WAITS_RMA:
			if (fathom_waits_epochs_judge(judge->epochs, location, record, part))
				return -ENOMEM;
			break;
		default:
			break;
		}
	}
	if (op->flags & FATHOM_WAITS_HAS_MESSAGE)
		find_wrong_order(judge, location, op);
	pattern = (enum fathom_waits_pattern)op->pattern;
	report_partner(state, location, record, op);
	if (op->flags & FATHOM_WAITS_HAS_CAUSE && pattern == FATHOM_WAITS_LATE_SENDER) {
		keep_late_sender(judge, location, record);
	} else if (op->flags & (FATHOM_WAITS_HAS_CAUSE | FATHOM_WAITS_HAS_PATTERN)) {
		double child = fathom_waits_epochs_child(judge->epochs, location, record);

		report_interval(state, location, record, pattern);
		/* Both patterns that may have such a part are directly before the pattern of the part. */
		fathom_waits_add_at(state, location, record, pattern, op->wait - child);
		fathom_waits_add_at(state, location, record, pattern + 1, child);
		fathom_waits_add_at(state, location, record, count_of(pattern), 1);
		if (is_contention(pattern))
			blame_holder(state, op);
	}
	if (!(op->flags & FATHOM_WAITS_HAS_CAUSE) || !has_delays(pattern) || op->wait < state->input->least_wait ||
	    location->location->records[record].operation.call_path == FATHOM_WAITS_NO_CALL_PATH ||
	    fathom_waits_host_of(state, op->cause.rank) == FATHOM_WAITS_NO_HOST)
		return 0;
	op->flags |= FATHOM_WAITS_HAS_DELAYS;
	state->summary.waiting += op->wait;
	return 0;
}

/* Decides for one location. */
static int judge_location(struct judge *judge, struct fathom_waits_location_state *location)
{
	int err = 0;

	judge->first = judge->count = 0;
	judge->last_send = -INFINITY;
	for (uint32_t r = 0; r < location->location->count && !err; r++) {
		if (fathom_waits_is_operation(location->location, r))
			err = judge_operation(judge, location, r);
		fathom_waits_release_at(judge->state, location, r);
	}
	fathom_waits_release_at(judge->state, location, 0);
	while (judge->count)
		drop_oldest(judge, location);
	return err ? err : judge->state->err;
}

/* --- telling the causes -------------------------------------------------------------------------------- */

/* Clears what the backward stages use, in the place of what the forward stages have used. */
static void clear_location(const struct judge *judge, const struct fathom_waits_location_state *location)
{
	for (uint32_t r = 0; r < location->location->count; r++) {
		struct fathom_waits_op_state *op = &location->ops[r];

		op->cost = op->propagated = 0;
		op->expected = op->waiter_rank = 0;
		fathom_waits_release_at(judge->state, location, r);
	}
}

/* Tells the causes of the waiting in a part of one location that they are causes. */
static int tell_next(void *context, bool *is_idle)
{
	struct judge *judge = context;
	struct fathom_waits_state *state = judge->state;
	const struct fathom_waits_location_state *location;
	uint32_t end;
	int err = judge->err;

	*is_idle = judge->next >= state->location_count;
	if (*is_idle)
		return err;
	location = &state->locations[judge->next];
	end = location->location->count;
	if (end - judge->next_record > NOTIFIED_RECORDS)
		end = judge->next_record + NOTIFIED_RECORDS;
	for (uint32_t r = judge->next_record; r < end && !err; r++) {
		const struct fathom_waits_op_state *op = &location->ops[r];
		struct cause cause = { op->cause, state->processes[location->process].process->rank };

		if (op->flags & FATHOM_WAITS_HAS_DELAYS)
			err = fathom_waits_send_to(state, op->cause.rank, FATHOM_WAITS_MAIL_CAUSE, &cause,
						   sizeof(cause), NULL, 0);
		fathom_waits_release_at(state, location, r);
	}
	judge->next_record = end;
	if (end == location->location->count) {
		judge->next++;
		judge->next_record = 0;
	}
	return err;
}

static int take_cause(void *context, uint32_t type, const void *data, size_t bytes)
{
	struct judge *judge = context;
	struct fathom_waits_location_state *location;
	struct fathom_waits_op_state *op;
	struct cause cause;

	if (type != FATHOM_WAITS_MAIL_CAUSE || bytes != sizeof(cause))
		return -EPROTO;
	memcpy(&cause, data, sizeof(cause));
	location = fathom_waits_location_at(judge->state, &cause.name);
	if (!location)
		return -EPROTO;
	if (++judge->taken % RELEASE_MESSAGES == 0)
		fathom_waits_state_release(judge->state);
	op = &location->ops[cause.name.record];
	op->waiter_rank = op->expected++ && op->waiter_rank != cause.waiter_rank ? FATHOM_WAITS_MANY_RANKS :
			  cause.waiter_rank;
	return 0;
}

int fathom_waits_causes_find(struct fathom_waits_state *state, struct fathom_waits_threads *threads,
			     struct fathom_waits_epochs *epochs)
{
	struct judge judge = { .state = state, .threads = threads, .epochs = epochs };
	struct fathom_waits_stage stage = { take_cause, tell_next, &judge };
	int err;

	/* First the host clears all states, then it takes messages about causes: those that come earlier wait for the
	 * stage. */
	for (uint32_t l = 0; l < state->location_count && !judge.err; l++) {
		judge.err = judge_location(&judge, &state->locations[l]);
		fathom_waits_release_at(state, &state->locations[l], 0);
	}
	for (uint32_t l = 0; l < state->location_count; l++)
		clear_location(&judge, &state->locations[l]);
	err = fathom_waits_mail_run(state->mail, &stage);
	fathom_waits_state_release(state);
	return err;
}
