#include "profile/result.h"

#include <errno.h>
#include <string.h>

#include "cube/writer.h"
#include "platform/arena.h"
#include "platform/log.h"
#include "profile/model.h"
#include "profile/piece.h"

/* As much of the values as rank 0 holds at a time, unless one call path alone has more. */
#define PIECE_BYTES ((uint64_t)32 << 20)

/* What rank 0 tells everybody when it knows the whole. */
struct plan {
	int32_t err;		/* it cannot be written: go home */
	uint32_t cnode_count;
	uint32_t piece_cnodes;	/* call paths in a piece */
	uint32_t pad;
};

/* What a rank needs to send its pieces: its call paths by the number they have in the union. */
struct sender {
	struct fathom_arena arena;
	const struct fathom_snapshot *snapshot;
	const struct fathom_aggregate *aggregate;
	uint32_t *own_of;	/* by cnode: number of the snapshot's node + 1; 0: not here */
	uint32_t *twin_of;	/* by that number: another one that is the same cnode, + 1; 0: no more */
	uint64_t *values;	/* of all threads, [value][thread]; */
	uint64_t *twins;	/* the same of a twin */
	uint64_t *cells;	/* of all locations */
	char *data;
};

/* The largest number of own call paths that are in one piece. */
static size_t most_in_a_piece(const uint32_t *numbers, uint32_t own, const struct plan *plan)
{
	struct fathom_arena arena = { 0 };
	size_t pieces = plan->cnode_count / plan->piece_cnodes + 1, most = 0;
	uint32_t *count = fathom_arena_alloc(&arena, pieces * sizeof(*count));

	for (uint32_t i = 0; count && i < own; i++) {
		uint32_t in_piece = ++count[numbers[i] / plan->piece_cnodes];

		if (in_piece > most)
			most = in_piece;
	}
	fathom_arena_fini(&arena);
	return count ? most : own;
}

static int sender_init(struct sender *sender, const struct fathom_union *u, const struct fathom_snapshot *snapshot,
		       const uint32_t *numbers, const struct plan *plan)
{
	size_t thread_bytes = (size_t)snapshot->value_count * (snapshot->location_count + 1) * sizeof(uint64_t);
	size_t cell_bytes = fathom_aggregate_place(&u->own, u->own.value_count) * sizeof(uint64_t);
	size_t path_bytes = cell_bytes + sizeof(struct fathom_packed);
	uint32_t own = snapshot->tree.count;

	memset(sender, 0, sizeof(*sender));
	sender->snapshot = snapshot;
	sender->aggregate = &u->own;
	sender->own_of = fathom_arena_alloc(&sender->arena, ((size_t)plan->cnode_count + 1) * sizeof(*sender->own_of));
	sender->twin_of = fathom_arena_alloc(&sender->arena, ((size_t)own + 1) * sizeof(*sender->twin_of));
	sender->values = fathom_arena_alloc(&sender->arena, thread_bytes);
	sender->twins = fathom_arena_alloc(&sender->arena, thread_bytes);
	sender->cells = fathom_arena_alloc(&sender->arena, cell_bytes + sizeof(uint64_t));
	sender->data = fathom_arena_alloc(&sender->arena, most_in_a_piece(numbers, own, plan) * path_bytes + 1);
	if (!sender->own_of || !sender->twin_of || !sender->values || !sender->twins || !sender->cells ||
	    !sender->data) {
		fathom_arena_fini(&sender->arena);
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < own; i++) {
		sender->twin_of[i] = sender->own_of[numbers[i]];
		sender->own_of[numbers[i]] = i + 1;
	}
	return 0;
}

/* A thread's call paths that are one in the file are one before anything is made of the threads. */
static char *pack_cnode(const struct sender *sender, char *place, uint32_t cnode)
{
	const struct fathom_aggregate *aggregate = sender->aggregate;
	uint32_t own = sender->own_of[cnode];
	struct fathom_packed packed = { .cnode = cnode };

	fathom_snapshot_values(sender->snapshot, own - 1, sender->values);
	while ((own = sender->twin_of[own - 1]) != 0) {
		fathom_snapshot_values(sender->snapshot, own - 1, sender->twins);
		fathom_aggregate_add(aggregate, sender->values, sender->twins);
	}
	packed.present = fathom_aggregate_cells(aggregate, sender->values, sender->cells);
	memcpy(place, &packed, sizeof(packed));
	place += sizeof(packed);
	for (uint32_t v = 0; v < aggregate->value_count; v++) {
		size_t first = fathom_aggregate_place(aggregate, v), end = fathom_aggregate_place(aggregate, v + 1);

		if (!(packed.present >> v & 1))
			continue;
		memcpy(place, sender->cells + first, (end - first) * sizeof(uint64_t));
		place += (end - first) * sizeof(uint64_t);
	}
	return place;
}

/* Pack the call paths from first to before end; returns the bytes. */
static size_t pack_piece(struct sender *sender, uint32_t first, uint32_t end)
{
	char *place = sender->data;

	for (uint32_t cnode = first; cnode < end; cnode++)
		if (sender->own_of[cnode])
			place = pack_cnode(sender, place, cnode);
	return (size_t)(place - sender->data);
}

