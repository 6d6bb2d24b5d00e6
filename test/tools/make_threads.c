/*
 * make_threads: makes profiles of a process with four threads, as they are and aggregated.
 *
 *   make_threads example STRATEGY FILE	unequal work in a parallel region, with known answers
 *   make_threads tasks STRATEGY FILE	small tasks, locks, a nested region
 *   make_threads alone STRATEGY FILE	a team of one thread
 *   make_threads late STRATEGY FILE	a team that is idle after main
 *
 * STRATEGY: all, sum, set, key, calltree. The aggregation is done here once more, from the table of what each thread
 * did, so that what the report makes of it can be told beforehand. Times are whole multiples of 2^-10 s.
 */
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cube/writer/writer.h"

enum { THREADS = 4, UNIT = 1024, ROOM = 32 };
enum { VISITS, TIME, LEAST, MOST, NUM_THREADS, METRICS };

struct line {
	int depth;
	const char *name, *paradigm, *role;
	int line;
	unsigned visits[THREADS];
	unsigned units[THREADS];	/* own time */
};

/* Half units of the example are made whole by counting all in halves. */
static const struct line example[] = {
	{ 0, "work", "measurement", "artificial", -1, { 1, 0, 0, 0 }, { 0, 0, 0, 0 } },
	{ 1, "main", "compiler", "function", 3, { 1, 0, 0, 0 }, { 10, 0, 0, 0 } },
	{ 2, "init", "compiler", "function", 20, { 1, 0, 0, 0 }, { 6, 0, 0, 0 } },
	{ 2, "!$omp parallel @work.c:10", "openmp", "parallel", 10, { 1, 1, 1, 1 }, { 1, 1, 1, 1 } },
	{ 3, "!$omp for @work.c:12", "openmp", "loop", 12, { 1, 1, 1, 1 }, { 20, 8, 14, 22 } },
	{ 3, "extra", "compiler", "function", 40, { 0, 0, 0, 1 }, { 0, 0, 0, 2 } },
	{ 3, "!$omp implicit barrier @work.c:18", "openmp", "implicit barrier", 18, { 1, 1, 1, 1 }, { 4, 16, 10, 0 } },
};

static const struct line tasks[] = {
	{ 0, "tree", "measurement", "artificial", -1, { 1, 0, 0, 0 }, { 0, 0, 0, 0 } },
	{ 1, "TASKS", "openmp", "artificial", -1, { 0, 0, 0, 0 }, { 0, 0, 0, 0 } },
	{ 2, "!$omp task @tree.c:30", "openmp", "task", 30, { 10, 20, 30, 40 }, { 10, 20, 30, 40 } },
	{ 3, "!$omp create task @tree.c:30", "openmp", "task create", 30, { 9, 20, 30, 40 }, { 90, 200, 300, 400 } },
	{ 2, "!$omp task @tree.c:50", "openmp", "task", 50, { 1, 2, 1, 2 }, { 100, 200, 100, 200 } },
	{ 1, "main", "compiler", "function", 3, { 1, 0, 0, 0 }, { 40, 0, 0, 0 } },
	{ 2, "!$omp parallel @tree.c:10", "openmp", "parallel", 10, { 2, 2, 2, 2 }, { 4, 4, 4, 4 } },
	{ 3, "!$omp fork and join @tree.c:10", "openmp", "artificial", 10, { 4, 0, 0, 0 }, { 20, 0, 0, 0 } },
	{ 3, "!$omp single @tree.c:12", "openmp", "single", 12, { 2, 2, 2, 2 }, { 1, 1, 1, 1 } },
	{ 4, "!$omp single sblock @tree.c:12", "openmp", "single sblock", 12, { 2, 0, 0, 0 }, { 10, 0, 0, 0 } },
	{ 5, "!$omp create task @tree.c:30", "openmp", "task create", 30, { 1, 0, 0, 0 }, { 10, 0, 0, 0 } },
	{ 5, "!$omp create task @tree.c:50", "openmp", "task create", 50, { 6, 0, 0, 0 }, { 6, 0, 0, 0 } },
	{ 4, "!$omp implicit barrier @tree.c:16", "openmp", "implicit barrier", 16, { 2, 2, 2, 2 }, { 50, 100, 50, 100 } },
	{ 5, "!$omp task @tree.c:30", "openmp", "task", 30, { 10, 20, 30, 40 }, { 100, 220, 330, 440 } },
	{ 5, "!$omp task @tree.c:50", "openmp", "task", 50, { 1, 2, 1, 2 }, { 100, 200, 100, 200 } },
	{ 3, "update", "compiler", "function", 60, { 8, 8, 8, 8 }, { 100, 100, 100, 100 } },
	{ 4, "omp_set_lock", "openmp", "wrapper", -1, { 8, 8, 8, 8 }, { 200, 250, 300, 350 } },
	{ 3, "!$omp critical @tree.c:20", "openmp", "critical", 20, { 2, 2, 2, 2 }, { 4, 4, 4, 4 } },
	{ 3, "!$omp implicit barrier @tree.c:26", "openmp", "implicit barrier", 26, { 2, 2, 2, 2 }, { 150, 100, 50, 0 } },
	{ 2, "!$omp parallel @tree.c:80", "openmp", "parallel", 80, { 1, 1, 0, 0 }, { 60, 60, 0, 0 } },
};

