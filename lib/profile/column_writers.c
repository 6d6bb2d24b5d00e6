#include "profile/column_writers.h"

#include <errno.h>
#include <string.h>

#include "platform/arena.h"
#include "profile/chunked_transfer.h"
#include "profile/unification.h"

void fathom_writers_init(struct fathom_writers *writers, struct fathom_comm *comm, uint32_t group_size)
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

/* A message: this, then the values of the metrics, the columns, the path with its NUL. */
struct told {
	int64_t err;		/* not 0: somebody on the way had no memory; nothing follows */
	uint64_t bytes;		/* that follow */
	uint64_t column_bytes;
	uint32_t metric_count;
	uint32_t threads;
	uint32_t value_count;
	uint32_t pad;
	uint8_t types[FATHOM_METRIC_MOST];
};

static char *pack(struct told *told, struct fathom_arena *arena, const struct fathom_layout *layout, const char *path)
{
	size_t value_bytes = layout->columns.metric_count * sizeof(*layout->values);
	char *data;

	told->metric_count = layout->columns.metric_count;
	told->threads = layout->threads;
	told->value_count = layout->value_count;
	memcpy(told->types, layout->types, sizeof(told->types));
	told->column_bytes = fathom_cube_layout_packed_bytes(&layout->columns);
	told->bytes = value_bytes + told->column_bytes + strlen(path) + 1;
	data = fathom_arena_alloc(arena, told->bytes);
	if (!data)
		return NULL;
	memcpy(data, layout->values, value_bytes);
	fathom_cube_layout_pack(&layout->columns, data + value_bytes);
	memcpy(data + value_bytes + told->column_bytes, path, strlen(path) + 1);
	return data;
}

static int unpack(const struct told *told, struct fathom_arena *arena, const char *data, struct fathom_layout *layout,
		  const char **path)
{
	size_t value_bytes = told->metric_count * sizeof(*layout->values);

	layout->threads = (enum fathom_threads)told->threads;
	layout->value_count = told->value_count;
	memcpy(layout->types, told->types, sizeof(layout->types));
	layout->values = (uint32_t *)data;	/* memory of the arena: aligned for anything */
	*path = data + value_bytes + told->column_bytes;
	return fathom_cube_layout_unpack(&layout->columns, arena, data + value_bytes, told->column_bytes);
}

static int send_told(const struct fathom_writers *writers, struct told *told, const char *data)
{
	struct fathom_comm *comm = writers->comm;
	int err = 0;

	if (!data)
		told->err = -ENOMEM;
	/* The farthest child has the largest subtree: it goes first. */
	for (int i = writers->child_count - 1; i >= 0 && !err; i--) {
		err = comm->send(comm, writers->children[i], told, sizeof(*told));
		if (!err && data)
			err = fathom_chunked_send(comm, writers->children[i], data, told->bytes);
	}
	return err;
}

int fathom_writers_tell(const struct fathom_writers *writers, struct fathom_arena *arena, struct fathom_layout *layout,
			const char **path, int *err)
{
	struct fathom_comm *comm = writers->comm;
	struct told told = { 0 };
	char *data = NULL;
	int broken;

	if (writers->count == 1)
		return 0;
	if (writers->parent < 0) {
		data = pack(&told, arena, layout, *path);
		return send_told(writers, &told, data);
	}
	broken = comm->receive(comm, writers->parent, &told, sizeof(told));
	if (broken)
		return broken;
	if (!told.err) {
		data = fathom_arena_alloc(arena, told.bytes);
		broken = fathom_chunked_receive(comm, writers->parent, data, told.bytes);
	}
	if (!broken)
		broken = send_told(writers, &told, data);
	*err = data ? unpack(&told, arena, data, layout, path) : -ENOMEM;
	return broken;
}

/* --- from all to rank 0 ----------------------------------------------------------------------- */

int fathom_writers_agree(const struct fathom_writers *writers, struct fathom_verdict *verdict)
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
