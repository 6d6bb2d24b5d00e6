#include "waits/matching/lock_epochs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "waits/wait_formulas.h"

/* An epoch, as the target's host knows it. */
struct epoch {
	uint64_t identity;			/* of the window */
	struct fathom_waits_op_name lock;	/* at the origin */
	uint32_t unlock;			/* record of the origin */
	uint32_t target;
	uint32_t is_shared;
	double begin;				/* enter of the lock */
	double release, end;			/* enter and leave of the unlock, which frees the lock */
};

/* What the origin gets to know: another epoch, whose unlock lasted from release to end, held the lock before. */
struct competition {
	struct fathom_waits_op_name lock, cause;
	uint32_t unlock, target;
	double release, end;
};

/* A process that is accessed in an epoch of MPI_Win_lock_all. */
struct accessed {
	uint32_t location, window, target;
};

struct fathom_waits_lock_epochs {
	struct fathom_waits_state *state;
	struct fathom_waits_key_table open;	/* by location, window and target: record of the lock, and is_shared */
	struct accessed *accessed;		/* each once */
	uint32_t accessed_count, accessed_room;
	struct epoch *epochs;			/* of hosted targets */
	uint32_t count, room;
	bool is_sorted;
};

struct fathom_waits_lock_epochs *fathom_waits_lock_epochs_create(struct fathom_waits_state *state)
{
	struct fathom_waits_lock_epochs *epochs = calloc(1, sizeof(*epochs));

	if (epochs)
		epochs->state = state;
	return epochs;
}

void fathom_waits_lock_epochs_destroy(struct fathom_waits_lock_epochs *epochs)
{
	fathom_waits_key_fini(&epochs->open);
	free(epochs->accessed);
	free(epochs->epochs);
	free(epochs);
}

static uint64_t key_of(uint64_t location, uint32_t window, uint32_t target)
{
	return fathom_waits_key(fathom_waits_key(location + 1, window), target);
}

/* Reports an epoch to its target. lock: what open has for it; record: of the unlock. */
static int send_epoch(struct fathom_waits_lock_epochs *epochs, const struct fathom_waits_location_state *location,
		      uint64_t lock, uint32_t record, uint32_t target)
{
	struct fathom_waits_state *state = epochs->state;
	const struct fathom_waits_part *unlock = &location->location->records[record].operation.part;
	const struct fathom_waits_communicator *window =
		fathom_waits_communicator_of(state->processes[location->process].process, unlock);
	struct epoch epoch = { 0 };

	if (!window)
		return 0;
	epoch.identity = window->identity;
	epoch.lock = fathom_waits_name_of(state, location, (uint32_t)(lock >> 1));
	epoch.unlock = record;
	epoch.target = target;
	epoch.is_shared = lock & 1;
	epoch.begin = fathom_waits_enter(state, location, epoch.lock.record);
	epoch.release = fathom_waits_enter(state, location, record);
	epoch.end = fathom_waits_leave(state, location, record);
	return fathom_waits_send_to(state, target, FATHOM_WAITS_MAIL_EPOCH, &epoch, sizeof(epoch), NULL, 0);
}

/* Notes the target of an access, if it belongs to an epoch of MPI_Win_lock_all. */
static int note_access(struct fathom_waits_lock_epochs *epochs, uint32_t location, const struct fathom_waits_part *part)
{
	struct accessed *larger;

	if (!fathom_waits_key_find(&epochs->open, key_of(location, part->comm, FATHOM_WAITS_NO_PEER)))
		return 0;
	for (uint32_t a = 0; a < epochs->accessed_count; a++)
		if (epochs->accessed[a].location == location && epochs->accessed[a].window == part->comm &&
		    epochs->accessed[a].target == part->peer)
			return 0;
	if (epochs->accessed_count == epochs->accessed_room) {
		uint32_t room = epochs->accessed_room ? 2 * epochs->accessed_room : 64;

		larger = realloc(epochs->accessed, room * sizeof(*larger));
		if (!larger)
			return -ENOMEM;
		epochs->accessed = larger;
		epochs->accessed_room = room;
	}
	epochs->accessed[epochs->accessed_count++] = (struct accessed){ location, part->comm, part->peer };
	return 0;
}

