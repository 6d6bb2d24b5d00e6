#include "trace/mpi_objects.h"

#include <errno.h>
#include <string.h>

#include "define/communicator.h"
#include "platform/helper.h"
#include "platform/lock.h"
#include "trace/definitions/comm_descriptions.h"
#include "trace/comms.h"
#include "trace/definitions/definition_writer.h"
#include "trace/definitions/definition_pools.h"

struct list {
	struct fathom_trace_handle *made;		/* arrays that became too small stay in the arena */
	uint32_t count;
	uint32_t room;
};

static struct {
	struct fathom_lock lock;	/* held while an object is added; no lock is taken inside */
	struct fathom_arena arena;
	struct list windows, handles;
	struct fathom_pool ranks, files;
	uint32_t *serials;		/* by communicator: number of windows and handles that it made */
	uint32_t serial_room;
	uint32_t own_handles;		/* number of handles that are not MPI's */
} objects;

/* --- while the program runs ---------------------------------------------------------------------- */

static uint32_t add_to(struct list *list, const struct fathom_trace_handle *made)
{
	list->made[list->count] = *made;
	/* Pairs with the acquire in fathom_trace_objects_copy. */
	__atomic_store_n(&list->count, list->count + 1, __ATOMIC_RELEASE);
	return list->count - 1;
}

/* Makes a handle of POSIX or stdio. */
static uint32_t make_own(struct list *list, const struct fathom_object *object)
{
	if (!fathom_arena_grow(&objects.arena, &list->made, &list->room, list->count + 1, sizeof(*list->made)))
		return FATHOM_NO_OBJECT;
	return add_to(list, &(struct fathom_trace_handle){
		.io = object->io,
		.comm = UINT32_MAX,
		.serial = objects.own_handles++,
		.file = object->file,
		.describes = true,
	});
}

static uint32_t make(struct list *list, const struct fathom_object *object)
{
	uint32_t comm = object->comm->number;

	if (comm == UINT32_MAX ||
	    !fathom_arena_grow(&objects.arena, &objects.serials, &objects.serial_room, comm + 1,
			       sizeof(*objects.serials)) ||
	    !fathom_arena_grow(&objects.arena, &list->made, &list->room, list->count + 1, sizeof(*list->made)))
		return FATHOM_NO_OBJECT;
	return add_to(list, &(struct fathom_trace_handle){
		.comm = comm,
		.serial = objects.serials[comm]++,
		.file = object->file,
		.describes = object->comm->rank == 0,
	});
}

static uint32_t look_up(struct fathom_pool *pool, const void *data, size_t bytes)
{
	int64_t number = fathom_pool_add(pool, data, (uint32_t)bytes);

	return number < 0 ? FATHOM_NO_OBJECT : (uint32_t)number;
}

uint32_t fathom_trace_object_define(const struct fathom_object *object)
{
	uint32_t number = FATHOM_NO_OBJECT;

	fathom_lock_take(&objects.lock);
	switch (object->kind) {
	case FATHOM_OBJECT_WINDOW:
		number = make(&objects.windows, object);
		break;
	case FATHOM_OBJECT_HANDLE:
		number = object->io == FATHOM_IO_MPI ? make(&objects.handles, object) :
						       make_own(&objects.handles, object);
		break;
	case FATHOM_OBJECT_RANKS:
		number = look_up(&objects.ranks, object->ranks, object->count * sizeof(*object->ranks));
		break;
	case FATHOM_OBJECT_FILE:
		number = look_up(&objects.files, object->path, strlen(object->path) + 1);
		break;
	case FATHOM_OBJECT_KINDS:
		break;
	}
	fathom_lock_give(&objects.lock);
	return number;
}

void fathom_trace_window_name(uint32_t window, const char *name)
{
	char *copy;

	fathom_lock_take(&objects.lock);
	copy = fathom_arena_alloc(&objects.arena, strlen(name) + 1);
	if (copy && window < objects.windows.count)
		objects.windows.made[window].name = strcpy(copy, name);
	fathom_lock_give(&objects.lock);
}

