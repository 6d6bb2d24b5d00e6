#include <stdio.h>

#include "tools/common/json_writer.h"
#include "tools/fold/fold_output.h"

static json_t *counter_object(const struct fathom_folds *folds, const struct fathom_fold *fold, uint32_t c)
{
	const struct fathom_folded_counter *counter = &fold->counters[c];
	json_t *object = json_object(), *segments = json_array();

	fathom_json_set_text(object, "name", folds->counters[c].name);
	fathom_json_set_text(object, "unit", folds->counters[c].unit);
	fathom_json_set_number(object, "mean", fathom_folded_mean(counter));
	fathom_json_set_number(object, "instances", (double)counter->instances);
	fathom_json_set_number(object, "readings", (double)counter->points.total);
	fathom_json_set_known(object, "error", counter->fit.segments, counter->fit.error);
	for (uint32_t s = 0; s < counter->fit.segments; s++) {
		json_t *segment = json_object();

		fathom_json_set_number(segment, "from", counter->fit.x[s]);
		fathom_json_set_number(segment, "to", counter->fit.x[s + 1]);
		fathom_json_set_number(segment, "share_from", counter->fit.y[s]);
		fathom_json_set_number(segment, "share_to", counter->fit.y[s + 1]);
		fathom_json_set_number(segment, "rate",
				       fathom_fold_rate(fold, c, (counter->fit.x[s] + counter->fit.x[s + 1]) / 2));
		json_array_append_new(segments, segment);
	}
	json_object_set_new(object, "segments", segments);
	return object;
}

static json_t *place_object(const struct fathom_folds *folds, const struct fathom_folded_place *place)
{
	const struct fathom_otf2_defs *defs = &folds->trace->defs;
	const struct fathom_otf2_region *region = fathom_otf2_at(defs, FATHOM_OTF2_REGION, place->entry.key[0]);
	json_t *object = json_object(), *samples = json_array();

	fathom_json_set_text(object, "region", fathom_otf2_text(defs, region->name));
	fathom_json_set_text(object, "file", place->file == UINT32_MAX ? "" : fathom_otf2_text(defs, place->file));
	json_object_set_new(object, "line", json_integer((json_int_t)place->entry.key[1]));
	for (uint32_t i = 0; i < FATHOM_FOLD_COLUMNS; i++)
		json_array_append_new(samples, json_integer((json_int_t)place->samples[i]));
	json_object_set_new(object, "samples", samples);
	return object;
}

static json_t *fold_object(const struct fathom_folds *folds, const struct fathom_fold *fold)
{
	json_t *object = json_object(), *counters = json_array(), *places = json_array();

	fathom_json_set_text(object, "name", fold->name);
	json_object_set_new(object, "kind", json_integer(fold->subject));
	json_object_set_new(object, "mode", json_integer(fold->mode));
	json_object_set_new(object, "modes", json_integer(fold->modes));
	fathom_json_set_number(object, "instances", (double)fold->instances);
	fathom_json_set_number(object, "left_out", (double)fold->left_out);
	json_object_set_new(object, "threads", json_integer(fold->threads));
	fathom_json_set_number(object, "duration", fathom_fold_duration(fold));
	for (uint32_t c = 0; c < folds->counter_count; c++)
		json_array_append_new(counters, counter_object(folds, fold, c));
	json_object_set_new(object, "counters", counters);
	fathom_json_set_number(object, "samples", (double)fold->samples);
	for (uint32_t p = 0; p < fold->place_count; p++)
		json_array_append_new(places, place_object(folds, fold->places[p]));
	json_object_set_new(object, "code", places);
	return object;
}

void fathom_folds_json(const struct fathom_folds *folds)
{
	printf("{\"trace\": ");
	json_dumpf(fathom_json_text(folds->trace->anchor), stdout, JSON_ENCODE_ANY);
	fathom_json_begin_list("folds");
	for (uint32_t f = 0; f < folds->count; f++)
		fathom_json_item(f == 0, fold_object(folds, &folds->folds[f]));
	fathom_json_end_list();
	printf("}\n");
}
