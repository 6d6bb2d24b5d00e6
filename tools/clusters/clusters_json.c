#include <math.h>
#include <stdio.h>

#include "tools/clusters/cluster_values.h"
#include "tools/clusters/clusters_text.h"
#include "tools/clusters/counter_comparison.h"
#include "tools/clusters/counter_estimates.h"
#include "tools/clusters/representatives.h"
#include "tools/common/json_writer.h"

static json_t *metrics_of(const struct fathom_clustering *clustering, const struct fathom_cluster *cluster)
{
	json_t *object = json_object();

	for (uint32_t m = 0; m < clustering->metrics.count; m++) {
		const struct fathom_cluster_metric *metric = &cluster->metrics[m];
		json_t *values;

		if (clustering->metrics.metrics[m].kind == FATHOM_BURST_CALL || !metric->count)
			continue;
		values = json_object();
		fathom_json_set_number(values, "mean", metric->mean);
		fathom_json_set_number(values, "deviation", metric->deviation);
		fathom_json_set_number(values, "minimum", metric->least);
		fathom_json_set_number(values, "maximum", metric->most);
		fathom_json_set_number(values, "bursts", (double)metric->count);
		json_object_set_new(object, clustering->metrics.metrics[m].name, values);
	}
	return object;
}

static json_t *code_of(const struct fathom_clustering *clustering, const struct fathom_cluster *cluster)
{
	const struct fathom_otf2_defs *defs = &clustering->data->trace.defs;
	const struct fathom_burst_extraction *extraction = &clustering->data->extraction;
	json_t *list = json_array();

	for (uint32_t p = 0; p < cluster->place_count; p++) {
		const struct fathom_cluster_place *place = &cluster->places[p];
		const struct fathom_otf2_region *region =
			fathom_otf2_at(defs, FATHOM_OTF2_REGION, extraction->paths.paths[place->path].region);
		json_t *object = json_object();
		char path[4096];

		fathom_json_set_text(object, "path", fathom_burst_path_text(extraction, place->path, path,
									    sizeof(path)));
		fathom_json_set_text(object, "file", region->file == OTF2_UNDEFINED_STRING ? "" :
				     fathom_otf2_text(defs, region->file));
		json_object_set_new(object, "line", json_integer(region->begin_line));
		fathom_json_set_number(object, "share", place->seconds / cluster->seconds);
		json_array_append_new(list, object);
	}
	return list;
}

static json_t *refinement_of(const struct fathom_clustering *clustering)
{
	json_t *object = json_object(), *eps = json_array(), *nodes = json_array();

	for (uint32_t s = 0; s < clustering->tree.steps; s++)
		json_array_append_new(eps, fathom_json_number(clustering->tree.history[s].eps));
	for (uint32_t n = 0; n < clustering->tree.node_count; n++) {
		const struct fathom_refinement_node *node = &clustering->tree.nodes[n];
		json_t *values = json_object(), *parents = json_array();

		json_object_set_new(values, "id", json_integer(node->id));
		json_object_set_new(values, "step", json_integer(node->step));
		json_object_set_new(values, "bursts", json_integer(node->count));
		fathom_json_set_number(values, "time", node->seconds);
		fathom_json_set_number(values, "score", node->score);
		json_object_set_new(values, "leaf", json_boolean(node->is_leaf));
		for (uint32_t e = 0; e < clustering->tree.edge_count; e++)
			if (clustering->tree.edges[e].child == n)
				json_array_append_new(parents, json_integer(clustering->tree.edges[e].parent));
		json_object_set_new(values, "parents", parents);
		json_array_append_new(nodes, values);
	}
	json_object_set_new(object, "variant",
			    json_string(clustering->choice.is_divisive ? "divisive" : "aggregative"));
	json_object_set_new(object, "eps", eps);
	json_object_set_new(object, "nodes", nodes);
	json_object_set_new(object, "joined", json_integer(clustering->joined));
	return object;
}

