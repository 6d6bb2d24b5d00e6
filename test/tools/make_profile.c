/*
 * make_profile: makes the small profiles that the tests of the tools read.
 *
 *   make_profile run FILE              a fathom profile of 4 ranks: C++, MPI, files
 *   make_profile rank N SIZE FILE      what rank N of SIZE saves alone
 *   make_profile foreign FILE          as another system writes it: inclusive time, tasks, no activities
 *   make_profile recursion N FILE      a function that calls itself N times
 *   make_profile chain N FILE          N functions, each called by the one before
 *   make_profile hostile FILE          names nobody would choose
 *   make_profile wide N FILE           N ranks
 *   make_profile partial FILE          something was dropped, ranks are missing
 *   make_profile untimed FILE          neither time nor activities
 *   make_profile off FILE              functions were switched off
 *   make_profile odd N SIZE FILE       like rank, but visits are of another type
 *
 * Times are whole multiples of 2^-10 s, so that sums are exact.
 */
#include <float.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cube/reader/activity_rules.h"
#include "cube/writer/writer.h"
#include "platform/arena.h"

enum { UNIT = 1024, METRIC_ROOM = 64 };

/* One line of a call tree. What rank r has: visits; time, in units, of which slope more per rank. */
struct line {
	int depth;
	const char *name;
	const char *paradigm, *role, *file;
	int line;
	unsigned visits, units, slope;
	unsigned sent, received;	/* bytes, in one message each visit */
	unsigned ranks;			/* bits: which ranks come here; 0: all */
};

static bool comes_here(const struct line *line, unsigned rank)
{
	return !line->ranks || (rank < 32 && line->ranks & 1u << rank);
}

static const struct line run_lines[] = {
	{ 0, "heat", "measurement", "artificial", "", -1, 1, 2, 0, 0, 0, 0 },
	{ 1, "main", "compiler", "function", "/home/user/heat/heat.cc", 120, 1, 40, 1, 0, 0, 0 },
	{ 2, "MPI_Init", "mpi", "function", "MPI", -1, 1, 300, 0, 0, 0, 0 },
	{ 2, "heat::Grid<double, 3>::Grid(unsigned long, unsigned long, heat::Boundary const&)", "compiler",
	  "function", "/home/user/heat/grid.hh", 31, 1, 120, 2, 0, 0, 0 },
	{ 3, "operator new(unsigned long)", "compiler", "function", "", -1, 12, 1, 0, 0, 0, 0 },
	{ 2, "heat::solve(heat::Grid<double, 3>&, int)", "compiler", "function", "/home/user/heat/solve.cc", 58, 1, 10, 0,
	  0, 0, 0 },
	{ 3, "heat::step(heat::Grid<double, 3>&)", "compiler", "function", "/home/user/heat/solve.cc", 17, 1000, 2600, 200,
	  0, 0, 0 },
	{ 3, "heat::exchange(heat::Grid<double, 3>&)", "compiler", "function", "/home/user/heat/exchange.cc", 9, 1000, 80,
	  0, 0, 0, 0 },
	{ 4, "MPI_Isend", "mpi", "point2point", "MPI", -1, 2000, 20, 0, 8192, 0, 0 },
	{ 4, "MPI_Irecv", "mpi", "point2point", "MPI", -1, 2000, 15, 0, 0, 0, 0 },
	{ 4, "MPI_Waitall", "mpi", "function", "MPI", -1, 1000, 500, 0, 0, 16384, 0 },
	{ 3, "MPI_Allreduce", "mpi", "all2all", "MPI", -1, 1000, 700, 0, 8, 8, 0 },
	{ 2, "heat::write(char const*)", "compiler", "function", "/home/user/heat/write.cc", 44, 1, 30, 0, 0, 0, 1 },
	{ 3, "MPI_File_write_at", "mpi", "file io", "MPI", -1, 1, 90, 0, 0, 0, 1 },
	{ 2, "MPI_Finalize", "mpi", "function", "MPI", -1, 1, 25, 0, 0, 0, 0 },
};

