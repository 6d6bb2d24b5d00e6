#include "aggregate_world.h"

#include <float.h>
#include <math.h>
#include <unistd.h>

#include "unit_test.h"
#include "profile/recording/callpath.h"
#include "profile/result/result_file.h"
#include "profile/unification/unification.h"
#include "simulated_comm.h"

char dir[] = "/tmp/fathom-test.XXXXXX";
char path[80];

/* --- running ------------------------------------------------------------------------------------ */

const enum fathom_threads *strategy_of;		/* by rank; NULL: strategy for all */
enum fathom_threads strategy;
static _Thread_local int own_rank;

/* In place of the setting, which all ranks of this program would share. */
enum fathom_threads __wrap_fathom_aggregate_chosen(void);
enum fathom_threads __wrap_fathom_aggregate_chosen(void)
{
	return strategy_of ? strategy_of[own_rank] : strategy;
}

int finish(struct fathom_comm *comm, struct made_rank *rank, int number, int size, const char *to)
{
	struct fathom_result result = {
		.path = to,
		.program = "/bin/made",
		.arguments = "made",
		.host = rank->host,
		.incomplete = comm->size < size ? "it was told to" : NULL,
		.begin_text = "2026-11-20T14:32:07Z",
		.rank = number,
		.world_size = size,
		.parallel = true,
		.may_allocate = 1,
		.resolve = made_region_resolve,
	};
	struct fathom_union u;
	int err;

	own_rank = number;
	err = fathom_union_reduce(&u, comm, &rank->snapshot,
				  &(struct fathom_usage){ .wall_units = rank->wall_units });
	if (!err)
		err = fathom_result_write(&u, &rank->snapshot, comm, &result);
	fathom_union_fini(&u);
	return err;
}

static int finish_rank(struct fathom_comm *comm, void *argument)
{
	return finish(comm, argument, comm->rank, comm->size, path);
}

void finish_world(const struct made_world *world, enum fathom_threads threads)
{
	void *arguments[16];
	int results[16];

	strategy = threads;
	unlink(path);
	for (uint32_t r = 0; r < world->rank_count; r++)
		arguments[r] = &world->ranks[r];
	simulated_run((int)world->rank_count, finish_rank, arguments, results);
	for (uint32_t r = 0; r < world->rank_count; r++)
		assert_int_equal(results[r], 0);
	assert_false(simulated_mismatches);
}

/* --- reading ------------------------------------------------------------------------------------- */

struct fathom_cube_error error;

void open_file(struct opened *file, const char *name)
{
	if (fathom_cube_reader_open(&file->reader, name, &error))
		fail_msg("%s", error.text);
	file->cube = fathom_cube_reader_cube(file->reader);
}

static bool ends_with_region(const struct fathom_cube *cube, int32_t cnode, const char *text, size_t length)
{
	const char *name = cube->regions[cube->cnodes[cnode].region].name;

	return strlen(name) == length && !strncmp(name, text, length);
}

/* The cnode of "main/parallel/loop", below the program. */
static uint32_t cnode_of(const struct fathom_cube *cube, const char *names)
{
	for (uint32_t c = 1; c < cube->cnode_count; c++) {
		const char *end = names + strlen(names);
		int32_t at = (int32_t)c;

		while (at > 0) {
			const char *begin = end;

			while (begin > names && begin[-1] != '/')
				begin--;
			if (!ends_with_region(cube, at, begin, (size_t)(end - begin)))
				break;
			at = cube->cnodes[at].parent;
			end = begin - (begin > names);
			if (begin == names)
				break;
		}
		if (at == 0 && end == names)
			return c;
	}
	fail_msg("no call path %s", names);
	return 0;
}

uint32_t metric_of(const struct opened *file, const char *name)
{
	int32_t metric = fathom_cube_metric_by_name(file->cube, name);

	if (metric < 0)
		fail_msg("no metric %s", name);
	return (uint32_t)metric;
}

