#include "profile/result/column_writers.h"

#include <errno.h>
#include <string.h>

#include "platform/arena.h"
#include "comm/chunked_transfer.h"
#include "profile/unification/union.h"

void fathom_column_writers_init(struct fathom_column_writers *writers, struct fathom_comm *comm, uint32_t group_size)
{
	int size = group_size < (uint32_t)comm->size ? (int)group_size : comm->size;

	writers->comm = comm;
	writers->group_size = size;
	writers->count = comm->size / size + (comm->size % size != 0);
	writers->group_end = comm->size - comm->rank < size ? comm->size : comm->rank + size;
	writers->child_count = fathom_comm_tree(comm->rank / size, writers->count, &writers->parent,
						writers->children);
	if (writers->parent > 0)
		writers->parent *= size;
	for (int i = 0; i < writers->child_count; i++)
		writers->children[i] *= size;
}

/* --- from rank 0 to all ----------------------------------------------------------------------- */

/* The head of the message. The values of the metrics, the columns and the path with its NUL follow. */
struct message {
	int64_t err;		/* not 0: a writer on the way had no memory, and nothing follows */
	uint64_t bytes;		/* bytes that follow */
	uint64_t column_bytes;
	uint32_t metric_count;
	uint32_t threads;
	uint32_t value_count;
	uint32_t pad;
	uint8_t types[FATHOM_METRIC_MOST];
};

static char *pack(struct message *message, struct fathom_arena *arena, const struct fathom_file_layout *layout,
		  const char *path)
{
	size_t value_bytes = layout->columns.metric_count * sizeof(*layout->values);
	char *data;

	message->metric_count = layout->columns.metric_count;
	message->threads = layout->threads;
	message->value_count = layout->value_count;
	memcpy(message->types, layout->types, sizeof(message->types));
	message->column_bytes = fathom_cube_layout_packed_bytes(&layout->columns);
	message->bytes = value_bytes + message->column_bytes + strlen(path) + 1;
	data = fathom_arena_alloc(arena, message->bytes);
	if (!data)
		return NULL;
	memcpy(data, layout->values, value_bytes);
	fathom_cube_layout_pack(&layout->columns, data + value_bytes);
	memcpy(data + value_bytes + message->column_bytes, path, strlen(path) + 1);
	return data;
}

static int unpack(const struct message *message, struct fathom_arena *arena, const char *data,
		  struct fathom_file_layout *layout, const char **path)
{
	size_t value_bytes = message->metric_count * sizeof(*layout->values);

	layout->threads = (enum fathom_threads)message->threads;
	layout->value_count = message->value_count;
	memcpy(layout->types, message->types, sizeof(layout->types));
	layout->values = (uint32_t *)data;	/* memory of an arena is aligned for any type */
	*path = data + value_bytes + message->column_bytes;
	return fathom_cube_layout_unpack(&layout->columns, arena, data + value_bytes, message->column_bytes);
}

static int send_layout(const struct fathom_column_writers *writers, struct message *message, const char *data)
{
	struct fathom_comm *comm = writers->comm;
	int err = 0;

	if (!data)
		message->err = -ENOMEM;
	/* The last child has the largest subtree: it comes first. */
	for (int i = writers->child_count - 1; i >= 0 && !err; i--) {
		err = comm->send(comm, writers->children[i], message, sizeof(*message));
		if (!err && data)
			err = fathom_chunked_send(comm, writers->children[i], data, message->bytes);
	}
	return err;
}

int fathom_column_writers_share_layout(const struct fathom_column_writers *writers, struct fathom_arena *arena,
				       struct fathom_file_layout *layout, const char **path, int *err)
{
	struct fathom_comm *comm = writers->comm;
	struct message message = { 0 };
	char *data = NULL;
	int broken;

	if (writers->count == 1)
		return 0;
	if (writers->parent < 0) {
		data = pack(&message, arena, layout, *path);
		return send_layout(writers, &message, data);
	}
	broken = comm->receive(comm, writers->parent, &message, sizeof(message));
	if (broken)
		return broken;
	if (!message.err) {
		data = fathom_arena_alloc(arena, message.bytes);
		broken = fathom_chunked_receive(comm, writers->parent, data, message.bytes);
	}
	if (!broken)
		broken = send_layout(writers, &message, data);
	*err = data ? unpack(&message, arena, data, layout, path) : -ENOMEM;
	return broken;
}

/* --- from all to rank 0 ----------------------------------------------------------------------- */

int fathom_column_writers_collect_verdicts(const struct fathom_column_writers *writers, struct fathom_verdict *verdict)
{
	struct fathom_comm *comm = writers->comm;

	for (int i = 0; i < writers->child_count; i++) {
		struct fathom_verdict other;
		int err = comm->receive(comm, writers->children[i], &other, sizeof(other));

		if (err)
			return err;
		fathom_verdict_add(verdict, &other);
	}
	return writers->parent < 0 ? 0 : comm->send(comm, writers->parent, verdict, sizeof(*verdict));
}