/* In place of the bytes of a piece: the sender had no memory for it. */
#define NO_MEMORY UINT64_MAX

/* Without a sender: this rank had no memory; the others must not wait for it. */
static int send_pieces(struct sender *sender, struct fathom_comm *comm, const struct plan *plan)
{
	for (uint32_t first = 0; first < plan->cnode_count; first += plan->piece_cnodes) {
		uint32_t end = first + plan->piece_cnodes;
		uint64_t bytes = NO_MEMORY;
		int err;

		if (sender)
			bytes = pack_piece(sender, first, end < plan->cnode_count ? end : plan->cnode_count);
		err = comm->send(comm, 0, &bytes, sizeof(bytes));
		if (!err && sender)
			err = fathom_pieces_send(comm, 0, sender->data, bytes);
		if (err)
			return err;
	}
	return 0;
}

/* --- rank 0 --------------------------------------------------------------------------- */

/* After an error the others' data are still taken, so that nobody waits for ever; the first error counts. */
static void keep_first(int *err, int next)
{
	if (!*err)
		*err = next;
}

/* Where what others send is received; grows as needed. */
struct inbox {
	struct fathom_arena arena;
	char *data;
	uint64_t room;
};

static char *inbox_room(struct inbox *inbox, uint64_t bytes)
{
	if (bytes > inbox->room) {
		fathom_arena_fini(&inbox->arena);
		inbox->data = fathom_arena_alloc(&inbox->arena, bytes);
		inbox->room = inbox->data ? bytes : 0;
	}
	return inbox->data;
}

/* What a process has of the piece, put into it. *err: what is wrong with that; returns -errno if comm is broken. */
static int receive_piece(struct fathom_piece *piece, struct inbox *inbox, struct fathom_comm *comm,
			 const struct fathom_process *process, uint32_t column, int *err)
{
	uint64_t bytes;
	char *data;
	int broken = comm->receive(comm, (int)process->rank, &bytes, sizeof(bytes));

	if (broken || bytes == NO_MEMORY) {
		keep_first(err, -ENOMEM);
		return broken;
	}
	data = piece->cells ? inbox_room(inbox, bytes) : NULL;
	broken = fathom_pieces_receive(comm, (int)process->rank, data, bytes);
	if (broken)
		return broken;
	if (bytes)
		keep_first(err, data ? fathom_piece_unpack(piece, data, bytes, process, column) : -ENOMEM);
	return 0;
}

/* The piece as all processes have it. */
static int gather(struct fathom_piece *piece, struct sender *sender, struct inbox *inbox, const struct fathom_union *u,
		  const struct fathom_model *model, struct fathom_comm *comm, int *err)
{
	for (uint32_t i = 0; i < u->process_count; i++) {
		const struct fathom_process *process = &u->processes[i];
		int broken;

		if (process->rank == 0 && piece->cells) {
			uint64_t bytes = pack_piece(sender, piece->first, piece->end);

			keep_first(err, fathom_piece_unpack(piece, sender->data, bytes, process,
							    model->first_location[i]));
		}
		if (process->rank == 0)
			continue;
		broken = receive_piece(piece, inbox, comm, process, model->first_location[i], err);
		if (broken)
			return broken;
	}
	return 0;
}

static int write_pieces(struct fathom_union *u, struct sender *sender, struct fathom_model *model,
			struct fathom_cube_writer *writer, struct fathom_comm *comm, const struct plan *plan)
{
	struct fathom_piece piece;
	struct fathom_arena arena = { 0 };
	struct inbox inbox = { .room = 0 };
	int err = fathom_piece_init(&piece, &arena, model, plan->piece_cnodes), broken = 0;

	for (uint32_t first = 0; !broken && first < plan->cnode_count; first += plan->piece_cnodes) {
		uint32_t end = first + plan->piece_cnodes;

		fathom_piece_begin(&piece, first, end < plan->cnode_count ? end : plan->cnode_count);
		broken = gather(&piece, sender, &inbox, u, model, comm, &err);
		if (broken || err)
			continue;
		keep_first(&err, fathom_piece_put(&piece, writer));
	}
	fathom_arena_fini(&inbox.arena);
	fathom_arena_fini(&arena);
	return broken ? broken : err;
}

/* What is not in the profile is said, with what would help. */
static void say_dropped(const struct fathom_union *u)
{
	const uint64_t *dropped = u->totals.dropped;

	if (dropped[FATHOM_DROP_NODES])
		fathom_log(FATHOM_LOG_SAY,
			   "%lu calls have no call path of their own and are charged to (truncated): a larger "
			   "FATHOM_NODES keeps more",
			   (unsigned long)dropped[FATHOM_DROP_NODES]);
	if (dropped[FATHOM_DROP_DEPTH] || dropped[FATHOM_DROP_MEMORY])
		fathom_log(FATHOM_LOG_SAY, "%lu calls were not recorded, because the system gave no more memory",
			   (unsigned long)(dropped[FATHOM_DROP_DEPTH] + dropped[FATHOM_DROP_MEMORY]));
	if (u->metrics_lost)
		fathom_log(FATHOM_LOG_SAY, "the processes have more than %u metrics; others are not in the profile",
			   (unsigned)FATHOM_METRIC_MOST);
	if (dropped[FATHOM_DROP_UNBALANCED])
		fathom_log(FATHOM_LOG_INFO, "%lu functions were left that had not been entered",
			   (unsigned long)dropped[FATHOM_DROP_UNBALANCED]);
	fathom_log(FATHOM_LOG_INFO, "%lu events, %u call paths, %u regions, %u processes",
		   (unsigned long)u->totals.events, u->tree.count, u->region_count, u->process_count);
}

