/*
 * Processes that never ran put their measurements together over simulated ranks; then every value in
 * the file is compared with what the process had.
 */
#include "unit_test.h"

#include <errno.h>
#include <float.h>
#include <unistd.h>

#include "cube/reader/reader.h"
#include "event/teams/idle_clock.h"
#include "made_ranks.h"
#include "platform/log.h"
#include "profile/result/result_file.h"
#include "profile/unification/unification.h"
#include "profile/result/value_collection.h"
#include "simulated_comm.h"

static char dir[] = "/tmp/fathom-test.XXXXXX";
static char path[64];

/* --- files that fail --------------------------------------------------------------------------- */

/* What goes wrong with the files of the writers, at which rank; err 0: nothing. Rank 0 has no such file. */
static struct {
	enum { AT_OPEN, AT_WRITE, AT_CLOSE } when;
	int rank;
	int err;
	int failures;		/* so many there were */
	int opened;
} fault;

/* The file of a rank: the plain one, and who it is. */
struct faulty {
	struct fathom_comm_file *plain;
	int rank;
};

static int fails(int when, int rank)
{
	if (!fault.err || when != (int)fault.when || rank != fault.rank)
		return 0;
	__atomic_add_fetch(&fault.failures, 1, __ATOMIC_RELAXED);
	return fault.err;
}

static int faulty_open(struct fathom_comm *comm, const char *name, struct fathom_comm_file **result)
{
	struct faulty *file = calloc(1, sizeof(*file));
	int err = fails(AT_OPEN, comm->rank);

	__atomic_add_fetch(&fault.opened, 1, __ATOMIC_RELAXED);
	file->rank = comm->rank;
	if (!err)
		err = fathom_comm_plain_open(comm, name, &file->plain);
	if (err)
		free(file);
	else
		*result = (struct fathom_comm_file *)file;
	return err;
}

static int faulty_write(struct fathom_comm_file *handle, const void *data, size_t bytes, uint64_t place)
{
	struct faulty *file = (struct faulty *)handle;
	int err = fails(AT_WRITE, file->rank);

	return err ? err : fathom_comm_plain_write(file->plain, data, bytes, place);
}

static int faulty_close(struct fathom_comm_file *handle)
{
	struct faulty *file = (struct faulty *)handle;
	int err = fails(AT_CLOSE, file->rank), plain = fathom_comm_plain_close(file->plain);

	free(file);
	return err ? err : plain;
}

/* --- what a rank does --------------------------------------------------------------------------- */

static int finish_rank(struct fathom_comm *comm, void *argument)
{
	struct made_rank *rank = argument;
	struct fathom_result result = {
		.path = path,
		.program = "/bin/made",
		.arguments = "made <up> \"&\" so on",
		.host = rank->host,
		.begin_text = "2026-11-20T14:32:07Z",
		.begin_seconds = 1795185127,
		.rank = comm->rank,
		.world_size = comm->size,
		.may_allocate = 1,
		.resolve = made_region_resolve,
	};
	struct fathom_union u;
	int err;

	comm->file_open = faulty_open;
	comm->file_write = faulty_write;
	comm->file_close = faulty_close;
	err = fathom_union_reduce(&u, comm, &rank->snapshot,
				  &(struct fathom_usage){ .wall_units = rank->wall_units });

	if (!err)
		err = fathom_result_write(&u, &rank->snapshot, comm, &result);
	fathom_union_fini(&u);
	return err;
}

static void finish_world(struct made_world *world, int expected)
{
	void *arguments[32];
	int results[32];

	for (uint32_t r = 0; r < world->rank_count; r++)
		arguments[r] = &world->ranks[r];
	simulated_run((int)world->rank_count, finish_rank, arguments, results);
	for (uint32_t r = 0; r < world->rank_count; r++)
		assert_int_equal(results[r], expected);
	assert_false(simulated_mismatches);
}

/* --- what the file must say ------------------------------------------------------------------ */

struct opened {
	struct fathom_cube_reader *reader;
	const struct fathom_cube *cube;
	struct fathom_cube_error error;
	uint32_t *region;	/* by region of the cube: the made one; UINT32_MAX: the program */
};

static void open_result(struct opened *file)
{
	if (fathom_cube_reader_open(&file->reader, path, &file->error))
		fail_msg("%s", file->error.text);
	file->cube = fathom_cube_reader_cube(file->reader);
	file->region = calloc(file->cube->region_count, sizeof(*file->region));
	for (uint32_t i = 0; i < file->cube->region_count; i++) {
		file->region[i] = UINT32_MAX;
		for (uint32_t r = 0; r < made_region_count(); r++)
			if (!strcmp(file->cube->regions[i].name, made_region_name(r)))
				file->region[i] = r;
		if (file->region[i] == UINT32_MAX)
			assert_string_equal(file->cube->regions[i].name, "made");
	}
}

