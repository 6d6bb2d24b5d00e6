#include "waits/matching/epoch_matching.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "waits/wait_formulas.h"

/* What a key is for; part of it. */
enum { ACCESS = 1, FENCES, JUDGED_FENCES, FENCE_ACCESS, EPOCH, EXPOSURE, PAIR, PAIR_COUNT };

/* The accesses of a location to a target since the last fence or complete. */
struct access {
	uint32_t location, window, target;
	double end;		/* of the last one; -INFINITY: there is none */
};

/* A post that a start waited for. */
struct exposure {
	struct fathom_waits_op_name post;
	double time;
};

/* Accesses to a process between two fences. */
struct report {
	uint64_t identity;	/* of the window */
	uint64_t fence;		/* number of the fence that ends them */
	double end;
	uint32_t target, origin;	/* ranks */
};

struct fathom_waits_epochs {
	struct fathom_waits_state *state;
	struct fathom_waits_key_table table;	/* counts, and indices in the arrays */
	struct access *accesses;
	uint32_t access_count, access_room;
	struct exposure *exposures;
	uint32_t exposure_count, exposure_room;
	double *fence_accesses;			/* ends of the last access to a process before a fence */
	uint32_t fence_access_count, fence_access_room;
};

struct fathom_waits_epochs *fathom_waits_epochs_create(struct fathom_waits_state *state)
{
	struct fathom_waits_epochs *epochs = calloc(1, sizeof(*epochs));

	if (epochs)
		epochs->state = state;
	return epochs;
}

void fathom_waits_epochs_destroy(struct fathom_waits_epochs *epochs)
{
	fathom_waits_key_fini(&epochs->table);
	free(epochs->accesses);
	free(epochs->exposures);
	free(epochs->fence_accesses);
	free(epochs);
}

static uint64_t key_of(uint32_t kind, uint64_t object, uint64_t first, uint64_t second)
{
	return fathom_waits_key(fathom_waits_key(fathom_waits_key(kind, object), first), second);
}

/* Makes room for one more element. 0 or -ENOMEM. */
static int make_room(void *array, uint32_t count, uint32_t *room, size_t bytes)
{
	uint32_t larger_room = *room ? 2 * *room : 16;
	void *old, *larger;

	if (count < *room)
		return 0;
	memcpy(&old, array, sizeof(old));
	larger = realloc(old, larger_room * bytes);
	if (!larger)
		return -ENOMEM;
	memcpy(array, &larger, sizeof(larger));
	*room = larger_room;
	return 0;
}

static uint32_t index_of(const struct fathom_waits_epochs *epochs, const struct fathom_waits_location_state *location)
{
	return (uint32_t)(location - epochs->state->locations);
}

/* --- forward ------------------------------------------------------------------------------------------- */

static int add_access(struct fathom_waits_epochs *epochs, const struct fathom_waits_location_state *location,
		      uint32_t record, const struct fathom_waits_part *part)
{
	uint32_t index = index_of(epochs, location);
	uint64_t *found;
	int err = make_room(&epochs->accesses, epochs->access_count, &epochs->access_room, sizeof(*epochs->accesses));

	if (err)
		return err;
	found = fathom_waits_key_add(&epochs->table, key_of(ACCESS, index, part->comm, part->peer),
				     epochs->access_count);
	if (!found)
		return -ENOMEM;
	if (*found == epochs->access_count)
		epochs->accesses[epochs->access_count++] = (struct access){ index, part->comm, part->peer, 0 };
	epochs->accesses[*found].end = fathom_waits_leave(epochs->state, location, record);
	return 0;
}

double fathom_waits_epochs_last_access(struct fathom_waits_epochs *epochs,
				       const struct fathom_waits_location_state *location,
				       const struct fathom_waits_part *part)
{
	const uint64_t *found = fathom_waits_key_find(&epochs->table, key_of(ACCESS, index_of(epochs, location),
									     part->comm, part->peer));
	double end = found ? epochs->accesses[*found].end : -INFINITY;

	if (found)
		epochs->accesses[*found].end = -INFINITY;
	return end;
}

/* Counts a fence of a process on a window; returns its number in *number. 0 or -ENOMEM. */
static int count_fence(struct fathom_waits_epochs *epochs, uint32_t kind, uint32_t rank, uint64_t identity,
		       uint64_t *number)
{
	uint64_t *count = fathom_waits_key_add(&epochs->table, key_of(kind, identity, rank, 0), 0);

	if (!count)
		return -ENOMEM;
	*number = (*count)++;
	return 0;
}

/* Notes that a process and another one exchanged data before a fence, in either direction. The fence has a number among
 * those of the window. 0 or -ENOMEM. */
static int add_pair(struct fathom_waits_epochs *epochs, uint64_t identity, uint64_t fence, uint32_t rank,
		    uint32_t other)
{
	uint64_t key = key_of(PAIR, identity, fence, (uint64_t)rank << 32 | other);
	uint64_t *is_known, *count;

	if (rank == other)
		return 0;
	is_known = fathom_waits_key_add(&epochs->table, key, false);
	if (!is_known)
		return -ENOMEM;
	if (*is_known)
		return 0;
	*is_known = true;
	count = fathom_waits_key_add(&epochs->table, key_of(PAIR_COUNT, identity, fence, rank), 0);
	if (!count)
		return -ENOMEM;
	++*count;
	return 0;
}

