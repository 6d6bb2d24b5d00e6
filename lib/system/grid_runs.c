#include "system/grid_runs.h"

#include <errno.h>
#include <string.h>

#include "system/byte_stack.h"
#include "system/transfer.h"

/* --- runs ---------------------------------------------------------------------------------------- */

static int64_t between(uint64_t from, uint64_t to)
{
	return (int64_t)(to - from);
}

/* If next continues run, which has one copy, adds it to run and returns true. */
static bool goes_on(struct fathom_grid_run *run, const struct fathom_grid_run *next)
{
	int64_t location_step = run->location_step, index_step = run->index_step;
	uint64_t location, index;

	if (run->copies != 1 || next->copies != 1)
		return false;
	location = run->location + (run->count - 1) * (uint64_t)location_step;
	index = run->index + (run->count - 1) * (uint64_t)index_step;
	if (run->count == 1) {
		location_step = between(run->location, next->location);
		index_step = between(run->index, next->index);
		location = run->location;
		index = run->index;
	}
	if (between(location, next->location) != location_step || between(index, next->index) != index_step)
		return false;
	if (next->count > 1 && (next->location_step != location_step || next->index_step != index_step))
		return false;
	if (next->count > UINT32_MAX - run->count)
		return false;
	run->location_step = location_step;
	run->index_step = index_step;
	run->count += next->count;
	return true;
}

/* If next is another copy of run at the same distance as the other copies, adds it to run and returns true. */
static bool repeats(struct fathom_grid_run *run, const struct fathom_grid_run *next)
{
	int64_t location_stride = run->location_stride, index_stride = run->index_stride;
	uint64_t location = run->location, index = run->index;

	if (run->count != next->count || next->copies > UINT32_MAX - run->copies)
		return false;
	if (run->count > 1 && (run->location_step != next->location_step || run->index_step != next->index_step))
		return false;
	if (run->copies == 1) {
		location_stride = between(location, next->location);
		index_stride = between(index, next->index);
	} else {
		location += (run->copies - 1) * (uint64_t)location_stride;
		index += (run->copies - 1) * (uint64_t)index_stride;
	}
	if (between(location, next->location) != location_stride || between(index, next->index) != index_stride)
		return false;
	if (next->copies > 1 && (next->location_stride != location_stride || next->index_stride != index_stride))
		return false;
	run->location_stride = location_stride;
	run->index_stride = index_stride;
	run->copies += next->copies;
	return true;
}

int fathom_grid_runs_append(struct fathom_grid_runs *spread, struct fathom_grid_runs_grid *grid,
			 const struct fathom_grid_run *run)
{
	struct fathom_grid_run *last = grid->run_count ? &grid->runs[grid->run_count - 1] : NULL;

	if (last && (goes_on(last, run) || repeats(last, run)))
		return 0;
	if (grid->run_count == grid->run_room) {
		uint32_t room = grid->run_room ? 2 * grid->run_room : 4;
		struct fathom_grid_run *runs = fathom_arena_alloc(&spread->arena, room * sizeof(*runs));

		if (!runs)
			return -ENOMEM;
		if (grid->run_count)
			memcpy(runs, grid->runs, grid->run_count * sizeof(*runs));
		grid->runs = runs;
		grid->run_room = room;
	}
	grid->runs[grid->run_count++] = *run;
	return 0;
}

bool fathom_grid_runs_next(struct fathom_grid_runs_walk *walk, uint64_t *location, uint64_t *index)
{
	const struct fathom_grid_run *run;

	if (walk->run == walk->grid->run_count) {
		walk->run = 0;
		return false;
	}
	run = &walk->grid->runs[walk->run];
	*location = run->location + walk->at * (uint64_t)run->location_step +
		    walk->copy * (uint64_t)run->location_stride;
	*index = run->index + walk->at * (uint64_t)run->index_step + walk->copy * (uint64_t)run->index_stride;
	if (++walk->at == run->count) {
		walk->at = 0;
		if (++walk->copy == run->copies) {
			walk->copy = 0;
			walk->run++;
		}
	}
	return true;
}

