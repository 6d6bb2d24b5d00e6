#include "tools/common/samples/sample_records.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"

enum { MOST_NUMBER = 1 << 24 };		/* of events and modules */

static char *copy(const char *text)
{
	char *result = fathom_tool_alloc(strlen(text) + 1, 1);

	return strcpy(result, text);
}

/* Takes the next word from a line. NULL: there is none. */
static char *take_word(char **line)
{
	char *word = *line;
	size_t length = strcspn(word, " ");

	if (!length)
		return NULL;
	*line = word + length;
	if (**line)
		*(*line)++ = '\0';
	return word;
}

static bool take_number(char **line, int base, uint64_t *number)
{
	const char *word = take_word(line);
	char *end;

	if (!word || *word == '-' || *word == '+')
		return false;
	errno = 0;
	*number = strtoull(word, &end, base);
	return !*end && !errno;
}

static bool take_value(char **line, double *value)
{
	const char *word = take_word(line);
	char *end;

	if (!word)
		return false;
	*value = strtod(word, &end);
	return !*end && isfinite(*value) && *value >= 0;
}

/* "event NUMBER NAME UNIT" */
static bool take_event(struct fathom_sample_records *file, char *line)
{
	uint64_t number;
	const char *name;

	if (!take_number(&line, 10, &number) || number > MOST_NUMBER || !(name = take_word(&line)))
		return false;
	file->events = fathom_tool_grow(file->events, file->event_count, &file->event_room, sizeof(*file->events));
	file->events[file->event_count++] = (struct fathom_sample_event){
		.name = copy(name), .unit = copy(line), .number = (uint32_t)number };
	return true;
}

/* "module NUMBER BUILD-ID PATH" */
static bool take_module(struct fathom_sample_records *file, char *line)
{
	uint64_t number;
	const char *build_id;

	if (!take_number(&line, 10, &number) || number > MOST_NUMBER || !(build_id = take_word(&line)) || !*line)
		return false;
	file->modules = fathom_tool_grow(file->modules, file->module_count, &file->module_room,
					 sizeof(*file->modules));
	file->modules[file->module_count++] = (struct fathom_sample_module){
		.path = copy(line), .build_id = copy(strcmp(build_id, "-") ? build_id : ""),
		.number = (uint32_t)number };
	return true;
}

static bool find_event(const struct fathom_sample_records *file, uint64_t number, uint32_t *index)
{
	for (size_t i = 0; i < file->event_count; i++)
		if (file->events[i].number == number) {
			*index = (uint32_t)i;
			return true;
		}
	return false;
}

static bool find_module(const struct fathom_sample_records *file, uint64_t number, uint32_t *index)
{
	/* Modules are usually numbered in the order of the file. */
	if (number < file->module_count && file->modules[number].number == number) {
		*index = (uint32_t)number;
		return true;
	}
	for (size_t i = 0; i < file->module_count; i++)
		if (file->modules[i].number == number) {
			*index = (uint32_t)i;
			return true;
		}
	return false;
}

/* "leaf EVENT MODULE FUNCTION ADDRESS SAMPLES VALUE", and likewise "call" */
static bool take_record(struct fathom_sample_records *file, char *line, bool is_call)
{
	struct fathom_sample_record record = { .is_call = is_call };
	uint64_t event, module;

	if (!take_number(&line, 10, &event) || !find_event(file, event, &record.event) ||
	    !take_number(&line, 10, &module) || !find_module(file, module, &record.module) ||
	    !take_number(&line, 16, &record.function) || !take_number(&line, 16, &record.address) ||
	    !take_number(&line, 10, &record.samples) || !take_value(&line, &record.value) || *line)
		return false;
	file->records = fathom_tool_grow(file->records, file->record_count, &file->record_room,
					 sizeof(*file->records));
	file->records[file->record_count++] = record;
	if (!is_call) {
		file->events[record.event].total += record.value;
		file->events[record.event].samples += record.samples;
	}
	return true;
}