/* --- run snapshots ------------------------------------------------------------------------------- */

/* A larger array may replace an array meanwhile; both have the elements up to the count, which is read before. */
FATHOM_IN_HELPER void fathom_trace_objects_copy(const struct fathom_memory_copy *copy, struct fathom_trace_roots *roots)
{
	/* The first two pair with the release in make, the others with the one in fathom_pool_add. */
	roots->windows.count = __atomic_load_n(&objects.windows.count, __ATOMIC_ACQUIRE);
	roots->handles.count = __atomic_load_n(&objects.handles.count, __ATOMIC_ACQUIRE);
	roots->ranks.count = __atomic_load_n(&objects.ranks.count, __ATOMIC_ACQUIRE);
	roots->files.count = __atomic_load_n(&objects.files.count, __ATOMIC_ACQUIRE);
	roots->windows.address = (uintptr_t)fathom_peek(&objects.windows.made);
	roots->handles.address = (uintptr_t)fathom_peek(&objects.handles.made);
	roots->ranks.address = (uintptr_t)fathom_peek(&objects.ranks.things);
	roots->files.address = (uintptr_t)fathom_peek(&objects.files.things);
	copy->put_arena(copy->to, &objects.arena);
	copy->put_arena(copy->to, &objects.ranks.arena);
	copy->put_arena(copy->to, &objects.files.arena);
}

int fathom_trace_handle_restore(enum fathom_object_kind kind, const struct fathom_trace_handle *handle)
{
	struct list *list = kind == FATHOM_OBJECT_WINDOW ? &objects.windows : &objects.handles;

	if (!fathom_arena_grow(&objects.arena, &list->made, &list->room, list->count + 1, sizeof(*list->made)))
		return -ENOMEM;
	list->made[list->count++] = *handle;
	return 0;
}

int fathom_trace_object_restore(enum fathom_object_kind kind, const void *data, uint32_t bytes)
{
	struct fathom_pool *pool = kind == FATHOM_OBJECT_RANKS ? &objects.ranks : &objects.files;

	return fathom_pool_add(pool, data, bytes) < 0 ? -ENOMEM : 0;
}

/* --- the part of this process -------------------------------------------------------------------- */

/* The beginning of an entry of the pool. The path of a file and the ranks of a list follow. A description of a
 * window or handle is an entry of its own: the name of the window, or the path of the handle's file, follows. */
struct thing {
	uint32_t kind;			/* enum fathom_object_kind */
	uint32_t is_said;		/* 1: a description of the object, not the object itself */
	uint32_t serial;
	uint32_t rank;			/* of the process, if comm has one member only, or for a handle that is not
					 * MPI's; else 0 */
	uint32_t io;			/* of a handle: enum fathom_io_paradigm; if it is not MPI's, comm is 0 */
	uint32_t always_0;		/* instead of padding: entries are compared byte by byte */
	struct fathom_trace_comm_identity comm;
};

/* Adds an entry with this head and the bytes of rest. Returns its number, or -ENOMEM. */
static int64_t add(struct fathom_pool *pool, const struct thing *thing, const void *rest, size_t bytes)
{
	struct fathom_arena arena = { 0 };
	char *data = fathom_arena_alloc(&arena, sizeof(*thing) + bytes);
	int64_t number = -ENOMEM;

	if (data) {
		memcpy(data, thing, sizeof(*thing));
		if (bytes)
			memcpy(data + sizeof(*thing), rest, bytes);
		number = fathom_pool_add(pool, data, (uint32_t)(sizeof(*thing) + bytes));
	}
	fathom_arena_fini(&arena);
	return number;
}

