#include "waits/matching/target_progress.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "waits/wait_formulas.h"

/* A call of a passive epoch. */
struct call {
	struct fathom_waits_op_name name;
	uint32_t target;
	double enter, leave;
};

/* The answer: the call waited until the target entered the operation cause, at time. */
struct entered {
	struct fathom_waits_op_name name, cause;
	double time;
};

/* A target that a location has accessed in a window. */
struct access {
	uint32_t target;
	uint32_t next;		/* another target of the same location and window: index + 1 */
	bool is_pending;	/* no flush or unlock came after the last access */
};

struct fathom_waits_progress {
	struct fathom_waits_state *state;
	struct fathom_waits_key_table first_access;	/* by location and window: index + 1 */
	struct fathom_waits_key_table access_of;	/* by location, window and target: index */
	struct access *accesses;
	uint32_t access_count, access_room;
	struct fathom_waits_key_table open;	/* by location, window and target: there is a passive epoch */
	struct call *calls;			/* whose targets are hosted here */
	uint32_t count, room;
	uint32_t next;				/* call that is judged next */
};

struct fathom_waits_progress *fathom_waits_progress_create(struct fathom_waits_state *state)
{
	struct fathom_waits_progress *progress = calloc(1, sizeof(*progress));

	if (progress)
		progress->state = state;
	return progress;
}

void fathom_waits_progress_destroy(struct fathom_waits_progress *progress)
{
	fathom_waits_key_fini(&progress->open);
	fathom_waits_key_fini(&progress->first_access);
	fathom_waits_key_fini(&progress->access_of);
	free(progress->accesses);
	free(progress->calls);
	free(progress);
}

/* --- forward ------------------------------------------------------------------------------------------- */

static uint64_t key_of(const struct fathom_waits_progress *progress, const struct fathom_waits_location_state *location,
		       uint32_t window, uint32_t target)
{
	return fathom_waits_key(fathom_waits_key((uint64_t)(location - progress->state->locations) + 1, window),
				target);
}

static bool is_open(const struct fathom_waits_progress *progress, const struct fathom_waits_location_state *location,
		    const struct fathom_waits_part *part)
{
	return fathom_waits_key_find(&progress->open, key_of(progress, location, part->comm, part->peer)) ||
	       fathom_waits_key_find(&progress->open,
				     key_of(progress, location, part->comm, FATHOM_WAITS_NO_PEER));
}

/* Notes an access of a passive epoch. 0 or -ENOMEM. */
static int note_access(struct fathom_waits_progress *progress, const struct fathom_waits_location_state *location,
		       const struct fathom_waits_part *part)
{
	uint64_t *index = fathom_waits_key_add(&progress->access_of, key_of(progress, location, part->comm, part->peer),
					       progress->access_count);
	uint64_t *first;

	if (!index)
		return -ENOMEM;
	if (*index < progress->access_count) {
		progress->accesses[*index].is_pending = true;
		return 0;
	}
	first = fathom_waits_key_add(&progress->first_access,
				     key_of(progress, location, part->comm, FATHOM_WAITS_NO_PEER), 0);
	if (!first)
		return -ENOMEM;
	if (progress->access_count == progress->access_room) {
		uint32_t room = progress->access_room ? 2 * progress->access_room : 64;
		struct access *larger = realloc(progress->accesses, room * sizeof(*larger));

		if (!larger)
			return -ENOMEM;
		progress->accesses = larger;
		progress->access_room = room;
	}
	progress->accesses[progress->access_count++] = (struct access){ part->peer, (uint32_t)*first, true };
	*first = progress->access_count;
	return 0;
}

/* Sends a call to the host of a target, which finds out whether the call waited for it. */
static int send_call(const struct fathom_waits_progress *progress, const struct fathom_waits_location_state *location,
		     uint32_t record, uint32_t target)
{
	struct fathom_waits_state *state = progress->state;
	struct call call = { 0 };

	if (target == state->processes[location->process].process->rank)
		return 0;
	call.name = fathom_waits_name_of(state, location, record);
	call.target = target;
	call.enter = fathom_waits_enter(state, location, record);
	call.leave = fathom_waits_leave(state, location, record);
	return fathom_waits_send_to(state, target, FATHOM_WAITS_MAIL_PROGRESS, &call, sizeof(call), NULL, 0);
}

/* Sends a flush or unlock of all targets to those that were accessed since the last one. */
static int send_to_accessed(struct fathom_waits_progress *progress, const struct fathom_waits_location_state *location,
			    uint32_t record, uint32_t window)
{
	const uint64_t *first = fathom_waits_key_find(&progress->first_access,
						      key_of(progress, location, window, FATHOM_WAITS_NO_PEER));
	int err = 0;

	for (uint32_t a = first ? (uint32_t)*first : 0; a && !err; a = progress->accesses[a - 1].next) {
		struct access *access = &progress->accesses[a - 1];

		if (access->is_pending)
			err = send_call(progress, location, record, access->target);
		access->is_pending = false;
	}
	return err;
}

