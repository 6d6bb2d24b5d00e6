#include "tools/view/page_samples.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/common/command.h"
#include "tools/common/companion_file.h"
#include "tools/common/json_writer.h"

enum { LINES_MOST = 1000 };

struct sampled_line {
	const struct fathom_sample_place *place;	/* one of those in the line */
	double own, calls;				/* seconds */
};

struct sampled_object {
	uint32_t module;
	double seconds;
};

bool fathom_page_samples_read(struct fathom_sample_places *places, const char *path, const json_t *report)
{
	const json_t *samples = json_object_get(json_object_get(report, "attributes"), "fathom::samples");
	char *file;
	bool is_there;

	if (!json_is_string(samples) || strcmp(json_string_value(samples), "0") == 0)
		return false;
	file = fathom_companion_path(path, "samples.txt");
	is_there = access(file, R_OK) == 0;
	free(file);
	if (!is_there)
		return false;
	if (fathom_sample_places_init(places, path, NULL) == 0)
		return true;
	fathom_sample_places_fini(places);
	return false;
}

/* --- programs and libraries ------------------------------------------------------------------------ */

static int by_seconds(const void *a, const void *b)
{
	const struct sampled_object *left = a, *right = b;

	if (left->seconds != right->seconds)
		return left->seconds < right->seconds ? 1 : -1;
	return left->module < right->module ? -1 : 1;
}

/* Returns the list of objects. number: by module, becomes its index in the list. */
static json_t *objects_of(const struct fathom_sample_places *places, uint32_t *number)
{
	size_t count = places->file.module_count;
	struct sampled_object *objects = fathom_tool_alloc(count, sizeof(*objects));
	json_t *list = json_array();

	for (uint32_t m = 0; m < count; m++)
		objects[m].module = m;
	for (size_t i = 0; i < places->count; i++)
		if (!places->list[i].record->is_call)
			objects[places->list[i].record->module].seconds += places->list[i].record->value;
	qsort(objects, count, sizeof(*objects), by_seconds);
	for (uint32_t i = 0; i < count; i++) {
		number[objects[i].module] = i;
		json_array_append_new(list, json_pack("[o, f, s?]",
						      fathom_json_text(places->file.modules[objects[i].module].path),
						      objects[i].seconds,
						      places->modules.refusals[objects[i].module]));
	}
	free(objects);
	return list;
}

/* --- lines ----------------------------------------------------------------------------------------- */

static int compare_texts(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

static uint64_t function_entry(const struct fathom_sample_place *place)
{
	return place->function ? place->function->entry : place->record->function;
}

/* Orders places by module, function and line, so that places in one line stand together. */
static int by_line(const void *a, const void *b)
{
	const struct fathom_sample_place *left = *(const struct fathom_sample_place *const *)a;
	const struct fathom_sample_place *right = *(const struct fathom_sample_place *const *)b;
	uint64_t left_entry = function_entry(left), right_entry = function_entry(right);
	int files;

	if (left->record->module != right->record->module)
		return left->record->module < right->record->module ? -1 : 1;
	if (left_entry != right_entry)
		return left_entry < right_entry ? -1 : 1;
	files = compare_texts(left->place.file, right->place.file);
	if (files)
		return files;
	return left->place.line < right->place.line ? -1 : left->place.line > right->place.line;
}

static int by_time(const void *a, const void *b)
{
	const struct sampled_line *left = a, *right = b;

	if (left->own != right->own)
		return left->own < right->own ? 1 : -1;
	if (left->calls != right->calls)
		return left->calls < right->calls ? 1 : -1;
	return by_line(&left->place, &right->place);
}

/* Adds up the samples of each line. Returns the lines, *count of them, which the caller frees. */
static struct sampled_line *add_up(const struct fathom_sample_places *places, size_t *count)
{
	const struct fathom_sample_place **sorted = fathom_tool_alloc(places->count, sizeof(*sorted));
	struct sampled_line *lines = fathom_tool_alloc(places->count, sizeof(*lines));

	*count = 0;
	for (size_t i = 0; i < places->count; i++)
		sorted[i] = &places->list[i];
	qsort(sorted, places->count, sizeof(*sorted), by_line);
	for (size_t i = 0; i < places->count; i++) {
		if (i == 0 || by_line(&sorted[i - 1], &sorted[i]) != 0)
			lines[(*count)++].place = sorted[i];
		*(sorted[i]->record->is_call ? &lines[*count - 1].calls : &lines[*count - 1].own) +=
			sorted[i]->record->value;
	}
	free(sorted);
	qsort(lines, *count, sizeof(*lines), by_time);
	return lines;
}

static json_t *lines_of(const struct fathom_sample_places *places, const uint32_t *number, size_t *count)
{
	struct sampled_line *lines = add_up(places, count);
	json_t *list = json_array();

	for (size_t i = 0; i < *count && i < LINES_MOST; i++) {
		const struct fathom_sample_place *place = lines[i].place;
		char name[1024];

		fathom_sample_function_name(place, name, sizeof(name));
		json_array_append_new(list, json_pack("[i, o, o, i, f, f]", (int)number[place->record->module],
						      fathom_json_text(name),
						      fathom_json_text(place->place.file ? place->place.file : ""),
						      (int)place->place.line, lines[i].own, lines[i].calls));
	}
	free(lines);
	return list;
}

json_t *fathom_page_samples(const struct fathom_sample_places *places)
{
	uint32_t *number = fathom_tool_alloc(places->file.module_count, sizeof(*number));
	json_t *object = json_object();
	size_t count;

	json_object_set_new(object, "total", json_real(places->event->total));
	json_object_set_new(object, "objects", objects_of(places, number));
	json_object_set_new(object, "lines", lines_of(places, number, &count));
	json_object_set_new(object, "line_count", json_integer((json_int_t)count));
	free(number);
	return object;
}
