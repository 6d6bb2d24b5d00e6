#include "waits/search.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "waits/matching/collective_matching.h"
#include "waits/costs/critical_path.h"
#include "waits/costs/delay_costs.h"
#include "waits/grid_sweeps.h"
#include "waits/costs/idle_threads.h"
#include "waits/matching/lock_epochs.h"
#include "waits/matching/message_matching.h"
#include "waits/matching/target_progress.h"
#include "waits/wait_causes.h"
#include "waits/wait_formulas.h"

struct forward {
	struct fathom_waits_state state;
	struct fathom_waits_channels channels;
	struct fathom_waits_messages *messages;
	struct fathom_waits_collectives *collectives;
	struct fathom_waits_threads *threads;
	struct fathom_waits_epochs *epochs;
	struct fathom_waits_lock_epochs *lock_epochs;
	struct fathom_waits_progress *progress;
	uint32_t next;		/* process that comes next in this window */
	uint64_t most;		/* operations of each process in a window */
};

/* --- forward ------------------------------------------------------------------------------------------- */

static int visit_window(struct forward *forward, struct fathom_waits_location_state *location, uint32_t record,
			const struct fathom_waits_part *part)
{
	int err = fathom_waits_messages_visit(forward->messages, location, record, part);

	if (!err)
		err = fathom_waits_collectives_visit(forward->collectives, location, record, part);
	if (!err)
		err = fathom_waits_epochs_visit(forward->epochs, location, record, part);
	if (!err)
		err = fathom_waits_lock_epochs_visit(forward->lock_epochs, location, record, part);
	return err ? err : fathom_waits_progress_visit(forward->progress, location, record, part);
}

static int visit(void *context, struct fathom_waits_location_state *location, uint32_t record)
{
	struct forward *forward = context;
	struct fathom_waits_part_walk walk = { location->location, record, 0 };
	const struct fathom_waits_part *part;
	int err = 0;

	while (!err && (part = fathom_waits_part_next(&walk))) {
		switch (part->kind) {
		case FATHOM_WAITS_SEND:
		case FATHOM_WAITS_RECEIVE:
		case FATHOM_WAITS_NEIGHBOR_OUT:
		case FATHOM_WAITS_NEIGHBOR_IN:
			err = fathom_waits_messages_visit(forward->messages, location, record, part);
			break;
		case FATHOM_WAITS_COLLECTIVE:
		case FATHOM_WAITS_INIT:
		case FATHOM_WAITS_FINALIZE:
			err = fathom_waits_collectives_visit(forward->collectives, location, record, part);
			break;
		case FATHOM_WAITS_BARRIER:
		case FATHOM_WAITS_UNLOCK:
		case FATHOM_WAITS_FORK:
			err = fathom_waits_threads_visit(forward->threads, location, record, part);
			break;
		case FATHOM_WAITS_RMA:
			err = visit_window(forward, location, record, part);
			break;
		default:
			break;
		}
	}
	return err;
}

/* Visits the operations of one process in this window. */
static int work(void *context, bool *is_idle)
{
	struct forward *forward = context;

	*is_idle = forward->next >= forward->state.process_count;
	if (*is_idle)
		return 0;
	return fathom_waits_visit_process(&forward->state, &forward->state.processes[forward->next++], forward->most,
					  visit, forward);
}

static int take_mail(void *context, uint32_t type, const void *data, size_t bytes)
{
	struct forward *forward = context;

	switch (type) {
	case FATHOM_WAITS_MAIL_SEND:
		return fathom_waits_messages_take_send(forward->messages, data, bytes);
	case FATHOM_WAITS_MAIL_REQUEST:
		return fathom_waits_messages_take_request(forward->messages, data, bytes);
	case FATHOM_WAITS_MAIL_UP:
		return fathom_waits_collectives_take_up(forward->collectives, data, bytes);
	case FATHOM_WAITS_MAIL_DOWN:
		return fathom_waits_collectives_take_down(forward->collectives, data, bytes);
	case FATHOM_WAITS_MAIL_ACCESS:
		return fathom_waits_epochs_take_access(forward->epochs, data, bytes);
	case FATHOM_WAITS_MAIL_EPOCH:
		return fathom_waits_lock_epochs_take(forward->lock_epochs, data, bytes);
	case FATHOM_WAITS_MAIL_PROGRESS:
		return fathom_waits_progress_take(forward->progress, data, bytes);
	default:
		return -EPROTO;
	}
}

static int match_all(struct forward *forward)
{
	struct fathom_waits_stage stage = { take_mail, work, forward };
	struct fathom_waits_state *state = &forward->state;
	double largest[2] = { 0, state->process_count };
	int err = 0;

	/* Operations of all processes, so that windows have the same number everywhere. */
	for (uint32_t p = 0; p < state->process_count; p++) {
		double count = 0;

		for (uint32_t t = 0; t < state->processes[p].process->location_count; t++)
			count += state->processes[p].process->locations[t].count;
		largest[0] = fathom_waits_larger(largest[0], count);
	}
	err = fathom_waits_mail_largest(state->mail, largest, 2);
	forward->most = (uint64_t)fathom_waits_larger(1000, fathom_waits_window(state) /
						      fathom_waits_larger(1, largest[1]));
	for (double begin = 0; begin <= largest[0] && !err; begin += (double)forward->most) {
		forward->next = 0;
		err = fathom_waits_mail_run(state->mail, &stage);
		fathom_waits_state_release(state);
	}
	for (uint32_t l = 0; l < state->location_count; l++)
		state->locations[l].next = 0;
	return err;
}

