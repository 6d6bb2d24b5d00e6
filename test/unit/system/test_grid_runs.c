/* Who is where in grids: runs, and the union of those of many ranks. */
#include "unit_test.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "simulated_comm.h"
#include "system/grid_runs.h"

struct place {
	uint64_t location, index;
};

/* How the places of a test are laid out: those of a rank, and how many. */
typedef uint32_t layout(uint32_t rank, uint32_t ranks, struct place *places);

/* As MPI counts. */
static uint32_t in_order(uint32_t rank, uint32_t ranks, struct place *places)
{
	(void)ranks;
	places[0] = (struct place){ 4ull * rank, rank };
	return 1;
}

/* Every third rank, and the grid backwards. */
static uint32_t some(uint32_t rank, uint32_t ranks, struct place *places)
{
	places[0] = (struct place){ rank, (ranks - 1 - rank) / 3 };
	return rank % 3 == 1;
}

/* A grid of threads by ranks, in which the ranks run faster. */
static uint32_t threads(uint32_t rank, uint32_t ranks, struct place *places)
{
	for (uint32_t t = 0; t < 4; t++)
		places[t] = (struct place){ 4ull * rank + t, (uint64_t)t * ranks + rank };
	return 4;
}

/* Ranks in blocks of 4, each a square of a grid of two rows. */
static uint32_t blocks(uint32_t rank, uint32_t ranks, struct place *places)
{
	places[0] = (struct place){ rank, rank / 4 * 2 + rank % 2 + rank / 2 % 2 * (ranks / 2) };
	return 1;
}

/* Ranks in turn over 16 nodes: their columns are elsewhere. */
static uint32_t cyclic(uint32_t rank, uint32_t ranks, struct place *places)
{
	places[0] = (struct place){ (uint64_t)rank % 16 * (ranks / 16) + rank / 16, rank };
	return 1;
}

static uint32_t irregular(uint32_t rank, uint32_t ranks, struct place *places)
{
	(void)ranks;
	for (uint32_t t = 0; t < rank % 4; t++)
		places[t] = (struct place){ 4ull * rank + t, (rank * 7919ull + t * 104729ull) % 1000003 };
	return rank % 4;
}

static const struct fathom_grid_runs_grid mesh = { .is_cart = true, .cart = { .key = 1, .size = 5000 } };

static struct fathom_grid_runs_grid *grid_of(struct fathom_grid_runs *spread)
{
	struct fathom_grid_runs_grid *grid = fathom_grid_runs_find(spread, &mesh);

	assert_non_null(grid);
	return grid;
}

static void put(struct fathom_grid_runs *spread, layout *how, uint32_t rank, uint32_t ranks)
{
	struct place places[4];
	uint32_t count = how(rank, ranks, places);

	for (uint32_t p = 0; p < count; p++) {
		const struct fathom_grid_run run = {
			.location = places[p].location, .index = places[p].index, .count = 1, .copies = 1,
		};

		assert_int_equal(fathom_grid_runs_append(spread, grid_of(spread), &run), 0);
	}
}

/* What the walk tells is what all ranks have, in their order. */
static void assert_places(const struct fathom_grid_runs_grid *grid, layout *how, uint32_t ranks)
{
	struct fathom_grid_runs_walk walk = { .grid = grid };
	uint64_t location, index, total = 0;
	struct place places[4];

	for (int round = 0; round < 2; round++) {
		total = 0;
		for (uint32_t rank = 0; rank < ranks; rank++) {
			uint32_t count = how(rank, ranks, places);

			for (uint32_t p = 0; p < count; p++, total++) {
				assert_true(fathom_grid_runs_next(&walk, &location, &index));
				assert_int_equal(location, places[p].location);
				assert_int_equal(index, places[p].index);
			}
		}
		assert_false(fathom_grid_runs_next(&walk, &location, &index));
	}
	assert_int_equal(fathom_grid_runs_places(grid), total);
}