static const struct line rank_lines[] = {
	{ 0, "ring", "measurement", "artificial", "", -1, 1, 1, 0, 0, 0, 0 },
	{ 1, "main", "compiler", "function", "ring.c", 12, 1, 64, 16, 0, 0, 0 },
	{ 2, "setup", "compiler", "function", "ring.c", 3, 1, 8, 0, 0, 0, 1 },
	{ 2, "pass", "compiler", "function", "ring.c", 30, 10, 128, 0, 0, 0, 0 },
	{ 3, "MPI_Send", "mpi", "point2point", "MPI", -1, 10, 32, 4, 100, 0, 0 },
	{ 3, "MPI_Recv", "mpi", "point2point", "MPI", -1, 10, 256, 0, 0, 100, 2 },
	{ 3, "fail", "compiler", "function", "ring.c", 50, 1, 2, 0, 0, 0, 4 },
	{ 1, "relay", "compiler", "function", "ring.c", 70, 3, 16, 0, 0, 0, 6 },
};

static const struct line foreign_lines[] = {
	{ 0, "app", "measurement", "artificial", "", -1, 1, 4, 0, 0, 0, 0 },
	{ 1, "TASKS", "openmp", "artificial", "", -1, 0, 0, 0, 0, 0, 0 },
	{ 2, "!$omp task @app.c:35", "openmp", "task", "app.c", 35, 8, 10, 0, 0, 0, 0 },
	{ 3, "work", "compiler", "function", "app.c", 20, 8, 300, 0, 0, 0, 0 },
	{ 3, "!$omp taskwait @app.c:21", "openmp", "taskwait", "app.c", 21, 8, 90, 0, 0, 0, 0 },
	{ 1, "main", "compiler", "function", "app.c", 26, 1, 60, 0, 0, 0, 0 },
	{ 2, "!$omp parallel @app.c:29", "openmp", "parallel", "app.c", 29, 4, 20, 0, 0, 0, 0 },
	{ 3, "!$omp implicit barrier @app.c:40", "openmp", "implicit barrier", "app.c", 40, 4, 200, 10, 0, 0, 0 },
	{ 4, "!$omp task @app.c:35", "openmp", "task", "app.c", 35, 8, 400, 0, 0, 0, 0 },
	{ 3, "fwrite", "io", "file io", "ISOC", -1, 2, 50, 0, 0, 0, 0 },
};

static const struct line hostile_lines[] = {
	{ 0, "evil\033[31m\r\nprogram", "measurement", "artificial", "", -1, 1, 1, 0, 0, 0, 0 },
	{ 1, "\xff\xfe not UTF-8 \xc3(", "compiler", "function", "a\tb.c", 3, 1, 100, 0, 0, 0, 0 },
	{ 1, "\xe5\xb9\x85\xe5\xba\x83\xe3\x81\x84\xe5\x90\x8d\xe5\x89\x8d\xe3\x81\xae\xe9\x96\xa2\xe6\x95\xb0\xe5\xb9\x85"
	     "\xe5\xba\x83\xe3\x81\x84\xe5\x90\x8d\xe5\x89\x8d\xe3\x81\xae\xe9\x96\xa2\xe6\x95\xb0\xe5\xb9\x85\xe5\xba\x83",
	  "compiler", "function", "/\xe5\xb9\x85/\xe5\xb9\x85\xe5\xba\x83.c", 7, 2, 100, 0, 0, 0, 0 },
	{ 1, "a<b & \"c\">::operator<<(std::ostream&, a<b> const&)", "compiler", "function", "x.cc", 1, 3, 100, 0, 0, 0, 0 },
	{ 1, "", "compiler", "function", "", -1, 4, 100, 0, 0, 0, 0 },
	{ 1, "((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((", "compiler",
	  "function", "", -1, 5, 100, 0, 0, 0, 0 },
	{ 1, "std::vector<double, std::allocator<double> >::push_back(double const&)", "compiler", "function", "y.cc", 2, 7, 90,
	  0, 0, 0, 0 },
	{ 1, "lib::(anonymous namespace)::a_function_without_brackets_of_its_own", "compiler", "function", "y.cc", 3, 7, 80,
	  0, 0, 0, 0 },
	{ 1, "outer(int)::{lambda(double, double, double)#1}::operator()(double, double, double) const", "compiler",
	  "function", "y.cc", 4, 7, 70, 0, 0, 0, 0 },
	{ 1, "bool operator< <unsigned long>(interval<unsigned long> const&, interval<unsigned long> const&)", "compiler",
	  "function", "y.cc", 5, 7, 60, 0, 0, 0, 0 },
	{ 1, "%s%n%d", "compiler", "function", "%s.c", 9, 6, 100, 0, 0, 0, 0 },
};

