#include "tools/report/json/json_profile.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"
#include "tools/common/json_writer.h"
#include "tools/common/progress.h"
#include "tools/report/iteration_maps.h"
#include "tools/report/json/json_imbalance.h"
#include "tools/report/json/json_phases.h"
#include "tools/report/json/json_scopes.h"
#include "tools/report/json/json_threads.h"
#include "tools/report/json/json_topologies.h"
#include "tools/report/json/json_values.h"
#include "tools/report/processors.h"
#include "tools/report/region_search.h"
#include "tools/report/report.h"
#include "tools/report/run_attributes.h"

enum { DOCUMENT = 1 };		/* version of the document's structure */

static json_t *attributes(const struct fathom_cube *cube)
{
	json_t *object = json_object();
	uint32_t i;

	for (i = 0; i < cube->attribute_count; i++)
		if (!fathom_phases_is_map(cube->attributes[i].key))	/* the maps are in the member phases */
			fathom_json_set_text(object, cube->attributes[i].key, cube->attributes[i].value);
	return object;
}

static json_t *summary(const struct fathom_report *report)
{
	const struct fathom_profile *profile = &report->profile;
	double wall = fathom_report_wall_time(report), overhead = fathom_report_overhead(report);
	double processors = fathom_report_processors(report), processor_time = fathom_report_processor_time(report);
	struct fathom_sharing sharing = fathom_report_sharing(report);
	char command[4096];
	json_t *object = json_object();

	fathom_json_set_text(object, "file", profile->path);
	fathom_json_set_text(object, "command", fathom_report_command(report, command, sizeof(command)));
	json_object_set_new(object, "ranks", json_integer(profile->process_count));
	json_object_set_new(object, "threads", json_integer(profile->thread_count));
	fathom_json_set_text(object, "aggregation", fathom_aggregation_name(profile->threads.aggregation));
	json_object_set_new(object, "rank",
			    report->options.rank >= 0 ? json_integer(report->options.rank) : json_null());
	fathom_json_set_known(object, "wall_time", wall >= 0, wall);
	fathom_json_set_known(object, "processor_time", processor_time >= 0, processor_time);
	fathom_json_set_known(object, "processors", processors >= 0, processors);
	json_object_set_new(object, "sharing", sharing.nodes > 0 ?
			    json_pack("{s:f, s:f, s:f, s:f}", "nodes", sharing.nodes, "processors", sharing.processors,
				      "processes", sharing.processes, "threads", sharing.threads) : json_null());
	fathom_json_set_known(object, "overhead", overhead >= 0, overhead);
	fathom_json_set_known(object, "time", report->time.own, report->time.total);
	return object;
}

static void put_activities(const struct fathom_report *report)
{
	bool is_first = true;
	int a;

	fathom_json_begin_list("activities");
	for (a = 0; report->time.own && a < FATHOM_ACTIVITY_COUNT; a++) {
		const struct fathom_activity_info *info = &fathom_activity_table[a];
		json_t *object;

		if (report->breakdown.seconds[a] == 0)
			continue;
		object = json_object();
		fathom_json_set_text(object, "name", info->metric);
		fathom_json_set_text(object, "title", info->title);
		fathom_json_set_text(object, "within",
				     info->parent < 0 ? "time" : fathom_activity_table[info->parent].metric);
		fathom_json_set_number(object, "seconds", report->breakdown.seconds[a]);
		fathom_json_item(is_first, object);
		is_first = false;
	}
	if (report->idle > 0) {		/* not part of the time, so within no other activity */
		json_t *object = json_object();

		fathom_json_set_text(object, "name", "omp_idle_threads");
		fathom_json_set_text(object, "title", "Idle threads");
		json_object_set_new(object, "within", json_null());
		fathom_json_set_number(object, "seconds", report->idle);
		fathom_json_item(is_first, object);
	}
	fathom_json_end_list();
}

