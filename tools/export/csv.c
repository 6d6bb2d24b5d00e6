/*
 * csv: tables as comma-separated values (RFC 4180) with a line of headings.
 *
 * Values are written with as many digits as their type needs, so that sums are exact. An empty field stands for "no
 * value": a ratio without a denominator, a minimum without visits.
 */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/common/command.h"
#include "tools/common/progress.h"
#include "tools/export/export_format.h"
#include "tools/export/export_profile.h"

struct table {
	struct fathom_profile *profile;
	const struct fathom_cube *cube;
	uint32_t *metrics;		/* those that are written */
	uint32_t count;
	FILE *out;
};

/* --- fields ------------------------------------------------------------------------------------------- */

static void put_text(const char *text, FILE *out)
{
	if (!strpbrk(text, ",\"\r\n")) {
		fputs(text, out);
		return;
	}
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	fputc('"', out);
}

/* Writes a number with the fewest digits from which the same number is read again. */
static void put_number(double value, FILE *out)
{
	char text[40];

	if (fathom_value_is_never(value))
		return;
	if (value == floor(value) && fabs(value) < 1e15) {
		fprintf(out, "%.0f", value);
		return;
	}
	snprintf(text, sizeof(text), "%.15g", value);
	if (strtod(text, NULL) != value)
		snprintf(text, sizeof(text), "%.17g", value);
	fputs(text, out);
}

static void put_line(uint32_t line, FILE *out)
{
	if (line)
		fprintf(out, "%" PRIu32, line);
}

static void put_region(const struct table *table, const struct fathom_cube_region *region)
{
	put_text(region->name, table->out);
	fputc(',', table->out);
	put_text(region->file, table->out);
	fputc(',', table->out);
	put_line(fathom_export_line(region), table->out);
	fputc(',', table->out);
	put_text(region->paradigm, table->out);
	fputc(',', table->out);
	put_text(region->role, table->out);
	fputc(',', table->out);
	put_text(fathom_activity_table[fathom_profile_activity(table->profile, region)].metric, table->out);
}

static const char region_headings[] = "region,file,line,paradigm,role,activity";

/* Writes the headings of own and inclusive values: "time,time (inclusive)". */
static void put_metric_headings(const struct table *table, bool has_inclusive)
{
	for (uint32_t m = 0; m < table->count; m++) {
		const char *name = table->cube->metrics[table->metrics[m]].uniq_name;
		char heading[1024];

		fputc(',', table->out);
		put_text(name, table->out);
		if (!has_inclusive)
			continue;
		snprintf(heading, sizeof(heading), "%s (inclusive)", name);
		fputc(',', table->out);
		put_text(heading, table->out);
	}
	fputc('\n', table->out);
}

/* Reads the values of all metrics of the table. 0, or -errno after an error message. */
static int read_values(struct table *table, struct fathom_values *values)
{
	int err = 0;

	for (uint32_t m = 0; m < table->count && !err; m++) {
		fathom_progress_set(m);
		err = fathom_profile_values(table->profile, table->metrics[m], &values[m]);
	}
	return err;
}

/* --- tables ------------------------------------------------------------------------------------------- */

/* Writes "main/solve/MPI_Send". A slash in a name becomes a backslash and a slash. */
static void put_path(const struct table *table, const uint32_t *chain, uint32_t depth, char **path, size_t *room)
{
	size_t length = 0;
	char text[4096];

	for (uint32_t i = 0; i <= depth; i++) {
		const char *name = fathom_export_frame_name(table->cube, chain[i], text, sizeof(text));
		size_t most = length + 2 * strlen(name) + 2;

		while (*room < most) {
			*room = *room ? 2 * *room : 4096;
			*path = realloc(*path, *room);
			if (!*path)
				fathom_tool_out_of_memory(*room);
		}
		if (i)
			(*path)[length++] = '/';
		for (; *name; name++) {
			if (*name == '/')
				(*path)[length++] = '\\';
			(*path)[length++] = *name;
		}
	}
	(*path)[length] = '\0';
	put_text(*path, table->out);
}

