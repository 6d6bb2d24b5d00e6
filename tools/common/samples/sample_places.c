#include "tools/common/samples/sample_places.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"
#include "tools/common/progress.h"

static void find_place(struct fathom_sample_places *places, const struct fathom_sample_record *record)
{
	struct fathom_sample_place *place = &places->list[places->count++];
	uint64_t address = record->address - (record->is_call ? 1 : 0);
	uint32_t module = record->module;
	struct fathom_code_structure *structure;

	place->record = record;
	place->module = &places->file.modules[module];
	structure = fathom_sample_modules_open(&places->modules, module);
	if (!structure)
		return;
	place->function = fathom_code_function_at(structure, address);
	if (place->function)
		fathom_code_place_at(place->function, address, &place->place);
}

static int choose_event(struct fathom_sample_places *places, const char *wanted)
{
	const struct fathom_sample_records *file = &places->file;
	char known[1024] = "";
	size_t length = 0;

	for (size_t i = 0; i < file->event_count; i++) {
		if (wanted ? strcmp(file->events[i].name, wanted) == 0 : file->events[i].number == 0)
			places->event = &file->events[i];
		if (length < sizeof(known))
			length += (size_t)snprintf(known + length, sizeof(known) - length, "%s%s", i ? ", " : "",
						   file->events[i].name);
	}
	if (places->event)
		return 0;
	fathom_tool_error("%s: no samples of %s (there are: %s)", file->text.path, wanted ? wanted : "time", known);
	return -ENODATA;
}

int fathom_sample_places_init(struct fathom_sample_places *places, const char *result, const char *event)
{
	int err;

	*places = (struct fathom_sample_places){ 0 };
	err = fathom_sample_records_read(&places->file, result);
	if (!err)
		err = choose_event(places, event);
	if (err)
		return err;
	fathom_sample_modules_init(&places->modules, &places->file);
	places->list = fathom_tool_alloc(places->file.record_count, sizeof(*places->list));
	fathom_progress_begin("finding the lines of samples", places->file.record_count);
	for (size_t i = 0; i < places->file.record_count; i++) {
		if (&places->file.events[places->file.records[i].event] == places->event)
			find_place(places, &places->file.records[i]);
		fathom_progress_step();
	}
	fathom_progress_end();
	return 0;
}

void fathom_sample_places_fini(struct fathom_sample_places *places)
{
	fathom_sample_modules_fini(&places->modules);
	free(places->list);
	fathom_sample_records_fini(&places->file);
	*places = (struct fathom_sample_places){ 0 };
}

const char *fathom_sample_unit(const struct fathom_sample_event *event)
{
	return strcmp(event->unit, "seconds") == 0 ? "sec" : event->unit;
}

const char *fathom_sample_heading(const struct fathom_sample_event *event)
{
	return event->number ? "value" : "time";
}

/* The length of a name without the endings that GCC gives to copies and parts of functions, and without a version. */
static size_t length_of_original(const char *name)
{
	static const char *const endings[] = { ".constprop.", ".isra.", ".part.", ".cold", ".lto_priv.", " [clone ",
		"@" };
	size_t length = strlen(name);

	for (size_t i = 0; i < sizeof(endings) / sizeof(*endings); i++) {
		const char *ending = strstr(name, endings[i]);

		if (ending && ending > name && (size_t)(ending - name) < length)
			length = (size_t)(ending - name);
	}
	return length;
}

const char *fathom_sample_function_name(const struct fathom_sample_place *place, char *text, size_t bytes)
{
	uint64_t entry = place->function ? place->function->entry : place->record->function;

	if (place->function && place->function->name)
		snprintf(text, bytes, "%.*s", (int)length_of_original(place->function->name), place->function->name);
	else
		snprintf(text, bytes, "0x%" PRIx64 " in %s", entry ? entry : place->record->address,
			 fathom_base_name(place->module->path));
	return text;
}

const char *fathom_short_name(const char *name, char *text, size_t bytes)
{
	static const char anonymous[] = "(anonymous namespace)";
	size_t length = 0;
	int depth = 0;

	for (const char *at = name; *at && length + sizeof(anonymous) < bytes; at++) {
		bool is_operator = length >= 8 && strncmp(text + length - 8, "operator", 8) == 0;

		if (is_operator && strchr("<>()-=[]!", *at)) {
			/* These characters are part of the operator's name. */
			size_t count = *at == '(' ? 2 : strspn(at, "<>-=[]!");

			count = strnlen(at, count);
			memcpy(text + length, at, count < sizeof(anonymous) ? count : 1);
			length += count < sizeof(anonymous) ? count : 1;
			at += count - 1;
		} else if (!depth && strncmp(at, anonymous, sizeof(anonymous) - 1) == 0) {
			memcpy(text + length, anonymous, sizeof(anonymous) - 1);
			length += sizeof(anonymous) - 1;
			at += sizeof(anonymous) - 2;
		} else if (*at == '<') {
			depth++;
		} else if (*at == '>' && depth) {
			depth--;
		} else if (depth) {
			continue;
		} else if (*at == '(') {
			break;
		} else if (*at == ' ' && !is_operator) {
			length = 0;		/* what came before was the return type */
		} else {
			text[length++] = *at;
		}
	}
	text[length] = '\0';
	if (!length)
		snprintf(text, bytes, "%s", name);
	return text;
}

const char *fathom_line_text(const char *file, uint32_t line, uint64_t offset, char *text, size_t bytes)
{
	if (file && line)
		snprintf(text, bytes, "%s:%u", fathom_base_name(file), line);
	else
		snprintf(text, bytes, "+0x%" PRIx64, offset);
	return text;
}
