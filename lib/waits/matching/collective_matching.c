#include "waits/matching/collective_matching.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "define/collective.h"
#include "waits/wait_formulas.h"

/* Operations that are no kinds of enum fathom_collective. */
enum { INIT = FATHOM_COLLECTIVES, FINALIZE, FENCE, CREATE, FREE };

/* The latest begin of some members. */
struct latest {
	double begin;				/* -INFINITY: of no member */
	struct fathom_waits_op_name name;	/* of the operation that began it */
};

/* What is known of some members together. */
struct common {
	struct latest last;		/* without the root */
	struct latest root;
	double first_end;
	uint32_t operation;
	uint32_t differs;		/* members called different operations */
	uint32_t is_nonblocking;	/* of some member */
	uint32_t reserved;
};

struct up {
	uint64_t identity, number;	/* of the communicator; of the operation on it */
	uint32_t to, to_position, from_position, reserved;
	struct common common;
};

struct down {
	uint64_t identity, number;
	uint32_t to, reserved;
	struct common common;
	struct latest before;		/* of all members with lower positions */
};

/* A collective operation at one process. */
struct instance {
	uint64_t key;
	uint64_t identity, number;
	uint32_t location, record, posted;
	uint32_t flags;			/* of the part */
	const struct fathom_waits_communicator *comm;	/* NULL: the process has not come to the operation */
	struct common common;		/* of its subtree, as far as it is known */
	struct latest own;
	struct latest *below;		/* of a scan: by child, the latest of its subtree */
	uint32_t reports;
	uint32_t next_free;
	bool is_used, is_root, is_sent;
};

struct fathom_waits_collectives {
	struct fathom_waits_state *state;
	struct fathom_waits_channels *channels;
	struct fathom_waits_key_table table;	/* index in instances */
	struct instance *instances;
	uint32_t count, room;
	uint32_t first_free;			/* index + 1 */
};

struct fathom_waits_collectives *fathom_waits_collectives_create(struct fathom_waits_state *state,
								 struct fathom_waits_channels *channels)
{
	struct fathom_waits_collectives *collectives = calloc(1, sizeof(*collectives));

	if (!collectives)
		return NULL;
	collectives->state = state;
	collectives->channels = channels;
	return collectives;
}

void fathom_waits_collectives_destroy(struct fathom_waits_collectives *collectives)
{
	for (uint32_t i = 0; i < collectives->count; i++) {
		const struct instance *instance = &collectives->instances[i];

		if (instance->is_used && instance->comm)
			collectives->state->summary.incomplete_collectives++;
		free(instance->below);
	}
	fathom_waits_key_fini(&collectives->table);
	free(collectives->instances);
	free(collectives);
}

/* --- times of members together ------------------------------------------------------------------------- */

static const struct latest nobody = { .begin = -INFINITY };

/* The later one of two; of equal ones the one with the smaller name, so that the order does not matter. */
static struct latest later(const struct latest *a, const struct latest *b)
{
	if (a->begin != b->begin)
		return a->begin > b->begin ? *a : *b;
	return fathom_waits_name_compare(&a->name, &b->name) <= 0 ? *a : *b;
}

static void join(struct common *all, const struct common *more)
{
	all->last = later(&all->last, &more->last);
	all->root = later(&all->root, &more->root);
	if (more->first_end < all->first_end)
		all->first_end = more->first_end;
	all->differs |= more->differs | (all->operation != more->operation && all->operation != UINT32_MAX &&
					 more->operation != UINT32_MAX);
	if (all->operation == UINT32_MAX)
		all->operation = more->operation;
	all->is_nonblocking |= more->is_nonblocking;
}

static bool is_scan(uint32_t operation)
{
	return operation == FATHOM_COLLECTIVE_SCAN || operation == FATHOM_COLLECTIVE_EXSCAN;
}

/* --- instances ----------------------------------------------------------------------------------------- */

/* Returns the index of an operation at a process, made if it is new. -1: no memory. */
static int64_t instance_at(struct fathom_waits_collectives *collectives, uint32_t rank, uint64_t identity,
			   uint64_t number)
{
	uint64_t key = fathom_waits_key(fathom_waits_key(identity, rank), number);
	uint64_t *found = fathom_waits_key_add(&collectives->table, key, UINT64_MAX);
	uint32_t index;

	if (!found)
		return -1;
	if (*found != UINT64_MAX)
		return (int64_t)*found;
	if (collectives->first_free) {
		index = collectives->first_free - 1;
		collectives->first_free = collectives->instances[index].next_free;
	} else {
		if (collectives->count == collectives->room) {
			uint32_t room = collectives->room ? 2 * collectives->room : 64;
			struct instance *larger = realloc(collectives->instances, room * sizeof(*larger));

			if (!larger) {
				fathom_waits_key_remove(&collectives->table, key);
				return -1;
			}
			collectives->instances = larger;
			collectives->room = room;
		}
		index = collectives->count++;
	}
	*found = index;
	collectives->instances[index] = (struct instance){
		.key = key,
		.identity = identity,
		.number = number,
		.common = { .last = nobody, .root = nobody, .first_end = INFINITY, .operation = UINT32_MAX },
		.is_used = true,
	};
	return index;
}