static void close_result(struct opened *file)
{
	fathom_cube_reader_close(file->reader);
	free(file->region);
}

static uint64_t floor_units(struct fathom_tick_scale scale, uint64_t ticks)
{
	return (uint64_t)((unsigned __int128)ticks * scale.units_per_tick_q32 / ((unsigned __int128)1 << 32));
}

/* The exclusive times of a thread's call paths, in seconds, from the definition. */
static double *exclusive_seconds(const struct made_thread *thread, struct fathom_tick_scale scale)
{
	double *seconds = calloc(thread->count, sizeof(*seconds));
	uint64_t *units = calloc(thread->count, sizeof(*units));

	for (uint32_t i = 0; i < thread->count; i++) {
		uint64_t inclusive = floor_units(scale, thread->paths[i].inclusive_ticks);

		units[i] += inclusive;
		if (i)
			units[thread->paths[i].parent] -= inclusive;
	}
	for (uint32_t i = 0; i < thread->count; i++)
		seconds[i] = thread->paths[i].visits ? (double)units[i] / 4294967296.0 : 0;
	free(units);
	return seconds;
}

/* The call path of a thread that each cnode is; UINT32_MAX: it was not there. */
static uint32_t *find_paths(const struct opened *file, const struct made_thread *thread)
{
	const struct fathom_cube *cube = file->cube;
	uint32_t *found = malloc(cube->cnode_count * sizeof(*found)), matched = 1;
	uint32_t *first = malloc(thread->count * sizeof(*first)), *next = malloc(thread->count * sizeof(*next));

	/* Lists of the children, so that deep trees do not take for ever. */
	memset(first, 0xff, thread->count * sizeof(*first));
	for (uint32_t i = thread->count; i-- > 1;) {
		next[i] = first[thread->paths[i].parent];
		first[thread->paths[i].parent] = i;
	}
	found[0] = 0;
	assert_int_equal(cube->cnodes[0].parent, -1);
	for (uint32_t c = 1; c < cube->cnode_count; c++) {
		uint32_t above = found[cube->cnodes[c].parent], i = UINT32_MAX;

		if (above != UINT32_MAX)
			for (i = first[above]; i != UINT32_MAX; i = next[i])
				if (thread->paths[i].region == file->region[cube->cnodes[c].region])
					break;
		found[c] = i;
		matched += i != UINT32_MAX;
	}
	assert_int_equal(matched, thread->count);	/* none is missing, none there twice */
	free(first);
	free(next);
	return found;
}

static const char *const counter_names[FATHOM_COUNTER_COUNT] = {
	"bytes_sent", "bytes_received", "messages_sent", "messages_received",
	"bytes_put", "bytes_get", "io_bytes_read", "io_bytes_written", "task_switches", "task_migrations",
	"lock_wait", "lock_blame", "condition_wait", "condition_blame",
	"task_wait", "p_all_thread_idleness",
};

/* What the file has of a counter: a number, or seconds. */
static double counted(const struct made_path *at, int counter, struct fathom_tick_scale scale)
{
	if (!at->has_counters)
		return 0;
	if (counter < FATHOM_COUNTER_FIRST_TIME)
		return (double)at->counters[counter];
	return (double)floor_units(scale, at->counters[counter] >> (counter == FATHOM_COUNTER_IDLE_BLAME ?
								     FATHOM_IDLE_SHIFT : 0)) / 4294967296.0;
}

/* What a metric's stored value is on a call path of a thread. */
static double expected_value(const struct fathom_cube_metric *metric, const struct made_path *at, bool is_root,
			     double seconds, struct fathom_tick_scale scale)
{
	char word[64];

	if (!strcmp(metric->uniq_name, "visits"))
		return (double)at->visits;
	if (!strcmp(metric->uniq_name, "time"))
		return seconds;
	if (!strcmp(metric->uniq_name, "min_time"))
		return at->visits ? (double)floor_units(scale, at->min_ticks) / 4294967296.0 : DBL_MAX;
	if (!strcmp(metric->uniq_name, "max_time")) {
		unsigned __int128 exact = (unsigned __int128)at->max_ticks * scale.units_per_tick_q32;

		return at->visits ? (double)(uint64_t)((exact + 0xffffffffu) >> 32) / 4294967296.0 : -DBL_MAX;
	}
	for (int c = 0; c < FATHOM_COUNTER_COUNT; c++)
		if (!strcmp(metric->uniq_name, counter_names[c]))
			return counted(at, c, scale);
	snprintf(word, sizeof(word), " %s ", metric->uniq_name);
	return strstr(is_root ? " execution comp " : made_region_metrics(at->region), word) ? seconds : 0;
}

