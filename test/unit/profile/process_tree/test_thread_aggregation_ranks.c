/*
 * The threads of several processes put together: whatever the strategy, each location has what its threads have in
 * the profile that keeps all of them, to the last bit.
 */
#include "unit_test.h"

#include <errno.h>
#include <float.h>
#include <unistd.h>

#include "aggregate_world.h"
#include "comm/comm.h"
#include "platform/log.h"
#include "simulated_comm.h"

/* --- every way against all threads ---------------------------------------------------------------- */

/* The whole table of a file. */
struct table {
	struct opened file;
	double *values;		/* [metric][cnode][location] */
};

static double *cell(const struct table *table, uint32_t metric, uint32_t cnode, uint32_t location)
{
	return &table->values[((size_t)metric * table->file.cube->cnode_count + cnode) *
			      table->file.cube->location_count + location];
}

static void read_table(struct table *table)
{
	const struct fathom_cube *cube;

	open_file(&table->file, path);
	cube = table->file.cube;
	table->values = calloc((size_t)cube->metric_count * cube->cnode_count * cube->location_count + 1, sizeof(double));
	for (uint32_t m = 0; m < cube->metric_count; m++)
		for (uint32_t c = 0; c < cube->cnode_count; c++)
			if (fathom_cube_reader_row(table->file.reader, m, c, cell(table, m, c, 0), &error))
				fail_msg("%s", error.text);
}

static void free_table(struct table *table)
{
	fathom_cube_reader_close(table->file.reader);
	free(table->values);
}

/* The first column of a rank, and how many it has. */
static uint32_t first_column(const struct fathom_cube *cube, int64_t rank, uint32_t *count)
{
	uint32_t first = 0;

	*count = 0;
	for (uint32_t l = 0; l < cube->location_count; l++) {
		if (cube->groups[fathom_cube_location(cube, l).group].rank != rank)
			continue;
		if (!(*count)++)
			first = l;
	}
	return first;
}

/* Which threads a location stands for: members[thread]. Returns how many. */
static uint32_t parse_threads(const char *text, bool *members, uint32_t count)
{
	uint32_t found = 0;

	memset(members, 0, count * sizeof(*members));
	while (*text) {
		char *rest;
		unsigned long first = strtoul(text, &rest, 10), last = first;

		if (*rest == '-')
			last = strtoul(rest + 1, &rest, 10);
		assert_true(first <= last && last < count);
		for (; first <= last; first++, found++) {
			assert_false(members[first]);
			members[first] = true;
		}
		assert_true(*rest == ',' || !*rest);
		text = rest + (*rest == ',');
	}
	return found;
}

struct compared {		/* a location of a file, and what its threads have in the one of all threads */
	const struct table *all;
	const struct opened *file;
	uint32_t all_metric, metric;
	uint32_t all_cnode, cnode;
	uint32_t first;			/* column of the process's first thread there */
	uint32_t threads;
	const bool *members;
	uint32_t location;
};

static void compare_tuple(const struct compared *it, const struct fathom_cube_tuple *got)
{
	uint32_t visits = metric_of(&it->all->file, "visits");
	struct fathom_cube_tuple expected = { .minimum = DBL_MAX, .maximum = -DBL_MAX };
	double squares = 0;

	for (uint32_t t = 0; t < it->threads; t++) {
		double one = *cell(it->all, it->all_metric, it->all_cnode, it->first + t);

		if (!it->members[t] || (!one && !*cell(it->all, visits, it->all_cnode, it->first + t)))
			continue;
		expected.count++;
		expected.minimum = one < expected.minimum ? one : expected.minimum;
		expected.maximum = one > expected.maximum ? one : expected.maximum;
		expected.sum += one;
		squares += one * one;
	}
	if (!fathom_cube_reader_present(it->file->reader, it->metric, it->cnode)) {
		assert_true(expected.sum == 0 && got->count == 0);
		return;
	}
	if (got->count == 0 && expected.sum == 0)	/* in a metric of another activity, nobody came */
		return;
	assert_int_equal(got->count, expected.count);
	assert_true(got->minimum == expected.minimum && got->maximum == expected.maximum && got->sum == expected.sum);
	assert_near(got->squares, squares, 1e-12 * squares);
}