static int add_known(struct fathom_pool *pool, const struct fathom_pool *from, enum fathom_object_kind kind)
{
	const struct thing thing = { .kind = kind };

	for (uint32_t i = 0; i < from->count; i++)
		if (add(pool, &thing, from->things[i].data, from->things[i].bytes) < 0)
			return -ENOMEM;
	return 0;
}

static struct thing thing_of(const struct fathom_trace_handle *made, enum fathom_object_kind kind, uint32_t rank)
{
	struct thing thing = { .kind = kind, .serial = made->serial, .io = made->io };

	if (made->io != FATHOM_IO_MPI) {
		thing.rank = rank;
		return thing;
	}
	thing.comm = fathom_trace_comm_identify(fathom_trace_comm_by_number(made->comm));
	if (thing.comm.kind == FATHOM_TRACE_COMM_SELF)
		thing.rank = rank;
	return thing;
}

static int add_made(struct fathom_pool *pool, const struct list *from, enum fathom_object_kind kind, uint32_t rank)
{
	for (uint32_t i = 0; i < from->count; i++) {
		struct thing thing = thing_of(&from->made[i], kind, rank);

		if (add(pool, &thing, NULL, 0) < 0)
			return -ENOMEM;
	}
	return 0;
}

/* Adds the descriptions. They come after all objects, because these are numbered by their position in the pool. */
static int add_said(struct fathom_pool *pool, const struct list *from, enum fathom_object_kind kind, uint32_t rank,
		    bool is_alone)
{
	for (uint32_t i = 0; i < from->count; i++) {
		const struct fathom_trace_handle *made = &from->made[i];
		struct thing thing = thing_of(made, kind, rank);
		const char *text = made->name;

		if (kind == FATHOM_OBJECT_HANDLE && made->file != FATHOM_NO_OBJECT)
			text = objects.files.things[made->file].data;
		thing.is_said = 1;
		if ((made->describes || is_alone) && text && add(pool, &thing, text, strlen(text) + 1) < 0)
			return -ENOMEM;
	}
	return 0;
}

int fathom_trace_objects_list(struct fathom_pool *pool, uint32_t rank, bool is_alone)
{
	int err = add_made(pool, &objects.windows, FATHOM_OBJECT_WINDOW, rank);

	if (!err)
		err = add_known(pool, &objects.ranks, FATHOM_OBJECT_RANKS);
	if (!err)
		err = add_known(pool, &objects.files, FATHOM_OBJECT_FILE);
	if (!err)
		err = add_made(pool, &objects.handles, FATHOM_OBJECT_HANDLE, rank);
	if (!err)
		err = add_said(pool, &objects.windows, FATHOM_OBJECT_WINDOW, rank, is_alone);
	return err ? err : add_said(pool, &objects.handles, FATHOM_OBJECT_HANDLE, rank, is_alone);
}

/* --- rank 0 -------------------------------------------------------------------------------------- */

/* The state of writing objects. */
struct writing {
	struct fathom_trace_writing *w;
	struct fathom_pool *pool;
	uint32_t *names;		/* by entry: its number in the trace, within its kind */
	const char **said;		/* by entry: the text of its first description; NULL: none */
	uint32_t counts[FATHOM_OBJECT_KINDS];
};

static struct thing head_of(const struct fathom_pool *pool, uint32_t i)
{
	struct thing thing;

	memcpy(&thing, pool->things[i].data, sizeof(thing));
	return thing;
}

static const char *contents_of(const struct fathom_pool *pool, uint32_t i)
{
	return (const char *)pool->things[i].data + sizeof(struct thing);
}

/* Returns the number of the object of a description. It exists, because the process that describes an object has
 * listed it. */
static uint32_t about(struct fathom_pool *pool, struct thing thing)
{
	int64_t number;

	thing.is_said = 0;
	number = fathom_pool_add(pool, &thing, sizeof(thing));
	return number < 0 ? 0 : (uint32_t)number;
}

