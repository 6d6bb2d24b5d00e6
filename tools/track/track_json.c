#include "tools/track/track_json.h"

#include <math.h>
#include <stdio.h>

#include "tools/common/json_writer.h"
#include "tools/track/track_text.h"

static json_t *run_of(const struct fathom_kind_trends *trends, uint32_t number)
{
	const struct fathom_tracked_runs *runs = trends->runs;
	const struct fathom_tracked_run *run = &runs->runs[number];
	const struct fathom_clustering *clustering = &run->clustering;
	json_t *object = json_object(), *kinds = json_array();

	fathom_json_set_text(object, "name", run->name);
	fathom_json_set_text(object, "trace", run->data->trace.anchor);
	json_object_set_new(object, "processes", json_integer(run->process_count));
	json_object_set_new(object, "threads", json_integer(run->data->thread_count));
	json_object_set_new(object, "clustered_bursts", json_integer(clustering->point_count));
	fathom_json_set_number(object, "time", clustering->seconds);
	fathom_json_set_number(object, "clustered_time", clustering->kept_seconds);
	fathom_json_set_number(object, "noise_time", clustering->clusters[FATHOM_NOISE].seconds);
	fathom_json_set_known(object, "eps", clustering->choice.method == FATHOM_DBSCAN, clustering->choice.eps);
	fathom_json_set_known(object, "min_points", clustering->choice.method <= FATHOM_REFINEMENT,
			      clustering->choice.min_points);
	fathom_json_set_number(object, "coverage",
			       fathom_tracking_coverage(&runs->tracking, runs->experiments, number));
	for (uint32_t c = 1; c <= clustering->count; c++)
		json_array_append_new(kinds, json_integer(runs->tracking.kinds[number][c]));
	json_object_set_new(object, "kind_of_cluster", kinds);
	return object;
}

static json_t *relation_of(const struct fathom_relation *relation)
{
	json_t *object = json_object();

	json_object_set_new(object, "experiments", json_pack("[i,i]", (int)relation->experiment + 1,
							      (int)relation->experiment + 2));
	json_object_set_new(object, "clusters", json_pack("[i,i]", (int)relation->a, (int)relation->b));
	json_object_set_new(object, "reason", json_string(fathom_relation_words(relation->reason)));
	fathom_json_set_number(object, "displacement", relation->evidence.displacement);
	fathom_json_set_number(object, "call_stack", relation->evidence.call_stack);
	fathom_json_set_number(object, "sequence", relation->evidence.sequence);
	return object;
}

static json_t *values_of(const struct fathom_kind_trends *trends, uint32_t kind, uint32_t run)
{
	const struct fathom_kind_values *values = fathom_kind_values_of(trends, kind, run);
	json_t *object = json_object(), *clusters = json_array(), *means = json_object();

	if (!values->bursts) {
		json_decref(object);
		json_decref(clusters);
		json_decref(means);
		return json_null();
	}
	for (uint32_t c = 1; c <= trends->runs->runs[run].clustering.count; c++)
		if (trends->runs->tracking.kinds[run][c] == kind)
			json_array_append_new(clusters, json_integer(c));
	json_object_set_new(object, "clusters", clusters);
	json_object_set_new(object, "bursts", json_integer((json_int_t)values->bursts));
	fathom_json_set_number(object, "time", values->seconds);
	fathom_json_set_number(object, "share", values->seconds / trends->runs->runs[run].clustering.seconds);
	for (uint32_t m = 0; m < trends->metric_count; m++)
		if (isfinite(values->means[m]))
			fathom_json_set_number(means, trends->metrics[m]->name, values->means[m]);
	json_object_set_new(object, "means", means);
	return object;
}

static json_t *kind_of(const struct fathom_kind_trends *trends, uint32_t kind)
{
	json_t *object = json_object(), *list = json_array();
	const char *file;
	uint32_t line;
	char path[4096];

	json_object_set_new(object, "number", json_integer(kind));
	fathom_json_set_text(object, "path",
			     fathom_kind_code(trends, kind, 0, path, sizeof(path), &file, &line));
	fathom_json_set_text(object, "file", file);
	json_object_set_new(object, "line", json_integer(line));
	for (uint32_t r = 0; r < trends->runs->count; r++)
		json_array_append_new(list, values_of(trends, kind, r));
	json_object_set_new(object, "experiments", list);
	return object;
}

void fathom_track_json_kinds(const struct fathom_kind_trends *trends)
{
	fathom_json_begin_list("kinds");
	for (uint32_t k = 1; k <= trends->runs->tracking.kind_count; k++)
		fathom_json_item(k == 1, kind_of(trends, k));
	fathom_json_end_list();
}

void fathom_track_json(const struct fathom_kind_trends *trends)
{
	const struct fathom_tracked_runs *runs = trends->runs;

	printf("{\"metrics\": ");
	json_dumpf(fathom_json_text(runs->metric_names), stdout, JSON_ENCODE_ANY);
	fathom_json_member("coverage", fathom_json_number(trends->coverage));
	fathom_json_begin_list("experiments");
	for (uint32_t r = 0; r < runs->count; r++)
		fathom_json_item(r == 0, run_of(trends, r));
	fathom_json_end_list();
	fathom_track_json_kinds(trends);
	fathom_json_begin_list("relations");
	for (size_t i = 0; i < runs->tracking.relation_count; i++)
		fathom_json_item(i == 0, relation_of(&runs->tracking.relations[i]));
	fathom_json_end_list();
	printf("}\n");
}