static void put_call_tree(const struct table *table, const struct fathom_values *values)
{
	const struct fathom_cube *cube = table->cube;
	uint32_t *chain = fathom_tool_alloc(cube->cnode_count, sizeof(uint32_t));
	size_t room = 0;
	char *path = NULL;

	fprintf(table->out, "id,parent,depth,%s,path", region_headings);
	put_metric_headings(table, true);
	for (uint32_t c = 0; c < cube->cnode_count && !ferror(table->out); c++) {
		const struct fathom_cube_cnode *node = &cube->cnodes[c];

		chain[table->profile->depth[c]] = c;
		fprintf(table->out, "%" PRIu32 ",", c);
		if (node->parent >= 0)
			fprintf(table->out, "%" PRId32, node->parent);
		fprintf(table->out, ",%" PRIu32 ",", table->profile->depth[c]);
		put_region(table, &cube->regions[node->region]);
		fputc(',', table->out);
		put_path(table, chain, table->profile->depth[c], &path, &room);
		for (uint32_t m = 0; m < table->count; m++) {
			fputc(',', table->out);
			put_number(values[m].own[c], table->out);
			fputc(',', table->out);
			put_number(values[m].inclusive[c], table->out);
		}
		fputc('\n', table->out);
	}
	free(path);
	free(chain);
}

static double combine(enum fathom_values_kind kind, double a, double b)
{
	if (kind == FATHOM_VALUES_LEAST)
		return a < b ? a : b;
	if (kind == FATHOM_VALUES_MOST)
		return a > b ? a : b;
	return a + b;
}

static double neutral(enum fathom_values_kind kind)
{
	return kind == FATHOM_VALUES_LEAST ? DBL_MAX : kind == FATHOM_VALUES_MOST ? -DBL_MAX : 0;
}

/* Adds up one metric by region; a call path below one of its own region adds nothing to the inclusive value. */
static void add_up_regions(const struct table *table, const struct fathom_values *values, const bool *is_outermost,
			   double *own, double *inclusive)
{
	const struct fathom_cube *cube = table->cube;
	double *below = NULL;

	for (uint32_t r = 0; r < cube->region_count; r++)
		own[r] = inclusive[r] = neutral(values->kind);
	if (values->kind == FATHOM_VALUES_RATIO)
		below = fathom_tool_alloc(cube->region_count, sizeof(double));
	for (uint32_t c = 0; c < cube->cnode_count; c++) {
		uint32_t r = cube->cnodes[c].region;

		if (!table->profile->counted[c])
			continue;
		if (below) {
			own[r] += values->above[c];
			below[r] += values->below[c];
			continue;
		}
		own[r] = combine(values->kind, own[r], values->own[c]);
		if (is_outermost[c])
			inclusive[r] = combine(values->kind, inclusive[r], values->inclusive[c]);
	}
	for (uint32_t r = 0; below && r < cube->region_count; r++) {
		own[r] = fathom_ratio_of(values->factor, own[r], below[r]);
		inclusive[r] = DBL_MAX;
	}
	free(below);
}

/* Finds out which call paths do not stand below another one of their region. The caller frees the result. */
static bool *find_outermost(const struct fathom_profile *profile)
{
	const struct fathom_cube *cube = profile->cube;
	bool *is_outermost = fathom_tool_alloc(cube->cnode_count, sizeof(bool));
	uint32_t *end = fathom_tool_alloc(cube->region_count, sizeof(uint32_t));	/* of the outermost sub-tree */

	for (uint32_t c = 0; c < cube->cnode_count; c++) {
		uint32_t r = cube->cnodes[c].region;

		is_outermost[c] = c >= end[r];
		if (is_outermost[c])
			end[r] = profile->subtree_end[c];
	}
	free(end);
	return is_outermost;
}