/* Tells all targets that they were accessed before this fence. */
static int report_accesses(struct fathom_waits_epochs *epochs, const struct fathom_waits_location_state *location,
			   const struct fathom_waits_part *part)
{
	struct fathom_waits_state *state = epochs->state;
	const struct fathom_waits_process *process = state->processes[location->process].process;
	const struct fathom_waits_communicator *window = fathom_waits_communicator_of(process, part);
	struct report report = { 0 };
	int err;

	if (!window)
		return 0;
	report.identity = window->identity;
	report.origin = process->rank;
	err = count_fence(epochs, FENCES, process->rank, window->identity, &report.fence);
	for (uint32_t a = 0; a < epochs->access_count && !err; a++) {
		struct access *access = &epochs->accesses[a];

		if (access->location != index_of(epochs, location) || access->window != part->comm ||
		    !isfinite(access->end))
			continue;
		report.target = access->target;
		report.end = access->end;
		access->end = -INFINITY;
		err = add_pair(epochs, report.identity, report.fence, process->rank, report.target);
		if (!err)
			err = fathom_waits_send_to(state, report.target, FATHOM_WAITS_MAIL_ACCESS, &report,
						   sizeof(report), NULL, 0);
	}
	return err;
}

int fathom_waits_epochs_visit(struct fathom_waits_epochs *epochs, const struct fathom_waits_location_state *location,
			      uint32_t record, const struct fathom_waits_part *part)
{
	if (part->kind != FATHOM_WAITS_RMA)
		return 0;
	switch (part->tag) {
	case FATHOM_WAITS_RMA_PUT:
	case FATHOM_WAITS_RMA_GET:
	case FATHOM_WAITS_RMA_ATOMIC:
		return add_access(epochs, location, record, part);
	case FATHOM_WAITS_RMA_FENCE:
		return report_accesses(epochs, location, part);
	default:
		return 0;
	}
}

int fathom_waits_epochs_take_access(struct fathom_waits_epochs *epochs, const void *data, size_t bytes)
{
	struct report report;
	uint64_t *found;
	int err;

	if (bytes != sizeof(report))
		return -EPROTO;
	memcpy(&report, data, sizeof(report));
	err = add_pair(epochs, report.identity, report.fence, report.target, report.origin);
	if (err)
		return err;
	err = make_room(&epochs->fence_accesses, epochs->fence_access_count, &epochs->fence_access_room,
			sizeof(*epochs->fence_accesses));
	if (err)
		return err;
	found = fathom_waits_key_add(&epochs->table, key_of(FENCE_ACCESS, report.identity, report.target, report.fence),
				     epochs->fence_access_count);
	if (!found)
		return -ENOMEM;
	if (*found == epochs->fence_access_count)
		epochs->fence_accesses[epochs->fence_access_count++] = report.end;
	else if (report.end > epochs->fence_accesses[*found])
		epochs->fence_accesses[*found] = report.end;
	return 0;
}

int fathom_waits_epochs_exposed(struct fathom_waits_epochs *epochs, const struct fathom_waits_location_state *location,
				uint32_t record, const struct fathom_waits_op_name *post, double time)
{
	uint64_t *found;
	int err = make_room(&epochs->exposures, epochs->exposure_count, &epochs->exposure_room,
			    sizeof(*epochs->exposures));

	if (err)
		return err;
	found = fathom_waits_key_add(&epochs->table, key_of(EXPOSURE, index_of(epochs, location), record, post->rank),
				     epochs->exposure_count);
	if (!found)
		return -ENOMEM;
	if (*found == epochs->exposure_count)
		epochs->exposures[epochs->exposure_count++] = (struct exposure){ *post, time };
	return 0;
}

/* --- who waited ---------------------------------------------------------------------------------------- */

static void set_wait(struct fathom_waits_op_state *op, double wait, const struct fathom_waits_op_name *cause,
		     enum fathom_waits_pattern pattern)
{
	if (wait <= op->wait)
		return;
	op->wait = wait;
	op->cause = *cause;
	op->pattern = (uint8_t)pattern;
	op->flags |= FATHOM_WAITS_HAS_CAUSE;
}

/* Judges a call of an access epoch. Only a call that lasted until the post waited for it. */
static void judge_access(struct fathom_waits_epochs *epochs, struct fathom_waits_location_state *location,
			 uint32_t record, const struct fathom_waits_part *part, bool is_transfer)
{
	struct fathom_waits_state *state = epochs->state;
	const uint64_t *start = fathom_waits_key_find(&epochs->table, key_of(EPOCH, index_of(epochs, location),
									     part->comm, 0));
	const struct exposure *exposure;
	const uint64_t *found;
	double leave = fathom_waits_leave(state, location, record);

	if (!start)
		return;
	found = fathom_waits_key_find(&epochs->table, key_of(EXPOSURE, index_of(epochs, location), *start, part->peer));
	exposure = found ? &epochs->exposures[*found] : NULL;
	if (exposure && exposure->time <= leave)
		set_wait(&location->ops[record],
			 fathom_waits_until(fathom_waits_enter(state, location, record), leave, exposure->time),
			 &exposure->post, is_transfer ? FATHOM_WAITS_RMA_COMM_LATE_POST :
			 FATHOM_WAITS_RMA_SYNC_LATE_POST);
}