/* --- the whole search ---------------------------------------------------------------------------------- */

static void find_ends(struct fathom_waits_state *state)
{
	state->summary.begin = INFINITY;
	state->summary.end = -INFINITY;
	for (uint32_t l = 0; l < state->location_count; l++) {
		state->summary.begin = fathom_waits_smaller(state->summary.begin, state->locations[l].begin);
		state->summary.end = fathom_waits_larger(state->summary.end, state->locations[l].end);
	}
}

static int unite_summary(struct fathom_waits_state *state)
{
	struct fathom_waits_summary *summary = &state->summary;
	uint64_t *const counts[] = {
		&summary->operations, &summary->messages, &summary->unmatched_sends, &summary->unmatched_receives,
		&summary->collectives, &summary->incomplete_collectives, &summary->skipped_collectives,
		&summary->clock_violations, &summary->forced, &summary->lost, &summary->unhosted,
	};
	double *const times[] = { &summary->waiting, &summary->delays, &summary->unexplained };
	enum { COUNTS = sizeof(counts) / sizeof(*counts), TIMES = sizeof(times) / sizeof(*times) };
	double numbers[COUNTS + TIMES], ends[2] = { -summary->begin, summary->end };
	int err;

	for (int i = 0; i < COUNTS; i++)
		numbers[i] = (double)*counts[i];
	for (int i = 0; i < TIMES; i++)
		numbers[COUNTS + i] = *times[i];
	err = fathom_waits_mail_sum(state->mail, numbers, COUNTS + TIMES);
	for (int i = 0; i < COUNTS && !err; i++)
		*counts[i] = (uint64_t)numbers[i];
	for (int i = 0; i < TIMES && !err; i++)
		*times[i] = numbers[COUNTS + i];
	if (!err)
		err = fathom_waits_mail_largest(state->mail, ends, 2);
	summary->begin = isfinite(ends[0]) ? -ends[0] : 0;
	summary->end = isfinite(ends[1]) ? ends[1] : 0;
	return err;
}

/* err: the error of creating the state. */
static int search_all(struct forward *forward, struct fathom_comm *comm, int err)
{
	struct fathom_waits_state *state = &forward->state;

	if (!err)
		err = fathom_waits_channels_order(&forward->channels, state);
	forward->epochs = fathom_waits_epochs_create(state);
	forward->messages = fathom_waits_messages_create(state, &forward->channels, forward->epochs);
	forward->collectives = fathom_waits_collectives_create(state, &forward->channels);
	forward->threads = fathom_waits_threads_create(state);
	forward->lock_epochs = fathom_waits_lock_epochs_create(state);
	forward->progress = fathom_waits_progress_create(state);
	if (!forward->epochs || !forward->lock_epochs || !forward->progress || !forward->messages ||
	    !forward->collectives || !forward->threads)
		err = -ENOMEM;
	err = fathom_waits_mail_agree(state->mail, err);
	if (!err)
		err = match_all(forward);
	if (!err)
		err = fathom_waits_lock_epochs_judge(forward->lock_epochs);
	if (!err)
		err = fathom_waits_progress_judge(forward->progress);
	if (forward->progress)
		fathom_waits_progress_destroy(forward->progress);
	if (forward->lock_epochs)
		fathom_waits_lock_epochs_destroy(forward->lock_epochs);
	if (forward->messages)
		fathom_waits_messages_destroy(forward->messages);
	if (forward->collectives)
		fathom_waits_collectives_destroy(forward->collectives);
	fathom_waits_channels_fini(&forward->channels);
	find_ends(state);
	if (!err)
		err = fathom_waits_causes_find(state, forward->threads, forward->epochs);
	if (!err)
		err = fathom_waits_sweeps_find(state);
	if (!err)
		err = fathom_waits_delays_find(state);
	if (!err)
		err = fathom_waits_critical_path_find(state, comm, forward->threads);
	if (!err)
		err = fathom_waits_idle_find(state);
	if (forward->threads)
		fathom_waits_threads_destroy(forward->threads);
	if (forward->epochs)
		fathom_waits_epochs_destroy(forward->epochs);
	return fathom_waits_mail_agree(state->mail, err ? err : state->err);
}

int fathom_waits_search(struct fathom_comm *comm, const struct fathom_waits_input *input,
			struct fathom_waits_summary *summary)
{
	struct forward forward = { 0 };
	int err = fathom_waits_state_create(&forward.state, comm, input);

	memset(summary, 0, sizeof(*summary));
	/* Without mail, this host cannot even tell the others that it has no memory. */
	if (forward.state.mail)
		err = search_all(&forward, comm, err);
	if (!err)
		err = unite_summary(&forward.state);
	if (!err) {
		*summary = forward.state.summary;
		fathom_waits_give_results(&forward.state);
	}
	fathom_waits_state_destroy(&forward.state);
	return err;
}
