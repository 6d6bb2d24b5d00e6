#include "tools/report/sections/section_loops.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"
#include "tools/common/number_format.h"
#include "tools/common/text_layout.h"
#include "tools/report/region_text.h"
#include "tools/report/report.h"
#include "tools/report/samples/sample_places.h"

enum {
	TOP_DEFAULT = 15,
	NUMBERS = 37,		/* columns before the path of a loop */
	PATH_BYTES = 4096,
};

struct loop {
	char *path;			/* "main > loop a.c:12 > inlined f > loop f.h:3" */
	char *path_with_calls;		/* the same with the lines of the inlined calls */
	const struct fathom_sample_module *module;
	uint32_t line;			/* 0: not known */
	double own;			/* without loops inside it */
	double all;			/* with them, and with what is called from there */
	uint64_t samples;		/* of own */
};

struct loops {
	const struct fathom_sample_places *places;
	struct loop *list;
	struct scope_loop {
		const struct fathom_code_scope *scope;
		size_t loop;
	} *scopes;			/* the loops of all scopes that were met; copies of a function share loops */
	size_t count, room, scope_count, scope_room;
};

/* Appends text to a path that has room for so many bytes. */
static void append(char *path, size_t bytes, const char *text)
{
	size_t length = strlen(path);

	snprintf(path + length, bytes - length, "%s", text);
}

/* Appends the names of a scope and of those around it: "main > loop a.c:12 > inlined f", with_calls: "inlined f, called
 * at a.c:14". */
static void append_scope(const struct fathom_sample_place *place, const struct fathom_code_scope *scope,
			 bool with_calls, char *path, size_t bytes)
{
	char text[512], name[256];

	if (!scope) {
		fathom_sample_function_name(place, text, sizeof(text));
		append(path, bytes, place->function->name ? fathom_short_name(text, name, sizeof(name)) : text);
		return;
	}
	append_scope(place, scope->parent, with_calls, path, bytes);
	append(path, bytes, scope->kind == FATHOM_SCOPE_INLINED ? " > inlined " : " > loop ");
	if (scope->kind == FATHOM_SCOPE_INLINED)
		append(path, bytes, fathom_short_name(scope->name, name, sizeof(name)));
	if (scope->kind == FATHOM_SCOPE_INLINED && (!with_calls || !scope->line))
		return;
	if (scope->kind == FATHOM_SCOPE_INLINED)
		append(path, bytes, ", called at ");
	append(path, bytes, fathom_line_text(scope->file, scope->line, scope->address - place->function->entry,
					     text, sizeof(text)));
}

/* Returns the text for the scope of a loop that a place is in. */
static char *make_path(const struct fathom_sample_place *place, const struct fathom_code_scope *scope, bool with_calls)
{
	char path[PATH_BYTES] = "", *copy;

	append_scope(place, scope, with_calls, path, sizeof(path));
	copy = strdup(path);
	if (!copy)
		fathom_tool_out_of_memory(sizeof(path));
	return copy;
}

/* Returns the index of the loop with that text; if there is none, it becomes a new one. Takes the texts. Copies that
 * GCC made of a function have different scopes for the same loop. */
static size_t find_loop_by_path(struct loops *loops, const struct loop *wanted)
{
	for (size_t i = 0; wanted->line && i < loops->count; i++) {
		const struct loop *loop = &loops->list[i];

		if (loop->line != wanted->line || loop->module != wanted->module ||
		    strcmp(loop->path_with_calls, wanted->path_with_calls) != 0)
			continue;
		free(wanted->path);
		free(wanted->path_with_calls);
		return i;
	}
	loops->list = fathom_tool_grow(loops->list, loops->count, &loops->room, sizeof(*loops->list));
	loops->list[loops->count] = *wanted;
	return loops->count++;
}

/* Returns the loop of a scope that a place is in. The scopes met last come again most often. */
static struct loop *find_loop(struct loops *loops, const struct fathom_code_scope *scope,
			      const struct fathom_sample_place *place)
{
	struct loop wanted = { .module = place->module, .line = scope->line };

	for (size_t i = loops->scope_count; i-- > 0;)
		if (loops->scopes[i].scope == scope)
			return &loops->list[loops->scopes[i].loop];
	wanted.path = make_path(place, scope, false);
	wanted.path_with_calls = make_path(place, scope, true);
	loops->scopes = fathom_tool_grow(loops->scopes, loops->scope_count, &loops->scope_room,
					 sizeof(*loops->scopes));
	loops->scopes[loops->scope_count] = (struct scope_loop){ scope, find_loop_by_path(loops, &wanted) };
	return &loops->list[loops->scopes[loops->scope_count++].loop];
}

static void add_place(struct loops *loops, const struct fathom_sample_place *place)
{
	const struct fathom_code_scope *scope = place->function ? place->place.scope : NULL;
	bool is_innermost = true;

	for (; scope; scope = scope->parent) {
		struct loop *loop;

		if (scope->kind != FATHOM_SCOPE_LOOP)
			continue;
		loop = find_loop(loops, scope, place);
		loop->all += place->record->value;
		if (is_innermost && !place->record->is_call) {
			loop->own += place->record->value;
			loop->samples += place->record->samples;
		}
		is_innermost = false;
	}
}