struct fixture {
	struct fathom_cube cube;
	struct fathom_cube_attribute attributes[64];
	struct fathom_cube_metric metrics[METRIC_ROOM];
	struct line *lines;
	uint32_t *activity;		/* of each region */
	uint32_t *visits;		/* [cnode][location] */
	uint32_t *units;		/* own time, likewise */
	uint64_t *inclusive;		/* likewise */
	int time, visits_metric, least, most, sent, received, messages_sent, messages_received, written;
	int of_activity[FATHOM_ACTIVITY_COUNT];
	unsigned first_rank;
	bool inclusive_time;
};

static struct fathom_arena arena;	/* of everything; given back at the end */

static void *take(size_t count, size_t bytes)
{
	void *memory = fathom_arena_alloc(&arena, count ? count * bytes : 1);

	if (!memory)
		exit(3);
	return memory;
}

static const char *copy(const char *text)
{
	const char *kept = fathom_arena_copy(&arena, text, strlen(text));

	if (!kept)
		exit(3);
	return kept;
}

static void attribute(struct fixture *fixture, const char *key, const char *value)
{
	fixture->attributes[fixture->cube.attribute_count++] = (struct fathom_cube_attribute){ key, value };
}

static int metric(struct fixture *fixture, const char *name, const char *title, const char *unit, int parent,
		  enum fathom_cube_dtype dtype)
{
	int index = (int)fixture->cube.metric_count++;

	fixture->metrics[index] = (struct fathom_cube_metric){
		.uniq_name = name, .disp_name = title, .unit = unit, .description = title, .url = "",
		.parent = parent, .file_id = (uint32_t)index, .dtype = dtype,
	};
	return index;
}

/* --- definitions --------------------------------------------------------------------------- */

static void make_tree(struct fixture *fixture, const struct line *lines, uint32_t count)
{
	struct fathom_cube *cube = &fixture->cube;
	int32_t *open = take(count + 1, sizeof(*open));	/* the node of each depth we are under */
	uint32_t i, r;

	fixture->lines = take(count, sizeof(*fixture->lines));
	memcpy(fixture->lines, lines, count * sizeof(*lines));
	cube->regions = take(count, sizeof(*cube->regions));
	cube->cnodes = take(count, sizeof(*cube->cnodes));
	cube->cnode_count = count;
	for (i = 0; i < count; i++) {
		const struct line *line = &lines[i];

		/* The same region again is the line before, or one of few. */
		for (r = cube->region_count; r-- > 0 && cube->region_count - r < 64;)
			if (strcmp(cube->regions[r].name, line->name) == 0)
				break;
		if (r >= cube->region_count || strcmp(cube->regions[r].name, line->name) != 0) {
			r = cube->region_count++;
			cube->regions[r] = (struct fathom_cube_region){
				.name = line->name, .mangled = line->name, .file = line->file, .paradigm = line->paradigm,
				.role = line->role, .description = "", .begin_line = line->line,
				.end_line = line->line < 0 ? -1 : line->line + 9,
			};
		}
		open[line->depth] = (int32_t)i;
		cube->cnodes[i] = (struct fathom_cube_cnode){
			.region = r, .parent = line->depth ? open[line->depth - 1] : -1, .file_id = i,
		};
	}
}