static const struct line alone[] = {
	{ 0, "work", "measurement", "artificial", -1, { 1, 0, 0, 0 }, { 0, 0, 0, 0 } },
	{ 1, "main", "compiler", "function", 3, { 1, 0, 0, 0 }, { 10, 0, 0, 0 } },
	{ 2, "!$omp parallel @work.c:10", "openmp", "parallel", 10, { 1, 0, 0, 0 }, { 50, 0, 0, 0 } },
};

static const struct line late[] = {
	{ 0, "work", "measurement", "artificial", -1, { 1, 0, 0, 0 }, { 900, 0, 0, 0 } },
	{ 1, "main", "compiler", "function", 3, { 1, 0, 0, 0 }, { 10, 0, 0, 0 } },
	{ 2, "!$omp parallel @work.c:10", "openmp", "parallel", 10, { 1, 1, 1, 1 }, { 50, 50, 50, 50 } },
};

enum strategy { ALL, SUM, SET, KEY, CALLTREE, STRATEGIES };
static const char *const strategies[STRATEGIES] = { "all", "sum", "set", "key", "calltree" };

struct fixture {
	const struct line *lines;
	uint32_t count;
	enum strategy strategy;
	struct fathom_cube cube;
	struct fathom_cube_attribute attributes[8];
	struct fathom_cube_metric metrics[METRICS];
	struct fathom_cube_region regions[ROOM];
	struct fathom_cube_cnode cnodes[ROOM];
	struct fathom_cube_node node;
	struct fathom_cube_group group;
	struct fathom_cube_location locations[THREADS];
	char names[THREADS][64], numbers[THREADS][16];
	int kind[METRICS];		/* of each metric of the file */
	int member[THREADS];		/* location of each thread */
	uint64_t inclusive[ROOM][THREADS];
};

/* --- who goes where ------------------------------------------------------------------------------ */

static unsigned work_of(const struct fixture *fixture, int thread)
{
	unsigned work = 0;
	uint32_t i;

	for (i = 0; i < fixture->count; i++) {
		const char *role = fixture->lines[i].role;

		if (strcmp(role, "implicit barrier") != 0 && strcmp(role, "critical") != 0 &&
		    strcmp(role, "wrapper") != 0)
			work += fixture->lines[i].units[thread];
	}
	return work;
}

static bool same_paths(const struct fixture *fixture, int a, int b)
{
	uint32_t i;

	for (i = 0; i < fixture->count; i++)
		if ((fixture->lines[i].visits[a] > 0) != (fixture->lines[i].visits[b] > 0))
			return false;
	return true;
}

static uint32_t choose_key(struct fixture *fixture)
{
	static const char *const names[] = { "master thread", "fastest thread", "slowest thread", "remaining threads" };
	int fastest = 1, slowest = 1, t;

	for (t = 2; t < THREADS; t++) {
		if (work_of(fixture, t) < work_of(fixture, fastest))
			fastest = t;
		if (work_of(fixture, t) > work_of(fixture, slowest))
			slowest = t;
	}
	for (t = 0; t < THREADS; t++) {
		strcpy(fixture->names[t], names[t]);
		fixture->member[t] = t == 0 ? 0 : t == fastest ? 1 : t == slowest ? 2 : 3;
	}
	return 4;
}

static uint32_t cluster(struct fixture *fixture)
{
	int members[THREADS] = { 0 }, first[THREADS];
	uint32_t count = 0, k;
	int t;

	for (t = 0; t < THREADS; t++) {
		for (k = 0; k < count && !same_paths(fixture, first[k], t); k++)
			;
		if (k == count)
			first[count++] = t;
		fixture->member[t] = (int)k;
		members[k]++;
	}
	for (k = 0; k < count; k++)
		snprintf(fixture->names[k], sizeof(fixture->names[k]), "cluster %u (%d thread%s)", k, members[k],
			 members[k] == 1 ? "" : "s");
	return count;
}

static uint32_t assign(struct fixture *fixture)
{
	int t;

	if (fixture->strategy == KEY)
		return choose_key(fixture);
	if (fixture->strategy == CALLTREE)
		return cluster(fixture);
	for (t = 0; t < THREADS; t++) {
		fixture->member[t] = fixture->strategy == ALL ? t : 0;
		snprintf(fixture->names[t], sizeof(fixture->names[t]), t == 0 ? "Master thread" : "OMP thread %d", t);
	}
	if (fixture->strategy != ALL)
		strcpy(fixture->names[0], fixture->strategy == SUM ? "sum of threads" : "thread statistics");
	return fixture->strategy == ALL ? THREADS : 1;
}