/* Counts the pairs that a fence synchronised, which has a number among those of the window. */
static void count_pairs(const struct fathom_waits_epochs *epochs, const struct fathom_waits_location_state *location,
			uint32_t record, const struct fathom_waits_communicator *window, uint64_t number)
{
	uint32_t rank = epochs->state->processes[location->process].process->rank;
	uint64_t key = key_of(PAIR_COUNT, window->identity, number, rank);
	const uint64_t *found = fathom_waits_key_find(&epochs->table, key);
	double exchanged = found ? (double)*found : 0, others = window->count > 0 ? window->count - 1 : 0;

	fathom_waits_add_at(epochs->state, location, record, FATHOM_WAITS_PAIR_SYNC, exchanged);
	fathom_waits_add_at(epochs->state, location, record, FATHOM_WAITS_PAIR_SYNC_UNNEEDED,
			    fathom_waits_larger(0, others - exchanged));
}

/* Finds the part of a fence in which accesses to this process ended; it makes the whole waiting not shorter. */
static int judge_fence(struct fathom_waits_epochs *epochs, struct fathom_waits_location_state *location,
		       uint32_t record, const struct fathom_waits_part *part)
{
	struct fathom_waits_state *state = epochs->state;
	const struct fathom_waits_process *process = state->processes[location->process].process;
	const struct fathom_waits_communicator *window = fathom_waits_communicator_of(process, part);
	struct fathom_waits_op_state *op = &location->ops[record], *access;
	const uint64_t *found;
	uint64_t number;
	double wait;

	if (!window)
		return 0;
	if (count_fence(epochs, JUDGED_FENCES, process->rank, window->identity, &number))
		return -ENOMEM;
	count_pairs(epochs, location, record, window, number);
	found = fathom_waits_key_find(&epochs->table, key_of(FENCE_ACCESS, window->identity, process->rank, number));
	if (!found)
		return 0;
	wait = fathom_waits_early_fence(fathom_waits_enter(state, location, record),
					fathom_waits_leave(state, location, record), epochs->fence_accesses[*found]);
	if (wait <= 0)
		return 0;
	access = fathom_waits_request_of(location, record);
	access->request = wait;
	access->flags |= FATHOM_WAITS_HAS_REQUEST;
	if (wait > op->wait) {
		op->wait = wait;
		op->pattern = FATHOM_WAITS_RMA_AT_FENCE;
		/* The cause is not known, but the pattern is: the operation itself stands for the cause. */
		op->cause = fathom_waits_name_of(state, location, record);
		op->flags |= FATHOM_WAITS_HAS_PATTERN;
		op->flags &= (uint8_t)~FATHOM_WAITS_HAS_CAUSE;
	}
	return 0;
}

int fathom_waits_epochs_judge(struct fathom_waits_epochs *epochs, struct fathom_waits_location_state *location,
			      uint32_t record, const struct fathom_waits_part *part)
{
	uint64_t key, *start;

	if (part->kind != FATHOM_WAITS_RMA)
		return 0;
	key = key_of(EPOCH, index_of(epochs, location), part->comm, 0);
	switch (part->tag) {
	case FATHOM_WAITS_RMA_START:
		start = fathom_waits_key_add(&epochs->table, key, record);
		if (!start)
			return -ENOMEM;
		*start = record;
		judge_access(epochs, location, record, part, false);
		return 0;
	case FATHOM_WAITS_RMA_COMPLETE:
		judge_access(epochs, location, record, part, false);
		return 0;
	case FATHOM_WAITS_RMA_PUT:
	case FATHOM_WAITS_RMA_GET:
	case FATHOM_WAITS_RMA_ATOMIC:
		judge_access(epochs, location, record, part, true);
		return 0;
	case FATHOM_WAITS_RMA_FENCE:
		return judge_fence(epochs, location, record, part);
	default:
		return 0;
	}
}

double fathom_waits_epochs_child(const struct fathom_waits_epochs *epochs,
				 const struct fathom_waits_location_state *location, uint32_t record)
{
	const struct fathom_waits_op_state *op = &location->ops[record];
	const struct fathom_waits_op_state *access = fathom_waits_request_of(location, record);

	if (!(access->flags & FATHOM_WAITS_HAS_REQUEST))
		return 0;
	if (op->pattern == FATHOM_WAITS_RMA_AT_FENCE)
		return fathom_waits_smaller(access->request, op->wait);
	if (op->pattern == FATHOM_WAITS_RMA_EARLY_WAIT)
		return fathom_waits_late_complete(fathom_waits_enter(epochs->state, location, record),
						  fathom_waits_leave(epochs->state, location, record), op->late_begin,
						  access->request);
	return 0;
}
