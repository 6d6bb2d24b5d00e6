#include "waits/costs/common_operation.h"

#include "waits/costs/interval_map.h"

/* How far back the last common operation is looked for. */
enum { MOST_RECORDS = 1000 };

/* Is the process with this rank a member of the communicator of a part? */
static bool is_member(struct fathom_waits_key_table *members, const struct fathom_waits_state *state, uint32_t process,
		      const struct fathom_waits_part *part, uint32_t rank)
{
	const struct fathom_waits_communicator *comm =
		fathom_waits_communicator_of(state->processes[process].process, part);
	uint64_t number = (uint64_t)(part->kind == FATHOM_WAITS_RMA) << 32 | part->comm;
	uint64_t *found;

	if (!comm)
		return false;
	if (comm->count == state->input->world_size)
		return true;
	if (!comm->ranks)
		return fathom_waits_has_member(comm, rank);
	found = fathom_waits_key_add(members, fathom_waits_key(fathom_waits_key(process + 1, number), rank), 2);
	if (!found)
		return false;
	if (*found == 2)
		*found = fathom_waits_has_member(comm, rank);
	return *found;
}

/* Do the location and the process with this rank synchronise in the operation? */
static bool is_common(struct fathom_waits_key_table *members, const struct fathom_waits_state *state,
		      const struct fathom_waits_location_state *location, uint32_t record, uint32_t rank)
{
	const struct fathom_waits_op_state *op = &location->ops[record];
	bool is_same_process = state->processes[location->process].process->rank == rank;
	struct fathom_waits_part_walk walk = { location->location, record, 0 };
	const struct fathom_waits_part *part;

	if (op->flags & FATHOM_WAITS_HAS_DELAYS && op->cause.rank == rank && !is_same_process)
		return true;
	if (op->expected && !is_same_process &&
	    (op->waiter_rank == rank || (op->waiter_rank == FATHOM_WAITS_MANY_RANKS &&
					 !(op->flags & FATHOM_WAITS_IS_COMMON))))
		return true;
	if (!(op->flags & FATHOM_WAITS_IS_COMMON) && !is_same_process)
		return false;
	while ((part = fathom_waits_part_next(&walk))) {
		switch (part->kind) {
		case FATHOM_WAITS_BARRIER:
		case FATHOM_WAITS_FORK:
		case FATHOM_WAITS_TEAM_BEGIN:
			if (is_same_process)
				return true;
			break;
		case FATHOM_WAITS_COLLECTIVE:
		case FATHOM_WAITS_INIT:
		case FATHOM_WAITS_FINALIZE:
		case FATHOM_WAITS_RMA:
			if (!is_same_process && is_member(members, state, location->process, part, rank))
				return true;
			break;
		default:
			break;
		}
	}
	return false;
}

uint32_t fathom_waits_last_common(struct fathom_waits_key_table *members, const struct fathom_waits_state *state,
				  const struct fathom_waits_location_state *location, uint32_t record, uint32_t rank)
{
	for (uint32_t n = 0; record > 0 && n < MOST_RECORDS; n++) {
		record--;
		if (fathom_waits_is_operation(location->location, record) &&
		    is_common(members, state, location, record, rank))
			return record;
	}
	if (!record)
		return FATHOM_WAITS_FROM_BEGIN;
	while (record > 0 && !fathom_waits_is_operation(location->location, record))
		record--;
	return record;
}
