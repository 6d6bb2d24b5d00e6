/*
 * make_small: writes a small profile that a test describes on stdin, one definition a line:
 *
 *	ranks COUNT			so many processes
 *	threads COUNT			so many threads of each
 *	metric NAME TYPE [inclusive]	TYPE: double, count, minimum or maximum
 *	path NUMBER PARENT REGION FILE LINE	NUMBER: from 0 on, in pre-order; PARENT: -1 for a root
 *	end NUMBER LINE			the last line of the region of a path, which else has 6 lines
 *	loop NUMBER PARENT FILE LINE	a loop in the function of PARENT that samples found (scope_region.h); such an
 *	inlined NUMBER PARENT NAME FILE LINE	inlined function
 *	row METRIC PATH VALUE...	a value for each location
 *
 *	make_small FILE < DESCRIPTION
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cube/writer/writer.h"
#include "tools/common/scope_region.h"

enum { MOST = 32, LOCATIONS_MOST = 16 };

static struct fathom_cube_metric metrics[MOST];
static struct fathom_cube_region regions[MOST];
static struct fathom_cube_cnode cnodes[MOST];
static struct fathom_cube_group groups[LOCATIONS_MOST];
static struct fathom_cube_location locations[LOCATIONS_MOST];
static struct fathom_cube_node node = { "machine", "machine", -1 };
static struct fathom_cube cube = {
	.metrics = metrics, .regions = regions, .cnodes = cnodes, .groups = groups, .locations = locations, .nodes = &node,
	.node_count = 1,
};
static double values[MOST][MOST][LOCATIONS_MOST];
static bool present[MOST][MOST];

static bool is_present(void *context, uint32_t metric, uint32_t cnode)
{
	(void)context;
	return present[metric][cnode];
}

static void fail(const char *line)
{
	fprintf(stderr, "make_small: %s", line);
	exit(2);
}

static uint32_t metric_number(const char *name, const char *line)
{
	for (uint32_t m = 0; m < cube.metric_count; m++)
		if (strcmp(metrics[m].uniq_name, name) == 0)
			return m;
	fail(line);
	return 0;
}

static void read_metric(const char *name, const char *type, const char *kind)
{
	metrics[cube.metric_count++] = (struct fathom_cube_metric){
		.uniq_name = strdup(name), .disp_name = strdup(name), .parent = -1,
		.unit = strcmp(type, "count") == 0 ? "occ" : "sec",
		.dtype = strcmp(type, "count") == 0   ? FATHOM_CUBE_UINT64 :
			 strcmp(type, "minimum") == 0 ? FATHOM_CUBE_MINDOUBLE :
			 strcmp(type, "maximum") == 0 ? FATHOM_CUBE_MAXDOUBLE : FATHOM_CUBE_DOUBLE,
		.type = strcmp(kind, "inclusive") == 0 ? FATHOM_CUBE_INCLUSIVE : FATHOM_CUBE_EXCLUSIVE,
	};
}

static void read_path(int32_t parent, const char *name, const char *file, int line, const char *description)
{
	regions[cube.region_count++] = (struct fathom_cube_region){
		.name = strdup(name), .file = strdup(file), .role = "function", .paradigm = "compiler", .begin_line = line,
		.end_line = *description ? -1 : line + 5, .description = description,
	};
	cnodes[cube.cnode_count] = (struct fathom_cube_cnode){ .region = cube.cnode_count, .parent = parent };
	cube.cnode_count++;
}

static void read_loop(int32_t parent, const char *file, int line)
{
	char name[128];

	snprintf(name, sizeof(name), "loop %s:%d", file, line);
	read_path(parent, name, file, line, FATHOM_LOOP_DESCRIPTION);
}

static void read_inlined(int32_t parent, const char *function, const char *file, int line)
{
	char name[128];

	snprintf(name, sizeof(name), "inlined %s", function);
	read_path(parent, name, file, line, FATHOM_INLINED_DESCRIPTION);
}

static void read_row(char *rest, const char *line)
{
	const char *name = strtok(rest, " \n"), *path = strtok(NULL, " \n"), *value;
	uint32_t metric = metric_number(name, line), cnode = (uint32_t)atoi(path), count = 0;

	if (cnode >= cube.cnode_count)
		fail(line);
	present[metric][cnode] = true;
	while (count < LOCATIONS_MOST && (value = strtok(NULL, " \n")) != NULL)
		values[metric][cnode][count++] = atof(value);
}

static void read_line(char *line, uint32_t *ranks, uint32_t *threads)
{
	char first[64], second[64], third[64] = "", whole[512];
	int parent, number, at;

	snprintf(whole, sizeof(whole), "%s", line);
	if (sscanf(line, "ranks %u", ranks) == 1 || sscanf(line, "threads %u", threads) == 1)
		return;
	if (sscanf(line, "metric %63s %63s %63s", first, second, third) >= 2)
		read_metric(first, second, third);
	else if (sscanf(line, "path %d %d %63s %63s %d", &number, &parent, first, second, &at) == 5)
		read_path(parent, first, second, at, "");
	else if (sscanf(line, "loop %d %d %63s %d", &number, &parent, first, &at) == 4)
		read_loop(parent, first, at);
	else if (sscanf(line, "inlined %d %d %63s %63s %d", &number, &parent, first, second, &at) == 5)
		read_inlined(parent, first, second, at);
	else if (sscanf(line, "end %d %d", &number, &at) == 2)
		regions[number].end_line = at;
	else if (strncmp(line, "row ", 4) == 0)
		read_row(line + 4, whole);
	else
		fail(whole);
}

static void put_rows(struct fathom_cube_writer *writer, uint32_t metric, uint32_t cnode)
{
	uint64_t counts[LOCATIONS_MOST];

	for (uint32_t l = 0; l < cube.location_count; l++)
		counts[l] = (uint64_t)values[metric][cnode][l];
	if (fathom_cube_writer_put(writer, metric, cnode, 0, cube.location_count,
				   metrics[metric].dtype == FATHOM_CUBE_UINT64 ? (void *)counts : values[metric][cnode]))
		fail("the values cannot be written\n");
}

int main(int argc, char **argv)
{
	static struct fathom_cube_attribute attributes[] = { { "Creator", "fathom test" } };
	struct fathom_cube_writer *writer;
	uint32_t ranks = 1, threads = 1;
	char line[512];

	if (argc != 2)
		fail("usage: make_small FILE < DESCRIPTION\n");
	while (fgets(line, sizeof(line), stdin))
		read_line(line, &ranks, &threads);
	if (ranks * threads > LOCATIONS_MOST)
		fail("too many locations\n");
	for (uint32_t l = 0; l < ranks * threads; l++) {
		locations[l] = (struct fathom_cube_location){
			.name = "thread", .type = "thread", .group = (int32_t)(l / threads), .rank = l % threads,
		};
		groups[l / threads] = (struct fathom_cube_group){ .name = "rank", .type = "process", .rank = l / threads };
	}
	cube.location_count = ranks * threads;
	cube.group_count = ranks;
	cube.attributes = attributes;
	cube.attribute_count = 1;
	if (fathom_cube_writer_open(&writer, argv[1], &cube, is_present, NULL, 0))
		fail("the profile cannot be made\n");
	for (uint32_t m = 0; m < cube.metric_count; m++)
		for (uint32_t c = 0; c < cube.cnode_count; c++)
			if (present[m][c])
				put_rows(writer, m, c);
	if (fathom_cube_writer_close(writer))
		fail("the profile cannot be written\n");
	return 0;
}
