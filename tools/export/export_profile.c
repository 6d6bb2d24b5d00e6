#include "tools/export/export_profile.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"

/* Returns whether all values are whole numbers. */
static bool are_whole(const double *values, uint32_t count)
{
	for (uint32_t c = 0; c < count; c++)
		if (values[c] != floor(values[c]))
			return false;
	return true;
}

/* Chooses the unit of the whole numbers. Returns the factor from the metric's unit. */
static double choose_unit(struct fathom_export_profile *source, const struct fathom_values *values)
{
	const char *unit = source->metric->unit;
	bool is_count = !*unit || strcmp(unit, "occ") == 0 || strcmp(unit, "#") == 0;

	source->is_time = strcmp(unit, "sec") == 0;
	if (source->is_time) {
		source->unit = "nanoseconds";
		return 1e9;
	}
	if (are_whole(values->own, source->profile->cube->cnode_count)) {
		source->unit = is_count ? "count" : strcmp(unit, "bytes") == 0 ? "bytes" : unit;
		return 1;
	}
	snprintf(source->other_unit, sizeof(source->other_unit), "1e-6 %s", is_count ? "count" : unit);
	source->unit = source->other_unit;
	return 1e6;
}

/* Rounds the own values of the call paths that are counted. 0, or -ERANGE after an error message. */
static int round_values(struct fathom_export_profile *source, const double *values, double factor)
{
	const struct fathom_cube *cube = source->profile->cube;
	double *rest = fathom_tool_alloc(cube->region_count, sizeof(double));	/* by region: what rounding left over */
	double negative = 0, sum = 0;
	int err = 0;

	for (uint32_t c = 0; c < cube->cnode_count && !err; c++) {
		double value = values[c] * factor;

		if (!source->profile->counted[c])
			continue;
		if (value < 0) {
			negative -= values[c];
			continue;
		}
		value += rest[cube->cnodes[c].region];
		sum += value;
		if (sum >= 9e18) {
			fathom_tool_error("%s: the sum of the metric %s is too large for this format (--to csv has no "
					  "limit)", source->profile->path, source->metric->uniq_name);
			err = -ERANGE;
			break;
		}
		source->own[c] = (int64_t)floor(value + 0.5);
		rest[cube->cnodes[c].region] = value - (double)source->own[c];
		source->total += source->own[c];
	}
	if (negative * factor >= 1)
		fprintf(stderr, "fathom export: values below zero became 0: %.9g %s in sum\n", negative,
			source->metric->unit);
	free(rest);
	return err;
}

int fathom_export_profile_init(struct fathom_export_profile *source, struct fathom_profile *profile, uint32_t metric)
{
	const struct fathom_cube *cube = profile->cube;
	struct fathom_values values, visits = { 0 };
	int err = fathom_profile_values(profile, metric, &values);

	*source = (struct fathom_export_profile){ .profile = profile, .metric = &cube->metrics[metric] };
	if (err)
		return err;
	if (values.kind != FATHOM_VALUES_SUM) {
		fathom_tool_error("--metric %s: only metrics that are sums can be written in this format (--to csv "
				  "writes all)", source->metric->uniq_name);
		fathom_values_free(&values);
		return -EINVAL;
	}
	source->own = fathom_tool_alloc(cube->cnode_count, sizeof(int64_t));
	source->inclusive = fathom_tool_alloc(cube->cnode_count, sizeof(int64_t));
	err = round_values(source, values.own, choose_unit(source, &values));
	fathom_values_free(&values);
	memcpy(source->inclusive, source->own, cube->cnode_count * sizeof(int64_t));
	for (uint32_t c = cube->cnode_count; c-- > 0;)
		if (cube->cnodes[c].parent >= 0)
			source->inclusive[cube->cnodes[c].parent] += source->inclusive[c];
	if (!err && profile->visits >= 0)
		err = fathom_profile_values(profile, (uint32_t)profile->visits, &visits);
	if (!err && visits.own) {
		source->visits = fathom_tool_alloc(cube->cnode_count, sizeof(int64_t));
		for (uint32_t c = 0; c < cube->cnode_count; c++)
			if (profile->counted[c] && visits.own[c] > 0 && visits.own[c] < 9e18)
				source->visits[c] = (int64_t)visits.own[c];
	}
	fathom_values_free(&visits);
	return err;
}

void fathom_export_profile_fini(struct fathom_export_profile *source)
{
	free(source->own);
	free(source->inclusive);
	free(source->visits);
}

const char *fathom_export_frame_name(const struct fathom_cube *cube, uint32_t cnode, char *text, size_t bytes)
{
	const struct fathom_cube_cnode *node = &cube->cnodes[cnode];
	const char *name = cube->regions[node->region].name;
	size_t length;

	if (!node->parameter_count)
		return name;
	length = (size_t)snprintf(text, bytes, "%s", name);
	for (uint32_t p = 0; p < node->parameter_count && length < bytes; p++) {
		const struct fathom_cube_parameter *parameter = &cube->parameters[node->first_parameter + p];

		length += (size_t)snprintf(text + length, bytes - length, " [%s=%s]", parameter->key, parameter->value);
	}
	return text;
}

const char *fathom_export_program(const struct fathom_cube *cube)
{
	const char *program = fathom_cube_attribute(cube, "fathom::program");

	return program ? program : "";
}

uint32_t fathom_export_line(const struct fathom_cube_region *region)
{
	return region->begin_line > 0 ? (uint32_t)region->begin_line : 0;
}
