#include "tools/report/samples/sampled_loops.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"

enum { PATH_BYTES = 4096 };

/* The loop of a scope. */
struct fathom_loop_scope {
	const struct fathom_code_scope *scope;
	size_t loop;
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
static size_t find_loop_by_path(struct fathom_sampled_loops *loops, const struct fathom_sampled_loop *wanted)
{
	for (size_t i = 0; wanted->scope->line && i < loops->count; i++) {
		const struct fathom_sampled_loop *loop = &loops->list[i];

		if (loop->scope->line != wanted->scope->line || loop->module != wanted->module ||
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
static struct fathom_sampled_loop *find_loop(struct fathom_sampled_loops *loops, const struct fathom_code_scope *scope,
			      const struct fathom_sample_place *place)
{
	struct fathom_sampled_loop wanted = { .module = place->module, .place = place, .scope = scope };

	for (size_t i = loops->scope_count; i-- > 0;)
		if (loops->scopes[i].scope == scope)
			return &loops->list[loops->scopes[i].loop];
	wanted.path = make_path(place, scope, false);
	wanted.path_with_calls = make_path(place, scope, true);
	loops->scopes = fathom_tool_grow(loops->scopes, loops->scope_count, &loops->scope_room,
					 sizeof(*loops->scopes));
	loops->scopes[loops->scope_count] = (struct fathom_loop_scope){ scope, find_loop_by_path(loops, &wanted) };
	return &loops->list[loops->scopes[loops->scope_count++].loop];
}

static void add_place(struct fathom_sampled_loops *loops, const struct fathom_sample_place *place)
{
	const struct fathom_code_scope *scope = place->function ? place->place.scope : NULL;
	bool is_innermost = true;

	for (; scope; scope = scope->parent) {
		struct fathom_sampled_loop *loop;

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
	const struct fathom_sampled_loop *x = a, *y = b;

	if (x->own != y->own)
		return x->own < y->own ? 1 : -1;
	if (x->all != y->all)
		return x->all < y->all ? 1 : -1;
	return strcmp(x->path_with_calls, y->path_with_calls);
}

const char *fathom_sampled_loop_path(const struct fathom_sampled_loops *loops, const struct fathom_sampled_loop *loop)
{
	for (size_t i = 0; i < loops->count; i++)
		if (&loops->list[i] != loop && strcmp(loops->list[i].path, loop->path) == 0)
			return loop->path_with_calls;
	return loop->path;
}

int fathom_sampled_loops_init(struct fathom_sampled_loops *loops, const struct fathom_sample_places *places)
{
	const char *refusal, *path;

	*loops = (struct fathom_sampled_loops){ .places = places };
	if (!fathom_code_has_loops()) {
		fathom_tool_error("--loops: fathom was built without Zydis, which finds loops (Debian: libzydis-dev)");
		return -ENOTSUP;
	}
	for (size_t i = 0; i < places->count; i++)
		add_place(loops, &places->list[i]);
	if (loops->count) {
		qsort(loops->list, loops->count, sizeof(*loops->list), by_own);
		return 0;
	}
	refusal = fathom_sample_modules_refusal(&places->modules, &path);
	if (refusal)
		fathom_tool_error("%s: %s: its samples have no lines and loops", path, refusal);
	else
		fathom_tool_error("%s: no sample was taken in a loop", places->file.text.path);
	return -EINVAL;
}

void fathom_sampled_loops_fini(struct fathom_sampled_loops *loops)
{
	for (size_t i = 0; i < loops->count; i++) {
		free(loops->list[i].path);
		free(loops->list[i].path_with_calls);
	}
	free(loops->list);
	free(loops->scopes);
	*loops = (struct fathom_sampled_loops){ 0 };
}