static void put_regions(const struct table *table, const struct fathom_values *values)
{
	uint32_t region_count = table->cube->region_count;
	double *own = fathom_tool_alloc((size_t)table->count * region_count, sizeof(double));
	double *inclusive = fathom_tool_alloc((size_t)table->count * region_count, sizeof(double));
	uint32_t *call_paths = fathom_tool_alloc(region_count, sizeof(uint32_t));
	bool *is_outermost = find_outermost(table->profile);

	for (uint32_t c = 0; c < table->cube->cnode_count; c++)
		call_paths[table->cube->cnodes[c].region]++;
	for (uint32_t m = 0; m < table->count; m++)
		add_up_regions(table, &values[m], is_outermost, own + (size_t)m * region_count,
			       inclusive + (size_t)m * region_count);
	fprintf(table->out, "id,%s,call_paths", region_headings);
	put_metric_headings(table, true);
	for (uint32_t r = 0; r < region_count && !ferror(table->out); r++) {
		if (call_paths[r] == 0)
			continue;
		fprintf(table->out, "%" PRIu32 ",", r);
		put_region(table, &table->cube->regions[r]);
		fprintf(table->out, ",%" PRIu32, call_paths[r]);
		for (uint32_t m = 0; m < table->count; m++) {
			fputc(',', table->out);
			put_number(own[(size_t)m * region_count + r], table->out);
			fputc(',', table->out);
			put_number(inclusive[(size_t)m * region_count + r], table->out);
		}
		fputc('\n', table->out);
	}
	free(own);
	free(inclusive);
	free(call_paths);
	free(is_outermost);
}

static void put_location(const struct table *table, uint32_t l)
{
	const struct fathom_cube_location location = fathom_cube_location(table->cube, l);
	const struct fathom_cube_group *group = &table->cube->groups[location.group];

	fprintf(table->out, "%" PRIu32 ",", l);
	if (group->node >= 0)
		put_text(table->cube->nodes[group->node].name, table->out);
	fputc(',', table->out);
	put_text(group->name, table->out);
	fprintf(table->out, ",%" PRId64 ",", group->rank);
	put_text(location.name, table->out);
	fprintf(table->out, ",%" PRId64, location.rank);
}

static const char location_headings[] = "location,node,process,rank,thread_name,thread";

/* Adds up one metric by location. row has room for all locations. 0, or -errno after an error message. */
static int add_up_locations(const struct table *table, uint32_t metric, double *sums, double *row)
{
	const struct fathom_cube_metric *definition = &table->cube->metrics[metric];
	enum fathom_values_kind kind = definition->dtype == FATHOM_CUBE_MINDOUBLE ? FATHOM_VALUES_LEAST :
				       definition->dtype == FATHOM_CUBE_MAXDOUBLE ? FATHOM_VALUES_MOST :
										    FATHOM_VALUES_SUM;
	int err = 0;

	for (uint32_t l = 0; l < table->cube->location_count; l++)
		sums[l] = neutral(kind);
	for (uint32_t c = 0; c < table->cube->cnode_count && !err; c++) {
		if (!table->profile->counted[c])
			continue;
		err = fathom_profile_own_row(table->profile, metric, c, row);
		for (uint32_t l = 0; l < table->cube->location_count && !err; l++)
			sums[l] = combine(kind, sums[l], row[l]);
	}
	return err;
}

/* Adds up a ratio by location. 0, or -errno after an error message. */
static int add_up_ratio(const struct table *table, const struct fathom_ratio *ratio, double *sums, double *row)
{
	double *below = fathom_tool_alloc(table->cube->location_count, sizeof(double));
	int err = add_up_locations(table, ratio->above, sums, row);

	if (!err)
		err = add_up_locations(table, ratio->below, below, row);
	for (uint32_t l = 0; l < table->cube->location_count; l++)
		sums[l] = fathom_ratio_of(ratio->factor, sums[l], below[l]);
	free(below);
	return err;
}

