/*
 * dump METRIC FILE: prints "value path" for every call path of a profile that has a value, stored as it
 * is, summed over locations (of extremes the extreme); -l: "value path @location" for each location. -s: the structure
 * alone: attributes, regions and locations, a line each.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cube/reader/reader.h"

static void print_path(const struct fathom_cube *cube, int32_t cnode)
{
	const struct fathom_cube_cnode *node = &cube->cnodes[cnode];

	if (node->parent >= 0) {
		print_path(cube, node->parent);
		putchar('/');
	}
	fputs(cube->regions[node->region].name, stdout);
	for (uint32_t p = 0; p < node->parameter_count; p++) {
		const struct fathom_cube_parameter *parameter = &cube->parameters[node->first_parameter + p];

		printf(" %s=%s", parameter->key, parameter->value);
	}
}

static void structure(const struct fathom_cube *cube)
{
	for (uint32_t i = 0; i < cube->attribute_count; i++)
		printf("attribute %s=%s\n", cube->attributes[i].key, cube->attributes[i].value);
	for (uint32_t i = 0; i < cube->metric_count; i++)
		printf("metric %s\n", cube->metrics[i].uniq_name);
	for (uint32_t i = 0; i < cube->region_count; i++)
		printf("region %s|%s|%s|%d|%d|%s|%s\n", cube->regions[i].name, cube->regions[i].mangled,
		       cube->regions[i].file, cube->regions[i].begin_line, cube->regions[i].end_line,
		       cube->regions[i].paradigm, cube->regions[i].role);
	for (uint32_t i = 0; i < cube->location_count; i++)
		printf("location %s|%s\n", cube->groups[fathom_cube_location_group(cube, i)].name,
		       fathom_cube_location(cube, i).name);
	printf("cnodes %u\n", cube->cnode_count);
}

int main(int argc, char **argv)
{
	struct fathom_cube_reader *reader;
	struct fathom_cube_error error;
	const struct fathom_cube *cube;
	enum fathom_cube_dtype dtype;
	double *row;
	int32_t metric;
	int by_location = argc > 1 && !strcmp(argv[1], "-l");

	if (argc == 3 && !strcmp(argv[1], "-s")) {
		if (fathom_cube_reader_open(&reader, argv[2], &error))
			goto broken;
		structure(fathom_cube_reader_cube(reader));
		return 0;
	}
	if (argc != 3 + by_location)
		return 2;
	if (fathom_cube_reader_open(&reader, argv[2 + by_location], &error))
		goto broken;
	cube = fathom_cube_reader_cube(reader);
	metric = fathom_cube_metric_by_name(cube, argv[1 + by_location]);
	if (metric < 0)
		return 0;
	dtype = cube->metrics[metric].dtype;
	row = calloc(cube->location_count, sizeof(*row));
	for (uint32_t c = 0; c < cube->cnode_count; c++) {
		double sum = 0;

		if (!fathom_cube_reader_present(reader, (uint32_t)metric, c))
			continue;
		if (fathom_cube_reader_row(reader, (uint32_t)metric, c, row, &error))
			goto broken;
		for (uint32_t l = 0; l < cube->location_count; l++) {
			if (dtype == FATHOM_CUBE_MINDOUBLE || dtype == FATHOM_CUBE_MAXDOUBLE)
				sum = l && (row[l] > sum) == (dtype == FATHOM_CUBE_MINDOUBLE) ? sum : row[l];
			else
				sum += row[l];
			if (!by_location || row[l] == 0)
				continue;
			printf("%.17g ", row[l]);
			print_path(cube, (int32_t)c);
			printf(" @%u\n", l);
		}
		if (by_location)
			continue;
		printf("%.17g ", sum);
		print_path(cube, (int32_t)c);
		putchar('\n');
	}
	free(row);
	fathom_cube_reader_close(reader);
	return 0;
broken:
	fprintf(stderr, "%s\n", error.text);
	return 1;
}
