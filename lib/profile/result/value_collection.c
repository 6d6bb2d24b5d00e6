#include "profile/result/value_collection.h"

#include <errno.h>
#include <string.h>

#include "cube/writer/output.h"
#include "platform/arena.h"
#include "comm/chunked_transfer.h"
#include "profile/unification/union.h"

enum {
	BUFFER_BYTES = 256 << 10,	/* size of the buffer for writing */
	BATCH_BYTES = 64 << 10,		/* size of a batch that is sent to rank 0, if rank 0 writes for all */
};

static uint32_t chosen_group_size = 64;

void fathom_collect_choose(uint32_t group_size)
{
	chosen_group_size = group_size;
}

uint32_t fathom_collect_group_size(void)
{
	return chosen_group_size;
}

static void blame(struct fathom_verdict *verdict, int err, int rank)
{
	fathom_verdict_add(verdict, &(struct fathom_verdict){ .err = err, .rank = rank });
}

/* --- from a rank to its writer ---------------------------------------------------------------- */

/* The first message of a rank to its writer. The first block follows; every later one has its number of bytes in
 * front. */
struct hello {
	int64_t err;		/* not 0: the rank has no memory, and nothing follows */
	uint64_t bytes;		/* number of bytes of the first block */
	uint32_t column, count;
	uint32_t threads;
	uint32_t pad;
};

static int send_own(const struct fathom_collect *collect, int writer)
{
	const struct fathom_collect_plan *plan = collect->plan;
	struct fathom_comm *comm = collect->comm;
	struct fathom_value_sender *sender = collect->sender;
	struct hello hello = {
		.err = sender ? 0 : -ENOMEM,
		.column = collect->own.column,
		.count = collect->own.count,
		.threads = collect->own.threads,
	};
	int err;

	if (sender)
		hello.bytes = fathom_value_sender_pack(sender, 0);
	err = comm->send(comm, writer, &hello, sizeof(hello));
	if (err || !sender)
		return err;
	err = fathom_chunked_send(comm, writer, sender->data, hello.bytes);
	for (uint32_t first = plan->block_cnodes; first < plan->cnode_count && !err; first += plan->block_cnodes) {
		uint64_t bytes = fathom_value_sender_pack(sender, first);

		err = comm->send(comm, writer, &bytes, sizeof(bytes));
		if (!err)
			err = fathom_chunked_send(comm, writer, sender->data, bytes);
	}
	return err;
}

/* --- at the writer ----------------------------------------------------------------------------- */

struct member {			/* a rank of the group, except the writer itself */
	struct hello hello;
	int part;		/* index; -1: it has no columns */
};

struct writing {
	const struct fathom_collect *collect;
	struct fathom_arena arena;
	struct member *members;		/* by rank, counted from the one after the writer */
	struct fathom_value_block block;
	struct fathom_arena inbox_arena;
	char *inbox;
	uint64_t inbox_room;
	struct fathom_verdict *verdict;
};

static char *inbox_of(struct writing *writing, uint64_t bytes)
{
	if (bytes > writing->inbox_room) {
		fathom_arena_fini(&writing->inbox_arena);
		writing->inbox = fathom_arena_alloc(&writing->inbox_arena, bytes);
		writing->inbox_room = writing->inbox ? bytes : 0;
	}
	return writing->inbox;
}

/* Receives the values of a rank and puts them into the block, or drops them if they cannot be used. */
static int receive_block(struct writing *writing, int rank, const struct fathom_process_columns *part, uint64_t bytes)
{
	struct fathom_comm *comm = writing->collect->comm;
	bool is_wanted = writing->block.cells && !writing->verdict->err;
	char *data = is_wanted && bytes ? inbox_of(writing, bytes) : NULL;
	int broken = fathom_chunked_receive(comm, rank, data, bytes);

	if (broken || !is_wanted || !bytes)
		return broken;
	blame(writing->verdict, data ? fathom_value_block_unpack(&writing->block, part, data, bytes) : -ENOMEM,
	      data ? rank : comm->rank);
	return 0;
}

/* Receives all blocks of a rank and drops them. */
static int drop_all(const struct fathom_collect *collect, int rank, uint64_t bytes)
{
	const struct fathom_collect_plan *plan = collect->plan;
	struct fathom_comm *comm = collect->comm;
	int err = fathom_chunked_receive(comm, rank, NULL, bytes);

	for (uint32_t first = plan->block_cnodes; first < plan->cnode_count && !err; first += plan->block_cnodes) {
		err = comm->receive(comm, rank, &bytes, sizeof(bytes));
		if (!err)
			err = fathom_chunked_receive(comm, rank, NULL, bytes);
	}
	return err;
}

/* Receives the first messages of all ranks of the group, and lists their columns. Without memory for the list, all
 * their values are received and dropped. */
