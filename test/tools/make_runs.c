/*
 * make_runs: writes a profile with many call paths, as one of several runs of a program whose times differ by chance.
 *
 *	make_runs PATHS RANKS SEED NOISE REGION PERCENT FILE
 *
 * The call tree and the times are the same for all seeds, but each region's time is multiplied by 1 + NOISE per cent
 * times a number between -1 and 1, which depends on SEED. REGION (a name, such as f7) takes PERCENT per cent longer.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cube/writer/writer.h"

static uint64_t state;

/* Returns a number from 0 to below 1 (xorshift). */
static double chance(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (double)(state >> 11) * 0x1p-53;
}

static bool all_present(void *context, uint32_t metric, uint32_t cnode)
{
	(void)context, (void)metric, (void)cnode;
	return true;
}

static void *room(size_t count, size_t bytes)
{
	void *memory = calloc(count + 1, bytes);

	if (!memory)
		abort();
	return memory;
}

static const char *numbered(const char *word, uint32_t number)
{
	char *name = room(1, 32);

	snprintf(name, 32, "%s%u", word, number);
	return name;
}

static void fill(struct fathom_cube *cube)
{
	uint32_t *stack = room(cube->cnode_count, sizeof(*stack)), depth = 0;

	for (uint32_t r = 0; r < cube->region_count; r++)
		cube->regions[r] = (struct fathom_cube_region){
			.name = r ? numbered("f", r) : "main", .role = "function", .paradigm = "compiler",
			.file = r ? "/src/app.c" : "/src/main.c", .begin_line = (int32_t)(10 * r + 1),
			.end_line = (int32_t)(10 * r + 9),
		};
	/* A path in pre-order goes down, or up by some levels and then down. */
	for (uint32_t c = 0; c < cube->cnode_count; c++) {
		while (depth > 1 && (depth > 30 || chance() < 0.45))
			depth--;
		cube->cnodes[c] = (struct fathom_cube_cnode){
			.region = c < cube->region_count ? c : 1 + (uint32_t)(chance() * (cube->region_count - 1)),
			.parent = depth ? (int32_t)stack[depth - 1] : -1, .file_id = c,
		};
		stack[depth++] = c;
	}
	for (uint32_t l = 0; l < cube->location_count; l++) {
		cube->locations[l] = (struct fathom_cube_location){
			.name = "Master thread", .type = "thread", .group = (int32_t)l,
		};
		cube->groups[l] = (struct fathom_cube_group){
			.name = numbered("MPI Rank ", l), .type = "process", .rank = l,
		};
	}
	free(stack);
}

int main(int argc, char **argv)
{
	static struct fathom_cube_metric metrics[] = {
		{ .uniq_name = "time", .disp_name = "Time", .unit = "sec", .parent = -1, .dtype = FATHOM_CUBE_DOUBLE },
		{ .uniq_name = "visits", .disp_name = "Visits", .unit = "occ", .parent = -1, .dtype = FATHOM_CUBE_UINT64 },
	};
	static struct fathom_cube_node node = { "machine", "machine", -1 };
	struct fathom_cube cube = { .metrics = metrics, .metric_count = 2, .nodes = &node, .node_count = 1 };
	uint32_t paths = argc == 8 ? (uint32_t)atoi(argv[1]) : 0, ranks = argc == 8 ? (uint32_t)atoi(argv[2]) : 0;
	struct fathom_cube_writer *writer;
	double *times, *factors, *weights;
	uint64_t *visits;
	int err;

	if (!paths || !ranks) {
		fprintf(stderr, "usage: make_runs PATHS RANKS SEED NOISE REGION PERCENT FILE\n");
		return 2;
	}
	cube.region_count = paths < 40 ? paths : 40 + paths / 50;
	cube.cnode_count = paths;
	cube.location_count = cube.group_count = ranks;
	cube.regions = room(cube.region_count, sizeof(*cube.regions));
	cube.cnodes = room(paths, sizeof(*cube.cnodes));
	cube.locations = room(ranks, sizeof(*cube.locations));
	cube.groups = room(ranks, sizeof(*cube.groups));
	times = room(ranks, sizeof(*times));
	visits = room(ranks, sizeof(*visits));
	factors = room(cube.region_count, sizeof(*factors));
	weights = room(paths, sizeof(*weights));
	state = 88172645463325252ull;
	fill(&cube);
	for (uint32_t c = 0; c < paths; c++)
		weights[c] = chance() * chance();
	state = 0x9e3779b97f4a7c15ull * ((uint64_t)atoi(argv[3]) + 1);
	for (uint32_t i = 0; i < 10; i++)
		chance();
	for (uint32_t r = 0; r < cube.region_count; r++)
		factors[r] = (1 + atof(argv[4]) / 100 * (2 * chance() - 1)) *
			     (strcmp(cube.regions[r].name, argv[5]) == 0 ? 1 + atof(argv[6]) / 100 : 1);
	err = fathom_cube_writer_open(&writer, argv[7], &cube, all_present, NULL, 0);
	for (uint32_t c = 0; c < paths && !err; c++) {
		for (uint32_t l = 0; l < ranks; l++)
			times[l] = weights[c] * factors[cube.cnodes[c].region] * (1 + 0.01 * (double)(l % 7));
		err = fathom_cube_writer_put(writer, 0, c, 0, ranks, times);
	}
	for (uint32_t l = 0; l < ranks; l++)
		visits[l] = 3;
	for (uint32_t c = 0; c < paths && !err; c++)
		err = fathom_cube_writer_put(writer, 1, c, 0, ranks, visits);
	if (!err)
		err = fathom_cube_writer_close(writer);
	if (err)
		fprintf(stderr, "make_runs: %s: %s\n", argv[7], strerror(-err));
	return err ? 1 : 0;
}
