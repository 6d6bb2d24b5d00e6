#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/common/command.h"
#include "tools/common/json_writer.h"
#include "tools/scaling/scaling_text.h"

static json_t *factors_of(const double *factors)
{
	json_t *object = json_object();

	for (enum fathom_factor f = 0; f < FATHOM_FACTOR_COUNT; f++)
		fathom_json_set_known(object, fathom_factor_table[f].name, factors[f] >= 0, factors[f]);
	return object;
}

static json_t *model_of(const struct fathom_growth_model *model)
{
	char term[FATHOM_GROWTH_TERM_BYTES];
	json_t *object;

	if (!model->is_there)
		return json_null();
	object = json_object();
	fathom_json_set_text(object, "term", fathom_growth_model_term(model, term));
	fathom_json_set_number(object, "exponent", (double)model->numerator / model->denominator);
	json_object_set_new(object, "log_exponent", json_integer(model->log_power));
	fathom_json_set_number(object, "constant", model->constant);
	fathom_json_set_number(object, "coefficient", model->coefficient);
	fathom_json_set_number(object, "error", model->error);
	fathom_json_set_number(object, "predicted", model->predicted);
	fathom_json_set_number(object, "low", model->low);
	fathom_json_set_number(object, "high", model->high);
	return object;
}

static void put_sizes(const struct fathom_scaling *scaling)
{
	fathom_json_begin_list("sizes");
	for (uint32_t s = 0; s < scaling->count; s++) {
		const struct fathom_size *size = &scaling->sizes[s];
		json_t *object = json_object(), *files = json_array();

		json_object_set_new(object, "ranks", json_integer(size->processes));
		json_object_set_new(object, "threads", json_integer(size->threads));
		for (uint32_t i = size->first; i < size->end; i++)
			json_array_append_new(files, fathom_json_text(scaling->matched.runs[scaling->order[i]].path));
		json_object_set_new(object, "files", files);
		json_object_set_new(object, "shares_processors", json_boolean(size->shares_processors));
		fathom_json_set_known(object, "wall_time", size->wall_time >= 0, size->wall_time);
		fathom_json_set_known(object, "run_time", size->run_time >= 0, size->run_time);
		fathom_json_set_known(object, "speed_up", size->speed_up >= 0, size->speed_up);
		fathom_json_set_number(object, "value", size->total);
		fathom_json_set_number(object, "loss_percent", 100 * size->loss);
		json_object_set_new(object, "efficiency", factors_of(size->factors));
		fathom_json_item(s == 0, object);
	}
	fathom_json_end_list();
}

static void put_broken(const struct fathom_scaling *scaling)
{
	const struct fathom_size *size = &scaling->sizes[scaling->broken_at];
	json_t *object;

	if (scaling->first_broken == FATHOM_FACTOR_COUNT) {
		fathom_json_member("first_broken", json_null());
		return;
	}
	object = json_object();
	fathom_json_set_text(object, "factor", fathom_factor_table[scaling->first_broken].name);
	json_object_set_new(object, "ranks", json_integer(size->processes));
	json_object_set_new(object, "threads", json_integer(size->threads));
	fathom_json_set_number(object, "value", size->factors[scaling->first_broken]);
	fathom_json_member("first_broken", object);
}

static void put_projection(const struct fathom_scaling *scaling)
{
	json_t *object = json_object();

	for (enum fathom_factor f = 0; f < FATHOM_FACTOR_COUNT; f++)
		fathom_json_set_known(object, fathom_factor_table[f].name, !isnan(scaling->projected[f]),
				      scaling->projected[f]);
	fathom_json_member("projected", object);
}

/* Returns an object with the values and losses of an item at all sizes. */
static json_t *item_of(const struct fathom_scaling *scaling, const struct fathom_matched_list *list,
		       const struct fathom_scaled_item *scaled)
{
	const struct fathom_matched_item *item = &list->items[scaled->item];
	json_t *object = json_object(), *own = json_array(), *inclusive = json_array(), *percents = json_array();
	uint32_t last = scaling->count - 1;
	char path[4096];

	fathom_json_set_text(object, "name", item->name);
	fathom_json_set_text(object, "file", item->file);
	json_object_set_new(object, "line", item->line > 0 ? json_integer(item->line) : json_null());
	if (list == &scaling->matched.call_paths) {
		fathom_matched_path(list, scaled->item, path, sizeof(path));
		fathom_json_set_text(object, "path", path);
	}
	for (uint32_t s = 0; s < scaling->count; s++) {
		double value = fathom_scaling_own(scaling, item, s), reference = fathom_scaling_own(scaling, item, 0);
		double loss = fathom_scaling_loss(scaling, value, reference, s);

		json_array_append_new(own, fathom_json_number(value));
		json_array_append_new(inclusive, fathom_json_number(fathom_scaling_inclusive(scaling, item, s)));
		json_array_append_new(percents, fathom_json_number(100 * fathom_scaling_share(scaling, loss, s)));
	}
	json_object_set_new(object, "values", own);
	json_object_set_new(object, "inclusive_values", inclusive);
	json_object_set_new(object, "losses_percent", percents);
	fathom_json_set_number(object, "loss", scaled->loss);
	fathom_json_set_number(object, "loss_percent", 100 * fathom_scaling_share(scaling, scaled->loss, last));
	fathom_json_set_number(object, "inclusive_loss", scaled->inclusive_loss);
	fathom_json_set_number(object, "inclusive_loss_percent",
			       100 * fathom_scaling_share(scaling, scaled->inclusive_loss, last));
	json_object_set_new(object, "model", model_of(&scaled->model));
	return object;
}

static void put_items(const char *key, const struct fathom_scaling *scaling, const struct fathom_matched_list *list,
		      const struct fathom_scaled_item *items)
{
	fathom_json_begin_list(key);
	for (size_t i = 0; i < list->count; i++)
		fathom_json_item(i == 0, item_of(scaling, list, &items[i]));
	fathom_json_end_list();
}

/* Prints the positions of the growing call paths in the list call_paths. */
static void put_growing(const struct fathom_scaling *scaling)
{
	size_t count = scaling->matched.call_paths.count;
	uint32_t *position = fathom_tool_alloc(count + 1, sizeof(*position));

	for (size_t i = 0; i < count; i++)
		position[scaling->paths[i].item] = (uint32_t)i;
	fathom_json_begin_list("growing");
	for (size_t i = 0; i < scaling->growing_count; i++)
		fathom_json_item(i == 0, json_integer(position[scaling->growing[i].item]));
	fathom_json_end_list();
	free(position);
}

void fathom_scaling_json(const struct fathom_scaling *scaling)
{
	printf("{\n\"fathom_scaling\": 1");
	fathom_json_member("metric", fathom_json_text(scaling->matched.metric));
	fathom_json_member("unit", fathom_json_text(scaling->matched.unit));
	fathom_json_member("expectation", fathom_json_text(fathom_expectation_name(scaling->expectation)));
	fathom_json_member("recognised_by",
			   scaling->is_recognised ? fathom_json_text(scaling->recognised_by) : json_null());
	fathom_json_member("target", fathom_json_number(scaling->target));
	put_sizes(scaling);
	put_broken(scaling);
	put_projection(scaling);
	fathom_json_member("model", model_of(&scaling->whole));
	put_items("call_paths", scaling, &scaling->matched.call_paths, scaling->paths);
	put_items("regions", scaling, &scaling->matched.regions, scaling->regions);
	put_growing(scaling);
	printf("\n}\n");
}
