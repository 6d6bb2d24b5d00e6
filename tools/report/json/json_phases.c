#include "tools/report/json/json_phases.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>

#include "tools/common/command.h"
#include "tools/common/json_writer.h"
#include "tools/report/report.h"

static json_t *numbers(const double *values, uint32_t count)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < count; i++)
		json_array_append_new(list, fathom_json_number(values[i]));
	return list;
}

static json_t *whole_numbers(const uint64_t *values, uint32_t count)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < count; i++)
		json_array_append_new(list, json_integer((json_int_t)values[i]));
	return list;
}

static json_t *ranks(const int64_t *values, uint32_t count)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < count; i++)
		json_array_append_new(list, values[i] < 0 ? json_null() : json_integer(values[i]));
	return list;
}

/* Makes the series of a metric's values over iterations; NULL after an error message. */
static json_t *series(struct fathom_report *report, const struct fathom_phase *phase, uint32_t metric)
{
	struct fathom_phase_values values;
	json_t *object;
	double *each;

	if (fathom_phase_read(&report->phases, phase, metric, &values))
		return NULL;
	each = fathom_tool_alloc(phase->count, sizeof(*each));
	for (uint32_t i = 0; i < phase->count; i++)
		each[i] = fathom_value_is_never(fathom_phase_value(phase, &values, i)) ?
			  0 : fathom_phase_value(phase, &values, i);
	object = json_object();
	json_object_set_new(object, values.is_ratio ? "ratio" : "sum", numbers(values.sum, phase->count));
	if (!values.is_ratio) {
		json_object_set_new(object, "least", numbers(values.least, phase->count));
		json_object_set_new(object, "most", numbers(values.most, phase->count));
		json_object_set_new(object, "most_rank", ranks(values.most_rank, phase->count));
		fathom_json_set_number(object, "unplaced", values.unplaced);
	}
	fathom_json_set_number(object, "total", values.total);
	fathom_json_set_number(object, "trend", fathom_phase_trend(each, phase->count));
	free(each);
	fathom_phase_values_free(&values);
	return object;
}

/* Returns whether the document has the metric: it is no part of another metric, or the user asked for it. */
static bool is_wanted(const struct fathom_report *report, uint32_t metric)
{
	const struct fathom_cube_metric *it = &report->profile.cube->metrics[metric];

	return fathom_phases_has(&report->profile, metric) && (it->parent < 0 || it == report->values.metric);
}

static json_t *maps(const struct fathom_report *report, const struct fathom_phase *phase)
{
	json_t *list = json_array();

	for (uint32_t m = phase->first_map; m < phase->map_end; m++) {
		const struct fathom_phase_map *map = &report->phases.maps[m];
		json_t *object = json_object(), *clusters = json_array();

		for (uint32_t i = 0; i < map->count; i++)
			json_array_append_new(clusters, json_integer(map->clusters[i]));
		json_object_set_new(object, "rank", json_integer(map->rank));
		json_object_set_new(object, "thread", json_integer(map->thread));
		json_object_set_new(object, "iterations", whole_numbers(map->numbers, map->count));
		json_object_set_new(object, "clusters", clusters);
		json_object_set_new(object, "seconds", numbers(map->seconds, map->count));
		json_array_append_new(list, object);
	}
	return list;
}

static int put_phase(struct fathom_report *report, const struct fathom_phase *phase, bool is_first)
{
	const struct fathom_cube *cube = report->profile.cube;
	json_t *object = json_object(), *metrics = json_object();
	uint32_t m;

	for (m = 0; m < cube->metric_count; m++) {
		json_t *it;

		if (!is_wanted(report, m))
			continue;
		it = series(report, phase, m);
		if (!it) {
			json_decref(metrics);
			json_decref(object);
			return -1;
		}
		json_object_set_new(metrics, cube->metrics[m].uniq_name, it);
	}
	fathom_json_set_text(object, "region", fathom_profile_region(&report->profile, phase->cnode)->name);
	json_object_set_new(object, "call_path", json_integer(phase->cnode));
	json_object_set_new(object, "iterations", whole_numbers(phase->numbers, phase->count));
	json_object_set_new(object, "runs", numbers(phase->runs, phase->count));
	json_object_set_new(object, "cluster_runs", numbers(phase->cluster_runs, phase->cluster_count));
	fathom_json_set_number(object, "lost_runs", phase->lost_runs);
	json_object_set_new(object, "maps", maps(report, phase));
	json_object_set_new(object, "metrics", metrics);
	fathom_json_item(is_first, object);
	return 0;
}

int fathom_report_json_phases(struct fathom_report *report)
{
	int err = 0;

	fathom_json_begin_list("phases");
	for (uint32_t p = 0; !err && p < report->phases.count; p++)
		err = put_phase(report, &report->phases.phases[p], p == 0);
	fathom_json_end_list();
	return err;
}
