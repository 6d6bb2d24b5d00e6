#include "tools/score/json.h"

#include <stdio.h>

#include "tools/common/json_writer.h"
#include "tools/common/score/score.h"
#include "tools/common/score/score_filter.h"

static json_t *cost(struct fathom_score_cost cost)
{
	json_t *object = json_object();

	fathom_json_set_number(object, "bytes", cost.bytes);
	fathom_json_set_number(object, "events", cost.events);
	return object;
}

static json_t *kinds(const double bytes[FATHOM_KIND_COUNT])
{
	json_t *object = json_object();

	for (unsigned k = 0; k < FATHOM_KIND_COUNT; k++)
		if (bytes[k] > 0)
			fathom_json_set_number(object, fathom_activity_table[fathom_activity_kinds[k]].metric,
					       bytes[k]);
	return object;
}

static json_t *process(const struct fathom_score_process *process)
{
	json_t *object = cost(process->cost);

	fathom_json_set_number(object, "rank", (double)process->rank);
	fathom_json_set_number(object, "threads", process->locations);
	fathom_json_set_number(object, "bytes_with_filter", process->rest);
	json_object_set_new(object, "bytes_by_activity", kinds(process->kinds));
	return object;
}

static json_t *region(const struct fathom_score *score, const struct fathom_score_name *name)
{
	const struct fathom_cube_region *region = &score->profile.cube->regions[name->region];
	json_t *object = cost(name->cost);

	fathom_json_set_text(object, "name", region->name);
	fathom_json_set_text(object, "linker_name", fathom_score_linker_name(region));
	fathom_json_set_text(object, "paradigm", region->paradigm);
	fathom_json_set_number(object, "visits", name->visits);
	fathom_json_set_known(object, "seconds", score->profile.time >= 0, name->seconds);
	json_object_set_new(object, "relevant", json_boolean(name->relevant));
	json_object_set_new(object, "dropped", json_boolean(name->dropped));
	return object;
}

void fathom_score_json(struct fathom_score *score)
{
	bool first = true;

	printf("{\n\"fathom_score\": 1");
	fathom_json_member("file", fathom_json_text(score->profile.path));
	fathom_json_member("total", cost(score->total));
	fathom_json_member("bytes_by_activity", kinds(score->kinds));
	fathom_json_member("dropped", cost(score->dropped));
	fathom_json_member("largest_process_bytes", fathom_json_number(score->processes[score->largest].cost.bytes));
	fathom_json_member("largest_process_bytes_with_filter", fathom_json_number(score->rest_most));
	fathom_json_member("within_limit", score->options.limit > 0 ? json_boolean(!score->over_limit) : json_null());
	fathom_json_begin_list("processes");
	for (uint32_t g = 0; g < score->process_count; g++)
		fathom_json_item(g == 0, process(&score->processes[g]));
	fathom_json_end_list();
	fathom_json_begin_list("regions");
	for (uint32_t i = 0; i < score->name_count; i++) {
		const struct fathom_score_name *name = &score->names[score->order[i]];

		if (name->cost.bytes <= 0)
			continue;
		fathom_json_item(first, region(score, name));
		first = false;
	}
	fathom_json_end_list();
	printf("\n}\n");
}
