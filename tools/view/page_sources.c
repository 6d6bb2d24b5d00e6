#include "tools/view/page_sources.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"
#include "tools/common/json_writer.h"
#include "tools/common/samples/source_text.h"
#include "tools/common/scope_region.h"

enum { LINES_MOST = 2000 };	/* of one function */
static const double least_share = 0.001;	/* of the run's time: functions with less are left out */

struct region_time {
	uint32_t region;
	double seconds;
};

static int by_time(const void *a, const void *b)
{
	const struct region_time *left = a, *right = b;

	if (left->seconds != right->seconds)
		return left->seconds < right->seconds ? 1 : -1;
	return left->region < right->region ? -1 : 1;
}

/* Adds the times of the lines from first on, which samples tell: in the line itself, and in what it calls that is not
 * recorded. */
static void add_times(json_t *object, const struct fathom_sample_places *places, const char *file, uint32_t first,
		      uint32_t count)
{
	double *own = fathom_tool_alloc(count, sizeof(*own)), *calls = fathom_tool_alloc(count, sizeof(*calls));
	json_t *own_list = json_array(), *calls_list = json_array();

	for (size_t i = 0; i < places->count; i++) {
		const struct fathom_sample_place *place = &places->list[i];
		uint32_t line = place->place.line - first;

		if (place->place.file && place->place.line >= first && line < count &&
		    strcmp(place->place.file, file) == 0)
			*(place->record->is_call ? &calls[line] : &own[line]) += place->record->value;
	}
	for (uint32_t i = 0; i < count; i++) {
		json_array_append_new(own_list, json_real(own[i]));
		json_array_append_new(calls_list, json_real(calls[i]));
	}
	json_object_set_new(object, "own", own_list);
	json_object_set_new(object, "calls", calls_list);
	free(own);
	free(calls);
}

/* Adds the text of a region, if it is found. places: NULL if there are no samples. Returns the number of its bytes. */
static size_t add_text(json_t *sources, const struct fathom_cube_region *region, uint32_t number,
		       const struct fathom_sample_places *places)
{
	uint32_t begin = (uint32_t)region->begin_line, end = (uint32_t)region->end_line;
	struct fathom_source_text text;
	json_t *object, *lines;
	size_t bytes = 0;
	char key[16];

	if (region->end_line < region->begin_line || end - begin >= LINES_MOST)
		end = begin + 40;
	if (!fathom_source_text_read(&text, region->file, begin, end)) {
		fathom_source_text_fini(&text);
		return 0;
	}
	lines = json_array();
	for (uint32_t line = begin; line <= end; line++) {
		const char *words = fathom_source_text_line(&text, line);

		if (!words)
			break;
		json_array_append_new(lines, fathom_json_text(words));
		bytes += strlen(words) + 1;
	}
	object = json_pack("{s:i, s:I}", "first", (int)begin, "changed", (json_int_t)text.changed);
	fathom_json_set_text(object, "path", text.path);
	if (places)
		add_times(object, places, region->file, begin, (uint32_t)json_array_size(lines));
	json_object_set_new(object, "lines", lines);
	snprintf(key, sizeof(key), "%lu", (unsigned long)number);
	json_object_set_new(sources, key, object);
	fathom_source_text_fini(&text);
	return bytes;
}

/* Returns the region whose text contains a call path: of a loop, the function or inlined function around it. */
static uint32_t region_with_text(const struct fathom_cube *cube, uint32_t c)
{
	while (cube->cnodes[c].parent >= 0 && fathom_scope_is_loop(&cube->regions[cube->cnodes[c].region]))
		c = (uint32_t)cube->cnodes[c].parent;
	return cube->cnodes[c].region;
}

/* Returns the own times of regions, with those of their loops; the caller frees them. */
static double *own_times(const struct fathom_profile *profile, const struct fathom_values *time)
{
	double *seconds = fathom_tool_alloc(profile->cube->region_count, sizeof(*seconds));

	for (uint32_t c = 0; c < profile->cube->cnode_count; c++)
		if (profile->counted[c])
			seconds[region_with_text(profile->cube, c)] += time->own[c];
	return seconds;
}

json_t *fathom_page_sources(struct fathom_profile *profile, const struct fathom_sample_places *places,
			    size_t most_bytes)
{
	const struct fathom_cube *cube = profile->cube;
	struct region_time *times = fathom_tool_alloc(cube->region_count, sizeof(*times));
	json_t *sources = json_object();
	struct fathom_values time;
	double *seconds;
	size_t bytes = 0;

	if (profile->time < 0 || fathom_profile_values(profile, (uint32_t)profile->time, &time))
		goto out;
	seconds = own_times(profile, &time);
	for (uint32_t r = 0; r < cube->region_count; r++)
		times[r] = (struct region_time){ r, seconds[r] };
	free(seconds);
	qsort(times, cube->region_count, sizeof(*times), by_time);
	for (uint32_t i = 0; i < cube->region_count && bytes < most_bytes; i++) {
		const struct fathom_cube_region *region = &cube->regions[times[i].region];

		if (times[i].seconds < least_share * time.total)
			break;
		if (region->begin_line > 0 && *region->file)
			bytes += add_text(sources, region, times[i].region, places);
	}
	fathom_values_free(&time);
out:
	free(times);
	return sources;
}
