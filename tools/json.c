/*
 * The whole profile as one JSON document. Declared in report.h; doc/man/fathom-report.1 says
 * what stands in it.
 *
 * Only one record at a time is held as a jansson object, so memory does not grow with the
 * document; the brackets between records are written here.
 */
#include "report.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool.h"

enum { DOCUMENT = 1 };		/* of the document's structure */

/* A text of a file, which may be anything, as a JSON string: bad bytes become '?'. */
static json_t *text(const char *bytes)
{
	json_t *string = json_string(bytes);
	char *copy;
	size_t i;

	if (string)
		return string;
	copy = fathom_tool_alloc(strlen(bytes) + 1, 1);
	strcpy(copy, bytes);
	for (i = 0; copy[i]; i++)
		if ((unsigned char)copy[i] >= 0x80)
			copy[i] = '?';
	string = json_string(copy);
	free(copy);
	return string;
}

/* Counts without a fraction, "never" and what is no number as null. */
static json_t *number(double value)
{
	if (!isfinite(value) || fathom_value_is_never(value))
		return json_null();
	if (value == floor(value) && fabs(value) < 9e15)
		return json_integer((json_int_t)value);
	return json_real(value);
}

static void put(json_t *value)
{
	if (!value) {
		fathom_tool_say("out of memory");
		exit(FATHOM_TOOL_FAILURE);
	}
	json_dumpf(value, stdout, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(17));
	json_decref(value);
}

/* A member of the document: "key": value. */
static void member(const char *key, json_t *value)
{
	printf(",\n\"%s\": ", key);
	put(value);
}

static void begin_list(const char *key)
{
	printf(",\n\"%s\": [", key);
}

static void item(bool is_first, json_t *value)
{
	printf(is_first ? "\n" : ",\n");
	put(value);
}

static json_t *attributes(const struct fathom_cube *cube)
{
	json_t *object = json_object();
	uint32_t i;

	for (i = 0; i < cube->attribute_count; i++)
		json_object_set_new(object, cube->attributes[i].key, text(cube->attributes[i].value));
	return object;
}

static json_t *summary(const struct fathom_report *report)
{
	const struct fathom_profile *profile = &report->profile;
	double wall = fathom_report_wall_time(report), overhead = fathom_report_overhead(report);
	char command[4096];
	json_t *object = json_object();

	json_object_set_new(object, "file", text(profile->path));
	json_object_set_new(object, "command", text(fathom_report_command(report, command, sizeof(command))));
	json_object_set_new(object, "ranks", json_integer(profile->process_count));
	json_object_set_new(object, "threads", json_integer(profile->thread_count));
	json_object_set_new(object, "rank",
			    report->options.rank >= 0 ? json_integer(report->options.rank) : json_null());
	json_object_set_new(object, "wall_time", wall >= 0 ? number(wall) : json_null());
	json_object_set_new(object, "overhead", overhead >= 0 ? number(overhead) : json_null());
	json_object_set_new(object, "time", report->time.own ? number(report->time.total) : json_null());
	return object;
}

static void put_activities(const struct fathom_report *report)
{
	bool is_first = true;
	int a;

	begin_list("activities");
	for (a = 0; report->time.own && a < FATHOM_ACTIVITY_COUNT; a++) {
		const struct fathom_activity_info *info = &fathom_activity_table[a];
		json_t *object;

		if (report->breakdown.seconds[a] == 0)
			continue;
		object = json_object();
		json_object_set_new(object, "name", text(info->metric));
		json_object_set_new(object, "title", text(info->title));
		json_object_set_new(object, "within",
				    text(info->parent < 0 ? "time" : fathom_activity_table[info->parent].metric));
		json_object_set_new(object, "seconds", number(report->breakdown.seconds[a]));
		item(is_first, object);
		is_first = false;
	}
	printf("\n]");
}

/* Time of each rank (of each thread where there is one rank) by kind of activity. */
static void put_balance(const struct fathom_report *report)
{
	const struct fathom_breakdown *breakdown = &report->breakdown;
	uint32_t u;
	unsigned k;

	member("balance_of", text(breakdown->by_thread ? "threads" : "ranks"));
	begin_list("balance");
	for (u = 0; u < breakdown->unit_count; u++) {
		json_t *object = json_object();

		json_object_set_new(object, breakdown->by_thread ? "thread" : "rank",
				    json_integer(breakdown->unit_rank[u]));
		json_object_set_new(object, "time", number(breakdown->unit_total[u]));
		for (k = 0; k < FATHOM_KIND_COUNT; k++)
			if (breakdown->kind_seconds[k] != 0)
				json_object_set_new(object, fathom_activity_table[fathom_kinds[k]].metric,
						    number(breakdown->unit_kind[(size_t)u * FATHOM_KIND_COUNT + k]));
		item(u == 0, object);
	}
	printf("\n]");
}