static void free_instance(struct fathom_waits_collectives *collectives, uint32_t index)
{
	struct instance *instance = &collectives->instances[index];

	fathom_waits_key_remove(&collectives->table, instance->key);
	free(instance->below);
	*instance = (struct instance){ .next_free = collectives->first_free };
	collectives->first_free = index + 1;
}

/* --- who waited ---------------------------------------------------------------------------------------- */

/* The operation waited for the one that is named. */
static void set_wait(struct fathom_waits_op_state *op, double wait, const struct latest *cause,
		     enum fathom_waits_pattern pattern)
{
	if (wait <= op->wait || wait <= 0)
		return;
	op->wait = wait;
	op->cause = cause->name;
	op->pattern = (uint8_t)pattern;
	op->flags |= FATHOM_WAITS_HAS_CAUSE;
}

/* All processes of the run met, so the critical path leads through the one that entered last. */
static void mark_cut(const struct fathom_waits_collectives *collectives, const struct instance *instance,
		     const struct common *common, const struct latest *last, struct fathom_waits_op_state *op)
{
	struct fathom_waits_state *state = collectives->state;
	const struct fathom_waits_location_state *location = &state->locations[instance->location];
	struct fathom_waits_op_name name = fathom_waits_name_of(state, location, instance->record);

	if (instance->comm->count != state->input->world_size || common->is_nonblocking ||
	    common->first_end <= last->begin)
		return;
	op->flags |= FATHOM_WAITS_IS_CUT;
	if (!fathom_waits_name_compare(&name, &last->name))
		op->flags |= FATHOM_WAITS_IS_LAST;
}

static void find_waiting(const struct fathom_waits_collectives *collectives, const struct instance *instance,
			 const struct common *common, const struct latest *before)
{
	struct fathom_waits_state *state = collectives->state;
	struct fathom_waits_location_state *location = &state->locations[instance->location];
	struct fathom_waits_op_state *op = &location->ops[instance->record];
	double enter = fathom_waits_enter(state, location, instance->record);
	double leave = fathom_waits_leave(state, location, instance->record);
	struct latest last = later(&common->last, &common->root);
	struct fathom_waits_meeting meeting = { last.begin, common->first_end };
	bool is_empty = instance->flags & FATHOM_WAITS_EMPTY;

	op->flags |= FATHOM_WAITS_IS_COMMON;
	if (instance->flags & FATHOM_WAITS_TEST)
		return;
	switch (common->operation) {
	case FATHOM_COLLECTIVE_BARRIER:
		set_wait(op, fathom_waits_barrier_wait(enter, leave, &meeting), &last, FATHOM_WAITS_BARRIER_WAIT);
		fathom_waits_add_at(state, location, instance->record, FATHOM_WAITS_BARRIER_COMPLETION,
				    fathom_waits_barrier_completion(enter, leave, &meeting));
		mark_cut(collectives, instance, common, &last, op);
		break;
	case FATHOM_COLLECTIVE_ALLTOALLV:
	case FATHOM_COLLECTIVE_ALLTOALLW:
		/* It is not known who sends to whom, unless all processes left after the last one entered. */
		if (meeting.first_end <= meeting.last_begin)
			break;
		/* fall through */
	case FATHOM_COLLECTIVE_ALLGATHER:
	case FATHOM_COLLECTIVE_ALLGATHERV:
	case FATHOM_COLLECTIVE_ALLTOALL:
	case FATHOM_COLLECTIVE_ALLREDUCE:
	case FATHOM_COLLECTIVE_REDUCE_SCATTER:
	case FATHOM_COLLECTIVE_REDUCE_SCATTER_BLOCK:
		if (is_empty)
			break;
		set_wait(op, fathom_waits_nxn_wait(enter, leave, &meeting), &last, FATHOM_WAITS_NXN_WAIT);
		fathom_waits_add_at(state, location, instance->record, FATHOM_WAITS_NXN_COMPLETION,
				    fathom_waits_nxn_completion(enter, leave, &meeting));
		mark_cut(collectives, instance, common, &last, op);
		break;
	case FATHOM_COLLECTIVE_BCAST:
	case FATHOM_COLLECTIVE_SCATTER:
	case FATHOM_COLLECTIVE_SCATTERV:
		if (!is_empty && !instance->is_root && common->root.begin > -INFINITY)
			set_wait(op, fathom_waits_until(enter, leave, common->root.begin), &common->root,
				 FATHOM_WAITS_LATE_BROADCAST);
		break;
	case FATHOM_COLLECTIVE_REDUCE:
	case FATHOM_COLLECTIVE_GATHER:
	case FATHOM_COLLECTIVE_GATHERV:
		if (!is_empty && instance->is_root && common->last.begin > -INFINITY)
			set_wait(op, fathom_waits_until(enter, leave, common->last.begin), &common->last,
				 FATHOM_WAITS_EARLY_REDUCE);
		break;
	case FATHOM_COLLECTIVE_SCAN:
	case FATHOM_COLLECTIVE_EXSCAN:
		if (!is_empty && before->begin > -INFINITY)
			set_wait(op, fathom_waits_until(enter, leave, before->begin), before, FATHOM_WAITS_EARLY_SCAN);
		break;
	case INIT:
		fathom_waits_add_at(state, location, instance->record, FATHOM_WAITS_INIT_COMPLETION,
				    fathom_waits_barrier_completion(enter, leave, &meeting));
		break;
	case FINALIZE:
		set_wait(op, fathom_waits_barrier_wait(enter, leave, &meeting), &last, FATHOM_WAITS_FINALIZE_WAIT);
		mark_cut(collectives, instance, common, &last, op);
		break;
	case FENCE:
		set_wait(op, fathom_waits_window_wait(enter, leave, &meeting), &last, FATHOM_WAITS_RMA_AT_FENCE);
		break;
	case CREATE:
		set_wait(op, fathom_waits_window_wait(enter, leave, &meeting), &last, FATHOM_WAITS_RMA_AT_CREATE);
		break;
	case FREE:
		set_wait(op, fathom_waits_window_wait(enter, leave, &meeting), &last, FATHOM_WAITS_RMA_AT_FREE);
		break;
	default:
		break;
	}
}

