#include "tools/report/samples/function_lines.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"

enum { MOST_NAMES = 5 };	/* in an error message */

/* --- the functions that the user means ----------------------------------------------------------- */

/* Whether wanted names a function: how 0: exactly; 1: without arguments, or without all that fathom_short_name leaves
 * out; 2: as a pattern. */
static bool is_wanted(const char *wanted, const char *name, int how)
{
	char short_name[512];
	size_t length = strlen(wanted);

	if (how == 0)
		return strcmp(wanted, name) == 0;
	if (how == 1)
		return (strncmp(name, wanted, length) == 0 && name[length] == '(') ||
		       strcmp(fathom_short_name(name, short_name, sizeof(short_name)), wanted) == 0;
	return strpbrk(wanted, "*?[") && fnmatch(wanted, name, 0) == 0;
}

/* Whether a function is the one at that place in the source. All instances of a template are one function. The debug
 * information of inlined functions often has names without arguments, so names are compared in their short form. */
static bool is_same_function(const struct fathom_sampled_function *function, const char *name, const char *file,
			     uint32_t begin_line, uint64_t entry)
{
	char short_name[512], other_short_name[512];

	if (function->begin_line != begin_line || (!begin_line && function->entry != entry) ||
	    (!file || !function->file ? file != function->file : strcmp(file, function->file) != 0))
		return false;
	return strcmp(function->name, name) == 0 ||
	       (begin_line && strcmp(fathom_short_name(function->name, short_name, sizeof(short_name)),
				     fathom_short_name(name, other_short_name, sizeof(other_short_name))) == 0);
}

static void add_function(struct fathom_function_lines *lines, const char *name, const char *file, uint32_t begin_line,
			 uint32_t end_line, uint64_t entry)
{
	struct fathom_sampled_function *function;

	for (size_t i = 0; i < lines->function_count; i++) {
		function = &lines->functions[i];
		if (!is_same_function(function, name, file, begin_line, entry))
			continue;
		function->end_line = end_line > function->end_line ? end_line : function->end_line;
		return;
	}
	lines->functions = fathom_tool_grow(lines->functions, lines->function_count, &lines->function_room,
					      sizeof(*lines->functions));
	function = &lines->functions[lines->function_count++];
	*function = (struct fathom_sampled_function){ strdup(name), file, begin_line, end_line, entry };
	if (!function->name)
		fathom_tool_out_of_memory(strlen(name));
}

/* Adds the functions of a place that the user means: the function with the code, and those inlined into it. */
static void add_wanted(struct fathom_function_lines *lines, const struct fathom_sample_place *place, int how)
{
	const char *wanted = lines->wanted;
	const struct fathom_code_scope *scope = place->function ? place->place.scope : NULL;
	char name[1024];

	fathom_sample_function_name(place, name, sizeof(name));
	if (place->function && is_wanted(wanted, name, how))
		add_function(lines, name, place->function->file, place->function->begin_line,
			     place->function->end_line, place->function->entry);
	for (; scope; scope = scope->parent)
		if (scope->kind == FATHOM_SCOPE_INLINED && is_wanted(wanted, scope->name, how))
			add_function(lines, scope->name, scope->source, scope->begin_line, scope->end_line, 0);
}

static int say_unknown(const struct fathom_function_lines *lines)
{
	const char *wanted = lines->wanted, *file = lines->places->file.text.path;
	const char *nearest = NULL, *refusal, *path;
	static char names[2][1024];
	int used = 0;

	for (size_t i = 0; i < lines->places->count; i++) {
		const struct fathom_sample_place *place = &lines->places->list[i];
		const struct fathom_code_scope *scope = place->function ? place->place.scope : NULL;

		/* The nearest name so far stays in one of the two texts. */
		fathom_sample_function_name(place, names[used], sizeof(names[used]));
		nearest = fathom_tool_nearer(wanted, nearest, names[used]);
		used = nearest == names[used] ? !used : used;
		for (; scope; scope = scope->parent)
			if (scope->kind == FATHOM_SCOPE_INLINED)
				nearest = fathom_tool_nearer(wanted, nearest, scope->name);
	}
	refusal = fathom_sample_modules_refusal(&lines->places->modules, &path);
	if (nearest)
		fathom_tool_error("%s: no samples in a function %s (did you mean %s?)", file, wanted, nearest);
	else if (refusal)
		fathom_tool_error("%s: no samples in a function %s (but %s %s)", file, wanted, path, refusal);
	else
		fathom_tool_error("%s: no samples in a function %s (--loops and --flat list what takes time)", file,
				  wanted);
	return -EINVAL;
}

static int say_ambiguous(const struct fathom_function_lines *lines)
{
	char names[1024] = "";
	size_t length = 0, shown = 0;

	for (size_t i = 0; i < lines->function_count && length < sizeof(names); i++) {
		bool is_known = false;

		for (size_t j = 0; j < i; j++)
			is_known |= strcmp(lines->functions[i].name, lines->functions[j].name) == 0;
		if (is_known)
			continue;
		if (shown++ == MOST_NAMES) {
			snprintf(names + length, sizeof(names) - length, ", ...");
			break;
		}
		length += (size_t)snprintf(names + length, sizeof(names) - length, "%s%s", length ? ", " : "",
					   lines->functions[i].name);
	}
	fathom_tool_error("--lines %s: several functions match (give one of these names: %s)", lines->wanted,
			  names);
	return -EINVAL;
}