/* All that can fail before the values are gathered. Afterwards plan->err is 0 and everything is open. */
static void prepare(struct plan *plan, struct fathom_union *u, const struct fathom_snapshot *snapshot,
		    const struct fathom_result *result, const uint32_t *order, const uint32_t *numbers,
		    struct fathom_model *model, struct sender *sender, struct fathom_cube_writer **writer)
{
	plan->err = fathom_model_init(model, u, order, result);
	if (plan->err)
		return;
	plan->piece_cnodes = fathom_piece_cnodes(model, PIECE_BYTES);
	plan->err = sender_init(sender, u, snapshot, numbers, plan);
	if (plan->err)
		goto free_model;
	plan->err = fathom_cube_writer_open(writer, result->path, &model->cube, fathom_model_present, model,
					    result->begin_seconds);
	if (plan->err)
		goto free_sender;
	return;

free_sender:
	fathom_arena_fini(&sender->arena);
free_model:
	fathom_model_fini(model);
}

/* order[i]: the node of the union's tree that is cnode i; numbers[i]: the cnode that node i of the tree, as the
 * ranks know it, has become. */
static int number_cnodes(struct fathom_union *u, const struct fathom_result *result, uint32_t *order, uint32_t *numbers)
{
	uint32_t known = u->tree.count;
	uint32_t *place;
	int err = fathom_model_name_regions(u, result);

	if (!err)
		err = fathom_union_merge_twins(u, numbers);
	if (err)
		return err;
	place = fathom_arena_alloc(&u->arena, ((size_t)u->tree.count + 1) * sizeof(*place));
	if (!place)
		return -ENOMEM;
	fathom_tree_order(&u->tree, order);
	for (uint32_t i = 0; i < u->tree.count; i++)
		place[order[i]] = i;
	for (uint32_t i = 0; i < known; i++)
		numbers[i] = place[numbers[i]];
	return 0;
}

static int write_at_root(struct fathom_union *u, const struct fathom_snapshot *snapshot, struct fathom_comm *comm,
			 const struct fathom_result *result)
{
	struct plan plan = { .err = u->err, .cnode_count = u->tree.count, .piece_cnodes = 1 };
	struct fathom_cube_writer *writer = NULL;
	uint32_t *order = NULL, *numbers = NULL;
	struct fathom_model model;
	struct sender sender;
	bool has_numbers;
	int err;

	if (!plan.err) {
		order = fathom_arena_alloc(&u->arena, ((size_t)u->tree.count + 1) * sizeof(*order));
		numbers = fathom_arena_alloc(&u->arena, ((size_t)u->tree.count + 1) * sizeof(*numbers));
		plan.err = order && numbers ? number_cnodes(u, result, order, numbers) : -ENOMEM;
		plan.cnode_count = u->tree.count;
	}
	if (!plan.err)
		prepare(&plan, u, snapshot, result, order, numbers, &model, &sender, &writer);
	err = fathom_union_hand_back(u, comm, &plan, sizeof(plan), plan.err ? NULL : numbers, &has_numbers);
	if (plan.err)
		return plan.err;
	if (!err)
		err = write_pieces(u, &sender, &model, writer, comm, &plan);
	if (err)
		fathom_cube_writer_abandon(writer);
	else
		err = fathom_cube_writer_close(writer);
	say_dropped(u);
	fathom_arena_fini(&sender.arena);
	fathom_model_fini(&model);
	return err;
}

int fathom_result_write(struct fathom_union *u, const struct fathom_snapshot *snapshot, struct fathom_comm *comm,
			const struct fathom_result *result)
{
	struct sender sender;
	struct plan plan;
	uint32_t *numbers;
	bool has_numbers;
	int err, lacking;

	if (comm->rank == 0)
		return write_at_root(u, snapshot, comm, result);
	numbers = u->err ? NULL : fathom_arena_alloc(&u->arena, ((size_t)u->tree.count + 1) * sizeof(*numbers));
	err = fathom_union_hand_back(u, comm, &plan, sizeof(plan), numbers, &has_numbers);
	if (err || plan.err)
		return err ? err : plan.err;
	lacking = has_numbers ? sender_init(&sender, u, snapshot, numbers, &plan) : -ENOMEM;
	err = send_pieces(lacking ? NULL : &sender, comm, &plan);
	if (lacking)
		return err ? err : lacking;
	fathom_arena_fini(&sender.arena);
	return err;
}