static OTF2_CommRef comm_of(const struct writing *writing, struct thing thing)
{
	int64_t number;

	if (thing.io != FATHOM_IO_MPI)
		return OTF2_UNDEFINED_COMM;
	number = fathom_pool_add(&writing->w->defs->comms, &thing.comm, sizeof(thing.comm));
	return number < 0 ? OTF2_UNDEFINED_COMM : writing->w->defs->comm_names[number];
}

static void write_ranks(struct fathom_trace_writing *w, const void *data, uint32_t count)
{
	uint64_t *members = fathom_arena_alloc(&w->arena, (count + 1) * sizeof(*members));
	uint32_t rank;

	if (!members) {
		w->err = -ENOMEM;
		return;
	}
	for (uint32_t i = 0; i < count; i++) {
		memcpy(&rank, (const char *)data + i * sizeof(rank), sizeof(rank));
		members[i] = rank;
	}
	DEFINE(OTF2_GlobalDefWriter_WriteGroup, w->groups++, fathom_trace_text(w, ""), OTF2_GROUP_TYPE_COMM_GROUP,
	       OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, count, members);
}

static void write_handle(struct writing *writing, uint32_t number, uint32_t i)
{
	struct fathom_trace_writing *w = writing->w;
	const struct thing file = { .kind = FATHOM_OBJECT_FILE };
	const char *path = writing->said[i];
	/* The file exists, because the process that opened it has listed it. */
	int64_t known = path ? add(writing->pool, &file, path, strlen(path) + 1) : -1;

	DEFINE(OTF2_GlobalDefWriter_WriteIoHandle, number, fathom_trace_text(w, ""),
	       known < 0 ? OTF2_UNDEFINED_IO_FILE : writing->names[known],
	       (OTF2_IoParadigmRef)head_of(writing->pool, i).io, OTF2_IO_HANDLE_FLAG_NONE,
	       comm_of(writing, head_of(writing->pool, i)),
	       OTF2_UNDEFINED_IO_HANDLE);
}

static void write_object(struct writing *writing, uint32_t i)
{
	struct fathom_trace_writing *w = writing->w;
	struct thing thing = head_of(writing->pool, i);
	const char *said = writing->said[i];
	uint32_t number = writing->counts[thing.kind]++;

	writing->names[i] = number;
	switch (thing.kind) {
	case FATHOM_OBJECT_WINDOW:
		DEFINE(OTF2_GlobalDefWriter_WriteRmaWin, number, fathom_trace_text(w, said ? said : ""),
		       comm_of(writing, thing), OTF2_RMA_WIN_FLAG_CREATE_DESTROY_EVENTS);
		break;
	case FATHOM_OBJECT_RANKS:
		writing->names[i] = w->groups;
		write_ranks(w, contents_of(writing->pool, i),
			    (writing->pool->things[i].bytes - (uint32_t)sizeof(thing)) / (uint32_t)sizeof(uint32_t));
		break;
	case FATHOM_OBJECT_FILE:
		DEFINE(OTF2_GlobalDefWriter_WriteIoRegularFile, number,
		       fathom_trace_text(w, contents_of(writing->pool, i)),
		       OTF2_UNDEFINED_SYSTEM_TREE_NODE);
		break;
	default:
		write_handle(writing, number, i);
		break;
	}
}