static double neutral_value(const struct fathom_cube_metric *metric)
{
	return metric->dtype == FATHOM_CUBE_MINDOUBLE ? DBL_MAX : metric->dtype == FATHOM_CUBE_MAXDOUBLE ? -DBL_MAX : 0;
}

/* The column of a thread, by what the file says of its process. */
static uint32_t column_of(const struct fathom_cube *cube, const struct made_world *world, uint32_t rank,
			  uint32_t thread)
{
	for (uint32_t l = 0; l < cube->location_count; l++) {
		const struct fathom_cube_group *group = &cube->groups[fathom_cube_location(cube, l).group];
		char node[64];

		if (group->rank != rank || fathom_cube_location(cube, l).rank != thread)
			continue;
		snprintf(node, sizeof(node), "node %s", world->ranks[rank].host);
		assert_string_equal(cube->nodes[group->node].name, node);
		return l;
	}
	fail_msg("rank %u, thread %u is not in the file", rank, thread);
	return 0;
}

struct column {			/* of a thread, while rows are compared */
	const struct made_thread *thread;
	uint32_t *found;
	double *seconds;
};

static void compare_row(const struct opened *file, uint32_t metric, uint32_t cnode, const struct column *columns,
			double *row, struct fathom_tick_scale scale)
{
	const struct fathom_cube_metric *what = &file->cube->metrics[metric];
	struct fathom_cube_error error;

	if (fathom_cube_reader_row(file->reader, metric, cnode, row, &error))
		fail_msg("%s", error.text);
	for (uint32_t l = 0; l < file->cube->location_count; l++) {
		uint32_t i = columns[l].found[cnode];
		double expected = neutral_value(what);

		if (i != UINT32_MAX)
			expected = expected_value(what, &columns[l].thread->paths[i], i == 0, columns[l].seconds[i],
						  scale);
		if (row[l] != expected)
			fail_msg("%s of cnode %u at column %u: %.17g, expected %.17g", what->uniq_name, cnode, l,
				 row[l], expected);
	}
}

static void compare_values(const struct opened *file, const struct made_world *world)
{
	const struct fathom_cube *cube = file->cube;
	struct column *columns = calloc(cube->location_count, sizeof(*columns));
	double *row = malloc(cube->location_count * sizeof(*row));
	bool *is_somebodys = calloc(cube->cnode_count, sizeof(*is_somebodys));

	for (uint32_t r = 0; r < world->rank_count; r++)
		for (uint32_t t = 0; t < world->ranks[r].thread_count; t++) {
			struct column *column = &columns[column_of(cube, world, r, t)];

			assert_null(column->thread);
			column->thread = &world->ranks[r].threads[t];
			column->found = find_paths(file, column->thread);
			column->seconds = exclusive_seconds(column->thread, world->scale);
			for (uint32_t c = 0; c < cube->cnode_count; c++)
				is_somebodys[c] |= column->found[c] != UINT32_MAX;
		}
	for (uint32_t l = 0; l < cube->location_count; l++)
		assert_non_null(columns[l].thread);
	for (uint32_t c = 0; c < cube->cnode_count; c++)
		assert_true(is_somebodys[c]);
	for (uint32_t m = 0; m < cube->metric_count; m++)
		for (uint32_t c = 0; c < cube->cnode_count; c++)
			compare_row(file, m, c, columns, row, world->scale);
	for (uint32_t l = 0; l < cube->location_count; l++) {
		free(columns[l].found);
		free(columns[l].seconds);
	}
	free(columns);
	free(row);
	free(is_somebodys);
}

/* No counter may be left out that somebody has, nor an activity in which somebody spent time. */
static void compare_metrics(const struct opened *file, const struct made_world *world)
{
	for (uint32_t r = 0; r < world->rank_count; r++)
		for (uint32_t t = 0; t < world->ranks[r].thread_count; t++)
			for (uint32_t i = 1; i < world->ranks[r].threads[t].count; i++) {
				const struct made_path *at = &world->ranks[r].threads[t].paths[i];
				char words[128], *rest = words;

				for (int c = 0; at->has_counters && c < FATHOM_COUNTER_COUNT; c++)
					assert_true(!at->counters[c] ||
						    fathom_cube_metric_by_name(file->cube, counter_names[c]) >= 0);
				if (!at->visits)
					continue;
				snprintf(words, sizeof(words), "%s", made_region_metrics(at->region));
				for (char *word = strtok_r(rest, " ", &rest); word; word = strtok_r(rest, " ", &rest))
					assert_true(fathom_cube_metric_by_name(file->cube, word) >= 0);
			}
}