/* Reports the epochs that an MPI_Win_unlock_all ends. */
static int end_all(struct fathom_waits_lock_epochs *epochs, const struct fathom_waits_location_state *location,
		   uint64_t lock, uint32_t record)
{
	uint32_t index = (uint32_t)(location - epochs->state->locations), kept = 0;
	uint32_t window = location->location->records[record].operation.part.comm;
	int err = 0;

	for (uint32_t a = 0; a < epochs->accessed_count; a++) {
		struct accessed accessed = epochs->accessed[a];

		if (accessed.location != index || accessed.window != window)
			epochs->accessed[kept++] = accessed;
		else if (!err)
			err = send_epoch(epochs, location, lock, record, accessed.target);
	}
	epochs->accessed_count = kept;
	return err;
}

int fathom_waits_lock_epochs_visit(struct fathom_waits_lock_epochs *epochs,
				   const struct fathom_waits_location_state *location, uint32_t record,
				   const struct fathom_waits_part *part)
{
	uint32_t index = (uint32_t)(location - epochs->state->locations);
	uint64_t key, *lock, taken;

	if (part->kind != FATHOM_WAITS_RMA)
		return 0;
	if (part->tag <= FATHOM_WAITS_RMA_ATOMIC)
		return part->peer == FATHOM_WAITS_NO_PEER ? 0 : note_access(epochs, index, part);
	key = key_of(index, part->comm, part->peer);
	if (part->tag == FATHOM_WAITS_RMA_LOCK) {
		lock = fathom_waits_key_add(&epochs->open, key, 0);
		if (!lock)
			return -ENOMEM;
		*lock = (uint64_t)record << 1 | (part->flags & FATHOM_WAITS_IMPLICIT ? 1 : 0);
		return 0;
	}
	lock = part->tag == FATHOM_WAITS_RMA_UNLOCK ? fathom_waits_key_find(&epochs->open, key) : NULL;
	if (!lock)
		return 0;
	taken = *lock;
	fathom_waits_key_remove(&epochs->open, key);
	return part->peer == FATHOM_WAITS_NO_PEER ? end_all(epochs, location, taken, record) :
	       send_epoch(epochs, location, taken, record, part->peer);
}

int fathom_waits_lock_epochs_take(struct fathom_waits_lock_epochs *epochs, const void *data, size_t bytes)
{
	if (bytes != sizeof(struct epoch))
		return -EPROTO;
	if (epochs->count == epochs->room) {
		uint32_t room = epochs->room ? 2 * epochs->room : 64;
		struct epoch *larger = realloc(epochs->epochs, room * sizeof(*larger));

		if (!larger)
			return -ENOMEM;
		epochs->epochs = larger;
		epochs->room = room;
	}
	memcpy(&epochs->epochs[epochs->count++], data, sizeof(struct epoch));
	return 0;
}

/* --- who waited ---------------------------------------------------------------------------------------- */

/*
 * The order of epochs: by window and target, then by the times when their unlocks began. Of epochs that exclude each
 * other, the earlier one begins its unlock before the later one has the lock; but its unlock may return only after the
 * later one is over.
 */
static int by_release(const void *a, const void *b)
{
	const struct epoch *x = a, *y = b;

	if (x->target != y->target)
		return x->target < y->target ? -1 : 1;
	if (x->identity != y->identity)
		return x->identity < y->identity ? -1 : 1;
	if (x->release != y->release)
		return x->release < y->release ? -1 : 1;
	return fathom_waits_name_compare(&x->lock, &y->lock);
}