int fathom_function_lines_init(struct fathom_function_lines *lines, const struct fathom_sample_places *places,
			       const char *wanted)
{
	*lines = (struct fathom_function_lines){ .places = places, .wanted = wanted };
	for (int how = 0; how < 3 && !lines->function_count; how++)
		for (size_t i = 0; i < lines->places->count; i++)
			add_wanted(lines, &lines->places->list[i], how);
	if (!lines->function_count)
		return say_unknown(lines);
	for (size_t i = 1; i < lines->function_count; i++)
		if (strcmp(lines->functions[i].name, lines->functions[0].name) != 0)
			return say_ambiguous(lines);
	return 0;
}

/* --- the samples of a function ------------------------------------------------------------------- */

static bool is_same_line(const struct fathom_sampled_line *line, const struct fathom_sampled_line *other)
{
	return line->number == other->number && line->offset == other->offset &&
	       (line->inlined && other->inlined ? strcmp(line->inlined, other->inlined) == 0 :
						  line->inlined == other->inlined) &&
	       (line->file && other->file ? strcmp(line->file, other->file) == 0 : line->file == other->file);
}

static void add_line(struct fathom_function_lines *lines, const struct fathom_sample_record *record,
		     const struct fathom_sampled_line *wanted)
{
	struct fathom_sampled_line *line = NULL;

	for (size_t i = lines->count; i-- > 0 && !line;)
		if (is_same_line(&lines->list[i], wanted))
			line = &lines->list[i];
	if (!line) {
		lines->list = fathom_tool_grow(lines->list, lines->count, &lines->room,
						  sizeof(*lines->list));
		line = &lines->list[lines->count++];
		*line = *wanted;
	}
	if (record->is_call) {
		line->calls += record->value;
		lines->has_calls = true;
	} else {
		line->value += record->value;
		line->samples += record->samples;
	}
}

/* Adds the samples of a place if it is in the function, whose last line becomes known better by this. */
static void add_place(struct fathom_function_lines *lines, struct fathom_sampled_function *function,
		      const struct fathom_sample_place *place)
{
	uint32_t end_line = place->function->end_line;
	const struct fathom_code_scope *scope, *callee = NULL;	/* callee: the call inlined into the function */
	struct fathom_sampled_line line = { .file = place->place.file, .number = place->place.line };
	char name[1024];

	for (scope = place->place.scope; scope; scope = scope->parent) {
		if (scope->kind != FATHOM_SCOPE_INLINED)
			continue;
		if (is_same_function(function, scope->name, scope->source, scope->begin_line, 0))
			break;
		callee = scope;
	}
	fathom_sample_function_name(place, name, sizeof(name));
	if (!scope && !is_same_function(function, name, place->function->file, place->function->begin_line,
					place->function->entry))
		return;
	if (scope)
		end_line = scope->end_line;
	function->end_line = end_line > function->end_line ? end_line : function->end_line;
	if (callee) {
		line.file = callee->file;
		line.number = callee->line;
	}
	if (!line.number && !function->begin_line)
		line.offset = place->record->address - (place->record->is_call ? 1 : 0) - place->function->entry;
	add_line(lines, place->record, &line);
	if (!callee)
		return;
	line.inlined = callee->name;
	add_line(lines, place->record, &line);
}

/* Sorts lines by number, those of inlined functions behind the line with the call, the largest first. */
static int by_number(const void *a, const void *b)
{
	const struct fathom_sampled_line *x = a, *y = b;
	int order;

	if (x->file != y->file && x->file && y->file && (order = strcmp(x->file, y->file)) != 0)
		return order;
	if (!x->file != !y->file)
		return x->file ? -1 : 1;
	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	if (!x->inlined != !y->inlined)
		return x->inlined ? 1 : -1;
	if (x->value != y->value)
		return x->value < y->value ? 1 : -1;
	return x->inlined && y->inlined ? strcmp(x->inlined, y->inlined) : 0;
}

void fathom_function_lines_read(struct fathom_function_lines *lines, struct fathom_sampled_function *function)
{
	lines->count = 0;
	lines->has_calls = false;
	for (size_t i = 0; i < lines->places->count; i++)
		if (lines->places->list[i].function)
			add_place(lines, function, &lines->places->list[i]);
	if (lines->count)
		qsort(lines->list, lines->count, sizeof(*lines->list), by_number);
}

double fathom_function_lines_value(const struct fathom_function_lines *lines)
{
	double value = 0;

	for (size_t i = 0; i < lines->count; i++)
		value += lines->list[i].inlined ? 0 : lines->list[i].value;
	return value;
}

uint64_t fathom_function_lines_samples(const struct fathom_function_lines *lines)
{
	uint64_t samples = 0;

	for (size_t i = 0; i < lines->count; i++)
		samples += lines->list[i].inlined ? 0 : lines->list[i].samples;
	return samples;
}

size_t fathom_function_lines_same(const struct fathom_function_lines *lines, size_t index)
{
	size_t count = 1;

	while (index + count < lines->count && lines->list[index + count].inlined)
		count++;
	return count;
}

void fathom_function_lines_fini(struct fathom_function_lines *lines)
{
	for (size_t i = 0; i < lines->function_count; i++)
		free(lines->functions[i].name);
	free(lines->functions);
	free(lines->list);
	*lines = (struct fathom_function_lines){ 0 };
}
