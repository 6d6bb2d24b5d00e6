#include "waits/grid_sweeps.h"

#include <errno.h>
#include <string.h>

/* A process's grid, while the logs of its locations are read. */
struct sweeps {
	const struct fathom_waits_grid *grid;
	const struct fathom_waits_communicator *comm;
	struct fathom_waits_key_table position_of_rank;	/* filled if the communicator has a list of ranks */
	uint32_t at[FATHOM_WAITS_DIMENSIONS];		/* the position of the process */
	int8_t directions[FATHOM_WAITS_DIMENSIONS];	/* of the location's sweep: 1 up, -1 down, 0 not known */
};

/* Finds the member of the grid's communicator with this rank in the world. False: it is none. */
static bool member_with_rank(const struct sweeps *sweeps, uint32_t rank, uint32_t *member)
{
	const struct fathom_waits_communicator *comm = sweeps->comm;
	const uint64_t *found;

	if (!comm->ranks) {
		*member = comm->stride ? (rank - comm->first) / comm->stride : 0;
		return *member < comm->count && fathom_waits_member(comm, *member) == rank;
	}
	found = fathom_waits_key_find(&sweeps->position_of_rank, fathom_waits_key(1, rank));
	if (found)
		*member = (uint32_t)*found;
	return found;
}

/* Stores the position of a member. */
static void find_position(const struct fathom_waits_grid *grid, uint32_t member, uint32_t *at)
{
	if (grid->at) {
		memcpy(at, grid->at + (size_t)member * grid->dimension_count, grid->dimension_count * sizeof(*at));
		return;
	}
	for (uint32_t d = grid->dimension_count; d-- > 0; member /= grid->sizes[d])
		at[d] = member % grid->sizes[d];
}

/* Prepares for a process. 1; 0: the process has no grid; -ENOMEM. */
static int begin(struct sweeps *sweeps, const struct fathom_waits_process *process)
{
	const struct fathom_waits_grid *grid = process->grid;
	uint32_t member;

	memset(sweeps, 0, sizeof(*sweeps));
	if (!grid || grid->dimension_count == 0 || grid->dimension_count > FATHOM_WAITS_DIMENSIONS)
		return 0;
	sweeps->grid = grid;
	sweeps->comm = fathom_waits_communicator_at(process, grid->comm);
	for (uint32_t d = 0; d < grid->dimension_count; d++)
		if (grid->sizes[d] == 0)
			return 0;
	if (!sweeps->comm || sweeps->comm->count == 0 || sweeps->comm->is_inter)
		return 0;
	for (uint32_t m = 0; sweeps->comm->ranks && m < sweeps->comm->count; m++)
		if (!fathom_waits_key_add(&sweeps->position_of_rank, fathom_waits_key(1, sweeps->comm->ranks[m]), m))
			return -ENOMEM;
	if (!member_with_rank(sweeps, process->rank, &member))
		return 0;
	find_position(grid, member, sweeps->at);
	return 1;
}

/* Returns the way from the sender to this process in a dimension: positive is upward. In a periodic dimension it is the
 * shorter way around. */
static int64_t distance(const struct sweeps *sweeps, const uint32_t *sender, uint32_t d)
{
	int64_t size = sweeps->grid->sizes[d], way = (int64_t)sweeps->at[d] - sender[d];

	if (!sweeps->grid->are_periodic || !sweeps->grid->are_periodic[d])
		return way;
	if (2 * way > size)
		way -= size;
	else if (2 * way < -size)
		way += size;
	return way;
}

/* Takes a message in the order of receiving. Returns the pattern for waiting for it; FATHOM_WAITS_PATTERNS: the sender
 * has no other position in the grid. */
static enum fathom_waits_pattern take_message(struct sweeps *sweeps, uint32_t sender_rank)
{
	uint32_t sender[FATHOM_WAITS_DIMENSIONS], member, d, main_dimension = 0;
	int64_t way[FATHOM_WAITS_DIMENSIONS], longest = 0;
	bool is_turn = false, is_first = false;

	if (!member_with_rank(sweeps, sender_rank, &member))
		return FATHOM_WAITS_PATTERNS;
	find_position(sweeps->grid, member, sender);
	for (d = 0; d < sweeps->grid->dimension_count; d++) {
		way[d] = distance(sweeps, sender, d);
		is_turn |= way[d] * sweeps->directions[d] < 0;
		if (way[d] * way[d] > longest * longest) {
			longest = way[d];
			main_dimension = d;
		}
	}
	if (longest == 0)
		return FATHOM_WAITS_PATTERNS;
	if (is_turn)
		memset(sweeps->directions, 0, sizeof(sweeps->directions));
	for (d = 0; d < sweeps->grid->dimension_count; d++) {
		is_first |= way[d] && !sweeps->directions[d];
		if (way[d])
			sweeps->directions[d] = way[d] > 0 ? 1 : -1;
	}
	if (!is_first)
		return FATHOM_WAITS_SWEEP_INSIDE;
	if (main_dimension > 2)
		return FATHOM_WAITS_REFILL_OTHER;
	return FATHOM_WAITS_REFILL_X_UP + 2 * main_dimension + (longest < 0);
}

/* Takes an operation, and charges its waiting to the direction of the message that it waited for. */
static void take_operation(struct sweeps *sweeps, struct fathom_waits_state *state,
			   const struct fathom_waits_location_state *location, uint32_t record)
{
	const struct fathom_waits_op_state *op = &location->ops[record];
	bool waits = op->flags & FATHOM_WAITS_HAS_CAUSE && op->pattern == FATHOM_WAITS_LATE_SENDER;
	struct fathom_waits_part_walk walk = { location->location, record, 0 };
	const struct fathom_waits_process *process = state->processes[location->process].process;
	const struct fathom_waits_communicator *comm;
	const struct fathom_waits_part *part;

	while ((part = fathom_waits_part_next(&walk))) {
		enum fathom_waits_pattern pattern;

		if (part->kind == FATHOM_WAITS_COLLECTIVE) {
			comm = fathom_waits_communicator_of(process, part);
			if (comm && comm->count > 1)
				memset(sweeps->directions, 0, sizeof(sweeps->directions));
		}
		if (part->kind != FATHOM_WAITS_RECEIVE)
			continue;
		pattern = take_message(sweeps, part->peer);
		if (!waits || part->peer != op->cause.rank || pattern == FATHOM_WAITS_PATTERNS)
			continue;
		fathom_waits_add_at(state, location, record, pattern, op->wait);
		waits = false;
	}
}

int fathom_waits_sweeps_find(struct fathom_waits_state *state)
{
	int err = 0;

	for (uint32_t p = 0; p < state->process_count && err >= 0; p++) {
		const struct fathom_waits_process_state *owner = &state->processes[p];
		struct sweeps sweeps;

		err = begin(&sweeps, owner->process);
		for (uint32_t t = 0; err > 0 && t < owner->process->location_count; t++) {
			const struct fathom_waits_location_state *location =
				&state->locations[owner->first_location + t];

			memset(sweeps.directions, 0, sizeof(sweeps.directions));
			for (uint32_t r = 0; r < location->location->count; r++) {
				if (fathom_waits_is_operation(location->location, r))
					take_operation(&sweeps, state, location, r);
				fathom_waits_release_at(state, location, r);
			}
			fathom_waits_release_at(state, location, 0);
		}
		fathom_waits_key_fini(&sweeps.position_of_rank);
	}
	return err < 0 ? err : 0;
}