int fathom_waits_progress_visit(struct fathom_waits_progress *progress,
				const struct fathom_waits_location_state *location, uint32_t record,
				const struct fathom_waits_part *part)
{
	bool is_access = part->tag <= FATHOM_WAITS_RMA_ATOMIC;
	const uint64_t *accessed;
	int err = 0;

	if (part->kind != FATHOM_WAITS_RMA ||
	    (!is_access && part->tag < FATHOM_WAITS_RMA_LOCK))
		return 0;
	if (part->tag == FATHOM_WAITS_RMA_LOCK &&
	    !fathom_waits_key_add(&progress->open, key_of(progress, location, part->comm, part->peer), 1))
		return -ENOMEM;
	if (!is_open(progress, location, part))
		return 0;
	if (part->tag == FATHOM_WAITS_RMA_UNLOCK)
		fathom_waits_key_remove(&progress->open, key_of(progress, location, part->comm, part->peer));
	if (part->peer == FATHOM_WAITS_NO_PEER)
		return part->tag == FATHOM_WAITS_RMA_FLUSH || part->tag == FATHOM_WAITS_RMA_UNLOCK ?
		       send_to_accessed(progress, location, record, part->comm) : 0;
	if (is_access)
		err = note_access(progress, location, part);
	accessed = is_access || part->tag == FATHOM_WAITS_RMA_LOCK ? NULL :
		   fathom_waits_key_find(&progress->access_of, key_of(progress, location, part->comm, part->peer));
	if (accessed)
		progress->accesses[*accessed].is_pending = false;
	return err ? err : send_call(progress, location, record, part->peer);
}

int fathom_waits_progress_take(struct fathom_waits_progress *progress, const void *data, size_t bytes)
{
	if (bytes != sizeof(struct call))
		return -EPROTO;
	if (progress->count == progress->room) {
		uint32_t room = progress->room ? 2 * progress->room : 64;
		struct call *larger = realloc(progress->calls, room * sizeof(*larger));

		if (!larger)
			return -ENOMEM;
		progress->calls = larger;
		progress->room = room;
	}
	memcpy(&progress->calls[progress->count++], data, sizeof(struct call));
	return 0;
}

/* --- who waited ---------------------------------------------------------------------------------------- */

/* Operations of threads are no calls of MPI. */
static bool is_mpi(const struct fathom_waits_location_state *location, uint32_t record)
{
	uint32_t kind = location->location->records[record].operation.part.kind;

	return kind < FATHOM_WAITS_FORK;
}

/* Returns the first call of MPI that a location entered after a time. *was_inside becomes true if the location was in
 * MPI at that time. The number of records: there is no such call. */
static uint32_t next_call(const struct fathom_waits_state *state, const struct fathom_waits_location_state *location,
			  double time, bool *was_inside)
{
	uint32_t next = fathom_waits_first_after(state, location, time), before = next;

	while (before > 0 && !fathom_waits_is_operation(location->location, --before))
		continue;
	if (before < next && fathom_waits_is_operation(location->location, before) && is_mpi(location, before) &&
	    fathom_waits_leave(state, location, before) > time)
		*was_inside = true;
	while (next < location->location->count &&
	       (!fathom_waits_is_operation(location->location, next) || !is_mpi(location, next)))
		next++;
	return next;
}

static int judge_call(const struct fathom_waits_progress *progress, const struct call *call)
{
	struct fathom_waits_state *state = progress->state;
	const struct fathom_waits_process_state *process = fathom_waits_process_at(state, call->target);
	struct entered entered = { .name = call->name, .time = call->leave };
	bool was_inside = false, is_found = false;

	if (!process)
		return -EPROTO;
	for (uint32_t t = 0; t < process->process->location_count; t++) {
		const struct fathom_waits_location_state *location = &state->locations[process->first_location + t];
		uint32_t next = next_call(state, location, call->enter, &was_inside);

		if (next == location->location->count || fathom_waits_enter(state, location, next) >= entered.time)
			continue;
		is_found = true;
		entered.time = fathom_waits_enter(state, location, next);
		entered.cause = fathom_waits_name_of(state, location, next);
	}
	if (was_inside || !is_found)
		return 0;
	return fathom_waits_send_to(state, call->name.rank, FATHOM_WAITS_MAIL_PROGRESS, &entered, sizeof(entered),
				    NULL, 0);
}

static int judge_next(void *context, bool *is_idle)
{
	struct fathom_waits_progress *progress = context;

	*is_idle = progress->next >= progress->count;
	return *is_idle ? 0 : judge_call(progress, &progress->calls[progress->next++]);
}

static int take_entered(void *context, uint32_t type, const void *data, size_t bytes)
{
	struct fathom_waits_progress *progress = context;
	struct fathom_waits_location_state *location;
	struct fathom_waits_op_state *op;
	struct entered entered;
	double wait;

	if (type != FATHOM_WAITS_MAIL_PROGRESS || bytes != sizeof(entered))
		return -EPROTO;
	memcpy(&entered, data, sizeof(entered));
	location = fathom_waits_location_at(progress->state, &entered.name);
	if (!location)
		return -EPROTO;
	op = &location->ops[entered.name.record];
	wait = fathom_waits_until(fathom_waits_enter(progress->state, location, entered.name.record),
				  fathom_waits_leave(progress->state, location, entered.name.record), entered.time);
	if (wait <= op->wait)
		return 0;
	op->wait = wait;
	op->late_begin = entered.time;
	op->cause = entered.cause;
	op->pattern = location->location->records[entered.name.record].operation.part.tag <= FATHOM_WAITS_RMA_ATOMIC ?
		      FATHOM_WAITS_RMA_COMM_PROGRESS : FATHOM_WAITS_RMA_SYNC_PROGRESS;
	op->flags |= FATHOM_WAITS_HAS_CAUSE;
	return 0;
}

int fathom_waits_progress_judge(struct fathom_waits_progress *progress)
{
	struct fathom_waits_stage stage = { take_entered, judge_next, progress };

	return fathom_waits_mail_run(progress->state->mail, &stage);
}