uint64_t fathom_grid_runs_places(const struct fathom_grid_runs_grid *grid)
{
	uint64_t places = 0;

	for (uint32_t r = 0; r < grid->run_count; r++)
		places += (uint64_t)grid->runs[r].count * grid->runs[r].copies;
	return places;
}

/* --- grids --------------------------------------------------------------------------------------- */

static bool is_same(const struct fathom_grid_runs_grid *a, const struct fathom_grid_runs_grid *b)
{
	if (a->is_cart != b->is_cart)
		return false;
	return a->is_cart ? a->cart.key == b->cart.key : fathom_topology_is_same(&a->shape, &b->shape);
}

static void insert(struct fathom_grid_runs *spread, struct fathom_grid_runs_grid *grid)
{
	if (!spread->end)
		spread->end = &spread->first;
	*spread->end = grid;
	spread->end = &grid->next;
	spread->cart_count += grid->is_cart;
}

/* Removes the smallest grid of MPI. */
static void drop_last(struct fathom_grid_runs *spread)
{
	struct fathom_grid_runs_grid **last = NULL;

	for (struct fathom_grid_runs_grid **link = &spread->first; *link; link = &(*link)->next)
		if ((*link)->is_cart && (!last || fathom_cart_compare(&(*link)->cart, &(*last)->cart) > 0))
			last = link;
	if (spread->end == &(*last)->next)
		spread->end = last;
	*last = (*last)->next;
	spread->cart_count--;
	spread->is_cut = true;
}

static char *copy(struct fathom_grid_runs *spread, const char *text)
{
	return fathom_arena_copy(&spread->arena, text, strlen(text));
}

struct fathom_grid_runs_grid *fathom_grid_runs_find(struct fathom_grid_runs *spread,
					      const struct fathom_grid_runs_grid *wanted)
{
	struct fathom_grid_runs_grid *grid;

	for (grid = spread->first; grid; grid = grid->next)
		if (is_same(grid, wanted))
			break;
	if (grid) {
		if (!*grid->cart.name)
			memcpy(grid->cart.name, wanted->cart.name, sizeof(grid->cart.name));
		return grid;
	}
	grid = fathom_arena_alloc(&spread->arena, sizeof(*grid));
	if (!grid)
		return NULL;
	*grid = (struct fathom_grid_runs_grid){
		.is_cart = wanted->is_cart, .cart = wanted->cart, .shape = wanted->shape
	};
	if (!grid->is_cart) {
		grid->shape.name = copy(spread, wanted->shape.name);
		for (uint32_t d = 0; d < grid->shape.count; d++) {
			grid->shape.dimensions[d].name = copy(spread, wanted->shape.dimensions[d].name);
			if (!grid->shape.dimensions[d].name)
				return NULL;
		}
		if (!grid->shape.name)
			return NULL;
	}
	insert(spread, grid);
	return grid;
}

/* --- every process ------------------------------------------------------------------------------- */

static uint64_t index_of(const struct fathom_topology *shape, const uint32_t *at)
{
	uint64_t index = 0;

	for (uint32_t d = 0; d < shape->count; d++)
		index = index * shape->dimensions[d].size + at[d];
	return index;
}

static bool comes_before(const struct fathom_grid_run *a, const struct fathom_grid_run *b)
{
	return a->location != b->location ? a->location < b->location : a->index < b->index;
}

/* Sorts the positions. This is a Shell sort, because qsort may allocate, and this code may run in a signal handler. */
static void sort(struct fathom_grid_run *places, uint32_t count)
{
	for (uint32_t gap = count / 2; gap; gap = gap == 2 ? 1 : (uint32_t)(gap * 5ull / 11))
		for (uint32_t i = gap; i < count; i++) {
			struct fathom_grid_run place = places[i];
			uint32_t at = i;

			for (; at >= gap && comes_before(&place, &places[at - gap]); at -= gap)
				places[at] = places[at - gap];
			places[at] = place;
		}
}