/* --- up and down the tree ------------------------------------------------------------------------------ */

/* Sends to the children what all have in common, and finds out whether this process waited. Frees the instance. */
static int pass_down(struct fathom_waits_collectives *collectives, uint32_t index, const struct common *common,
		     const struct latest *before)
{
	struct instance *instance = &collectives->instances[index];
	const struct fathom_waits_communicator *comm = instance->comm;
	int parent, children[32];
	int count = fathom_comm_tree((int)comm->position, (int)comm->count, &parent, children);
	struct down down = { .identity = instance->identity, .number = instance->number, .common = *common,
			     .before = *before };
	int err = 0;

	down.before = later(before, &instance->own);
	for (int c = 0; c < count && !err; c++) {
		down.to = fathom_waits_member(comm, (uint32_t)children[c]);
		err = fathom_waits_send_to(collectives->state, down.to, FATHOM_WAITS_MAIL_DOWN, &down, sizeof(down),
					   NULL, 0);
		if (instance->below)
			down.before = later(&down.before, &instance->below[c]);
	}
	if (common->differs) {
		collectives->state->summary.incomplete_collectives++;
	} else {
		collectives->state->summary.collectives++;
		find_waiting(collectives, instance, common, before);
	}
	free_instance(collectives, index);
	return err;
}

/* Sends the times of the subtree to the parent if all children have reported. */
static int pass_up(struct fathom_waits_collectives *collectives, uint32_t index)
{
	struct instance *instance = &collectives->instances[index];
	const struct fathom_waits_communicator *comm = instance->comm;
	int parent, children[32];
	struct up up;

	if (!comm || instance->is_sent ||
	    instance->reports < (uint32_t)fathom_comm_tree((int)comm->position, (int)comm->count, &parent, children))
		return 0;
	if (parent < 0) {
		struct common common = instance->common;

		return pass_down(collectives, index, &common, &nobody);
	}
	instance->is_sent = true;
	up = (struct up){ instance->identity, instance->number, fathom_waits_member(comm, (uint32_t)parent),
			  (uint32_t)parent, comm->position, 0, instance->common };
	return fathom_waits_send_to(collectives->state, up.to, FATHOM_WAITS_MAIL_UP, &up, sizeof(up), NULL, 0);
}

