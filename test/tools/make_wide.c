/*
 * make_wide: writes a profile of many locations that are alike, as a program that runs on many processors leaves it.
 *
 *	make_wide PROCESSES THREADS FILE
 *
 * Three call paths; each thread spends one second of its own in each, but thread 1 of the last process three.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cube/writer/writer.h"

enum { PATHS = 3 };

static bool all_present(void *context, uint32_t metric, uint32_t cnode)
{
	(void)context;
	(void)metric;
	(void)cnode;
	return true;
}

static void *room(size_t count, size_t bytes)
{
	void *memory = calloc(count, bytes);

	if (!memory)
		abort();
	return memory;
}

static void fill_system(struct fathom_cube *cube, uint32_t threads)
{
	for (uint32_t l = 0; l < cube->location_count; l++) {
		char *name = room(1, 32);

		snprintf(name, 32, "OMP thread %u", l % threads);
		cube->locations[l] = (struct fathom_cube_location){
			.name = name, .type = "thread", .group = (int32_t)(l / threads), .rank = l % threads,
		};
	}
	for (uint32_t g = 0; g < cube->group_count; g++) {
		char *name = room(1, 32);

		snprintf(name, 32, "MPI Rank %u", g);
		cube->groups[g] = (struct fathom_cube_group){ .name = name, .type = "process", .rank = g };
	}
}

/* 0 or -errno. */
static int write_values(struct fathom_cube_writer *writer, const struct fathom_cube *cube, uint32_t threads)
{
	uint32_t count = cube->location_count;
	double *time = room(count, sizeof(*time));
	uint64_t *visits = room(count, sizeof(*visits));
	int err = 0;

	for (uint32_t l = 0; l < count; l++) {
		time[l] = l == count - threads + 1 ? 3 : 1;
		visits[l] = 2;
	}
	for (uint32_t c = 0; c < PATHS && !err; c++)
		err = fathom_cube_writer_put(writer, 0, c, 0, count, time);
	for (uint32_t c = 0; c < PATHS && !err; c++)
		err = fathom_cube_writer_put(writer, 1, c, 0, count, visits);
	free(visits);
	free(time);
	return err;
}

int main(int argc, char **argv)
{
	uint32_t processes = argc == 4 ? (uint32_t)atoi(argv[1]) : 0, threads = argc == 4 ? (uint32_t)atoi(argv[2]) : 0;
	static struct fathom_cube_metric metrics[] = {
		{ .uniq_name = "time", .disp_name = "Time", .unit = "sec", .parent = -1, .dtype = FATHOM_CUBE_DOUBLE },
		{ .uniq_name = "visits", .disp_name = "Visits", .unit = "occ", .parent = -1,
		  .dtype = FATHOM_CUBE_UINT64 },
	};
	static struct fathom_cube_region regions[PATHS] = {
		{ .name = "main", .role = "function", .paradigm = "compiler" },
		{ .name = "step", .role = "function", .paradigm = "compiler" },
		{ .name = "solve", .role = "function", .paradigm = "compiler" },
	};
	static struct fathom_cube_cnode cnodes[PATHS] = { { 0, -1, 0, 0, 0 }, { 1, 0, 1, 0, 0 }, { 2, 1, 2, 0, 0 } };
	static struct fathom_cube_node node = { "machine", "machine", -1 };
	struct fathom_cube cube = {
		.metrics = metrics, .metric_count = 2, .regions = regions, .region_count = PATHS,
		.cnodes = cnodes, .cnode_count = PATHS, .nodes = &node, .node_count = 1,
	};
	struct fathom_cube_writer *writer;
	int err;

	if (!processes || threads < 2) {
		fprintf(stderr, "usage: make_wide PROCESSES THREADS FILE, at least 2 threads\n");
		return 2;
	}
	cube.group_count = processes;
	cube.location_count = processes * threads;
	cube.groups = room(processes, sizeof(*cube.groups));
	cube.locations = room(cube.location_count, sizeof(*cube.locations));
	fill_system(&cube, threads);
	err = fathom_cube_writer_open(&writer, argv[3], &cube, all_present, NULL, 0);
	if (!err) {
		err = write_values(writer, &cube, threads);
		if (!err)
			err = fathom_cube_writer_close(writer);
	}
	if (err)
		fprintf(stderr, "make_wide: %s: %s\n", argv[3], strerror(-err));
	return err ? 1 : 0;
}