static int receive_hellos(struct writing *writing, int ranks, struct fathom_process_columns *parts,
			  uint32_t *part_count)
{
	const struct fathom_collect *collect = writing->collect;
	struct fathom_comm *comm = collect->comm;

	for (int i = 0; i < ranks; i++) {
		int rank = comm->rank + 1 + i;
		struct hello hello;
		int err = comm->receive(comm, rank, &hello, sizeof(hello));

		if (err)
			return err;
		blame(writing->verdict, (int)hello.err, rank);
		if (!parts && !hello.err)
			err = drop_all(collect, rank, hello.bytes);
		if (err)
			return err;
		if (!parts)
			continue;
		writing->members[i].hello = hello;
		if (!hello.err)
			parts[(*part_count)++] = (struct fathom_process_columns){
				.column = hello.column, .count = hello.count, .threads = hello.threads, .rank = rank,
			};
	}
	return 0;
}

/* Receives the block that begins at call path first from all ranks of the group. */
static int receive_group(struct writing *writing, uint32_t first)
{
	struct fathom_comm *comm = writing->collect->comm;
	struct fathom_value_block *block = &writing->block;

	for (uint32_t i = 0; i < block->part_count; i++) {
		const struct fathom_process_columns *part = &block->parts[i];
		uint64_t bytes;
		int err;

		if (part->rank == comm->rank) {
			if (!block->cells || writing->verdict->err)
				continue;
			bytes = fathom_value_sender_pack(writing->collect->sender, first);
			blame(writing->verdict,
			      fathom_value_block_unpack(block, part, writing->collect->sender->data, bytes),
			      comm->rank);
			continue;
		}
		bytes = writing->members[part->rank - comm->rank - 1].hello.bytes;
		err = first ? comm->receive(comm, part->rank, &bytes, sizeof(bytes)) : 0;
		if (!err)
			err = receive_block(writing, part->rank, part, bytes);
		if (err)
			return err;
	}
	return 0;
}

/* Adds an error of writing to the verdict. An error of the communicator's file functions may be avoided in the second
 * attempt. */
static void blame_output(struct fathom_verdict *verdict, int err, int rank, bool is_own_way)
{
	bool is_final = err == -ENOMEM || err == -ENOSPC || err == -EDQUOT || err == -EFBIG || err == -EINVAL;

	fathom_verdict_add(verdict, &(struct fathom_verdict){
		.err = err, .rank = rank, .is_curable = is_own_way && !is_final,
	});
}

/* Receives the values of the group and writes them. If output->err is set from the start, nothing is written. */
static int write_group(const struct fathom_collect *collect, struct fathom_cube_output *output, bool is_own_way,
		       struct fathom_verdict *verdict)
{
	const struct fathom_collect_plan *plan = collect->plan;
	int rank = collect->comm->rank, others = collect->writers->group_end - rank - 1, err;
	struct writing writing = { .collect = collect, .verdict = verdict };
	struct fathom_process_columns *parts = fathom_arena_alloc(&writing.arena,
								  ((size_t)others + 1) * sizeof(*parts));
	uint32_t part_count = 0;

	writing.members = fathom_arena_alloc(&writing.arena, ((size_t)others + 1) * sizeof(*writing.members));
	if (!collect->sender || !collect->layout || !writing.members)
		parts = NULL;
	blame(verdict, parts ? 0 : -ENOMEM, rank);
	blame_output(verdict, output->err, rank, is_own_way);
	if (parts)
		parts[part_count++] = collect->own;
	err = receive_hellos(&writing, others, parts, &part_count);
	if (!err && parts)
		blame(verdict, fathom_value_block_init(&writing.block, &writing.arena, collect->layout, parts,
						       part_count, plan->block_cnodes), rank);
	for (uint32_t first = 0; parts && first < plan->cnode_count && !err; first += plan->block_cnodes) {
		uint32_t end = first + plan->block_cnodes;

		fathom_value_block_begin(&writing.block, first, end < plan->cnode_count ? end : plan->cnode_count);
		err = receive_group(&writing, first);
		if (!err && !verdict->err)
			blame_output(verdict, fathom_value_block_put(&writing.block, output), rank, is_own_way);
	}
	fathom_arena_fini(&writing.inbox_arena);
	fathom_arena_fini(&writing.arena);
	return err;
}

/* --- a writer that writes itself ----------------------------------------------------------------- */

struct own_file {
	struct fathom_comm *comm;
	struct fathom_comm_file *file;
};

static int write_own_file(void *context, const void *bytes, size_t count, uint64_t place)
{
	struct own_file *own = context;

	return own->comm->file_write(own->file, bytes, count, place);
}

static int write_for_itself(const struct fathom_collect *collect, struct fathom_verdict *verdict)
{
	struct own_file own = { .comm = collect->comm };
	struct fathom_arena arena = { 0 };
	struct fathom_cube_output output = {
		.fd = -1, .write = write_own_file, .context = &own, .room = BUFFER_BYTES,
		.buffer = fathom_arena_alloc(&arena, BUFFER_BYTES),
	};
	int rank = collect->comm->rank, err;

	output.err = output.buffer && collect->layout ?
		     own.comm->file_open(own.comm, collect->path, &own.file) : -ENOMEM;
	err = write_group(collect, &output, true, verdict);
	if (own.file) {
		blame_output(verdict, fathom_cube_output_flush(&output), rank, true);
		blame_output(verdict, own.comm->file_close(own.file), rank, true);
	}
	fathom_arena_fini(&arena);
	return err;
}

