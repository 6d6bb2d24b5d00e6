#include <inttypes.h>
#include <stdio.h>

#include "periods/periodic_region.h"
#include "tools/common/json_writer.h"
#include "tools/common/number_format.h"
#include "tools/trace/iteration_search.h"

/* Returns a time of the trace in seconds from its begin. */
static double seconds_at(const struct fathom_otf2_defs *defs, uint64_t ticks)
{
	return ticks < defs->offset ? 0 : fathom_otf2_seconds(defs, (double)(ticks - defs->offset));
}

static json_t *level_object(const struct fathom_otf2_defs *defs, const struct fathom_iteration_level *level)
{
	json_t *object = json_object();

	fathom_json_set_number(object, "begin", seconds_at(defs, level->begin));
	fathom_json_set_number(object, "end", seconds_at(defs, level->end));
	fathom_json_set_number(object, "period", fathom_otf2_seconds(defs, level->period));
	json_object_set_new(object, "count", json_integer((json_int_t)level->count));
	fathom_json_set_number(object, "correlation", level->correlation);
	json_object_set_new(object, "typical", json_integer((json_int_t)level->typical + 1));
	fathom_json_set_number(object, "likeness", level->likeness);
	return object;
}

static void print_json(const struct fathom_otf2_archive *trace, const struct fathom_iterations *iterations)
{
	json_t *window = json_null();

	printf("{\"trace\": ");
	json_dumpf(fathom_json_text(trace->anchor), stdout, JSON_ENCODE_ANY);
	fathom_json_begin_list("levels");
	for (uint32_t i = 0; i < iterations->level_count; i++)
		fathom_json_item(i == 0, level_object(&trace->defs, &iterations->levels[i]));
	fathom_json_end_list();
	if (iterations->level_count) {
		window = json_object();
		fathom_json_set_number(window, "from", seconds_at(&trace->defs, iterations->window.from));
		fathom_json_set_number(window, "to", seconds_at(&trace->defs, iterations->window.to));
		json_object_set_new(window, "at_bursts", json_boolean(iterations->is_aligned));
	}
	fathom_json_member("window", window);
	printf("}\n");
}

static void print_text(const struct fathom_otf2_archive *trace, const struct fathom_iterations *iterations)
{
	const struct fathom_otf2_defs *defs = &trace->defs;
	const struct fathom_iteration_level *level = iterations->levels;
	char text[FATHOM_NUMBER_BYTES];

	if (iterations->level_count == 0) {
		printf("%s: no part of the trace repeats itself three times or more\n", trace->anchor);
		return;
	}
	printf("region       %.9f to %.9f s", seconds_at(defs, level->begin), seconds_at(defs, level->end));
	printf(", %s of the time\n", fathom_number_percent(text, (double)(level->end - level->begin),
							   (double)defs->length));
	for (uint32_t i = 0; i < iterations->level_count; i++, level++) {
		printf("%s%s, ", i == 0 ? "period       " : "within it    ",
		       fathom_number_seconds(text, fathom_otf2_seconds(defs, level->period)));
		printf("%zu %s, correlation %.2f%s\n", level->count, i == 0 ? "iterations" : "times",
		       level->correlation, level->correlation < FATHOM_SURE_PERIOD ? " (iterations differ)" : "");
	}
	level = iterations->levels;
	printf("typical      iterations %zu and %zu, %.9f to %.9f s (likeness %.2f): --cut iterations:2\n",
	       level->typical + 1, level->typical + 2, seconds_at(defs, iterations->window.from),
	       seconds_at(defs, iterations->window.to), level->likeness);
}

int fathom_iterations_print(const struct fathom_otf2_archive *trace, bool json)
{
	struct fathom_iterations iterations;
	int err = fathom_iteration_search(&iterations, trace, 2);

	if (err)
		return err;
	if (json)
		print_json(trace, &iterations);
	else
		print_text(trace, &iterations);
	return 0;
}