static void compare_totals(const struct opened *file, const struct made_world *world)
{
	uint64_t events = 0, dropped = 0, wall = 0;
	double seconds;

	for (uint32_t r = 0; r < world->rank_count; r++) {
		events += world->ranks[r].snapshot.totals.events;
		dropped += world->ranks[r].snapshot.totals.dropped[FATHOM_DROP_NODES];
		if (world->ranks[r].wall_units > wall)
			wall = world->ranks[r].wall_units;
	}
	assert_int_equal(strtoull(fathom_cube_attribute(file->cube, "fathom::events"), NULL, 10), events);
	assert_int_equal(strtoull(fathom_cube_attribute(file->cube, "fathom::dropped_nodes"), NULL, 10), dropped);
	seconds = strtod(fathom_cube_attribute(file->cube, "fathom::wall_time"), NULL) - (double)wall / 4294967296.0;
	assert_true(seconds <= 0.0005 && seconds >= -0.0005);
	assert_string_equal(fathom_cube_attribute(file->cube, "fathom::arguments"), "made <up> \"&\" so on");
	assert_string_equal(fathom_cube_attribute(file->cube, "fathom::complete"), "yes");
	assert_int_equal(file->cube->group_count, world->rank_count);
}

static uint32_t locations_of(const struct fathom_cube *cube, uint32_t group)
{
	uint32_t count = 0;

	for (uint32_t l = 0; l < cube->location_count; l++)
		count += fathom_cube_location(cube, l).group == (int32_t)group;
	return count;
}

/* The processes of a host stand together; those that have the same locations in the order of their ranks. */
static void compare_system(const struct opened *file)
{
	const struct fathom_cube *cube = file->cube;

	for (uint32_t g = 1; g < cube->group_count; g++) {
		assert_true(cube->groups[g].node >= cube->groups[g - 1].node);
		if (cube->groups[g].node == cube->groups[g - 1].node && locations_of(cube, g) == locations_of(cube, g - 1))
			assert_true(cube->groups[g].rank > cube->groups[g - 1].rank);
	}
}

static void run_world(const struct made_world_kind *kind, uint32_t ranks_per_writer)
{
	struct made_world *world = made_world_create(kind);
	struct opened file;

	fathom_collect_choose(ranks_per_writer);
	fault.opened = 0;
	finish_world(world, 0);
	assert_int_equal(fault.opened, (kind->rank_count - 1) / ranks_per_writer);
	open_result(&file);
	compare_totals(&file, world);
	compare_system(&file);
	compare_metrics(&file, world);
	compare_values(&file, world);
	close_result(&file);
	made_world_destroy(world);
}

/* --- tests ----------------------------------------------------------------------------------- */

static void every_value_of_every_rank_is_in_the_file(void **state)
{
	const uint32_t sizes[] = { 1, 2, 3, 5, 8, 17 }, per_writer[] = { 1, 2, 3, 64 };

	(void)state;
	for (uint64_t seed = 0; seed < 6; seed++)
		for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
			struct made_world_kind kind = {
				.rank_count = sizes[i],
				.most_threads = 1 + (uint32_t)seed,
				.most_paths = seed % 2 ? 20 : 200,
				.host_count = 1 + (uint32_t)seed,
				.seed = 100 * seed + sizes[i],
			};

			unlink(path);
			run_world(&kind, per_writer[(seed + i) % 4]);
		}
}

static void ranks_that_did_nothing_have_columns_too(void **state)
{
	const struct made_world_kind kind = { .rank_count = 5, .most_threads = 2, .most_paths = 0, .host_count = 2 };

	(void)state;
	unlink(path);
	run_world(&kind, 2);
}

static void deep_trees_are_put_together(void **state)
{
	const struct made_world_kind kind = {
		.rank_count = 3, .most_threads = 1, .most_paths = 20000, .host_count = 1, .is_deep = true, .seed = 9,
	};

	(void)state;
	unlink(path);
	run_world(&kind, 2);
}

/* As many columns and call paths as make many pieces of what a writer takes in at a time (collect.h):
 * one thread of each rank has nearly all the call paths, the others make the columns. */
