/*
 * make_table: writes a profile from a table of its call paths, which it reads from stdin.
 *
 *	make_table RANKS[xTHREADS] FILE
 *
 * Each line is a call path: its regions, the paradigm and role of the last one, and its own values:
 *	main>solve>MPI_Send  mpi point2point  time=1.5,2 visits=3
 * A value is for all threads, or a list has one for each thread of all ranks. Callers stand before what they call, in
 * pre-order. If a line has a tab, tabs separate its fields, which may then have blanks. The metrics time and wait_... are
 * in seconds, all others are counts. A line "attribute KEY VALUE" is about the file.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cube/writer/writer.h"

enum { MOST = 256, METRICS_MOST = 16 };

static struct fathom_cube_metric metrics[METRICS_MOST];
static struct fathom_cube_region regions[MOST];
static struct fathom_cube_cnode cnodes[MOST];
static struct fathom_cube_attribute attributes[MOST];
static const char *paths[MOST];
static double *values[METRICS_MOST][MOST];
static struct fathom_cube cube = { .metrics = metrics, .regions = regions, .cnodes = cnodes, .attributes = attributes };

static void fail(const char *what, const char *text)
{
	fprintf(stderr, "make_table: %s: %s\n", what, text);
	exit(2);
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

static bool is_present(void *context, uint32_t metric, uint32_t cnode)
{
	(void)context;
	return values[metric][cnode];
}

static void make_system(uint32_t ranks, uint32_t threads)
{
	static struct fathom_cube_node node = { "machine", "machine", -1 };

	cube.nodes = &node;
	cube.node_count = 1;
	cube.group_count = ranks;
	cube.location_count = ranks * threads;
	cube.groups = room(ranks, sizeof(*cube.groups));
	cube.locations = room(cube.location_count, sizeof(*cube.locations));
	for (uint32_t l = 0; l < cube.location_count; l++)
		cube.locations[l] = (struct fathom_cube_location){
			.name = l % threads ? numbered("OMP thread ", l % threads) : "Master thread", .type = "thread",
			.group = (int32_t)(l / threads), .rank = l % threads,
		};
	for (uint32_t g = 0; g < ranks; g++)
		cube.groups[g] = (struct fathom_cube_group){
			.name = numbered("MPI Rank ", g), .type = "process", .rank = g,
		};
}

static uint32_t region_of(const char *name, const char *paradigm, const char *role)
{
	for (uint32_t r = 0; r < cube.region_count; r++)
		if (strcmp(regions[r].name, name) == 0)
			return r;
	regions[cube.region_count] = (struct fathom_cube_region){
		.name = strdup(name), .mangled = "", .file = strcmp(paradigm, "compiler") == 0 ? "app.c" : "",
		.paradigm = strdup(paradigm), .role = strdup(role), .description = "", .begin_line = -1, .end_line = -1,
	};
	return cube.region_count++;
}

static uint32_t metric_of(const char *name)
{
	bool is_time = strcmp(name, "time") == 0 || strncmp(name, "wait_", 5) == 0;

	for (uint32_t m = 0; m < cube.metric_count; m++)
		if (strcmp(metrics[m].uniq_name, name) == 0)
			return m;
	if (cube.metric_count == METRICS_MOST)
		fail(name, "too many metrics");
	metrics[cube.metric_count] = (struct fathom_cube_metric){
		.uniq_name = strdup(name), .disp_name = strdup(name), .unit = is_time ? "sec" : "occ",
		.description = "", .url = "", .parent = -1, .dtype = is_time ? FATHOM_CUBE_DOUBLE : FATHOM_CUBE_UINT64,
	};
	return cube.metric_count++;
}

static void add_values(uint32_t cnode, char *word)
{
	char *list = strchr(word, '='), *end;
	uint32_t metric, count = 0;
	double value = 0;

	if (!list)
		fail(word, "no METRIC=VALUES");
	*list++ = '\0';
	metric = metric_of(word);
	values[metric][cnode] = room(cube.location_count, sizeof(double));
	for (uint32_t l = 0; l < cube.location_count; l++) {
		if (*list) {
			value = strtod(list, &end);
			list = end + (*end == ',');
			count++;
		}
		values[metric][cnode][l] = value;
	}
	if (*list || (count > 1 && count != cube.location_count))
		fail(word, "one value, or one for each thread, is expected");
}

static void add_path(char *line)
{
	const char *blanks = strchr(line, '\t') ? "\t\n" : " \n";
	char *path = strtok(line, blanks), *paradigm = strtok(NULL, blanks), *role = strtok(NULL, blanks), *word;
	uint32_t cnode = cube.cnode_count++;
	const char *last;
	int32_t parent = -1;

	if (cnode == MOST || !role)
		fail(line, "REGION>REGION... PARADIGM ROLE METRIC=VALUES... is expected");
	paths[cnode] = strdup(path);
	last = strrchr(path, '>');
	for (uint32_t c = 0; last && c < cnode; c++)
		if (strlen(paths[c]) == (size_t)(last - path) && strncmp(paths[c], path, (size_t)(last - path)) == 0)
			parent = (int32_t)c;
	if (last && parent < 0)
		fail(path, "its caller is missing");
	cnodes[cnode] = (struct fathom_cube_cnode){
		.region = region_of(last ? last + 1 : path, paradigm, role), .parent = parent, .file_id = cnode,
	};
	while ((word = strtok(NULL, blanks)) != NULL)
		add_values(cnode, word);
}

static int write_row(struct fathom_cube_writer *writer, uint32_t metric, uint32_t cnode)
{
	uint64_t *counts = room(cube.location_count, sizeof(*counts));

	for (uint32_t l = 0; l < cube.location_count; l++)
		counts[l] = (uint64_t)values[metric][cnode][l];
	return fathom_cube_writer_put(writer, metric, cnode, 0, cube.location_count,
				      metrics[metric].dtype == FATHOM_CUBE_DOUBLE ? (void *)values[metric][cnode] : counts);
}

int main(int argc, char **argv)
{
	struct fathom_cube_writer *writer;
	unsigned ranks = 0, threads = 1;
	char line[4096];
	int err;

	if (argc != 3 || sscanf(argv[1], "%ux%u", &ranks, &threads) < 1 || !ranks || !threads)
		fail("usage", "make_table RANKS[xTHREADS] FILE < TABLE");
	make_system(ranks, threads);
	while (fgets(line, sizeof(line), stdin)) {
		if (strncmp(line, "attribute ", 10) == 0) {
			char *key = strtok(line + 10, " \n"), *value = strtok(NULL, "\n");

			attributes[cube.attribute_count++] = (struct fathom_cube_attribute){ strdup(key), strdup(value) };
		} else if (*line != '\n' && *line != '#') {
			add_path(line);
		}
	}
	err = fathom_cube_writer_open(&writer, argv[2], &cube, is_present, NULL, 0);
	for (uint32_t m = 0; m < cube.metric_count && !err; m++)
		for (uint32_t c = 0; c < cube.cnode_count && !err; c++)
			if (values[m][c])
				err = write_row(writer, m, c);
	if (!err)
		err = fathom_cube_writer_close(writer);
	if (err)
		fail(argv[2], strerror(-err));
	return 0;
}