/* The ranks from first on, put together as along the tree: halves of a power of two. */
static void put_tree(struct fathom_grid_runs *spread, layout *how, uint32_t first, uint32_t count, uint32_t ranks)
{
	struct fathom_grid_runs right = { .cart_count = 0 };
	struct fathom_grid_runs_grid *theirs;

	if (count == 1) {
		if (first < ranks)
			put(spread, how, first, ranks);
		return;
	}
	put_tree(spread, how, first, count / 2, ranks);
	put_tree(&right, how, first + count / 2, count / 2, ranks);
	theirs = grid_of(&right);
	for (uint32_t r = 0; r < theirs->run_count; r++)
		assert_int_equal(fathom_grid_runs_append(spread, grid_of(spread), &theirs->runs[r]), 0);
	fathom_grid_runs_fini(&right);
}

static uint32_t runs_of(layout *how, uint32_t ranks)
{
	struct fathom_grid_runs spread = { .cart_count = 0 };
	uint32_t runs, power = 1;

	while (power < ranks)
		power *= 2;
	put_tree(&spread, how, 0, power, ranks);
	assert_places(grid_of(&spread), how, ranks);
	runs = grid_of(&spread)->run_count;
	fathom_grid_runs_fini(&spread);
	return runs;
}

/* So many runs do 64 and 4096 ranks need, and 1000, which do not fill the tree. */
static void what_repeats_takes_no_memory(void **state)
{
	(void)state;
	assert_int_equal(runs_of(in_order, 64), 1);
	assert_int_equal(runs_of(in_order, 4096), 1);
	assert_int_equal(runs_of(in_order, 1000), 1);
	assert_int_equal(runs_of(some, 4096), 1);
	assert_int_equal(runs_of(threads, 64), 1);
	assert_int_equal(runs_of(threads, 4096), 1);
	assert_int_equal(runs_of(threads, 1000), 1);
	assert_int_equal(runs_of(cyclic, 4096), runs_of(cyclic, 64));
	/* No worse than a run for each block. */
	assert_in_range(runs_of(blocks, 4096), 1, 1024);
	assert_in_range(runs_of(irregular, 4096), 1000, 4096);
}

/* --- with messages -------------------------------------------------------------------------------- */

enum { RANKS = 13, CARTS = 10 };

struct rank {
	layout *how;
	int err;
	struct fathom_grid_runs spread;	/* at rank 0 */
};

static struct rank ranks[RANKS];

/* Rank r is in carts of r and of r + 1, each of ranks of its own; the first are larger. */
static void put_carts(struct fathom_grid_runs *spread, uint32_t rank)
{
	for (uint32_t r = rank; r < rank + 2; r++)
		for (uint32_t c = 0; c < CARTS; c++) {
			const struct fathom_grid_run run = { .location = rank, .index = r - rank, .count = 1, .copies = 1 };
			struct fathom_grid_runs_grid wanted = {
				.is_cart = true,
				.cart = { .key = 100 + r * CARTS + c, .size = 1000 - c, .first = r },
			};

			if (rank % 2)
				snprintf(wanted.cart.name, sizeof(wanted.cart.name), "cart %u of %u", c, r);
			assert_int_equal(fathom_grid_runs_append(spread, fathom_grid_runs_find(spread, &wanted), &run), 0);
		}
}

static int run_rank(struct fathom_comm *comm, void *argument)
{
	struct fathom_grid_runs_grid told = { .shape = { .name = "told", .count = 2 } };
	struct fathom_grid_run place = { .location = (uint64_t)comm->rank, .index = 0, .count = 1, .copies = 1 };
	struct rank *rank = argument;
	struct fathom_grid_runs *spread = &rank->spread;
	int err;

	told.shape.dimensions[0] = (struct fathom_topology_dimension){ "x", 100, true };
	told.shape.dimensions[1] = (struct fathom_topology_dimension){ comm->rank % 2 ? "odd" : "", 7, false };
	put(spread, rank->how, (uint32_t)comm->rank, RANKS);
	assert_int_equal(fathom_grid_runs_append(spread, fathom_grid_runs_find(spread, &told), &place), 0);
	if (comm->rank != 5)
		put_carts(spread, (uint32_t)comm->rank);
	spread->err = rank->err;
	err = fathom_grid_runs_reduce(spread, comm);
	if (comm->rank)
		fathom_grid_runs_fini(spread);
	return err;
}