/* "0,2": the threads of a location; NULL: it is the thread of that number. */
static const char *members_of(struct fixture *fixture, int location)
{
	char *text = fixture->numbers[location];
	size_t length = 0;
	int t;

	if (fixture->strategy == ALL)
		return NULL;
	for (t = 0; t < THREADS; t++)
		if (fixture->member[t] == location)
			length += (size_t)sprintf(text + length, "%s%d", length ? "," : "", t);
	return text;
}

/* --- definitions ------------------------------------------------------------------------------------ */

static void add_metric(struct fixture *fixture, int kind, const char *name, const char *unit,
		       enum fathom_cube_dtype dtype)
{
	uint32_t index = fixture->cube.metric_count++;

	fixture->kind[index] = kind;
	fixture->metrics[index] = (struct fathom_cube_metric){
		.uniq_name = name, .disp_name = name, .unit = unit, .description = "", .url = "", .parent = -1,
		.file_id = index, .dtype = dtype,
	};
}

static void make_tree(struct fixture *fixture)
{
	int32_t open[ROOM];
	uint32_t i, r;
	int t;

	for (i = 0; i < fixture->count; i++) {
		const struct line *line = &fixture->lines[i];

		for (r = 0; r < fixture->cube.region_count; r++)
			if (strcmp(fixture->regions[r].name, line->name) == 0)
				break;
		if (r == fixture->cube.region_count)
			fixture->regions[fixture->cube.region_count++] = (struct fathom_cube_region){
				.name = line->name, .mangled = line->name, .file = line->line < 0 ? "" : "work.c",
				.paradigm = line->paradigm, .role = line->role, .description = "",
				.begin_line = line->line, .end_line = line->line,
			};
		open[line->depth] = (int32_t)i;
		fixture->cnodes[i] = (struct fathom_cube_cnode){
			.region = r, .parent = line->depth ? open[line->depth - 1] : -1, .file_id = i,
		};
	}
	for (i = fixture->count; i-- > 0;)
		for (t = 0; t < THREADS; t++) {
			fixture->inclusive[i][t] += fixture->lines[i].units[t];
			if (fixture->cnodes[i].parent >= 0)
				fixture->inclusive[fixture->cnodes[i].parent][t] += fixture->inclusive[i][t];
		}
	fixture->cube.cnode_count = fixture->count;
}

static void define(struct fixture *fixture)
{
	struct fathom_cube *cube = &fixture->cube;
	bool set = fixture->strategy == SET;
	uint32_t l;

	*cube = (struct fathom_cube){
		.attributes = fixture->attributes, .metrics = fixture->metrics, .regions = fixture->regions,
		.cnodes = fixture->cnodes, .nodes = &fixture->node, .groups = &fixture->group,
		.locations = fixture->locations, .node_count = 1, .group_count = 1, .attribute_count = 4,
	};
	fixture->attributes[0] = (struct fathom_cube_attribute){ "Creator", "fathom 0.1.0" };
	fixture->attributes[1] = (struct fathom_cube_attribute){ "fathom::threads", strategies[fixture->strategy] };
	fixture->attributes[2] = (struct fathom_cube_attribute){ "fathom::program", "/home/user/work" };
	fixture->attributes[3] = (struct fathom_cube_attribute){ "fathom::complete", "yes" };
	add_metric(fixture, VISITS, "visits", "occ", set ? FATHOM_CUBE_TUPLE : FATHOM_CUBE_UINT64);
	add_metric(fixture, TIME, "time", "sec", set ? FATHOM_CUBE_TUPLE : FATHOM_CUBE_DOUBLE);
	if (!set) {
		add_metric(fixture, LEAST, "min_time", "sec", FATHOM_CUBE_MINDOUBLE);
		add_metric(fixture, MOST, "max_time", "sec", FATHOM_CUBE_MAXDOUBLE);
	}
	if (!set && fixture->strategy != ALL)
		add_metric(fixture, NUM_THREADS, "num_threads", "threads", FATHOM_CUBE_UINT64);
	make_tree(fixture);
	fixture->node = (struct fathom_cube_node){ "machine Linux", "machine", -1 };
	fixture->group = (struct fathom_cube_group){ .name = "Process", .type = "process" };
	cube->location_count = assign(fixture);
	for (l = 0; l < cube->location_count; l++)
		fixture->locations[l] = (struct fathom_cube_location){
			.name = fixture->names[l], .type = "thread", .rank = l, .threads = members_of(fixture, (int)l),
		};
}