int fathom_waits_collectives_take_up(struct fathom_waits_collectives *collectives, const void *data, size_t bytes)
{
	struct instance *instance;
	struct up up;
	int64_t index;

	if (bytes != sizeof(up))
		return -EPROTO;
	memcpy(&up, data, sizeof(up));
	index = instance_at(collectives, up.to, up.identity, up.number);
	if (index < 0)
		return -ENOMEM;
	instance = &collectives->instances[index];
	if (is_scan(up.common.operation)) {
		/* The number of a child is the logarithm of its distance. */
		uint32_t child = (uint32_t)__builtin_ctz(up.from_position - up.to_position);

		if (!instance->below) {
			instance->below = malloc(32 * sizeof(*instance->below));
			for (int c = 0; instance->below && c < 32; c++)
				instance->below[c] = nobody;
		}
		if (!instance->below)
			return -ENOMEM;
		instance->below[child] = later(&up.common.last, &up.common.root);
	}
	join(&instance->common, &up.common);
	instance->reports++;
	return pass_up(collectives, (uint32_t)index);
}

int fathom_waits_collectives_take_down(struct fathom_waits_collectives *collectives, const void *data, size_t bytes)
{
	struct down down;
	int64_t index;

	if (bytes != sizeof(down))
		return -EPROTO;
	memcpy(&down, data, sizeof(down));
	index = instance_at(collectives, down.to, down.identity, down.number);
	if (index < 0)
		return -ENOMEM;
	if (!collectives->instances[index].comm)
		return -EPROTO;
	return pass_down(collectives, (uint32_t)index, &down.common, &down.before);
}

/* Returns the operation of a part, or UINT32_MAX: it is no collective one. */
static uint32_t operation_of(const struct fathom_waits_part *part)
{
	switch (part->kind) {
	case FATHOM_WAITS_COLLECTIVE:
		return part->tag >= 0 && part->tag < FATHOM_COLLECTIVES ? (uint32_t)part->tag : FATHOM_COLLECTIVE_COMM;
	case FATHOM_WAITS_INIT:
		return INIT;
	case FATHOM_WAITS_FINALIZE:
		return FINALIZE;
	case FATHOM_WAITS_RMA:
		return part->tag == FATHOM_WAITS_RMA_FENCE ? FENCE : part->tag == FATHOM_WAITS_RMA_CREATE ? CREATE :
		       part->tag == FATHOM_WAITS_RMA_FREE ? FREE : UINT32_MAX;
	default:
		return UINT32_MAX;
	}
}

int fathom_waits_collectives_visit(struct fathom_waits_collectives *collectives,
				   struct fathom_waits_location_state *location, uint32_t record,
				   const struct fathom_waits_part *part)
{
	struct fathom_waits_state *state = collectives->state;
	const struct fathom_waits_process *process = state->processes[location->process].process;
	const struct fathom_waits_communicator *comm = fathom_waits_communicator_of(process, part);
	uint32_t operation = operation_of(part), posted;
	uint64_t identity, begun;
	struct fathom_waits_channel *channel;
	struct instance *instance;
	struct common share;
	int64_t index;

	if (operation == UINT32_MAX)
		return 0;
	if (!comm || !comm->count || comm->is_inter) {
		state->summary.skipped_collectives++;
		return 0;
	}
	if (comm->count == 1)
		return 0;
	channel = fathom_waits_channel_at(collectives->channels, fathom_waits_receive_key(process, part));
	if (!channel)
		return -ENOMEM;
	posted = fathom_waits_posted(location->location, part, record);
	identity = part->kind == FATHOM_WAITS_INIT || part->kind == FATHOM_WAITS_FINALIZE ?
		   fathom_waits_key(comm->identity, part->kind) : comm->identity;
	begun = fathom_waits_begun(location->location, part, record);
	index = instance_at(collectives, process->rank, identity, fathom_waits_channel_place(channel, begun));
	if (index < 0)
		return -ENOMEM;
	instance = &collectives->instances[index];
	instance->comm = comm;
	instance->location = (uint32_t)(location - state->locations);
	instance->record = record;
	instance->posted = posted;
	instance->flags = part->flags;
	instance->is_root = part->kind == FATHOM_WAITS_COLLECTIVE && part->peer == comm->position;
	instance->own = (struct latest){ fathom_waits_seconds(state, location, begun),
					 fathom_waits_name_of(state, location, posted) };
	share = (struct common){ .last = instance->is_root ? nobody : instance->own,
				 .root = instance->is_root ? instance->own : nobody,
				 .first_end = fathom_waits_leave(state, location, record),
				 .operation = operation,
				 .is_nonblocking = posted != record || (part->kind == FATHOM_WAITS_COLLECTIVE &&
							part->posted == FATHOM_WAITS_NO_RECORD) };
	join(&instance->common, &share);
	return pass_up(collectives, (uint32_t)index);
}