double value(const struct opened *file, const char *metric, const char *names, uint32_t location)
{
	double row[256];

	assert_true(location < file->cube->location_count && file->cube->location_count <= 256);
	assert_int_equal(fathom_cube_reader_row(file->reader, metric_of(file, metric), cnode_of(file->cube, names), row,
						&error), 0);
	return row[location];
}

struct fathom_cube_tuple tuple(const struct opened *file, const char *metric, const char *names)
{
	struct fathom_cube_tuple row[16];
	uint32_t m = metric_of(file, metric);

	assert_int_equal(file->cube->metrics[m].dtype, FATHOM_CUBE_TUPLE);
	assert_int_equal(file->cube->location_count, 1);
	assert_int_equal(fathom_cube_reader_raw_row(file->reader, m, cnode_of(file->cube, names), row, &error), 0);
	return row[0];
}

void assert_near(double got, double expected, double slack)
{
	if (!(fabs(got - expected) <= slack))
		fail_msg("%.17g, expected %.17g", got, expected);
}

void check_oracle(void)
{
	const char *source = getenv("srcdir"), *python = getenv("PYTHON3");
	char checker[1024], command[2048];

	snprintf(checker, sizeof(checker), "%s/../shared/oracle/check_cubex.py", source ? source : ".");
	if (access(checker, R_OK))
		return;
	/* S06 wants the neutral value of a maximum where nothing was visited; we write 0, as cube_sanity wants it. */
	snprintf(command, sizeof(command), "%s %s --ignore S06 %s > %s/checked 2>&1 || { cat %s/checked >&2; false; }",
		 python && *python ? python : "python3", checker, path, dir, dir);
	assert_int_equal(system(command), 0);
}

/* --- worlds that are told ------------------------------------------------------------------------- */

struct made_world *tell(const struct line *lines, uint32_t count, uint32_t threads)
{
	struct made_rank *rank = calloc(1, sizeof(*rank));

	rank->thread_count = threads;
	rank->threads = calloc(threads, sizeof(*rank->threads));
	for (uint32_t t = 0; t < threads; t++) {
		struct made_thread *thread = &rank->threads[t];

		thread->count = count + 1;
		thread->paths = calloc(count + 1, sizeof(*thread->paths));
		thread->paths[0].visits = t == 0;
		for (uint32_t i = 0; i < count; i++) {
			struct made_path *to = &thread->paths[i + 1];

			to->parent = lines[i].parent;
			to->region = made_region(lines[i].region);
			if (lines[i].seconds[t] < 0)
				continue;
			to->visits = lines[i].visits[t] ? lines[i].visits[t] : 1;
			if (to->visits == NO_VISIT)
				to->visits = 0;
			to->inclusive_ticks = (uint64_t)(lines[i].seconds[t] * SECOND);
		}
	}
	return made_world_told(rank, 1);
}

void tell_and_open(struct opened *file, const struct line *lines, uint32_t count, uint32_t threads,
			  enum fathom_threads how)
{
	struct made_world *world = tell(lines, count, threads);

	finish_world(world, how);
	made_world_destroy(world);
	open_file(file, path);
}

const struct line worked[] = {
	{ "main", 0, { 5, NEVER, NEVER, NEVER }, { 0 } },
	{ "init", 1, { 3, NEVER, NEVER, NEVER }, { 0 } },
	{ "parallel", 1, { .5, .5, .5, .5 }, { 0 } },
	{ "loop", 3, { 10, 4, 7, 11 }, { 0 } },
	{ "extra", 3, { NEVER, NEVER, NEVER, 1 }, { 0 } },
	{ "barrier", 3, { 2, 8, 5, 0 }, { 0 } },
};

int make_dir(void **state)
{
	(void)state;
	if (!mkdtemp(dir))
		return -1;
	snprintf(path, sizeof(path), "%s/profile.cubex", dir);
	return fathom_callpath_init(1000);
}

int remove_dir(void **state)
{
	char checked[sizeof(path)];

	(void)state;
	unlink(path);
	snprintf(checked, sizeof(checked), "%s/checked", dir);
	unlink(checked);
	return rmdir(dir);
}
