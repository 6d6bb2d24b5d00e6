#include "profile/result.h"

#include <errno.h>
#include <float.h>
#include <string.h>

#include "cube/writer.h"
#include "platform/arena.h"
#include "platform/log.h"
#include "profile/model.h"

/* As much of the values as rank 0 holds at a time, unless one call path alone has more. */
#define PIECE_BYTES ((uint64_t)32 << 20)

/* What rank 0 tells everybody when it knows the whole. */
struct plan {
	int32_t err;		/* it cannot be written: go home */
	uint32_t cnode_count;
	uint32_t piece_cnodes;	/* call paths in a piece */
	uint32_t pad;
};

/* The values of a process's call paths that lie in a piece, packed: for each the number of the cnode,
 * which values follow, and these, [value][location]. */
struct packed {
	uint32_t cnode;
	uint32_t present;
};

/* What a rank needs to send its pieces: its call paths by the number they have in the union. */
struct sender {
	struct fathom_arena arena;
	const struct fathom_snapshot *snapshot;
	uint32_t *own_of;	/* by cnode: number of the snapshot's node + 1; 0: not here */
	uint32_t *twin_of;	/* by that number: another one that is the same cnode, + 1; 0: no more */
	uint64_t *values;
	char *data;
	size_t room;
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

static int sender_init(struct sender *sender, const struct fathom_snapshot *snapshot, const uint32_t *numbers,
		       const struct plan *plan)
{
	size_t row_bytes = (size_t)FATHOM_VALUE_COUNT * (snapshot->location_count + 1) * sizeof(uint64_t);
	uint32_t own = snapshot->tree.count;

	memset(sender, 0, sizeof(*sender));
	sender->snapshot = snapshot;
	sender->room = most_in_a_piece(numbers, own, plan) * (row_bytes + sizeof(struct packed));
	sender->own_of = fathom_arena_alloc(&sender->arena, ((size_t)plan->cnode_count + 1) * sizeof(*sender->own_of));
	sender->twin_of = fathom_arena_alloc(&sender->arena, ((size_t)own + 1) * sizeof(*sender->twin_of));
	sender->values = fathom_arena_alloc(&sender->arena, row_bytes);
	sender->data = fathom_arena_alloc(&sender->arena, sender->room);
	if (!sender->own_of || !sender->twin_of || !sender->values || !sender->data) {
		fathom_arena_fini(&sender->arena);
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < own; i++) {
		sender->twin_of[i] = sender->own_of[numbers[i]];
		sender->own_of[numbers[i]] = i + 1;
	}
	return 0;
}

static char *pack_node(const struct sender *sender, char *place, uint32_t cnode, uint32_t own)
{
	size_t row = sender->snapshot->location_count * sizeof(uint64_t);
	struct packed packed = { .cnode = cnode };

	packed.present = fathom_snapshot_values(sender->snapshot, own, sender->values);
	memcpy(place, &packed, sizeof(packed));
	place += sizeof(packed);
	for (int v = 0; v < FATHOM_VALUE_COUNT; v++) {
		if (!(packed.present & 1u << v))
			continue;
		memcpy(place, (char *)sender->values + (size_t)v * row, row);
		place += row;
	}
	return place;
}

/* Pack the call paths from first to before end; returns the bytes. */
static size_t pack_piece(struct sender *sender, uint32_t first, uint32_t end)
{
	char *place = sender->data;

	for (uint32_t cnode = first; cnode < end; cnode++)
		for (uint32_t own = sender->own_of[cnode]; own; own = sender->twin_of[own - 1])
			place = pack_node(sender, place, cnode, own - 1);
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

/* One piece of the whole: every value of its call paths on all locations. */
struct piece {
	uint32_t first, end;		/* cnodes */
	uint32_t locations;
	uint64_t *values;		/* [value][cnode - first][location] */
};

static uint64_t *piece_row(const struct piece *piece, int value, uint32_t cnode)
{
	size_t rows = piece->end - piece->first;

	return piece->values + ((size_t)value * rows + (cnode - piece->first)) * piece->locations;
}

static void clear(struct piece *piece)
{
	size_t rows = piece->end - piece->first, cells = rows * piece->locations;

	memset(piece->values, 0, FATHOM_VALUE_COUNT * cells * sizeof(*piece->values));
	memset(piece_row(piece, FATHOM_VALUE_MIN, piece->first), 0xff, cells * sizeof(*piece->values));
}

/* Twins meet in one row: counts and times add up. */
static void add_values(uint64_t *row, const char *data, uint32_t count, int value)
{
	for (uint32_t i = 0; i < count; i++) {
		uint64_t more;

		memcpy(&more, data + i * sizeof(more), sizeof(more));
		if (value == FATHOM_VALUE_MIN)
			row[i] = more < row[i] ? more : row[i];
		else if (value == FATHOM_VALUE_MAX)
			row[i] = more > row[i] ? more : row[i];
		else
			row[i] += more;
	}
}

/* Put what a process sent at its columns. -EPROTO: it is not what was agreed. */
static int unpack(struct piece *piece, const char *data, size_t bytes, uint32_t column, uint32_t count)
{
	const char *end = data + bytes;
	size_t row = count * sizeof(uint64_t);

	while (data < end) {
		struct packed packed;

		memcpy(&packed, data, sizeof(packed));
		data += sizeof(packed);
		if (packed.cnode < piece->first || packed.cnode >= piece->end)
			return -EPROTO;
		for (int v = 0; v < FATHOM_VALUE_COUNT; v++) {
			if (!(packed.present & 1u << v))
				continue;
			add_values(piece_row(piece, v, packed.cnode) + column, data, count, v);
			data += row;
		}
	}
	return data == end ? 0 : -EPROTO;
}

/* Units of 2^-32 s become seconds, in place; a minimum or maximum nobody has becomes "never". */
static void convert(struct piece *piece)
{
	size_t cells = (size_t)(piece->end - piece->first) * piece->locations;
	const uint64_t *visits = piece_row(piece, FATHOM_VALUE_VISITS, piece->first);

	for (int v = FATHOM_VALUE_TIME; v <= FATHOM_VALUE_MAX; v++) {
		uint64_t *units = piece_row(piece, v, piece->first);

		for (size_t i = 0; i < cells; i++) {
			double seconds = (double)units[i] / FATHOM_UNITS_PER_SECOND;

			if (v == FATHOM_VALUE_MIN && (!visits[i] || units[i] == UINT64_MAX))
				seconds = DBL_MAX;
			if (v == FATHOM_VALUE_MAX && !visits[i])
				seconds = -DBL_MAX;
			memcpy(&units[i], &seconds, sizeof(seconds));
		}
	}
}

static int put_piece(struct piece *piece, struct fathom_model *model, struct fathom_cube_writer *writer)
{
	for (uint32_t m = 0; m < model->cube.metric_count; m++) {
		for (uint32_t cnode = piece->first; cnode < piece->end; cnode++) {
			int err;

			if (!fathom_model_present(model, m, cnode))
				continue;
			err = fathom_cube_writer_put(writer, m, cnode, 0, piece->locations,
						     piece_row(piece, (int)model->metrics[m].value, cnode));
			if (err)
				return err;
		}
	}
	return 0;
}

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
static int receive_piece(struct piece *piece, struct inbox *inbox, struct fathom_comm *comm,
			 const struct fathom_process *process, uint32_t column, int *err)
{
	uint64_t bytes;
	char *data;
	int broken = comm->receive(comm, (int)process->rank, &bytes, sizeof(bytes));

	if (broken || bytes == NO_MEMORY) {
		keep_first(err, -ENOMEM);
		return broken;
	}
	data = piece->values ? inbox_room(inbox, bytes) : NULL;
	broken = fathom_pieces_receive(comm, (int)process->rank, data, bytes);
	if (broken)
		return broken;
	if (bytes)
		keep_first(err, data ? unpack(piece, data, bytes, column, process->location_count) : -ENOMEM);
	return 0;
}

/* The piece as all processes have it. */
static int gather(struct piece *piece, struct sender *sender, struct inbox *inbox, const struct fathom_union *u,
		  const struct fathom_model *model, struct fathom_comm *comm, int *err)
{
	if (piece->values)
		clear(piece);
	for (uint32_t i = 0; i < u->process_count; i++) {
		const struct fathom_process *process = &u->processes[i];
		int broken;

		if (process->rank == 0 && piece->values) {
			uint64_t bytes = pack_piece(sender, piece->first, piece->end);

			keep_first(err, unpack(piece, sender->data, bytes, model->first_location[i],
					       process->location_count));
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
	struct piece piece = { .locations = model->cube.location_count };
	struct fathom_arena arena = { 0 };
	struct inbox inbox = { .room = 0 };
	int err = 0, broken = 0;

	piece.values = fathom_arena_alloc(&arena, (size_t)FATHOM_VALUE_COUNT * plan->piece_cnodes * piece.locations *
							  sizeof(*piece.values));
	if (!piece.values)
		err = -ENOMEM;
	for (uint32_t first = 0; !broken && first < plan->cnode_count; first += plan->piece_cnodes) {
		piece.first = first;
		piece.end = first + plan->piece_cnodes;
		if (piece.end > plan->cnode_count)
			piece.end = plan->cnode_count;
		broken = gather(&piece, sender, &inbox, u, model, comm, &err);
		if (broken || err)
			continue;
		convert(&piece);
		keep_first(&err, put_piece(&piece, model, writer));
	}
	fathom_arena_fini(&inbox.arena);
	fathom_arena_fini(&arena);
	return broken ? broken : err;
}

static uint32_t piece_size(const struct fathom_model *model)
{
	uint64_t row = (uint64_t)FATHOM_VALUE_COUNT * model->cube.location_count * sizeof(uint64_t);
	uint64_t rows = row ? PIECE_BYTES / row : PIECE_BYTES;

	if (rows > model->cube.cnode_count)
		rows = model->cube.cnode_count;
	return rows ? (uint32_t)rows : 1;
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
	plan->piece_cnodes = piece_size(model);
	plan->err = sender_init(sender, snapshot, numbers, plan);
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
	lacking = has_numbers ? sender_init(&sender, snapshot, numbers, &plan) : -ENOMEM;
	err = send_pieces(lacking ? NULL : &sender, comm, &plan);
	if (lacking)
		return err ? err : lacking;
	fathom_arena_fini(&sender.arena);
	return err;
}