/* --- values ----------------------------------------------------------------------------------------- */

static double value_of(const struct fixture *fixture, int kind, uint32_t c, int thread)
{
	double visits = fixture->lines[c].visits[thread];
	double each = visits > 0 ? (double)fixture->inclusive[c][thread] / UNIT / visits : 0;

	switch (kind) {
	case VISITS: return visits;
	case TIME: return (double)fixture->lines[c].units[thread] / UNIT;
	case LEAST: return visits > 0 ? each / 2 : DBL_MAX;
	case MOST: return visits > 0 ? each * 2 : -DBL_MAX;
	default: return visits > 0;
	}
}

static int put_tuple(struct fathom_cube_writer *writer, const struct fixture *fixture, uint32_t m, uint32_t c)
{
	struct fathom_cube_tuple tuple = { .minimum = DBL_MAX, .maximum = -DBL_MAX };
	int t;

	for (t = 0; t < THREADS; t++) {
		double value = value_of(fixture, fixture->kind[m], c, t);

		if (fixture->lines[c].visits[t] == 0)
			continue;
		tuple.count++;
		tuple.minimum = fmin(tuple.minimum, value);
		tuple.maximum = fmax(tuple.maximum, value);
		tuple.sum += value;
		tuple.squares += value * value;
	}
	return fathom_cube_writer_put(writer, m, c, 0, 1, &tuple);
}

static int put_row(struct fathom_cube_writer *writer, const struct fixture *fixture, uint32_t m, uint32_t c)
{
	int kind = fixture->kind[m], t, err = 0;
	double row[THREADS];
	uint64_t counts[THREADS];
	uint32_t l;

	if (fixture->metrics[m].dtype == FATHOM_CUBE_TUPLE)
		return put_tuple(writer, fixture, m, c);
	for (l = 0; l < THREADS; l++)
		row[l] = kind == LEAST ? DBL_MAX : kind == MOST ? -DBL_MAX : 0;
	for (t = 0; t < THREADS; t++) {
		double value = value_of(fixture, kind, c, t), *cell = &row[fixture->member[t]];

		*cell = kind == LEAST ? fmin(*cell, value) : kind == MOST ? fmax(*cell, value) : *cell + value;
	}
	for (l = 0; l < THREADS; l++)
		counts[l] = kind == VISITS || kind == NUM_THREADS ? (uint64_t)row[l] : 0;
	for (l = 0; !err && l < fixture->cube.location_count; l++)
		err = fathom_cube_writer_put(writer, m, c, l, 1, kind == VISITS || kind == NUM_THREADS ?
					     (void *)&counts[l] : (void *)&row[l]);
	return err;
}

static bool present(void *context, uint32_t m, uint32_t c)
{
	const struct fixture *fixture = context;
	int t;

	for (t = 0; t < THREADS; t++)
		if (fixture->lines[c].visits[t] > 0 || (fixture->kind[m] == TIME && fixture->lines[c].units[t] > 0))
			return true;
	return false;
}

static int write_file(struct fixture *fixture, const char *path)
{
	struct fathom_cube_writer *writer;
	uint32_t m, c;
	int err = fathom_cube_writer_open(&writer, path, &fixture->cube, present, fixture, 1000000000);

	if (err) {
		fprintf(stderr, "make_threads: %s: %s\n", path, strerror(-err));
		return 1;
	}
	for (m = 0; m < fixture->cube.metric_count; m++)
		for (c = 0; !err && c < fixture->count; c++)
			if (present(fixture, m, c))
				err = put_row(writer, fixture, m, c);
	if (err) {
		fathom_cube_writer_abandon(writer);
		return 1;
	}
	return fathom_cube_writer_close(writer) != 0;
}

int main(int argc, char **argv)
{
	static struct fixture fixture;
	int s;

	if (argc == 4 && strcmp(argv[1], "example") == 0) {
		fixture.lines = example;
		fixture.count = sizeof(example) / sizeof(example[0]);
	} else if (argc == 4 && strcmp(argv[1], "alone") == 0) {
		fixture.lines = alone;
		fixture.count = sizeof(alone) / sizeof(alone[0]);
	} else if (argc == 4 && strcmp(argv[1], "late") == 0) {
		fixture.lines = late;
		fixture.count = sizeof(late) / sizeof(late[0]);
	} else if (argc == 4 && strcmp(argv[1], "tasks") == 0) {
		fixture.lines = tasks;
		fixture.count = sizeof(tasks) / sizeof(tasks[0]);
	}
	for (s = 0; fixture.lines && s < STRATEGIES; s++)
		if (strcmp(argv[2], strategies[s]) == 0) {
			fixture.strategy = (enum strategy)s;
			define(&fixture);
			return write_file(&fixture, argv[3]);
		}
	fprintf(stderr, "make_threads: see the head of make_threads.c\n");
	return 2;
}