static void compare_number(const struct compared *it, double got)
{
	enum fathom_cube_dtype dtype = it->file->cube->metrics[it->metric].dtype;
	bool is_count = !strcmp(it->file->cube->metrics[it->metric].uniq_name, "num_threads");
	double expected = dtype == FATHOM_CUBE_MINDOUBLE ? DBL_MAX : dtype == FATHOM_CUBE_MAXDOUBLE ? -DBL_MAX : 0;

	for (uint32_t t = 0; t < it->threads; t++) {
		double one = *cell(it->all, it->all_metric, it->all_cnode, it->first + t);

		if (!it->members[t])
			continue;
		if (dtype == FATHOM_CUBE_MINDOUBLE)
			expected = one < expected ? one : expected;
		else if (dtype == FATHOM_CUBE_MAXDOUBLE)
			expected = one > expected ? one : expected;
		else
			expected += is_count ? one != 0 : one;
	}
	if (got != expected)
		fail_msg("%s of cnode %u at column %u: %.17g, expected %.17g",
			 it->file->cube->metrics[it->metric].uniq_name, it->cnode, it->location, got, expected);
}

/* Where the call path of a file is in the other one: the regions have names of their own. */
static uint32_t *match_cnodes(const struct fathom_cube *cube, const struct fathom_cube *other)
{
	uint32_t *found = calloc(cube->cnode_count, sizeof(*found));

	assert_int_equal(cube->cnode_count, other->cnode_count);
	for (uint32_t c = 1; c < cube->cnode_count; c++) {
		const char *name = cube->regions[cube->cnodes[c].region].name;
		uint32_t above = found[cube->cnodes[c].parent], i = above + 1;

		while (i < other->cnode_count && ((uint32_t)other->cnodes[i].parent != above ||
						  strcmp(other->regions[other->cnodes[i].region].name, name)))
			i++;
		assert_true(i < other->cnode_count);
		found[c] = i;
	}
	return found;
}

static void compare_location(struct compared *it, const uint32_t *cnodes)
{
	const struct fathom_cube *cube = it->file->cube;
	struct fathom_cube_tuple *row = malloc(cube->location_count * sizeof(*row));
	double *numbers = malloc(cube->location_count * sizeof(*numbers));

	for (it->metric = 0; it->metric < cube->metric_count; it->metric++) {
		const char *name = cube->metrics[it->metric].uniq_name;

		it->all_metric = metric_of(&it->all->file, strcmp(name, "num_threads") ? name : "visits");
		for (it->cnode = 0; it->cnode < cube->cnode_count; it->cnode++) {
			it->all_cnode = cnodes[it->cnode];
			if (cube->metrics[it->metric].dtype == FATHOM_CUBE_TUPLE) {
				assert_int_equal(fathom_cube_reader_raw_row(it->file->reader, it->metric, it->cnode, row,
									    &error), 0);
				compare_tuple(it, &row[it->location]);
			}
			assert_int_equal(fathom_cube_reader_row(it->file->reader, it->metric, it->cnode, numbers,
								&error), 0);
			compare_number(it, numbers[it->location]);
		}
	}
	free(numbers);
	free(row);
}

/* All locations of all ranks; each thread is in one of them. */
static void compare_with_all(const struct table *all, const struct opened *file, uint32_t ranks)
{
	const struct fathom_cube *cube = file->cube;
	uint32_t *cnodes = match_cnodes(cube, all->file.cube);

	for (uint32_t r = 0; r < ranks; r++) {
		struct compared it = { .all = all, .file = file };
		uint32_t count, left, first = first_column(cube, r, &count);
		bool *members;

		it.first = first_column(all->file.cube, r, &it.threads);
		left = it.threads;
		members = calloc(it.threads, sizeof(*members));
		it.members = members;
		assert_true(count > 0);
		for (uint32_t l = 0; l < count; l++) {
			it.location = first + l;
			assert_int_equal(fathom_cube_location(cube, first + l).rank, l);
			left -= parse_threads(fathom_cube_location(cube, first + l).threads, members, it.threads);
			compare_location(&it, cnodes);
		}
		assert_int_equal(left, 0);
		free(members);
	}
	free(cnodes);
}

static double work_of(const struct table *all, uint32_t column)
{
	uint32_t metric = metric_of(&all->file, "comp");
	double work = 0;

	for (uint32_t c = 1; c < all->file.cube->cnode_count; c++)
		work += *cell(all, metric, c, column);
	return work;
}