static int by_own(const void *a, const void *b)
{
	const struct loop *x = a, *y = b;

	if (x->own != y->own)
		return x->own < y->own ? 1 : -1;
	if (x->all != y->all)
		return x->all < y->all ? 1 : -1;
	return strcmp(x->path_with_calls, y->path_with_calls);
}

/* Returns the text for a loop, with the lines of inlined calls only if another loop would have the same text. */
static const char *choose_path(const struct loops *loops, const struct loop *loop)
{
	for (size_t i = 0; i < loops->count; i++)
		if (&loops->list[i] != loop && strcmp(loops->list[i].path, loop->path) == 0)
			return loop->path_with_calls;
	return loop->path;
}

static void print_loop(struct fathom_page *page, const struct loops *loops, const struct loop *loop)
{
	const struct fathom_sample_event *event = loops->places->event;
	char share[FATHOM_NUMBER_BYTES], value[FATHOM_NUMBER_BYTES], samples[FATHOM_NUMBER_BYTES];
	char all[FATHOM_NUMBER_BYTES];
	/* Calls of a recursive function contain each other. */
	double with_calls = loop->all < event->total ? loop->all : event->total;

	printf("%s%6s%s %9s %7s %9s  ",
	       fathom_page_style(page, fathom_share_style(event->total > 0 ? loop->own / event->total : 0)),
	       fathom_number_percent(share, loop->own, event->total), fathom_page_style(page, FATHOM_STYLE_PLAIN),
	       fathom_number_with_unit(value, loop->own, fathom_sample_unit(event)),
	       fathom_number_count(samples, (double)loop->samples),
	       fathom_number_percent(all, with_calls, event->total));
	fathom_page_paragraph(page, choose_path(loops, loop), NUMBERS);
}

static void print_loops(struct fathom_page *page, const struct fathom_report_options *options,
			const struct loops *loops)
{
	const struct fathom_sample_event *event = loops->places->event;
	size_t shown = loops->count;
	char remark[128], percent[FATHOM_NUMBER_BYTES], title[128];
	double in_loops = 0;

	if (options->top >= 0 ? shown > (size_t)options->top : !options->all && shown > TOP_DEFAULT)
		shown = options->top >= 0 ? (size_t)options->top : TOP_DEFAULT;
	for (size_t i = 0; i < loops->count; i++)
		in_loops += loops->list[i].own;
	snprintf(title, sizeof(title), "Loops by their own %.64s", event->name);
	snprintf(remark, sizeof(remark), "%zu of %zu loops; %s of all is in loops", shown, loops->count,
		 fathom_number_percent(percent, in_loops, event->total));
	fathom_page_heading(page, title, remark);
	printf("%s%6s %9s %7s %9s  loop%s\n", fathom_page_style(page, FATHOM_STYLE_DIM), "own",
	       fathom_sample_heading(event), "samples", "inclusive", fathom_page_style(page, FATHOM_STYLE_PLAIN));
	for (size_t i = 0; i < shown && !fathom_tool_output_lost(); i++)
		print_loop(page, loops, &loops->list[i]);
	printf("%s", fathom_page_style(page, FATHOM_STYLE_DIM));
	fathom_page_paragraph(page, "own: in the loop itself; inclusive: also in loops inside it, and in functions "
			      "called from it that are not recorded themselves. Both are estimates from samples.", 0);
	printf("%s", fathom_page_style(page, FATHOM_STYLE_PLAIN));
	fathom_sample_modules_explain(&loops->places->modules, page);
}

int fathom_report_loops(struct fathom_page *page, const struct fathom_report_options *options, const char *result)
{
	struct fathom_sample_places places;
	struct loops loops = { .places = &places };
	int err = fathom_sample_places_init(&places, result, options->metric);
	const char *refusal, *path;

	for (size_t i = 0; !err && i < places.count; i++)
		add_place(&loops, &places.list[i]);
	if (!err && !fathom_code_has_loops()) {
		fathom_tool_error("--loops: fathom was built without Zydis, which finds loops (Debian: libzydis-dev)");
		err = -ENOTSUP;
	} else if (!err && !loops.count) {
		refusal = fathom_sample_modules_refusal(&places.modules, &path);
		if (refusal)
			fathom_tool_error("%s: %s: its samples have no lines and loops", path, refusal);
		else
			fathom_tool_error("%s: no sample was taken in a loop", places.file.path);
		err = -EINVAL;
	} else if (!err) {
		qsort(loops.list, loops.count, sizeof(*loops.list), by_own);
		print_loops(page, options, &loops);
	}
	for (size_t i = 0; i < loops.count; i++) {
		free(loops.list[i].path);
		free(loops.list[i].path_with_calls);
	}
	free(loops.list);
	free(loops.scopes);
	fathom_sample_places_fini(&places);
	return err;
}