static int list_places(struct fathom_grid_runs *spread, const struct fathom_topology *topology,
		       fathom_grid_runs_location *location, const void *context)
{
	const struct fathom_position *first = fathom_topology_positions(), *position;
	const struct fathom_grid_runs_grid wanted = { .shape = *topology };
	struct fathom_grid_runs_grid *grid;
	struct fathom_grid_run *places;
	uint32_t most = 0, count = 0;
	int err = 0;

	for (position = first; position; position = position->next)
		most += position->topology == topology;
	if (!most)
		return 0;
	places = fathom_arena_alloc(&spread->arena, most * sizeof(*places));
	if (!places)
		return -ENOMEM;
	for (position = first; position; position = position->next) {
		uint32_t who = position->topology == topology ? location(context, position->thread) :
								FATHOM_GRID_RUNS_NOBODY;

		if (who != FATHOM_GRID_RUNS_NOBODY)
			places[count++] = (struct fathom_grid_run){
				.location = who, .index = index_of(topology, position->at), .count = 1, .copies = 1,
			};
	}
	if (!count)
		return 0;
	sort(places, count);
	grid = fathom_grid_runs_find(spread, &wanted);
	for (uint32_t p = 0; grid && !err && p < count; p++)
		err = fathom_grid_runs_append(spread, grid, &places[p]);
	return grid ? err : -ENOMEM;
}

static int list_cart(struct fathom_grid_runs *spread, const struct fathom_cart *cart, uint32_t who)
{
	const struct fathom_grid_run place = { .location = who, .index = cart->index, .count = 1, .copies = 1 };
	const struct fathom_grid_runs_grid wanted = { .is_cart = true, .cart = *cart };
	struct fathom_grid_runs_grid *grid;

	if (!cart->key || who == FATHOM_GRID_RUNS_NOBODY)
		return 0;
	grid = fathom_grid_runs_find(spread, &wanted);
	return grid ? fathom_grid_runs_append(spread, grid, &place) : -ENOMEM;
}

void fathom_grid_runs_list(struct fathom_grid_runs *spread, fathom_grid_runs_location *location, const void *context)
{
	uint32_t count = fathom_topology_count(), carts = fathom_cart_count(&spread->is_cut);

	for (uint32_t i = 0; i < count && !spread->err; i++)
		spread->err = list_places(spread, fathom_topology_by_id(i), location, context);
	for (uint32_t i = 0; i < carts && !spread->err; i++)
		spread->err = list_cart(spread, fathom_cart_by_id(i), location(context, NULL));
}

/* --- the tree ------------------------------------------------------------------------------------ */

/*
 * The head of a message; the grids follow. A grid consists of its structure, its runs, and for a grid of the user API
 * its name and the names of the dimensions, each with a NUL.
 */
struct message {
	uint64_t bytes;
	int32_t err;		/* not 0: no data follow */
	uint32_t is_cut;
};

struct packed {
	struct fathom_grid_runs_grid grid;		/* its pointers are invalid */
	uint64_t text_bytes;			/* a multiple of 8 */
};

/* Writes the texts of a grid one behind the other; with NULL, only returns their size in bytes. */
static size_t put_texts(char *to, const struct fathom_grid_runs_grid *grid)
{
	size_t bytes = 0;

	for (uint32_t t = 0; !grid->is_cart && t <= grid->shape.count; t++) {
		const char *text = t ? grid->shape.dimensions[t - 1].name : grid->shape.name;
		size_t length = strlen(text) + 1;

		if (to)
			memcpy(to + bytes, text, length);
		bytes += length;
	}
	return (bytes + 7) & ~(size_t)7;
}

static char *pack(char *at, const struct fathom_grid_runs_grid *grid)
{
	const struct packed packed = { *grid, put_texts(NULL, grid) };

	memcpy(at, &packed, sizeof(packed));
	at += sizeof(packed);
	memcpy(at, grid->runs, grid->run_count * sizeof(*grid->runs));
	at += grid->run_count * sizeof(*grid->runs);
	put_texts(at, grid);
	return at + packed.text_bytes;
}