static void check_key(const struct table *all, const struct opened *file, uint32_t rank)
{
	uint32_t threads, first = first_column(all->file.cube, rank, &threads);
	uint32_t count, column = first_column(file->cube, rank, &count), slowest = 1, fastest = 0;
	char text[16];

	assert_int_equal(count, threads < 4 ? threads : 4);
	if (threads < 3)
		return;
	for (uint32_t t = 1; t < threads; t++)
		if (work_of(all, first + t) > work_of(all, first + slowest))
			slowest = t;
	for (uint32_t t = 1; t < threads; t++)
		if (t != slowest && (!fastest || work_of(all, first + t) < work_of(all, first + fastest)))
			fastest = t;
	snprintf(text, sizeof(text), "%u", fastest);
	assert_string_equal(fathom_cube_location(file->cube, column + 1).threads, text);
	snprintf(text, sizeof(text), "%u", slowest);
	assert_string_equal(fathom_cube_location(file->cube, column + 2).threads, text);
}

static bool same_call_tree(const struct table *all, uint32_t a, uint32_t b)
{
	uint32_t visits = metric_of(&all->file, "visits");

	for (uint32_t c = 0; c < all->file.cube->cnode_count; c++)
		if (!*cell(all, visits, c, a) != !*cell(all, visits, c, b))
			return false;
	return true;
}

/* Two threads are in one group if and only if they came to the same call paths. */
static void check_groups(const struct table *all, const struct opened *file, uint32_t rank)
{
	uint32_t threads, first = first_column(all->file.cube, rank, &threads);
	uint32_t count, column = first_column(file->cube, rank, &count), next = 0;
	uint32_t *group = calloc(threads, sizeof(*group));
	bool *members = calloc(threads, sizeof(*members));

	for (uint32_t l = 0; l < count; l++) {
		char name[64];
		uint32_t size = parse_threads(fathom_cube_location(file->cube, column + l).threads, members, threads);

		snprintf(name, sizeof(name), "cluster %u (%u thread%s)", l, size, size == 1 ? "" : "s");
		assert_string_equal(fathom_cube_location(file->cube, column + l).name, name);
		for (uint32_t t = 0; t < threads; t++)
			if (members[t])
				group[t] = l;
	}
	for (uint32_t t = 0; t < threads; t++) {
		assert_true(group[t] <= next);	/* numbered by the lowest thread */
		next += group[t] == next;
		for (uint32_t s = 0; s < t; s++)
			assert_int_equal(group[s] == group[t], same_call_tree(all, first + s, first + t));
	}
	free(members);
	free(group);
}

static void compare_world(const struct made_world_kind *kind, bool is_checked)
{
	struct made_world *world = made_world_create(kind);
	struct opened file;
	struct table all;

	finish_world(world, FATHOM_THREADS_ALL);
	read_table(&all);
	for (uint32_t s = FATHOM_THREADS_SUM; s <= FATHOM_THREADS_CALLTREE; s++) {
		finish_world(world, (enum fathom_threads)s);
		open_file(&file, path);
		compare_with_all(&all, &file, kind->rank_count);
		for (uint32_t r = 0; r < kind->rank_count && s == FATHOM_THREADS_KEY; r++)
			check_key(&all, &file, r);
		for (uint32_t r = 0; r < kind->rank_count && s == FATHOM_THREADS_CALLTREE; r++)
			check_groups(&all, &file, r);
		fathom_cube_reader_close(file.reader);
		if (is_checked)
			check_oracle();
	}
	free_table(&all);
	made_world_destroy(world);
}

static void every_location_is_made_of_its_threads(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < 12; seed++) {
		const struct made_world_kind kind = {
			.rank_count = 1 + seed % 5,
			.most_threads = 1 + (uint32_t)seed * 2,
			.most_paths = seed % 3 == 0 ? 2 : 60,	/* few call paths: threads with the same ones */
			.host_count = 2,
			.seed = 77 + seed,
		};

		compare_world(&kind, false);
	}
}

static void the_independent_checker_agrees(void **state)
{
	const struct made_world_kind kind = {
		.rank_count = 5, .most_threads = 7, .most_paths = 80, .host_count = 3, .seed = 4711,
	};

	(void)state;
	compare_world(&kind, true);
}