static void trees_larger_than_a_piece_are_whole(void **state)
{
	const struct made_world_kind kind = {
		.rank_count = 4, .most_threads = 300, .most_paths = 1, .first_paths = 300, .host_count = 2,
		.is_full = true, .seed = 10,
	};
	struct made_world *world = made_world_create(&kind);
	struct opened file;

	(void)state;
	unlink(path);
	fathom_collect_choose(3);
	finish_world(world, 0);
	open_result(&file);
	/* 12 values of 8 bytes each: more than two times 32 MiB. */
	assert_true((uint64_t)file.cube->cnode_count * file.cube->location_count * 96 > (uint64_t)64 << 20);
	compare_values(&file, world);
	close_result(&file);
	unlink(path);
	made_world_destroy(world);
}

static void nobody_hangs_when_the_file_cannot_be_written(void **state)
{
	const struct made_world_kind kind = { .rank_count = 8, .most_threads = 2, .most_paths = 50, .host_count = 2 };
	struct made_world *world = made_world_create(&kind);
	char kept[sizeof(path)];

	(void)state;
	memcpy(kept, path, sizeof(path));
	snprintf(path, sizeof(path), "%s/not/there.cubex", dir);
	finish_world(world, -ENOENT);
	memcpy(path, kept, sizeof(path));
	made_world_destroy(world);
}

/* More than a buffer of what goes to rank 0, from each. */
static const struct made_world_kind for_faults = {
	.rank_count = 8, .most_threads = 40, .most_paths = 30, .first_paths = 200, .host_count = 3, .is_full = true, .seed = 5,
};

static void rank_0_writes_for_all_where_a_writer_cannot(void **state)
{
	(void)state;
	for (int when = AT_OPEN; when <= AT_CLOSE; when++) {
		unlink(path);
		fault.when = when;
		fault.rank = 4;
		fault.err = when == AT_OPEN ? -ENOENT : -EIO;
		fault.failures = 0;
		run_world(&for_faults, when == AT_OPEN ? 1 : 2);
		assert_int_equal(fault.failures, 1);
		fault.err = 0;
	}
}

static void no_room_at_one_rank_is_no_file_at_all(void **state)
{
	struct made_world *world = made_world_create(&for_faults);
	char part[sizeof(path) + 8];

	(void)state;
	snprintf(part, sizeof(part), "%s.part", path);
	for (int when = AT_WRITE; when <= AT_CLOSE; when++) {
		unlink(path);
		fathom_collect_choose(3);
		fault.when = when;
		fault.rank = 6;
		fault.err = -ENOSPC;
		finish_world(world, -ENOSPC);
		fault.err = 0;
		assert_int_equal(access(path, F_OK), -1);
		assert_int_equal(access(part, F_OK), -1);
	}
	made_world_destroy(world);
}

static void the_independent_checker_agrees(void **state)
{
	const struct made_world_kind kind = {
		.rank_count = 8, .most_threads = 3, .most_paths = 120, .host_count = 3, .seed = 4711,
	};
	const char *source = getenv("srcdir"), *python = getenv("PYTHON3");
	char checker[1024], command[2048];

	(void)state;
	snprintf(checker, sizeof(checker), "%s/../shared/oracle/check_cubex.py", source ? source : ".");
	if (access(checker, R_OK)) {
		print_message("skipped: %s is not there\n", checker);
		skip();
	}
	unlink(path);
	run_world(&kind, 2);
	/* Its rule S06 wants a neutral max_time where there were no visits, cube_sanity wants 0. */
	snprintf(command, sizeof(command), "%s %s --ignore S06 %s > %s/checked 2>&1 || { cat %s/checked >&2; false; }",
		 python && *python ? python : "python3", checker, path, dir, dir);
	assert_int_equal(system(command), 0);
}

static int make_dir(void **state)
{
	(void)state;
	if (!mkdtemp(dir))
		return -1;
	snprintf(path, sizeof(path), "%s/profile.cubex", dir);
	return 0;
}

static int remove_dir(void **state)
{
	char checked[sizeof(path)];

	(void)state;
	unlink(path);
	snprintf(checked, sizeof(checked), "%s/checked", dir);
	unlink(checked);
	return rmdir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_value_of_every_rank_is_in_the_file),
		cmocka_unit_test(ranks_that_did_nothing_have_columns_too),
		cmocka_unit_test(deep_trees_are_put_together),
		cmocka_unit_test(trees_larger_than_a_piece_are_whole),
		cmocka_unit_test(nobody_hangs_when_the_file_cannot_be_written),
		cmocka_unit_test(rank_0_writes_for_all_where_a_writer_cannot),
		cmocka_unit_test(no_room_at_one_rank_is_no_file_at_all),
		cmocka_unit_test(the_independent_checker_agrees),
	};

	fathom_log_set_level(FATHOM_LOG_ERROR);		/* what was truncated in made-up runs is no news */
	alarm(300);	/* a rank that waits for ever */
	return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