static void make_system(struct fixture *fixture, unsigned ranks, unsigned threads, unsigned nodes)
{
	struct fathom_cube *cube = &fixture->cube;
	char text[64];
	unsigned i, t;

	cube->node_count = nodes + 1;
	cube->nodes = take(cube->node_count, sizeof(*cube->nodes));
	cube->nodes[0] = (struct fathom_cube_node){ "machine Linux", "machine", -1 };
	for (i = 1; i <= nodes; i++) {
		snprintf(text, sizeof(text), "node n%02u", fixture->first_rank % 2 + i);
		cube->nodes[i] = (struct fathom_cube_node){ copy(text), "node", 0 };
	}
	cube->groups = take(ranks, sizeof(*cube->groups));
	cube->locations = take((size_t)ranks * threads, sizeof(*cube->locations));
	for (i = 0; i < ranks; i++) {
		snprintf(text, sizeof(text), "MPI Rank %u", fixture->first_rank + i);
		cube->groups[cube->group_count++] = (struct fathom_cube_group){
			.name = copy(text), .type = "process", .node = (int32_t)(1 + i * nodes / ranks),
			.rank = fixture->first_rank + i,
		};
		for (t = 0; t < threads; t++) {
			snprintf(text, sizeof(text), t ? "Thread %u" : "Master thread", t);
			cube->locations[cube->location_count++] = (struct fathom_cube_location){
				copy(text), "thread", (int32_t)i, t, NULL,
			};
		}
	}
}

/* The metrics of the activities that occur, each behind the one that contains it. */
static void make_activity_metrics(struct fixture *fixture)
{
	struct fathom_cube *cube = &fixture->cube;
	uint32_t r;
	int a;

	fixture->activity = take(cube->region_count, sizeof(*fixture->activity));
	for (r = 0; r < cube->region_count; r++)
		fixture->activity[r] = fathom_activity_by_rules(&cube->regions[r]);
	for (a = 0; a < FATHOM_ACTIVITY_COUNT; a++) {
		const struct fathom_activity_info *info = &fathom_activity_table[a];
		bool occurs = false;

		fixture->of_activity[a] = -1;
		for (r = 0; r < cube->region_count; r++)
			occurs |= fathom_activity_within(fixture->activity[r], (enum fathom_activity)a);
		if (occurs)
			fixture->of_activity[a] = metric(fixture, info->metric, info->title, "sec",
							 info->parent < 0 ? fixture->time : fixture->of_activity[info->parent],
							 FATHOM_CUBE_DOUBLE);
	}
}

static void make_metrics(struct fixture *fixture, bool with_activities, bool timed)
{
	struct fathom_cube *cube = &fixture->cube;

	cube->metrics = fixture->metrics;
	cube->attributes = fixture->attributes;
	fixture->time = fixture->least = fixture->most = -1;
	memset(fixture->of_activity, 0xff, sizeof(fixture->of_activity));
	fixture->visits_metric = metric(fixture, "visits", "Visits", "occ", -1, FATHOM_CUBE_UINT64);
	if (timed) {
		fixture->time = metric(fixture, "time", "Time", "sec", -1, FATHOM_CUBE_DOUBLE);
		if (fixture->inclusive_time)
			fixture->metrics[fixture->time].type = FATHOM_CUBE_INCLUSIVE;
		if (with_activities)
			make_activity_metrics(fixture);
		fixture->least = metric(fixture, "min_time", "Minimum inclusive time", "sec", -1, FATHOM_CUBE_MINDOUBLE);
		fixture->most = metric(fixture, "max_time", "Maximum inclusive time", "sec", -1, FATHOM_CUBE_MAXDOUBLE);
	}
	fixture->sent = metric(fixture, "bytes_sent", "Bytes sent", "bytes", -1, FATHOM_CUBE_UINT64);
	fixture->received = metric(fixture, "bytes_received", "Bytes received", "bytes", -1, FATHOM_CUBE_UINT64);
	fixture->messages_sent = metric(fixture, "messages_sent", "Messages sent", "occ", -1, FATHOM_CUBE_UINT64);
	fixture->messages_received = metric(fixture, "messages_received", "Messages received", "occ", -1, FATHOM_CUBE_UINT64);
	fixture->written = metric(fixture, "io_bytes_written", "File bytes written", "bytes", -1, FATHOM_CUBE_UINT64);
}