/* Writes the definitions that all files need. */
static void write_io(struct fathom_trace_writing *w, const struct fathom_pool *pool)
{
	bool has_own = false;

	for (uint32_t i = 0; i < pool->count; i++)
		has_own |= head_of(pool, i).io != FATHOM_IO_MPI;
	DEFINE(OTF2_GlobalDefWriter_WriteIoParadigm, FATHOM_TRACE_IO_MPI, fathom_trace_text(w, "MPI-IO"),
	       fathom_trace_text(w, "MPI-IO"), OTF2_IO_PARADIGM_CLASS_PARALLEL, OTF2_IO_PARADIGM_FLAG_NONE, 0, NULL,
	       NULL, NULL);
	if (has_own) {
		DEFINE(OTF2_GlobalDefWriter_WriteIoParadigm, FATHOM_IO_POSIX, fathom_trace_text(w, "POSIX"),
		       fathom_trace_text(w, "POSIX I/O"), OTF2_IO_PARADIGM_CLASS_SERIAL, OTF2_IO_PARADIGM_FLAG_OS, 0,
		       NULL, NULL, NULL);
		DEFINE(OTF2_GlobalDefWriter_WriteIoParadigm, FATHOM_IO_ISOC, fathom_trace_text(w, "ISOC"),
		       fathom_trace_text(w, "ISO C I/O"), OTF2_IO_PARADIGM_CLASS_SERIAL, OTF2_IO_PARADIGM_FLAG_NONE, 0,
		       NULL, NULL, NULL);
	}
	DEFINE(OTF2_GlobalDefWriter_WriteAttribute, FATHOM_TRACE_ATTRIBUTE_OFFSET, fathom_trace_text(w, "Offset"),
	       fathom_trace_text(w, "Where in the file an operation begins, in bytes"), OTF2_TYPE_UINT64);
}

uint32_t *fathom_trace_objects_write(struct fathom_trace_writing *w, struct fathom_pool *pool)
{
	static const enum fathom_object_kind order[] = {
		FATHOM_OBJECT_RANKS, FATHOM_OBJECT_WINDOW, FATHOM_OBJECT_FILE, FATHOM_OBJECT_HANDLE,
	};
	struct writing writing = { .w = w, .pool = pool };
	uint32_t count = pool->count;

	writing.names = fathom_arena_alloc(&w->defs->arena, (count + 1) * sizeof(*writing.names));
	writing.said = fathom_arena_alloc(&w->arena, (count + 1) * sizeof(*writing.said));
	if (!writing.names || !writing.said) {
		w->err = -ENOMEM;
		return NULL;
	}
	for (uint32_t i = 0; i < count; i++) {
		struct thing thing = head_of(pool, i);
		uint32_t object = thing.is_said ? about(pool, thing) : i;

		if (thing.is_said && object < count && !writing.said[object])
			writing.said[object] = contents_of(pool, i);
	}
	for (int k = 0; k < FATHOM_OBJECT_KINDS; k++) {
		bool is_first = true;

		for (uint32_t i = 0; i < count; i++) {
			struct thing thing = head_of(pool, i);

			if (thing.kind != order[k] || thing.is_said)
				continue;
			if (thing.kind == FATHOM_OBJECT_FILE && is_first)
				write_io(w, pool);
			is_first = false;
			write_object(&writing, i);
		}
	}
	return writing.names;
}

/* --- all ranks ----------------------------------------------------------------------------------- */

int fathom_trace_objects_tables(struct fathom_trace_object_tables *tables, const uint32_t *numbers,
				struct fathom_arena *arena)
{
	/* The order of fathom_trace_objects_list. */
	static const enum fathom_object_kind order[] = {
		FATHOM_OBJECT_WINDOW, FATHOM_OBJECT_RANKS, FATHOM_OBJECT_FILE, FATHOM_OBJECT_HANDLE,
	};

	tables->counts[FATHOM_OBJECT_WINDOW] = objects.windows.count;
	tables->counts[FATHOM_OBJECT_RANKS] = objects.ranks.count;
	tables->counts[FATHOM_OBJECT_FILE] = objects.files.count;
	tables->counts[FATHOM_OBJECT_HANDLE] = objects.handles.count;
	for (int k = 0; k < FATHOM_OBJECT_KINDS; k++) {
		uint32_t count = tables->counts[order[k]];

		tables->numbers[order[k]] = fathom_arena_alloc(arena, (count + 1) * sizeof(*numbers));
		if (!tables->numbers[order[k]])
			return -ENOMEM;
		if (count)
			memcpy(tables->numbers[order[k]], numbers, count * sizeof(*numbers));
		numbers += count;
	}
	return 0;
}