static void run(void)
{
	void *arguments[RANKS];
	int results[RANKS];

	for (int r = 0; r < RANKS; r++)
		arguments[r] = &ranks[r];
	simulated_mismatches = 0;
	simulated_run(RANKS, run_rank, arguments, results);
	for (int r = 0; r < RANKS; r++)
		assert_int_equal(results[r], 0);
	assert_int_equal(simulated_mismatches, 0);
}

static const struct fathom_grid_runs_grid *grid_named(const char *name, const char *second)
{
	for (const struct fathom_grid_runs_grid *grid = ranks[0].spread.first; grid; grid = grid->next)
		if (!grid->is_cart && !strcmp(grid->shape.name, name) &&
		    !strcmp(grid->shape.dimensions[1].name, second))
			return grid;
	return NULL;
}

static void rank_0_learns_who_is_where(void **state)
{
	layout *const layouts[] = { in_order, some, threads, irregular };

	(void)state;
	for (size_t l = 0; l < sizeof(layouts) / sizeof(*layouts); l++) {
		memset(ranks, 0, sizeof(ranks));
		for (int r = 0; r < RANKS; r++)
			ranks[r].how = layouts[l];
		run();
		assert_places(grid_of(&ranks[0].spread), layouts[l], RANKS);
		assert_int_equal(fathom_grid_runs_places(grid_named("told", "")), (RANKS + 1) / 2);
		assert_int_equal(fathom_grid_runs_places(grid_named("told", "odd")), RANKS / 2);
		assert_int_equal(grid_named("told", "odd")->shape.dimensions[0].size, 100);
		fathom_grid_runs_fini(&ranks[0].spread);
	}
}

/* Of 141 grids the largest stay, and each with all of its members; the names come from who gave one. */
static void only_so_many_grids_of_mpi_stay(void **state)
{
	uint32_t carts = 0;

	(void)state;
	memset(ranks, 0, sizeof(ranks));
	for (int r = 0; r < RANKS; r++)
		ranks[r].how = in_order;
	run();
	assert_true(ranks[0].spread.is_cut);
	for (const struct fathom_grid_runs_grid *grid = ranks[0].spread.first; grid; grid = grid->next) {
		uint32_t of = grid->cart.first, c = 1000 - grid->cart.size;
		char name[32];

		if (!grid->is_cart)
			continue;
		carts++;
		/* 14 of each size. */
		assert_true(grid->cart.key == 1 || c < 4 || (c == 4 && of < 63 - 4 * 14));
		if (grid->cart.key == 1)
			continue;
		snprintf(name, sizeof(name), "cart %u of %u", c, of);
		assert_int_equal(fathom_grid_runs_places(grid), of == 0 || of == RANKS || of == 5 || of == 6 ? 1 : 2);
		/* Ranks of and of - 1 are in it; the odd one names it, if it is there: 5 is not. */
		assert_string_equal(grid->cart.name, of % 13 == 0 || of == 5 || of == 6 ? "" : name);
	}
	assert_int_equal(carts, FATHOM_CART_MOST);
	fathom_grid_runs_fini(&ranks[0].spread);
}

static void a_rank_without_memory_is_told_to_rank_0(void **state)
{
	(void)state;
	for (int poor = 0; poor < RANKS; poor += 3) {
		memset(ranks, 0, sizeof(ranks));
		for (int r = 0; r < RANKS; r++) {
			ranks[r].how = in_order;
			ranks[r].err = r == poor ? -ENOMEM : 0;
		}
		run();
		assert_int_equal(ranks[0].spread.err, -ENOMEM);
		fathom_grid_runs_fini(&ranks[0].spread);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_repeats_takes_no_memory),
		cmocka_unit_test(rank_0_learns_who_is_where),
		cmocka_unit_test(only_so_many_grids_of_mpi_stay),
		cmocka_unit_test(a_rank_without_memory_is_told_to_rank_0),
	};

	alarm(60);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