/* --- several processes ------------------------------------------------------------------------------ */

/* As many times the worked example, and one thread more every third rank. */
static struct made_world *tell_several(uint32_t ranks)
{
	struct made_rank *told = calloc(ranks, sizeof(*told));

	for (uint32_t r = 0; r < ranks; r++) {
		struct made_world *one = tell(LINES(worked), r % 3 == 2 ? 3 : 4);

		told[r].thread_count = one->ranks[0].thread_count;
		told[r].threads = calloc(told[r].thread_count, sizeof(*told[r].threads));
		for (uint32_t t = 0; t < told[r].thread_count; t++) {
			struct made_thread *from = &one->ranks[0].threads[t], *to = &told[r].threads[t];

			to->count = from->count;
			to->paths = calloc(from->count, sizeof(*to->paths));
			memcpy(to->paths, from->paths, from->count * sizeof(*to->paths));
			for (uint32_t i = 1; i < to->count; i++)	/* back to own times */
				to->paths[to->paths[i].parent].inclusive_ticks -= from->paths[i].inclusive_ticks;
		}
		made_world_destroy(one);
	}
	return made_world_told(told, ranks);
}

/* Of a rank's location: where a process stands in the file is not decided by its rank. */
static uint32_t column(const struct opened *file, int64_t rank, int64_t location)
{
	for (uint32_t l = 0; l < file->cube->location_count; l++)
		if (file->cube->groups[fathom_cube_location(file->cube, l).group].rank == rank &&
		    fathom_cube_location(file->cube, l).rank == location)
			return l;
	fail_msg("rank %d has no location %d", (int)rank, (int)location);
	return 0;
}

static void ranks_that_were_told_otherwise_are_all_there(void **state)
{
	static const enum fathom_threads each[] = { FATHOM_THREADS_SUM, FATHOM_THREADS_SET, FATHOM_THREADS_KEY,
						    FATHOM_THREADS_CALLTREE, FATHOM_THREADS_ALL };
	struct made_world *world = tell_several(5);
	struct opened file;

	(void)state;
	strategy_of = each;
	finish_world(world, FATHOM_THREADS_ALL);
	strategy_of = NULL;
	made_world_destroy(world);
	open_file(&file, path);
	assert_string_equal(fathom_cube_attribute(file.cube, "fathom::threads"), "mixed");
	/* 1 + 1 + 3 + 3 + 4; the third rank has three threads. */
	assert_int_equal(file.cube->location_count, 12);
	assert_true(value(&file, "time", "main/parallel/loop", column(&file, 0, 0)) == 32);
	assert_true(value(&file, "num_threads", "main/parallel/loop", column(&file, 0, 0)) == 4);
	assert_true(value(&file, "time", "main/parallel/loop", column(&file, 1, 0)) == 32);	/* the statistics' sum */
	assert_true(value(&file, "num_threads", "main/parallel/extra", column(&file, 1, 0)) == 1);
	assert_true(value(&file, "time", "main/parallel/loop", column(&file, 2, 0)) == 10);
	assert_true(value(&file, "time", "main/parallel/loop", column(&file, 3, 1)) == 11);
	assert_true(value(&file, "time", "main/parallel/loop", column(&file, 4, 3)) == 11);
	fathom_cube_reader_close(file.reader);
}

static void rank_path(char *text, size_t bytes, uint32_t rank)
{
	snprintf(text, bytes, "%s/rank-%u.cubex", dir, rank);
}

