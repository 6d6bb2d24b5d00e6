#include "tools/report/section_loops.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"
#include "tools/common/number_format.h"
#include "tools/common/text_layout.h"
#include "tools/report/region_text.h"
#include "tools/report/report.h"
#include "tools/report/sample_places.h"

enum {
	TOP_DEFAULT = 15,
	NUMBERS = 37,		/* columns before the path of a loop */
	PATH_BYTES = 4096,
};

struct loop {
	const struct fathom_code_scope *scope;
	const struct fathom_sample_place *example;	/* a place in the loop */
	double own;		/* without loops inside it */
	double all;		/* with them, and with what is called from there */
	uint64_t samples;	/* of own */
};

struct loops {
	const struct fathom_sample_places *places;
	struct loop *list;
	size_t count, room;
};

/* Finds the loop of a scope. The loops found last come again most often. */
static struct loop *find_loop(struct loops *loops, const struct fathom_code_scope *scope,
			      const struct fathom_sample_place *place)
{
	for (size_t i = loops->count; i-- > 0;)
		if (loops->list[i].scope == scope)
			return &loops->list[i];
	loops->list = fathom_tool_grow(loops->list, loops->count, &loops->room, sizeof(*loops->list));
	loops->list[loops->count] = (struct loop){ .scope = scope, .example = place };
	return &loops->list[loops->count++];
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
	return x->example < y->example ? -1 : x->example > y->example;
}

/* Appends text to a path that has room for so many bytes. */
static void append(char *path, size_t bytes, const char *text)
{
	size_t length = strlen(path);

	snprintf(path + length, bytes - length, "%s", text);
}

/* Appends the names of a scope and of those around it: "main > loop a.c:12 > inlined f", with_calls: "inlined f, called
 * at a.c:14". */
static void append_scope(const struct loop *loop, const struct fathom_code_scope *scope, bool with_calls, char *path,
			 size_t bytes)
{
	char text[512], name[256];

	if (!scope) {
		fathom_sample_function_name(loop->example, text, sizeof(text));
		append(path, bytes, loop->example->function->name ? fathom_short_name(text, name, sizeof(name)) : text);
		return;
	}
	append_scope(loop, scope->parent, with_calls, path, bytes);
	append(path, bytes, scope->kind == FATHOM_SCOPE_INLINED ? " > inlined " : " > loop ");
	if (scope->kind == FATHOM_SCOPE_INLINED)
		append(path, bytes, fathom_short_name(scope->name, name, sizeof(name)));
	if (scope->kind == FATHOM_SCOPE_INLINED && (!with_calls || !scope->line))
		return;
	if (scope->kind == FATHOM_SCOPE_INLINED)
		append(path, bytes, ", called at ");
	append(path, bytes, fathom_line_text(scope->file, scope->line, scope->address - loop->example->function->entry,
					     text, sizeof(text)));
}

/* Writes what is around a loop, with the lines of inlined calls if another loop would have the same text without
 * them. */
static void write_path(const struct loops *loops, const struct loop *loop, char *path, size_t bytes)
{
	char other_path[PATH_BYTES];

	*path = '\0';
	append_scope(loop, loop->scope, false, path, bytes);
	for (size_t i = 0; i < loops->count; i++) {
		const struct loop *other = &loops->list[i];

		if (other == loop || other->scope->line != loop->scope->line)
			continue;
		*other_path = '\0';
		append_scope(other, other->scope, false, other_path, sizeof(other_path));
		if (strcmp(path, other_path) != 0)
			continue;
		*path = '\0';
		append_scope(loop, loop->scope, true, path, bytes);
		return;
	}
}

static void print_loop(struct fathom_page *page, const struct loops *loops, const struct loop *loop)
{
	const struct fathom_sample_event *event = loops->places->event;
	char share[FATHOM_NUMBER_BYTES], value[FATHOM_NUMBER_BYTES], samples[FATHOM_NUMBER_BYTES];
	char all[FATHOM_NUMBER_BYTES], path[PATH_BYTES];
	/* Calls of a recursive function contain each other. */
	double with_calls = loop->all < event->total ? loop->all : event->total;

	printf("%s%6s%s %9s %7s %9s  ",
	       fathom_page_style(page, fathom_share_style(event->total > 0 ? loop->own / event->total : 0)),
	       fathom_number_percent(share, loop->own, event->total), fathom_page_style(page, FATHOM_STYLE_PLAIN),
	       fathom_number_with_unit(value, loop->own, fathom_sample_unit(event)),
	       fathom_number_count(samples, (double)loop->samples),
	       fathom_number_percent(all, with_calls, event->total));
	write_path(loops, loop, path, sizeof(path));
	fathom_page_paragraph(page, path, NUMBERS);
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
	fathom_page_paragraph(page, "own: in the loop itself; inclusive: also in loops inside it and in functions that "
			      "it calls. Both are estimates from samples.", 0);
	printf("%s", fathom_page_style(page, FATHOM_STYLE_PLAIN));
	fathom_sample_places_explain(loops->places, page);
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
		refusal = fathom_sample_places_refusal(&places, &path);
		if (refusal)
			fathom_tool_error("%s: %s: its samples have no lines and loops", path, refusal);
		else
			fathom_tool_error("%s: no sample was taken in a loop", places.file.path);
		err = -EINVAL;
	} else if (!err) {
		qsort(loops.list, loops.count, sizeof(*loops.list), by_own);
		print_loops(page, options, &loops);
	}
	free(loops.list);
	fathom_sample_places_fini(&places);
	return err;
}