static json_t *choices_of(const struct fathom_clustering *clustering)
{
	static const char *const methods[] = { "dbscan", "refinement", "kmeans", "xmeans" };
	const struct fathom_cluster_choice *choice = &clustering->choice;
	json_t *object = json_object(), *metrics = json_array();

	json_object_set_new(object, "method", json_string(methods[choice->method]));
	for (uint32_t d = 0; d < choice->metric_count; d++) {
		json_t *metric = json_object();

		fathom_json_set_text(metric, "name", clustering->metrics.metrics[choice->metrics[d]].name);
		json_object_set_new(metric, "logarithm", json_boolean(clustering->axes[d].is_log));
		fathom_json_set_number(metric, "minimum", clustering->axes[d].least);
		fathom_json_set_number(metric, "maximum", clustering->axes[d].most);
		json_array_append_new(metrics, metric);
	}
	json_object_set_new(object, "metrics", metrics);
	fathom_json_set_known(object, "eps", choice->method == FATHOM_DBSCAN, choice->eps);
	fathom_json_set_known(object, "min_points", choice->method <= FATHOM_REFINEMENT, choice->min_points);
	if (choice->method == FATHOM_REFINEMENT)
		json_object_set_new(object, "refinement", refinement_of(clustering));
	json_object_set_new(object, "sample", clustering->sample_count ? json_integer(clustering->sample_count) :
			    json_null());
	fathom_json_set_number(object, "least_duration", choice->least_seconds);
	json_object_set_new(object, "dimensions", json_integer(clustering->dimensions));
	return object;
}

/* Returns a list of lists of processes; null: unknown. */
static json_t *groups_of(const struct fathom_clustering *clustering)
{
	json_t *list;

	if (!clustering->process_group_count)
		return json_null();
	list = json_array();
	for (uint32_t g = 1; g <= clustering->process_group_count; g++) {
		json_t *members = json_array();

		for (uint32_t i = 0; i < clustering->process_count; i++)
			if (clustering->process_groups[i] == g)
				json_array_append_new(members, json_integer(clustering->processes[i]));
		json_array_append_new(list, members);
	}
	return list;
}

void fathom_clusters_json(const struct fathom_clustering *clustering)
{
	printf("{\"trace\": ");
	json_dumpf(fathom_json_text(clustering->data->trace.anchor), stdout, JSON_ENCODE_ANY);
	fathom_json_member("bursts", json_integer((json_int_t)clustering->data->histogram.count));
	fathom_json_member("threads", json_integer(clustering->data->thread_count));
	fathom_json_member("time", fathom_json_number(clustering->seconds));
	fathom_json_member("clustered_bursts", json_integer(clustering->point_count));
	fathom_json_member("clustered_time", fathom_json_number(clustering->kept_seconds));
	fathom_json_member("short_bursts", json_integer((json_int_t)clustering->short_count));
	fathom_json_member("missing_bursts", json_integer((json_int_t)clustering->missing_count));
	fathom_json_member("choices", choices_of(clustering));
	fathom_json_member("silhouette", fathom_json_number(clustering->silhouette));
	fathom_json_member("sequence_score", clustering->score < 0 ? json_null() :
			   fathom_json_number(clustering->score));
	fathom_json_member("process_groups", groups_of(clustering));
	fathom_json_member("aligned_threads", json_integer(clustering->aligned_threads));
	fathom_json_member("aligned_length", clustering->aligned_length ? json_integer(clustering->aligned_length) :
			   json_null());
	fathom_json_member("extrapolated", fathom_counter_estimates_json(clustering->estimates, clustering));
	if (clustering->comparison)
		fathom_json_member("compared_counters", fathom_counter_comparison_json(clustering->comparison,
										       clustering->estimates,
										       clustering));
	fathom_json_member("cycles_per_instruction", fathom_cycle_causes_json(clustering));
	if (clustering->representatives)
		fathom_json_member("representatives", fathom_representatives_json(clustering->representatives,
										  clustering));
	fathom_json_begin_list("clusters");
	for (uint32_t c = 0; c <= clustering->count; c++) {
		const struct fathom_cluster *cluster = &clustering->clusters[c];
		json_t *object = json_object();

		json_object_set_new(object, "number", json_integer(c));
		json_object_set_new(object, "noise", json_boolean(c == FATHOM_NOISE));
		fathom_json_set_number(object, "time", cluster->seconds);
		fathom_json_set_number(object, "share", cluster->seconds / clustering->seconds);
		json_object_set_new(object, "bursts", json_integer((json_int_t)cluster->count));
		json_object_set_new(object, "threads", json_integer(cluster->threads));
		fathom_json_set_known(object, "sequence_score", cluster->score >= 0, cluster->score);
		json_object_set_new(object, "metrics", metrics_of(clustering, cluster));
		json_object_set_new(object, "code", code_of(clustering, cluster));
		fathom_json_item(c == 0, object);
	}
	fathom_json_end_list();
	printf("}\n");
}