/* What the ranks leave alone is what they leave together, once it is merged. */
static void ranks_alone_can_be_merged(void **state)
{
	const struct made_world_kind kind = {
		.rank_count = 4, .most_threads = 9, .most_paths = 30, .host_count = 2, .seed = 17,
	};
	struct made_world *world = made_world_create(&kind);
	const char *build = getenv("builddir");
	char command[1024], each[96];
	struct opened file;
	struct table all;

	(void)state;
	snprintf(command, sizeof(command), "%s/fathom-merge", build ? build : ".");
	if (access(command, X_OK)) {
		print_message("skipped: %s is not there\n", command);
		made_world_destroy(world);
		skip();
	}
	finish_world(world, FATHOM_THREADS_ALL);
	read_table(&all);
	snprintf(command, sizeof(command), "'%s/fathom-merge' %s > /dev/null", build ? build : ".", dir);
	for (uint32_t s = FATHOM_THREADS_SUM; s <= FATHOM_THREADS_CALLTREE; s++) {
		strategy = (enum fathom_threads)s;
		for (uint32_t r = 0; r < kind.rank_count; r++) {
			rank_path(each, sizeof(each), r);
			unlink(each);
			assert_int_equal(finish(fathom_comm_serial(), &world->ranks[r], (int)r, (int)kind.rank_count, each), 0);
		}
		unlink(path);
		assert_int_equal(system(command), 0);
		open_file(&file, path);
		compare_with_all(&all, &file, kind.rank_count);
		fathom_cube_reader_close(file.reader);
		check_oracle();
	}
	/* One that put its threads together in another way does not fit. */
	strategy = FATHOM_THREADS_SUM;
	unlink(each);
	assert_int_equal(finish(fathom_comm_serial(), &world->ranks[3], 3, 4, each), 0);
	unlink(path);
	snprintf(command, sizeof(command), "'%s/fathom-merge' %s 2>&1 | grep -q "
		 "'rank-3.cubex: its threads are put together by FATHOM_THREADS=sum, those of the ranks before by calltree'",
		 build ? build : ".", dir);
	assert_int_equal(system(command), 0);
	assert_int_not_equal(access(path, F_OK), 0);
	for (uint32_t r = 0; r < kind.rank_count; r++) {
		rank_path(each, sizeof(each), r);
		unlink(each);
	}
	free_table(&all);
	made_world_destroy(world);
}

/* --- a rank without memory ------------------------------------------------------------------------- */

static int poor_rank;
static int poor_after;			/* it gets memory so many times */
static bool was_poor;
static _Thread_local bool is_poor;
static _Thread_local int taken;

void *__real_fathom_arena_alloc(struct fathom_arena *arena, size_t bytes);
void *__wrap_fathom_arena_alloc(struct fathom_arena *arena, size_t bytes);
void *__wrap_fathom_arena_alloc(struct fathom_arena *arena, size_t bytes)
{
	if (is_poor && taken++ >= poor_after) {
		was_poor = true;
		return NULL;
	}
	return __real_fathom_arena_alloc(arena, bytes);
}

static int finish_poor_rank(struct fathom_comm *comm, void *argument)
{
	int err;

	is_poor = comm->rank == poor_rank;
	taken = 0;
	err = finish(comm, argument, comm->rank, comm->size, path);
	is_poor = false;
	return err;
}

/* It may happen anywhere: nobody hangs, everybody whom it concerns is told, and no half a profile is left. */
static void a_rank_without_memory_leaves_nobody_waiting(void **state)
{
	struct made_world *world = tell_several(4);
	void *arguments[4];
	int results[4];

	(void)state;
	for (uint32_t r = 0; r < 4; r++)
		arguments[r] = &world->ranks[r];
	for (uint32_t s = FATHOM_THREADS_ALL; s <= FATHOM_THREADS_CALLTREE; s++)
		for (poor_rank = 0; poor_rank < 4; poor_rank++) {
			strategy = (enum fathom_threads)s;
			was_poor = true;
			for (poor_after = 0; was_poor; poor_after++) {
				was_poor = false;
				unlink(path);
				simulated_run(4, finish_poor_rank, arguments, results);
				assert_false(simulated_mismatches);
				for (int r = 0; r < 4; r++)
					assert_true(results[r] == 0 || results[r] == -ENOMEM);
				assert_int_equal(results[poor_rank], was_poor ? -ENOMEM : 0);
				assert_int_equal(results[0], was_poor ? -ENOMEM : 0);
				assert_int_equal(access(path, F_OK), was_poor ? -1 : 0);
			}
			assert_true(poor_after > 20);
		}
	made_world_destroy(world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_location_is_made_of_its_threads),
		cmocka_unit_test(the_independent_checker_agrees),
		cmocka_unit_test(ranks_that_were_told_otherwise_are_all_there),
		cmocka_unit_test(ranks_alone_can_be_merged),
		cmocka_unit_test(a_rank_without_memory_leaves_nobody_waiting),
	};

	fathom_log_set_level(FATHOM_LOG_ERROR);		/* what was truncated in made-up runs is no news */
	alarm(300);	/* a rank that waits for ever */
	return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