static const char *kind_name(const struct fathom_cube_metric *metric)
{
	if (metric->dtype == FATHOM_CUBE_MINDOUBLE)
		return "minimum";
	return metric->dtype == FATHOM_CUBE_MAXDOUBLE ? "maximum" : "sum";
}

static void put_metrics(const struct fathom_report *report)
{
	const struct fathom_cube *cube = report->profile.cube;
	uint32_t m;

	begin_list("metrics");
	for (m = 0; m < cube->metric_count; m++) {
		const struct fathom_cube_metric *metric = &cube->metrics[m];
		json_t *object = json_object();

		json_object_set_new(object, "name", text(metric->uniq_name));
		json_object_set_new(object, "title", text(metric->disp_name));
		json_object_set_new(object, "unit", text(metric->unit));
		json_object_set_new(object, "description", text(metric->description));
		json_object_set_new(object, "within",
				    metric->parent >= 0 ? text(cube->metrics[metric->parent].uniq_name) : json_null());
		json_object_set_new(object, "aggregation", text(kind_name(metric)));
		json_object_set_new(object, "values", json_boolean(fathom_profile_can_read(metric)));
		item(m == 0, object);
	}
	printf("\n]");
}

static void put_regions(const struct fathom_report *report)
{
	const struct fathom_cube *cube = report->profile.cube;
	uint32_t r;

	begin_list("regions");
	for (r = 0; r < cube->region_count; r++) {
		const struct fathom_cube_region *region = &cube->regions[r];
		json_t *object = json_object();

		json_object_set_new(object, "name", text(region->name));
		json_object_set_new(object, "mangled", text(region->mangled));
		json_object_set_new(object, "file", text(region->file));
		json_object_set_new(object, "line",
				    region->begin_line > 0 ? json_integer(region->begin_line) : json_null());
		json_object_set_new(object, "end_line",
				    region->end_line > 0 ? json_integer(region->end_line) : json_null());
		json_object_set_new(object, "paradigm", text(region->paradigm));
		json_object_set_new(object, "role", text(region->role));
		json_object_set_new(object, "activity", text(fathom_activity_table[fathom_activity_of(region)].metric));
		item(r == 0, object);
	}
	printf("\n]");
}

/* What is not zero, by metric. */
static json_t *node_values(const struct fathom_values *values, uint32_t count, uint32_t cnode, bool inclusive)
{
	json_t *object = json_object();
	uint32_t m;

	for (m = 0; m < count; m++) {
		double value;

		if (!values[m].own)
			continue;
		value = inclusive ? values[m].inclusive[cnode] : values[m].own[cnode];
		if (value != 0 && !fathom_value_is_never(value))
			json_object_set_new(object, values[m].metric->uniq_name, number(value));
	}
	return object;
}

static json_t *parameters(const struct fathom_cube *cube, const struct fathom_cube_cnode *node)
{
	json_t *object = json_object();
	uint32_t p;

	for (p = 0; p < node->parameter_count; p++)
		json_object_set_new(object, cube->parameters[node->first_parameter + p].key,
				    text(cube->parameters[node->first_parameter + p].value));
	return object;
}

static void put_tree(const struct fathom_report *report, const struct fathom_values *values)
{
	const struct fathom_cube *cube = report->profile.cube;
	uint32_t c;

	begin_list("call_tree");
	for (c = 0; c < cube->cnode_count && !fathom_tool_output_lost(); c++) {
		const struct fathom_cube_cnode *node = &cube->cnodes[c];
		json_t *object = json_object();

		json_object_set_new(object, "id", json_integer(c));
		json_object_set_new(object, "parent", node->parent >= 0 ? json_integer(node->parent) : json_null());
		json_object_set_new(object, "region", json_integer(node->region));
		json_object_set_new(object, "name", text(cube->regions[node->region].name));
		if (node->parameter_count)
			json_object_set_new(object, "parameters", parameters(cube, node));
		json_object_set_new(object, "inclusive", node_values(values, cube->metric_count, c, true));
		json_object_set_new(object, "exclusive", node_values(values, cube->metric_count, c, false));
		item(c == 0, object);
	}
	printf("\n]");
}

int fathom_report_json(struct fathom_report *report)
{
	struct fathom_profile *profile = &report->profile;
	uint32_t count = profile->cube->metric_count, m;
	struct fathom_values *values = fathom_tool_alloc(count, sizeof(*values));
	int err = 0;

	for (m = 0; !err && m < count; m++)
		if (fathom_profile_can_read(&profile->cube->metrics[m]))
			err = fathom_profile_values(profile, m, &values[m]);
	if (!err) {
		printf("{\n\"fathom_report\": %d", DOCUMENT);
		member("summary", summary(report));
		member("attributes", attributes(profile->cube));
		put_activities(report);
		put_balance(report);
		put_metrics(report);
		put_regions(report);
		put_tree(report, values);
		printf("\n}\n");
	}
	for (m = 0; m < count; m++)
		fathom_values_free(&values[m]);
	free(values);
	return err;
}