/* --- values --------------------------------------------------------------------------------- */

static void make_values(struct fixture *fixture)
{
	const struct fathom_cube *cube = &fixture->cube;
	size_t count = (size_t)cube->cnode_count * cube->location_count, c, l;

	fixture->visits = take(count, sizeof(*fixture->visits));
	fixture->units = take(count, sizeof(*fixture->units));
	fixture->inclusive = take(count, sizeof(*fixture->inclusive));
	for (c = 0; c < cube->cnode_count; c++)
		for (l = 0; l < cube->location_count; l++) {
			const struct line *line = &fixture->lines[c];
			unsigned rank = fixture->first_rank + (unsigned)(cube->group_count > 1 ? l : 0);

			if (!comes_here(line, rank))
				continue;
			fixture->visits[c * cube->location_count + l] = line->visits;
			fixture->units[c * cube->location_count + l] = line->units + line->slope * rank;
		}
	for (c = cube->cnode_count; c-- > 0;)
		for (l = 0; l < cube->location_count; l++) {
			int32_t parent = cube->cnodes[c].parent;
			uint64_t *own = &fixture->inclusive[c * cube->location_count + l];

			*own += fixture->units[c * cube->location_count + l];
			if (parent >= 0 && strcmp(fixture->lines[c].name, "TASKS") != 0)
				fixture->inclusive[(size_t)parent * cube->location_count + l] += *own;
		}
}

/* The value of a metric, of whatever type it has. */
static double value_of(const struct fixture *fixture, int m, uint32_t c, uint32_t l)
{
	const struct line *line = &fixture->lines[c];
	size_t at = (size_t)c * fixture->cube.location_count + l;
	double visits = fixture->visits[at], own = (double)fixture->units[at] / UNIT;
	double inclusive = (double)fixture->inclusive[at] / UNIT;
	int a;

	if (m == fixture->visits_metric)
		return visits;
	if (m == fixture->time)
		return fixture->inclusive_time ? inclusive : own;
	if (m == fixture->least)
		return visits > 0 ? inclusive / visits / 2 : DBL_MAX;
	if (m == fixture->most)
		return visits > 0 ? inclusive / visits * 2 : -DBL_MAX;
	if (m == fixture->sent)
		return visits * line->sent;
	if (m == fixture->received)
		return visits * line->received;
	if (m == fixture->messages_sent)
		return strcmp(line->role, "point2point") == 0 && line->sent ? visits : 0;
	if (m == fixture->messages_received)
		return line->received && strcmp(line->role, "all2all") != 0 ? visits : 0;
	if (m == fixture->written)
		return strcmp(line->role, "file io") == 0 ? visits * 3000000 : 0;
	for (a = 0; a < FATHOM_ACTIVITY_COUNT; a++)
		if (m == fixture->of_activity[a])
			return fathom_activity_within(fixture->activity[fixture->cube.cnodes[c].region],
						      (enum fathom_activity)a) ? own : 0;
	return 0;
}

static bool is_neutral(const struct fixture *fixture, uint32_t m, uint32_t c, uint32_t l)
{
	double value = value_of(fixture, (int)m, c, l);

	return value == 0 || value == DBL_MAX || value == -DBL_MAX;
}

static bool present(void *context, uint32_t m, uint32_t c)
{
	const struct fixture *fixture = context;
	uint32_t l;

	for (l = 0; l < fixture->cube.location_count; l++)
		if (!is_neutral(fixture, m, c, l))
			return true;
	return false;
}

static int put_row(struct fathom_cube_writer *writer, const struct fixture *fixture, uint32_t m, uint32_t c)
{
	uint32_t l;
	int err = 0;

	for (l = 0; !err && l < fixture->cube.location_count; l++) {
		double value = value_of(fixture, (int)m, c, l);
		uint64_t whole = value < 1e18 && value > 0 ? (uint64_t)value : 0;
		uint32_t half = (uint32_t)whole;
		enum fathom_cube_dtype dtype = fixture->metrics[m].dtype;

		err = fathom_cube_writer_put(writer, m, c, l, 1, dtype == FATHOM_CUBE_UINT64 ? (void *)&whole :
					     dtype == FATHOM_CUBE_UINT32 ? (void *)&half : (void *)&value);
	}
	return err;
}