/* --- rank 0 for all ---------------------------------------------------------------------------- */

/* In the second attempt, a writer collects its data in a batch, as pairs of this record and its bytes. When the batch
 * is full, the writer waits until rank 0 asks for it. Rank 0 asks one writer after the other, so it gets one batch at
 * a time. An empty batch is the last one. */
struct record {
	uint64_t place, bytes;
};

struct batch {
	struct fathom_comm *comm;
	char *data;		/* NULL: no memory */
	size_t filled;
	int broken;		/* -errno: comm is broken */
};

static int hand_over(struct batch *batch)
{
	struct fathom_comm *comm = batch->comm;
	uint64_t bytes = batch->filled;
	char asked;
	int err = comm->receive(comm, 0, &asked, sizeof(asked));

	if (!err)
		err = comm->send(comm, 0, &bytes, sizeof(bytes));
	if (!err)
		err = fathom_chunked_send(comm, 0, batch->data, bytes);
	batch->filled = 0;
	batch->broken = err;
	return err;
}

static int write_batch(void *context, const void *bytes, size_t count, uint64_t place)
{
	struct batch *batch = context;
	const char *next = bytes;

	while (count && !batch->broken) {
		size_t room = BATCH_BYTES - batch->filled;
		struct record record = { .place = place };

		if (room <= sizeof(record)) {
			hand_over(batch);
			continue;
		}
		room -= sizeof(record);
		record.bytes = count < room ? count : room;
		memcpy(batch->data + batch->filled, &record, sizeof(record));
		memcpy(batch->data + batch->filled + sizeof(record), next, record.bytes);
		batch->filled += sizeof(record) + record.bytes;
		next += record.bytes;
		place += record.bytes;
		count -= record.bytes;
	}
	return batch->broken;
}

static int write_through_root(const struct fathom_collect *collect, struct fathom_verdict *verdict)
{
	struct fathom_arena arena = { 0 };
	struct batch batch = { .comm = collect->comm, .data = fathom_arena_alloc(&arena, BATCH_BYTES) };
	struct fathom_cube_output output = {
		.fd = -1, .write = write_batch, .context = &batch, .room = BUFFER_BYTES,
		.buffer = fathom_arena_alloc(&arena, BUFFER_BYTES),
	};
	int err;

	output.err = batch.data && output.buffer ? 0 : -ENOMEM;
	err = write_group(collect, &output, false, verdict);
	if (!err && batch.data && output.buffer)
		fathom_cube_output_flush(&output);
	if (!err)
		err = batch.broken;
	if (!err && batch.filled)
		err = hand_over(&batch);
	if (!err)
		err = hand_over(&batch);
	fathom_arena_fini(&arena);
	return err;
}

static void write_batch_to_file(struct fathom_cube_output *output, const char *data, uint64_t bytes,
				struct fathom_verdict *verdict)
{
	const char *end = data + bytes;

	while (data < end && !verdict->err) {
		struct record record;

		memcpy(&record, data, sizeof(record));
		fathom_cube_output_seek(output, record.place);
		fathom_cube_output_bytes(output, data + sizeof(record), record.bytes);
		blame(verdict, output->err, 0);
		data += sizeof(record) + record.bytes;
	}
}

/* At rank 0: receives and writes the batches of all other writers. */
static int receive_batches(const struct fathom_collect *collect, struct fathom_verdict *verdict)
{
	struct fathom_comm *comm = collect->comm;
	struct fathom_arena arena = { 0 };
	char *data = fathom_arena_alloc(&arena, BATCH_BYTES);
	int err = 0;

	blame(verdict, data ? 0 : -ENOMEM, 0);
	for (int writer = collect->writers->group_end; writer < comm->size && !err;
	     writer += collect->writers->group_size) {
		uint64_t bytes = 1;

		while (bytes && !err) {
			err = comm->send(comm, writer, "", 1);
			if (!err)
				err = comm->receive(comm, writer, &bytes, sizeof(bytes));
			if (!err)
				err = fathom_chunked_receive(comm, writer, data, bytes);
			if (!err && data)
				write_batch_to_file(collect->output, data, bytes, verdict);
		}
	}
	fathom_arena_fini(&arena);
	return err;
}

/* --- the collection -------------------------------------------------------------------------- */

int fathom_collect(const struct fathom_collect *collect, bool is_through_root, struct fathom_verdict *verdict)
{
	int rank = collect->comm->rank, err;

	if (!collect->writers)
		return send_own(collect, rank - rank % (int)collect->plan->group_size);
	if (rank == 0)
		err = write_group(collect, collect->output, false, verdict);
	else if (is_through_root)
		err = write_through_root(collect, verdict);
	else
		err = write_for_itself(collect, verdict);
	if (rank == 0 && is_through_root && !err)
		err = receive_batches(collect, verdict);
	return err ? err : fathom_column_writers_collect_verdicts(collect->writers, verdict);
}