/* "COLUMN:SAMPLES", any number of them */
static bool take_counts(struct fathom_sample_records *file, char *line, uint64_t *sum)
{
	for (char *word; (word = take_word(&line)) != NULL;) {
		struct fathom_sample_count *count;
		unsigned long column, samples;
		int length = 0;

		if (sscanf(word, "%lu:%lu%n", &column, &samples, &length) != 2 || word[length] || column > INT32_MAX)
			return false;
		file->counts = fathom_tool_grow(file->counts, file->count_count, &file->count_room,
						sizeof(*file->counts));
		count = &file->counts[file->count_count++];
		*count = (struct fathom_sample_count){ .column = (uint32_t)column, .samples = samples };
		*sum += samples;
	}
	return !*line;
}

/* "path NUMBER PARENT CALLPATH leaf|call MODULE FUNCTION ADDRESS SAMPLES" and counts by column; module "-": none */
static bool take_path(struct fathom_sample_records *file, char *line)
{
	struct fathom_sample_path path = { .module = -1, .first_count = file->count_count };
	uint64_t number, parent, call_path, module, sum = 0;
	const char *kind;
	uint32_t index;

	if (!take_number(&line, 10, &number) || number != file->path_count + 1 || !take_number(&line, 10, &parent) ||
	    parent >= number || !take_number(&line, 10, &call_path) || call_path > INT32_MAX ||
	    !(kind = take_word(&line)))
		return false;
	path.is_call = strcmp(kind, "call") == 0;
	if (!path.is_call && strcmp(kind, "leaf") != 0)
		return false;
	if (strncmp(line, "- ", 2) == 0) {
		take_word(&line);
	} else {
		if (!take_number(&line, 10, &module) || !find_module(file, module, &index))
			return false;
		path.module = (int32_t)index;
	}
	if (!take_number(&line, 16, &path.function) || !take_number(&line, 16, &path.address) ||
	    !take_number(&line, 10, &path.samples) || !take_counts(file, line, &sum) ||
	    (file->count_count > path.first_count && sum != path.samples))
		return false;
	path.parent = (int32_t)parent - 1;
	path.call_path = (uint32_t)call_path;
	file->paths = fathom_tool_grow(file->paths, file->path_count + 1, &file->path_room, sizeof(*file->paths));
	file->paths[file->path_count++] = path;
	file->paths[file->path_count].first_count = file->count_count;
	return true;
}

/* Version 1 had no paths. */
static bool is_head(const char *line)
{
	return strcmp(line, "fathom samples 1") == 0 || strcmp(line, "fathom samples 2") == 0;
}

static bool take_line(void *context, char *line, unsigned long number)
{
	struct fathom_sample_records *file = context;
	const char *kind;

	if (number == 1)
		return is_head(line);
	kind = take_word(&line);
	if (!kind)
		return false;
	if (strcmp(kind, "event") == 0)
		return take_event(file, line);
	if (strcmp(kind, "module") == 0)
		return take_module(file, line);
	if (strcmp(kind, "leaf") == 0)
		return take_record(file, line, false);
	if (strcmp(kind, "path") == 0)
		return take_path(file, line);
	return strcmp(kind, "call") == 0 && take_record(file, line, true);
}

int fathom_sample_records_try(struct fathom_sample_records *file, const char *result)
{
	static const struct fathom_companion_kind kind = {
		.name = "samples.txt", .content = "samples (fathom samples 2)", .lines = 1, .take_line = take_line,
	};

	*file = (struct fathom_sample_records){ 0 };
	return fathom_companion_file_read(&file->text, &kind, result, file);
}

int fathom_sample_records_read(struct fathom_sample_records *file, const char *result)
{
	int err = fathom_sample_records_try(file, result);

	if (err == -ENOENT)
		fathom_tool_error("%s: this experiment has no samples (FATHOM_SAMPLING=200 takes 200 a second; "
				  "profiles of killed runs have none)", result);
	else if (err)
		fathom_tool_error("%s: %s", file->text.path, file->text.problem);
	return err;
}

void fathom_sample_records_fini(struct fathom_sample_records *file)
{
	for (size_t i = 0; i < file->event_count; i++) {
		free(file->events[i].name);
		free(file->events[i].unit);
	}
	for (size_t i = 0; i < file->module_count; i++) {
		free(file->modules[i].path);
		free(file->modules[i].build_id);
	}
	free(file->events);
	free(file->modules);
	free(file->records);
	free(file->paths);
	free(file->counts);
	fathom_companion_file_fini(&file->text);
	*file = (struct fathom_sample_records){ 0 };
}
