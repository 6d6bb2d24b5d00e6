#include "tools/report/json/json_samples.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "tools/common/command.h"
#include "tools/common/json_writer.h"
#include "tools/report/report.h"
#include "tools/report/samples/function_lines.h"
#include "tools/report/samples/sampled_loops.h"
#include "tools/common/samples/source_text.h"

enum { DOCUMENT = 1 };		/* version of the documents' structure */

/* Begins a document: what was sampled, and the programs and libraries whose samples have no places. */
static void begin_document(const char *name, const struct fathom_sample_places *places)
{
	const struct fathom_sample_event *event = places->event;
	bool is_first = true;

	printf("{\n\"%s\": %d", name, DOCUMENT);
	fathom_json_member("file", fathom_json_text(places->file.text.path));
	fathom_json_member("event", fathom_json_text(event->name));
	fathom_json_member("unit", fathom_json_text(event->unit));
	fathom_json_member("value", fathom_json_number(event->total));
	fathom_json_member("samples", fathom_json_number((double)event->samples));
	fathom_json_begin_list("without_places");
	for (size_t i = 0; i < places->file.module_count; i++) {
		json_t *object;

		if (!places->modules.refusals[i])
			continue;
		object = json_object();
		fathom_json_set_text(object, "path", places->file.modules[i].path);
		fathom_json_set_text(object, "reason", places->modules.refusals[i]);
		fathom_json_item(is_first, object);
		is_first = false;
	}
	fathom_json_end_list();
}

static void set_place(json_t *object, const char *file, uint32_t line)
{
	json_object_set_new(object, "file", file ? fathom_json_text(file) : json_null());
	json_object_set_new(object, "line", line ? json_integer(line) : json_null());
}

/* --- lines -------------------------------------------------------------------------------------------------- */

static void set_values(json_t *object, const struct fathom_sampled_line *line)
{
	fathom_json_set_number(object, "own", line->value);
	fathom_json_set_number(object, "samples", (double)line->samples);
	fathom_json_set_number(object, "calls", line->calls);
}

/* Makes an object of a line: lines[0], and the count - 1 functions that were inlined there. */
static json_t *describe_line(const struct fathom_sampled_line *lines, size_t count, const char *source)
{
	json_t *object = json_object(), *inlined = json_array();

	set_place(object, lines[0].file, lines[0].number);
	if (source)
		fathom_json_set_text(object, "source", source);
	if (!lines[0].number && lines[0].offset)
		json_object_set_new(object, "offset", json_integer((json_int_t)lines[0].offset));
	set_values(object, &lines[0]);
	for (size_t i = 1; i < count; i++) {
		json_t *call = json_object();

		fathom_json_set_text(call, "name", lines[i].inlined);
		set_values(call, &lines[i]);
		json_array_append_new(inlined, call);
	}
	json_object_set_new(object, "inlined", inlined);
	return object;
}

static json_t *describe_function(struct fathom_function_lines *lines, struct fathom_sampled_function *function)
{
	json_t *object = json_object(), *list = json_array();
	struct fathom_source_text text = { 0 };
	size_t count;

	fathom_function_lines_read(lines, function);
	if (function->file && function->begin_line)
		fathom_source_text_read(&text, function->file, function->begin_line, function->end_line);
	fathom_json_set_text(object, "name", function->name);
	set_place(object, function->file, function->begin_line);
	json_object_set_new(object, "end_line", function->end_line ? json_integer(function->end_line) : json_null());
	fathom_json_set_number(object, "own", fathom_function_lines_value(lines));
	fathom_json_set_number(object, "samples", (double)fathom_function_lines_samples(lines));
	for (size_t i = 0; i < lines->count; i += count) {
		const struct fathom_sampled_line *line = &lines->list[i];
		bool is_of_function = line->file && function->file && strcmp(line->file, function->file) == 0;

		count = fathom_function_lines_same(lines, i);
		json_array_append_new(list, describe_line(line, count, is_of_function && line->number ?
							  fathom_source_text_line(&text, line->number) : NULL));
	}
	json_object_set_new(object, "lines", list);
	fathom_source_text_fini(&text);
	return object;
}

void fathom_report_json_lines(struct fathom_function_lines *lines)
{
	begin_document("fathom_report_lines", lines->places);
	fathom_json_begin_list("functions");
	for (size_t i = 0; i < lines->function_count; i++)
		fathom_json_item(i == 0, describe_function(lines, &lines->functions[i]));
	fathom_json_end_list();
	printf("\n}\n");
}

/* --- loops -------------------------------------------------------------------------------------------------- */

/* Appends a scope and those around it, from the outermost one, to a list. */
static void list_scopes(json_t *list, const struct fathom_code_scope *scope)
{
	json_t *object;

	if (!scope)
		return;
	list_scopes(list, scope->parent);
	object = json_object();
	fathom_json_set_text(object, "kind", scope->kind == FATHOM_SCOPE_LOOP ? "loop" : "inlined");
	if (scope->kind == FATHOM_SCOPE_INLINED)
		fathom_json_set_text(object, "name", scope->name);
	set_place(object, scope->file, scope->line);
	json_array_append_new(list, object);
}

void fathom_report_json_loops(const struct fathom_sampled_loops *loops, const struct fathom_report_options *options)
{
	size_t shown = loops->count;
	double in_loops = 0;

	if (options->top >= 0 && shown > (size_t)options->top)
		shown = (size_t)options->top;
	for (size_t i = 0; i < loops->count; i++)
		in_loops += loops->list[i].own;
	begin_document("fathom_report_loops", loops->places);
	fathom_json_member("in_loops", fathom_json_number(in_loops));
	fathom_json_begin_list("loops");
	for (size_t i = 0; i < shown && !fathom_tool_output_lost(); i++) {
		const struct fathom_sampled_loop *loop = &loops->list[i];
		json_t *object = json_object(), *scopes = json_array();
		char name[1024];

		fathom_json_set_text(object, "path", fathom_sampled_loop_path(loops, loop));
		fathom_json_set_text(object, "function", fathom_sample_function_name(loop->place, name, sizeof(name)));
		fathom_json_set_text(object, "module", loop->module->path);
		list_scopes(scopes, loop->scope);
		json_object_set_new(object, "scopes", scopes);
		fathom_json_set_number(object, "own", loop->own);
		fathom_json_set_number(object, "inclusive", loop->all);
		fathom_json_set_number(object, "samples", (double)loop->samples);
		fathom_json_item(i == 0, object);
	}
	fathom_json_end_list();
	printf("\n}\n");
}