static int put_ranks(const struct table *table)
{
	uint32_t location_count = table->cube->location_count;
	double *sums = fathom_tool_alloc((size_t)table->count * location_count, sizeof(double));
	double *row = fathom_tool_alloc(location_count, sizeof(double));
	int err = 0;

	for (uint32_t m = 0; m < table->count && !err; m++) {
		struct fathom_ratio ratio;

		if (fathom_profile_formula(table->profile, table->metrics[m], &ratio))
			err = add_up_ratio(table, &ratio, sums + (size_t)m * location_count, row);
		else
			err = add_up_locations(table, table->metrics[m], sums + (size_t)m * location_count, row);
		fathom_progress_step();
	}
	if (!err) {
		fputs(location_headings, table->out);
		put_metric_headings(table, false);
	}
	for (uint32_t l = table->profile->first_location; l < table->profile->location_end && !err; l++) {
		put_location(table, l);
		for (uint32_t m = 0; m < table->count; m++) {
			fputc(',', table->out);
			put_number(sums[(size_t)m * location_count + l], table->out);
		}
		fputc('\n', table->out);
	}
	free(sums);
	free(row);
	return err;
}

/* Writes a line for each call path, metric and location that has a value. 0, or -errno after an error message. */
static int put_values(const struct table *table)
{
	double *row = fathom_tool_alloc(table->cube->location_count, sizeof(double));
	int err = 0;

	fputs("id,region,metric,location,rank,thread,value\n", table->out);
	for (uint32_t c = 0; c < table->cube->cnode_count && !err && !ferror(table->out); c++) {
		for (uint32_t m = 0; m < table->count && !err; m++) {
			if (!fathom_profile_can_read(&table->cube->metrics[table->metrics[m]]))
				continue;	/* a formula: its parts are there */
			err = fathom_profile_own_row(table->profile, table->metrics[m], c, row);
			for (uint32_t l = table->profile->first_location; l < table->profile->location_end && !err;
			     l++) {
				const struct fathom_cube_location location = fathom_cube_location(table->cube, l);

				if (row[l] == 0 || fathom_value_is_never(row[l]))
					continue;
				fprintf(table->out, "%" PRIu32 ",", c);
				put_text(fathom_profile_region(table->profile, c)->name, table->out);
				fputc(',', table->out);
				put_text(table->cube->metrics[table->metrics[m]].uniq_name, table->out);
				fprintf(table->out, ",%" PRIu32 ",%" PRId64 ",%" PRId64 ",", l,
					table->cube->groups[location.group].rank, location.rank);
				put_number(row[l], table->out);
				fputc('\n', table->out);
			}
		}
		fathom_progress_set(c);
	}
	free(row);
	return err;
}

int fathom_export_csv(struct fathom_profile *profile, enum fathom_export_table number, int32_t metric, FILE *out)
{
	struct table table = { .profile = profile, .cube = profile->cube, .out = out };
	struct fathom_values *values = fathom_tool_alloc(profile->cube->metric_count, sizeof(*values));
	int err = 0;

	table.metrics = fathom_tool_alloc(profile->cube->metric_count, sizeof(uint32_t));
	for (uint32_t m = 0; m < profile->cube->metric_count; m++)
		if (metric < 0 ? fathom_profile_has_values(profile, m) : m == (uint32_t)metric)
			table.metrics[table.count++] = m;
	if (number != FATHOM_EXPORT_VALUES)
		fathom_progress_begin("reading values", table.count);
	else if (!isatty(fileno(out)))
		fathom_progress_begin("writing values", profile->cube->cnode_count);
	if (number == FATHOM_EXPORT_CALL_TREE || number == FATHOM_EXPORT_REGIONS)
		err = read_values(&table, values);
	if (!err && number == FATHOM_EXPORT_CALL_TREE)
		put_call_tree(&table, values);
	else if (!err && number == FATHOM_EXPORT_REGIONS)
		put_regions(&table, values);
	else if (!err && number == FATHOM_EXPORT_RANKS)
		err = put_ranks(&table);
	else if (!err)
		err = put_values(&table);
	fathom_progress_end();
	for (uint32_t m = 0; m < table.count; m++)
		fathom_values_free(&values[m]);
	free(values);
	free(table.metrics);
	return err;
}