static int send_up(struct fathom_grid_runs *spread, struct fathom_comm *comm, int parent)
{
	struct message message = { .err = spread->err, .is_cut = spread->is_cut };
	char *data = NULL, *at;
	int err;

	for (const struct fathom_grid_runs_grid *grid = spread->first; !message.err && grid; grid = grid->next)
		message.bytes += sizeof(struct packed) + grid->run_count * sizeof(*grid->runs) + put_texts(NULL, grid);
	if (message.bytes) {
		data = fathom_arena_alloc(&spread->arena, message.bytes);
		if (!data)
			message = (struct message){ .err = spread->err = -ENOMEM };
	}
	at = data;
	for (const struct fathom_grid_runs_grid *grid = spread->first; data && grid; grid = grid->next)
		at = pack(at, grid);
	err = comm->send(comm, parent, &message, sizeof(message));
	return err || !data ? err : fathom_transfer_send(comm, parent, data, message.bytes);
}

/* Adds a grid that another process sent. Returns the end of its data; NULL: no memory. */
static const char *unpack(struct fathom_grid_runs *spread, const char *at)
{
	struct fathom_grid_runs_grid *ours;
	struct fathom_grid_run run;
	struct packed packed;
	const char *text;

	memcpy(&packed, at, sizeof(packed));
	at += sizeof(packed);
	text = at + packed.grid.run_count * sizeof(run);
	for (uint32_t t = 0; !packed.grid.is_cart && t <= packed.grid.shape.count; t++, text += strlen(text) + 1)
		*(t ? &packed.grid.shape.dimensions[t - 1].name : &packed.grid.shape.name) = text;
	ours = fathom_grid_runs_find(spread, &packed.grid);
	if (!ours)
		return NULL;
	for (uint32_t r = 0; r < packed.grid.run_count; r++, at += sizeof(run)) {
		memcpy(&run, at, sizeof(run));
		if (fathom_grid_runs_append(spread, ours, &run))
			return NULL;
	}
	return at + packed.text_bytes;
}

/* Receives the data of a child. Without memory, receives and drops them, so that the child does not wait for ever. */
static int receive(struct fathom_grid_runs *spread, struct fathom_comm *comm, int child)
{
	struct fathom_byte_stack stack;
	struct message message;
	size_t place;
	int err = comm->receive(comm, child, &message, sizeof(message));

	if (err || message.err) {
		spread->err = err ? spread->err : -ENOMEM;
		return err;
	}
	spread->is_cut |= message.is_cut;
	if (!message.bytes)
		return 0;
	fathom_byte_stack_init(&stack, NULL, NULL);
	err = fathom_transfer_receive(comm, child, &stack, message.bytes, &place);
	if (!err && place == SIZE_MAX)
		spread->err = -ENOMEM;
	if (!err && !spread->err) {
		const char *at = fathom_byte_stack_at(&stack, place), *end = at + message.bytes;

		while (at && at < end)
			at = unpack(spread, at);
		spread->err = at ? 0 : -ENOMEM;
		while (spread->cart_count > FATHOM_CART_MOST)
			drop_last(spread);
	}
	fathom_byte_stack_fini(&stack);
	return err;
}

int fathom_grid_runs_reduce(struct fathom_grid_runs *spread, struct fathom_comm *comm)
{
	int children[32], parent, err = 0;
	int count = fathom_comm_tree(comm->rank, comm->size, &parent, children);

	/* The ranks of each child follow those of the child before it. */
	for (int c = 0; !err && c < count; c++)
		err = receive(spread, comm, children[c]);
	if (!err && parent >= 0)
		err = send_up(spread, comm, parent);
	return err;
}

void fathom_grid_runs_fini(struct fathom_grid_runs *spread)
{
	fathom_arena_fini(&spread->arena);
	memset(spread, 0, sizeof(*spread));
}