static int write_fixture(struct fixture *fixture, const char *path)
{
	struct fathom_cube_writer *writer;
	uint32_t m, c;
	int err;

	make_values(fixture);
	err = fathom_cube_writer_open(&writer, path, &fixture->cube, present, fixture, 1000000000);
	if (err) {
		fprintf(stderr, "make_profile: %s: %s\n", path, strerror(-err));
		return 1;
	}
	for (m = 0; m < fixture->cube.metric_count; m++)
		for (c = 0; !err && c < fixture->cube.cnode_count; c++)
			if (present(fixture, m, c))
				err = put_row(writer, fixture, m, c);
	if (err) {
		fathom_cube_writer_abandon(writer);
		return 1;
	}
	return fathom_cube_writer_close(writer) != 0;
}

/* Sent: how many visits are missing for each that was recorded. What is called at push, drawn and lost from then on is
 * in the time of walk and odd. */
static const struct line off_lines[] = {
	{ 0, "tree", "measurement", "artificial", "", -1, 1, 4, 0, 0, 0, 0 },
	{ 1, "main", "compiler", "function", "tree.c", 80, 1, 20, 0, 0, 0, 0 },
	{ 2, "walk", "compiler", "function", "tree.c", 40, 100, 1000, 0, 0, 0, 0 },
	{ 3, "push", "compiler", "function", "tree.c", 10, 200, 20, 0, 20, 0, 0 },
	{ 4, "grow", "compiler", "function", "tree.c", 5, 100, 10, 0, 9, 0, 0 },
	{ 3, "draw", "compiler", "function", "tree.c", 20, 100, 200, 0, 0, 0, 0 },
	{ 2, "odd", "compiler", "function", "tree.c", 60, 110, 100, 0, 0, 0, 0 },
	{ 3, "lost", "compiler", "function", "tree.c", 30, 50, 50, 0, 6, 0, 0 },
	{ 3, "push", "compiler", "function", "tree.c", 10, 10, 1, 0, 100, 0, 0 },
	{ 2, "done", "compiler", "function", "tree.c", 70, 1, 300, 0, 0, 0, 0 },
};

/* --- the profiles ------------------------------------------------------------------------------- */

#define LINES(lines) lines, sizeof(lines) / sizeof((lines)[0])

static void fathom_attributes(struct fixture *fixture, const char *complete)
{
	attribute(fixture, "Creator", "fathom 0.1.0");
	attribute(fixture, "fathom::mode", "profile");
	attribute(fixture, "fathom::program", "/home/user/heat/heat");
	attribute(fixture, "fathom::arguments", "./heat --size 64 --steps 1000");
	attribute(fixture, "fathom::begin", "2026-11-20T14:32:07+01:00");
	attribute(fixture, "fathom::clock", "tsc");
	attribute(fixture, "fathom::complete", complete);
}

static int make_run(const char *path, bool partial)
{
	struct fixture *fixture = take(1, sizeof(*fixture));
	struct line lines[sizeof(run_lines) / sizeof(run_lines[0])];

	memcpy(lines, run_lines, sizeof(lines));
	if (partial) {
		lines[4].name = "{truncated}";
		lines[4].paradigm = "measurement";
		lines[4].role = "artificial";
	}
	make_tree(fixture, LINES(lines));
	make_system(fixture, 4, 1, 2);
	make_metrics(fixture, true, true);
	fathom_attributes(fixture, partial ? "no: rank 1 called MPI_Abort" : "yes");
	attribute(fixture, "fathom::wall_time", "5.250");
	attribute(fixture, "fathom::event_cost_ns", "41.5");
	attribute(fixture, "fathom::events", "3600012");
	attribute(fixture, "fathom::processor_time", "14.700000");
	attribute(fixture, "fathom::processors", "4.000000");
	if (partial) {
		attribute(fixture, "fathom::shared_nodes", "1");
		attribute(fixture, "fathom::shared_processors", "3.000000");
		attribute(fixture, "fathom::shared_by_processes", "4");
		attribute(fixture, "fathom::shared_by_threads", "4");
		attribute(fixture, "fathom::ranks_missing", "2");
		attribute(fixture, "fathom::dropped_depth", "12");
		attribute(fixture, "fathom::dropped_nodes", "123456789");
		attribute(fixture, "fathom::dropped_memory", "3");
		attribute(fixture, "fathom::unbalanced_exits", "1");
	}
	return write_fixture(fixture, path);
}