/* Prints the time of each rank (of each thread if there is one rank) by kind of activity. */
static void put_balance(const struct fathom_report *report)
{
	const struct fathom_activity_times *breakdown = &report->breakdown;
	uint32_t u;
	unsigned k;

	fathom_json_member("balance_of", fathom_json_text(breakdown->by_thread ? "threads" : "ranks"));
	fathom_json_begin_list("balance");
	for (u = 0; u < breakdown->unit_count; u++) {
		json_t *object = json_object();

		json_object_set_new(object, breakdown->by_thread ? "thread" : "rank",
				    json_integer(breakdown->unit_rank[u]));
		fathom_json_set_number(object, "time", breakdown->unit_total[u]);
		for (k = 0; k < FATHOM_KIND_COUNT; k++)
			if (breakdown->kind_seconds[k] != 0)
				fathom_json_set_number(object, fathom_activity_table[fathom_activity_kinds[k]].metric,
						       breakdown->unit_kind[(size_t)u * FATHOM_KIND_COUNT + k]);
		fathom_json_item(u == 0, object);
	}
	fathom_json_end_list();
}

static const char *kind_name(const struct fathom_cube_metric *metric)
{
	if (metric->type == FATHOM_CUBE_DERIVED)
		return "formula";
	if (metric->dtype == FATHOM_CUBE_MINDOUBLE)
		return "minimum";
	return metric->dtype == FATHOM_CUBE_MAXDOUBLE ? "maximum" : "sum";
}

static json_t *ratio(const struct fathom_cube *cube, const struct fathom_ratio *formula)
{
	json_t *object = json_object();

	fathom_json_set_text(object, "of", cube->metrics[formula->above].uniq_name);
	fathom_json_set_text(object, "to", cube->metrics[formula->below].uniq_name);
	fathom_json_set_number(object, "factor", formula->factor);
	return object;
}

static void put_metrics(const struct fathom_report *report)
{
	const struct fathom_cube *cube = report->profile.cube;
	uint32_t m;

	fathom_json_begin_list("metrics");
	for (m = 0; m < cube->metric_count; m++) {
		const struct fathom_cube_metric *metric = &cube->metrics[m];
		struct fathom_ratio formula;
		json_t *object = json_object();

		fathom_json_set_text(object, "name", metric->uniq_name);
		fathom_json_set_text(object, "title", metric->disp_name);
		fathom_json_set_text(object, "unit", metric->unit);
		fathom_json_set_text(object, "description", metric->description);
		json_object_set_new(object, "within",
				    metric->parent < 0 ? json_null() :
				    fathom_json_text(cube->metrics[metric->parent].uniq_name));
		fathom_json_set_text(object, "aggregation", kind_name(metric));
		json_object_set_new(object, "values", json_boolean(fathom_profile_has_values(&report->profile, m)));
		if (fathom_profile_formula(&report->profile, m, &formula))
			json_object_set_new(object, "ratio", ratio(cube, &formula));
		fathom_json_item(m == 0, object);
	}
	fathom_json_end_list();
}

/* Returns estimated own times by region; NULL: no region was disabled. The caller frees the result. */
static double *estimated(const struct fathom_report *report)
{
	const struct fathom_profile *profile = &report->profile;
	double *seconds = NULL;
	uint32_t c;

	if (!report->estimate.own)
		return NULL;
	seconds = fathom_tool_alloc(profile->cube->region_count, sizeof(*seconds));
	memcpy(seconds, report->estimate.elsewhere, profile->cube->region_count * sizeof(*seconds));
	for (c = 0; c < profile->cube->cnode_count; c++)
		if (profile->counted[c])
			seconds[profile->cube->cnodes[c].region] += report->estimate.own[c];
	return seconds;
}

static void put_regions(const struct fathom_report *report)
{
	const struct fathom_cube *cube = report->profile.cube;
	double *seconds = estimated(report);
	uint32_t r;

	fathom_json_begin_list("regions");
	for (r = 0; r < cube->region_count; r++) {
		const struct fathom_cube_region *region = &cube->regions[r];
		enum fathom_activity activity;
		json_t *object = json_object();

		fathom_json_set_text(object, "name", region->name);
		fathom_json_set_text(object, "mangled", region->mangled);
		fathom_json_set_text(object, "file", region->file);
		json_object_set_new(object, "line",
				    region->begin_line > 0 ? json_integer(region->begin_line) : json_null());
		json_object_set_new(object, "end_line",
				    region->end_line > 0 ? json_integer(region->end_line) : json_null());
		fathom_json_set_text(object, "paradigm", region->paradigm);
		fathom_json_set_text(object, "role", region->role);
		activity = fathom_profile_activity(&report->profile, region);
		if (*region->description)
			fathom_json_set_text(object, "description", region->description);
		fathom_json_set_text(object, "activity", fathom_activity_table[activity].metric);
		if (report->own_cost.is_mostly_cost) {
			fathom_json_set_number(object, "measurement_overhead", report->own_cost.by_region[r]);
			json_object_set_new(object, "biased", json_boolean(report->own_cost.is_mostly_cost[r]));
		}
		if (seconds)
			fathom_json_set_number(object, "time_estimated", seconds[r]);
		fathom_json_item(r == 0, object);
	}
	fathom_json_end_list();
	free(seconds);
}