static int report(struct fathom_waits_lock_epochs *epochs, const struct epoch *epoch, const struct epoch *before)
{
	struct competition competition = { epoch->lock, before->lock, epoch->unlock, epoch->target, before->release,
					   before->end };

	if (before->end <= epoch->begin || before->lock.rank == epoch->lock.rank)
		return 0;
	competition.cause.record = before->unlock;
	return fathom_waits_send_to(epochs->state, epoch->lock.rank, FATHOM_WAITS_MAIL_EPOCH, &competition,
				    sizeof(competition), NULL, 0);
}

static int compare_epochs(void *context, bool *is_idle)
{
	struct fathom_waits_lock_epochs *epochs = context;
	const struct epoch *last = NULL, *last_exclusive = NULL;
	int err = 0;

	*is_idle = true;
	if (epochs->is_sorted)
		return 0;
	epochs->is_sorted = true;
	if (epochs->count)
		qsort(epochs->epochs, epochs->count, sizeof(*epochs->epochs), by_release);
	for (uint32_t e = 0; e < epochs->count && !err; e++) {
		const struct epoch *epoch = &epochs->epochs[e], *before;

		if (last && (last->target != epoch->target || last->identity != epoch->identity))
			last = last_exclusive = NULL;
		before = epoch->is_shared ? last_exclusive : last;
		if (before)
			err = report(epochs, epoch, before);
		last = epoch;
		if (!epoch->is_shared)
			last_exclusive = epoch;
	}
	return err;
}

/* Returns the first record of an epoch whose operation may last until the other epoch ends: it is the operation before
 * the first one that is entered after the begin of that unlock. */
static uint32_t first_that_may_wait(const struct fathom_waits_state *state,
				    const struct fathom_waits_location_state *location,
				    const struct competition *competition)
{
	uint32_t record = fathom_waits_first_after(state, location, competition->release);

	do {
		if (record <= competition->lock.record)
			return competition->lock.record;
		record--;
	} while (!fathom_waits_is_operation(location->location, record));
	return record;
}

/* Finds the call of an epoch that lasted until another epoch was over. */
static int take_competition(void *context, uint32_t type, const void *data, size_t bytes)
{
	struct fathom_waits_lock_epochs *epochs = context;
	struct fathom_waits_location_state *location;
	struct competition competition;
	uint32_t r;

	if (type != FATHOM_WAITS_MAIL_EPOCH || bytes != sizeof(competition))
		return -EPROTO;
	memcpy(&competition, data, sizeof(competition));
	location = fathom_waits_location_at(epochs->state, &competition.lock);
	if (!location || competition.unlock >= location->location->count)
		return -EPROTO;
	r = first_that_may_wait(epochs->state, location, &competition);
	for (; r <= competition.unlock; r++) {
		const struct fathom_waits_part *part = &location->location->records[r].operation.part;
		struct fathom_waits_op_state *op = &location->ops[r];
		double enter, leave, wait;

		if (!fathom_waits_is_operation(location->location, r) || part->kind != FATHOM_WAITS_RMA ||
		    (part->peer != competition.target && part->peer != FATHOM_WAITS_NO_PEER))
			continue;
		enter = fathom_waits_enter(epochs->state, location, r);
		if (enter >= competition.end)
			break;
		leave = fathom_waits_leave(epochs->state, location, r);
		wait = fathom_waits_until(enter, leave, competition.end < leave ? competition.end : leave);
		if (competition.release > leave || wait <= op->wait)
			continue;
		op->wait = wait;
		op->cause = competition.cause;
		op->pattern = part->tag <= FATHOM_WAITS_RMA_ATOMIC ? FATHOM_WAITS_RMA_COMM_LOCK_COMPETITION :
			      FATHOM_WAITS_RMA_SYNC_LOCK_COMPETITION;
		op->flags |= FATHOM_WAITS_HAS_CAUSE;
		break;
	}
	return 0;
}

int fathom_waits_lock_epochs_judge(struct fathom_waits_lock_epochs *epochs)
{
	struct fathom_waits_stage stage = { take_competition, compare_epochs, epochs };

	return fathom_waits_mail_run(epochs->state->mail, &stage);
}