static int make_off(const char *path)
{
	struct fixture *fixture = take(1, sizeof(*fixture));

	make_tree(fixture, LINES(off_lines));
	make_system(fixture, 1, 1, 1);
	make_metrics(fixture, true, true);
	fixture->metrics[fixture->sent].uniq_name = fixture->metrics[fixture->sent].disp_name = "visits_missing";
	fixture->metrics[fixture->sent].unit = "occ";
	fathom_attributes(fixture, "yes");
	attribute(fixture, "fathom::overhead_budget", "0.05");
	return write_fixture(fixture, path);
}

static int make_rank(unsigned rank, unsigned size, const char *path, bool odd)
{
	static char rank_text[16], size_text[16], wall_text[16];
	struct fixture *fixture = take(1, sizeof(*fixture));
	struct line lines[sizeof(rank_lines) / sizeof(rank_lines[0])];
	uint32_t i, count = 0;

	fixture->first_rank = rank;
	/* A rank's own file knows only what it did itself. */
	for (i = 0; i < sizeof(rank_lines) / sizeof(rank_lines[0]); i++)
		if (comes_here(&rank_lines[i], rank))
			lines[count++] = rank_lines[i];
	make_tree(fixture, lines, count);
	make_system(fixture, 1, rank == 1 ? 2 : 1, 1);
	make_metrics(fixture, true, true);
	if (odd)
		fixture->metrics[0].dtype = FATHOM_CUBE_UINT32;
	fathom_attributes(fixture, rank == 2 ? "no: rank 2 called MPI_Abort" : "no: another rank ended the program");
	snprintf(rank_text, sizeof(rank_text), "%u", rank);
	snprintf(size_text, sizeof(size_text), "%u", size);
	snprintf(wall_text, sizeof(wall_text), "%u.500", 1 + rank);
	attribute(fixture, "fathom::rank", rank_text);
	attribute(fixture, "fathom::size", size_text);
	attribute(fixture, "fathom::ranks_missing", "9");
	attribute(fixture, "fathom::wall_time", wall_text);
	attribute(fixture, "fathom::event_cost_ns", rank == 0 ? "10.000" : "40.000");
	attribute(fixture, "fathom::events", rank == 0 ? "100" : "50");
	attribute(fixture, "fathom::processor_time", "1.250000");
	/* Ranks 1 and 2 have one processor of the same host for three threads. */
	attribute(fixture, "fathom::rank_processors", rank == 0 ? "host a, cpus 0-2,8, threads 1" :
		  rank == 1 ? "host b, cpus 3, threads 2" : "host b, cpus 3, threads 1");
	if (rank > 0)
		attribute(fixture, "fathom::dropped_nodes", "7");
	return write_fixture(fixture, path);
}

static int make_foreign(const char *path)
{
	struct fixture *fixture = take(1, sizeof(*fixture));

	fixture->inclusive_time = true;
	make_tree(fixture, LINES(foreign_lines));
	make_system(fixture, 1, 4, 1);
	make_metrics(fixture, false, true);
	attribute(fixture, "Creator", "Another System 1.0");
	return write_fixture(fixture, path);
}