static json_t *parameters(const struct fathom_cube *cube, const struct fathom_cube_cnode *node)
{
	json_t *object = json_object();
	uint32_t p;

	for (p = 0; p < node->parameter_count; p++)
		fathom_json_set_text(object, cube->parameters[node->first_parameter + p].key,
				     cube->parameters[node->first_parameter + p].value);
	return object;
}

/* Makes an object of statistics over threads, by metric, for files with statistics instead of values. NULL after an
 * error message. */
static json_t *node_statistics(struct fathom_report *report, uint32_t cnode)
{
	const struct fathom_cube *cube = report->profile.cube;
	struct fathom_statistics statistics;
	json_t *object = json_object();
	uint32_t m;
	int err = 0;

	for (m = 0; !err && m < cube->metric_count; m++)
		if (cube->metrics[m].dtype == FATHOM_CUBE_TUPLE &&
		    fathom_threads_statistics(&report->profile, m, cnode, &statistics, &err) && statistics.count > 0)
			json_object_set_new(object, cube->metrics[m].uniq_name, fathom_json_statistics(&statistics));
	if (!err)
		return object;
	json_decref(object);
	return NULL;
}

static int put_tree(struct fathom_report *report, const struct fathom_values *values)
{
	const struct fathom_cube *cube = report->profile.cube;
	uint32_t c;

	fathom_json_begin_list("call_tree");
	for (c = 0; c < cube->cnode_count && !fathom_tool_output_lost(); c++) {
		const struct fathom_cube_cnode *node = &cube->cnodes[c];
		json_t *object = json_object();

		json_object_set_new(object, "id", json_integer(c));
		json_object_set_new(object, "parent", node->parent >= 0 ? json_integer(node->parent) : json_null());
		json_object_set_new(object, "region", json_integer(node->region));
		fathom_json_set_text(object, "name", cube->regions[node->region].name);
		if (report->sampled.is_sampled && report->sampled.is_sampled[c])
			json_object_set_new(object, "sampled", json_true());
		if (node->parameter_count)
			json_object_set_new(object, "parameters", parameters(cube, node));
		json_object_set_new(object, "inclusive", fathom_json_node_values(values, cube->metric_count, c, true));
		json_object_set_new(object, "exclusive", fathom_json_node_values(values, cube->metric_count, c, false));
		if (report->profile.threads.aggregation == FATHOM_AGGREGATION_SET) {
			json_t *statistics = node_statistics(report, c);

			if (!statistics)
				return -EIO;
			json_object_set_new(object, "statistics", statistics);
		}
		fathom_json_item(c == 0, object);
	}
	fathom_json_end_list();
	return 0;
}

int fathom_report_json(struct fathom_report *report)
{
	struct fathom_profile *profile = &report->profile;
	uint32_t count = profile->cube->metric_count, m;
	struct fathom_values *values = fathom_tool_alloc(count, sizeof(*values));
	int err = 0;

	fathom_progress_begin("reading values", count);
	for (m = 0; !err && m < count; m++) {
		fathom_progress_set(m);
		if (fathom_profile_has_values(profile, m))
			err = fathom_profile_values(profile, m, &values[m]);
	}
	fathom_progress_end();
	if (!err && report->options.threads)	/* an error must come before any output */
		err = fathom_report_check_regions(report, report->options.threads);
	if (!err) {
		printf("{\n\"fathom_report\": %d", DOCUMENT);
		fathom_json_member("summary", summary(report));
		fathom_json_member("attributes", attributes(profile->cube));
		put_activities(report);
		put_balance(report);
		err = fathom_report_json_threads(report);
		fathom_report_json_topologies(report);
		if (!err)
			err = fathom_report_json_imbalance(report);
		put_metrics(report);
		put_regions(report);
		if (!err)
			err = fathom_report_json_phases(report);
		if (!err)
			err = put_tree(report, values);
		if (!err)
			err = fathom_report_json_scopes(report);
		printf("\n}\n");
	}
	for (m = 0; m < count; m++)
		fathom_values_free(&values[m]);
	free(values);
	return err;
}