static int make_recursion(unsigned levels, const char *path, bool distinct)
{
	struct fixture *fixture = take(1, sizeof(*fixture));
	struct line *lines = take(levels + 3, sizeof(*lines));
	char text[32];
	unsigned i;

	lines[0] = (struct line){ 0, "deep", "measurement", "artificial", "", -1, 1, 0, 0, 0, 0, 0 };
	lines[1] = (struct line){ 1, "main", "compiler", "function", "deep.c", 9, 1, 1, 0, 0, 0, 0 };
	for (i = 0; i < levels; i++) {
		snprintf(text, sizeof(text), "f%u", i);
		lines[i + 2] = (struct line){ (int)i + 2, distinct ? copy(text) : "recurse", "compiler", "function",
					      "deep.c", 3, 1, i % 100 == 0, 0, 0, 0, 0 };
	}
	lines[levels + 2] = (struct line){ (int)levels + 2, "leaf", "compiler", "function", "deep.c", 1, 1, 100000, 0, 0, 0, 0 };
	make_tree(fixture, lines, levels + 3);
	make_system(fixture, 1, 1, 1);
	make_metrics(fixture, true, true);
	fathom_attributes(fixture, "yes");
	return write_fixture(fixture, path);
}

static int make_hostile(const char *path)
{
	struct fixture *fixture = take(1, sizeof(*fixture));
	struct line lines[sizeof(hostile_lines) / sizeof(hostile_lines[0]) + 1];
	size_t count = sizeof(hostile_lines) / sizeof(hostile_lines[0]);
	char *longest = take(100001, 1);

	memcpy(lines, hostile_lines, sizeof(hostile_lines));
	memset(longest, 'x', 100000);
	memcpy(longest, "start<", 6);
	memcpy(longest + 99990, ">::end()", 8);
	lines[count] = (struct line){ 1, longest, "compiler", "function", longest, 5, 7, 100, 0, 0, 0, 0 };
	make_tree(fixture, lines, (uint32_t)count + 1);
	make_system(fixture, 1, 1, 1);
	make_metrics(fixture, true, true);
	attribute(fixture, "Creator", "\033]0;hello\007");
	attribute(fixture, "fathom::program", longest);
	attribute(fixture, "fathom::wall_time", "nan");
	attribute(fixture, "fathom::events", "-5");
	attribute(fixture, "fathom::complete", "no");
	return write_fixture(fixture, path);
}

static int make_wide(unsigned ranks, const char *path)
{
	struct fixture *fixture = take(1, sizeof(*fixture));

	make_tree(fixture, LINES(run_lines));
	make_system(fixture, ranks, 1, 2);
	make_metrics(fixture, true, true);
	return write_fixture(fixture, path);
}

static int make_untimed(const char *path)
{
	struct fixture *fixture = take(1, sizeof(*fixture));

	make_tree(fixture, LINES(run_lines));
	make_system(fixture, 2, 1, 1);
	make_metrics(fixture, false, false);
	return write_fixture(fixture, path);
}

static int make(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "", *path = argv[argc - 1];
	unsigned first = argc > 3 ? (unsigned)strtoul(argv[2], NULL, 10) : 0;
	unsigned second = argc > 4 ? (unsigned)strtoul(argv[3], NULL, 10) : 0;

	if (argc == 3 && strcmp(what, "run") == 0)
		return make_run(path, false);
	if (argc == 3 && strcmp(what, "partial") == 0)
		return make_run(path, true);
	if (argc == 5 && strcmp(what, "rank") == 0)
		return make_rank(first, second, path, false);
	if (argc == 5 && strcmp(what, "odd") == 0)
		return make_rank(first, second, path, true);
	if (argc == 3 && strcmp(what, "foreign") == 0)
		return make_foreign(path);
	if (argc == 4 && strcmp(what, "recursion") == 0)
		return make_recursion(first, path, false);
	if (argc == 4 && strcmp(what, "chain") == 0)
		return make_recursion(first, path, true);
	if (argc == 4 && strcmp(what, "wide") == 0)
		return make_wide(first, path);
	if (argc == 3 && strcmp(what, "hostile") == 0)
		return make_hostile(path);
	if (argc == 3 && strcmp(what, "off") == 0)
		return make_off(argv[2]);
	if (argc == 3 && strcmp(what, "untimed") == 0)
		return make_untimed(path);
	fprintf(stderr, "make_profile: see the head of make_profile.c\n");
	return 2;
}

int main(int argc, char **argv)
{
	int code = make(argc, argv);

	fathom_arena_fini(&arena);
	return code;
}
