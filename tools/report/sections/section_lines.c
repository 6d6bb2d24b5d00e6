/*
 * A function of the source may have code in several places: its own, copies that GCC made of it, and wherever it was
 * inlined. Samples in all of them are counted at the lines of the function. A sample in a function that was inlined
 * into it counts at the line of the call, and at the name of that function there.
 */
#include "tools/report/sections/section_lines.h"

#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/common/command.h"
#include "tools/common/number_format.h"
#include "tools/common/text_layout.h"
#include "tools/report/region_text.h"
#include "tools/report/report.h"
#include "tools/report/samples/sample_places.h"
#include "tools/report/samples/source_text.h"

enum {
	NUMBERS = 34,		/* columns before the number of a line */
	LINE_NUMBER = 6,	/* columns of that */
	LONGEST_TITLE = 30,	/* columns of a function's name without shortening it */
	SHORT_FUNCTION = 40,	/* lines of a function that is printed without gaps */
	CONTEXT = 2,		/* lines around those with samples, in longer functions */
	MOST_NAMES = 5,		/* in an error message */
};

/* A function of the source that was found by its name. */
struct function {
	char *name;
	const char *file;		/* NULL: not known */
	uint32_t begin_line, end_line;	/* 0: not known */
	uint64_t entry;			/* if the line is not known */
};

/* What was sampled at a line, or in a function that was inlined there. */
struct line {
	const char *file;		/* NULL: not known */
	const char *inlined;		/* NULL: all of the line */
	uint32_t number;		/* 0: not known */
	uint64_t offset;		/* of the instruction, if there are no lines at all */
	double value, calls;
	uint64_t samples;
};

struct listing {
	struct fathom_page *page;
	const struct fathom_report_options *options;
	const struct fathom_sample_places *places;
	struct function *functions;
	size_t function_count, function_room;
	struct line *lines;
	size_t line_count, line_room;
	bool has_calls;
};

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
static bool is_same_function(const struct function *function, const char *name, const char *file, uint32_t begin_line,
			     uint64_t entry)
{
	char short_name[512], other_short_name[512];

	if (function->begin_line != begin_line || (!begin_line && function->entry != entry) ||
	    (!file || !function->file ? file != function->file : strcmp(file, function->file) != 0))
		return false;
	return strcmp(function->name, name) == 0 ||
	       (begin_line && strcmp(fathom_short_name(function->name, short_name, sizeof(short_name)),
				     fathom_short_name(name, other_short_name, sizeof(other_short_name))) == 0);
}

static void add_function(struct listing *listing, const char *name, const char *file, uint32_t begin_line,
			 uint32_t end_line, uint64_t entry)
{
	struct function *function;

	for (size_t i = 0; i < listing->function_count; i++) {
		function = &listing->functions[i];
		if (!is_same_function(function, name, file, begin_line, entry))
			continue;
		function->end_line = end_line > function->end_line ? end_line : function->end_line;
		return;
	}
	listing->functions = fathom_tool_grow(listing->functions, listing->function_count, &listing->function_room,
					      sizeof(*listing->functions));
	function = &listing->functions[listing->function_count++];
	*function = (struct function){ strdup(name), file, begin_line, end_line, entry };
	if (!function->name)
		fathom_tool_out_of_memory(strlen(name));
}

/* Adds the functions of a place that the user means: the function with the code, and those inlined into it. */
static void add_wanted(struct listing *listing, const struct fathom_sample_place *place, int how)
{
	const char *wanted = listing->options->lines;
	const struct fathom_code_scope *scope = place->function ? place->place.scope : NULL;
	char name[1024];

	fathom_sample_function_name(place, name, sizeof(name));
	if (place->function && is_wanted(wanted, name, how))
		add_function(listing, name, place->function->file, place->function->begin_line,
			     place->function->end_line, place->function->entry);
	for (; scope; scope = scope->parent)
		if (scope->kind == FATHOM_SCOPE_INLINED && is_wanted(wanted, scope->name, how))
			add_function(listing, scope->name, scope->source, scope->begin_line, scope->end_line, 0);
}

static int say_unknown(const struct listing *listing)
{
	const char *wanted = listing->options->lines, *file = listing->places->file.path;
	const char *nearest = NULL, *refusal, *path;
	static char names[2][1024];
	int used = 0;

	for (size_t i = 0; i < listing->places->count; i++) {
		const struct fathom_sample_place *place = &listing->places->list[i];
		const struct fathom_code_scope *scope = place->function ? place->place.scope : NULL;

		/* The nearest name so far stays in one of the two texts. */
		fathom_sample_function_name(place, names[used], sizeof(names[used]));
		nearest = fathom_tool_nearer(wanted, nearest, names[used]);
		used = nearest == names[used] ? !used : used;
		for (; scope; scope = scope->parent)
			if (scope->kind == FATHOM_SCOPE_INLINED)
				nearest = fathom_tool_nearer(wanted, nearest, scope->name);
	}
	refusal = fathom_sample_modules_refusal(&listing->places->modules, &path);
	if (nearest)
		fathom_tool_error("%s: no samples in a function %s (did you mean %s?)", file, wanted, nearest);
	else if (refusal)
		fathom_tool_error("%s: no samples in a function %s (but %s %s)", file, wanted, path, refusal);
	else
		fathom_tool_error("%s: no samples in a function %s (--loops and --flat list what takes time)", file,
				  wanted);
	return -EINVAL;
}

static int say_ambiguous(const struct listing *listing)
{
	char names[1024] = "";
	size_t length = 0, shown = 0;

	for (size_t i = 0; i < listing->function_count && length < sizeof(names); i++) {
		bool is_known = false;

		for (size_t j = 0; j < i; j++)
			is_known |= strcmp(listing->functions[i].name, listing->functions[j].name) == 0;
		if (is_known)
			continue;
		if (shown++ == MOST_NAMES) {
			snprintf(names + length, sizeof(names) - length, ", ...");
			break;
		}
		length += (size_t)snprintf(names + length, sizeof(names) - length, "%s%s", length ? ", " : "",
					   listing->functions[i].name);
	}
	fathom_tool_error("--lines %s: several functions match (give one of these names: %s)", listing->options->lines,
			  names);
	return -EINVAL;
}

/* Finds the functions that the user means: all have the same name. */
static int find_functions(struct listing *listing)
{
	for (int how = 0; how < 3 && !listing->function_count; how++)
		for (size_t i = 0; i < listing->places->count; i++)
			add_wanted(listing, &listing->places->list[i], how);
	if (!listing->function_count)
		return say_unknown(listing);
	for (size_t i = 1; i < listing->function_count; i++)
		if (strcmp(listing->functions[i].name, listing->functions[0].name) != 0)
			return say_ambiguous(listing);
	return 0;
}

/* --- the samples of a function ------------------------------------------------------------------- */

static bool is_same_line(const struct line *line, const struct line *other)
{
	return line->number == other->number && line->offset == other->offset &&
	       (line->inlined && other->inlined ? strcmp(line->inlined, other->inlined) == 0 :
						  line->inlined == other->inlined) &&
	       (line->file && other->file ? strcmp(line->file, other->file) == 0 : line->file == other->file);
}

static void add_line(struct listing *listing, const struct fathom_sample_record *record, const struct line *wanted)
{
	struct line *line = NULL;

	for (size_t i = listing->line_count; i-- > 0 && !line;)
		if (is_same_line(&listing->lines[i], wanted))
			line = &listing->lines[i];
	if (!line) {
		listing->lines = fathom_tool_grow(listing->lines, listing->line_count, &listing->line_room,
						  sizeof(*listing->lines));
		line = &listing->lines[listing->line_count++];
		*line = *wanted;
	}
	if (record->is_call) {
		line->calls += record->value;
		listing->has_calls = true;
	} else {
		line->value += record->value;
		line->samples += record->samples;
	}
}

/* Adds the samples of a place if it is in the function, whose last line becomes known better by this. */
static void add_place(struct listing *listing, struct function *function, const struct fathom_sample_place *place)
{
	uint32_t end_line = place->function->end_line;
	const struct fathom_code_scope *scope, *callee = NULL;	/* callee: the call inlined into the function */
	struct line line = { .file = place->place.file, .number = place->place.line };
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
	add_line(listing, place->record, &line);
	if (!callee)
		return;
	line.inlined = callee->name;
	add_line(listing, place->record, &line);
}

/* --- output -------------------------------------------------------------------------------------- */

static bool is_of_function(const struct function *function, const struct line *line)
{
	return line->file && function->file && line->number >= function->begin_line &&
	       line->number <= function->end_line && strcmp(line->file, function->file) == 0;
}

/* Sorts lines by number, those of inlined functions behind the line with the call, the largest first. */
static int by_number(const void *a, const void *b)
{
	const struct line *x = a, *y = b;
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

/* Prints the numbers of a line; line NULL: blanks. Returns the number of columns. */
static int print_numbers(const struct listing *listing, const struct line *line)
{
	const struct fathom_sample_event *event = listing->places->event;
	char share[FATHOM_NUMBER_BYTES], value[FATHOM_NUMBER_BYTES] = "", samples[FATHOM_NUMBER_BYTES] = "";
	char calls[FATHOM_NUMBER_BYTES] = "";
	int columns = listing->has_calls ? NUMBERS : NUMBERS - 8;
	double called;

	if (!line) {
		fathom_page_blanks(columns);
		return columns;
	}
	strcpy(share, "");
	if (line->samples || line->value > 0) {
		fathom_number_percent(share, line->value, event->total);
		fathom_number_with_unit(value, line->value, fathom_sample_unit(event));
		fathom_number_count(samples, (double)line->samples);
	}
	/* Calls of a recursive function contain each other. */
	called = line->calls < event->total ? line->calls : event->total;
	if (line->calls > 0)
		fathom_number_percent(calls, called, event->total);
	printf("%s%6s%s %9s %7s ",
	       fathom_page_style(listing->page, fathom_share_style(event->total > 0 ? line->value / event->total : 0)),
	       share, fathom_page_style(listing->page, FATHOM_STYLE_PLAIN), value, samples);
	if (listing->has_calls)
		printf("%7s ", calls);
	putchar(' ');
	return columns;
}

/* Prints the text of a line of the source: its begin, if it does not fit. */
static void print_source(struct fathom_page *page, const char *source, int columns)
{
	size_t length = strlen(source);

	if (length <= (size_t)columns) {
		fathom_page_text(page, source, columns);
	} else {
		char begin[1024];

		snprintf(begin, sizeof(begin), "%.*s", columns - 1, source);
		fathom_page_text(page, begin, columns - 1);
		fputs(fathom_page_ellipsis(page), stdout);
	}
}

/* Prints a line of the source with its samples, which are lines[0], and the functions that were inlined there. */
static void print_line(const struct listing *listing, const struct line *lines, size_t count, uint32_t number,
		       const char *source)
{
	struct fathom_page *page = listing->page;
	int columns = page->width - print_numbers(listing, count ? &lines[0] : NULL) - LINE_NUMBER - 2;

	printf("%s%*u%s", fathom_page_style(page, FATHOM_STYLE_DIM), LINE_NUMBER, number,
	       fathom_page_style(page, FATHOM_STYLE_PLAIN));
	if (source && *source) {
		printf("  ");
		print_source(page, source, columns);
	}
	putchar('\n');
	for (size_t i = 1; i < count; i++) {
		print_numbers(listing, &lines[i]);
		fathom_page_blanks(LINE_NUMBER);
		printf("  %sinlined%s ", fathom_page_style(page, FATHOM_STYLE_DIM),
		       fathom_page_style(page, FATHOM_STYLE_PLAIN));
		fathom_page_name(page, lines[i].inlined, columns - 8);
		putchar('\n');
	}
}

/* How many of the sorted lines, from index on, belong to one line of the source. */
static size_t count_same(const struct listing *listing, size_t index)
{
	size_t count = 1;

	while (index + count < listing->line_count && listing->lines[index + count].inlined)
		count++;
	return count;
}

/* Prints the source from begin to end, with the samples of lines[first..last). Long functions have gaps. */
static void print_function(const struct listing *listing, const struct function *function,
			   const struct fathom_source_text *text, size_t first, size_t last)
{
	uint32_t begin = function->begin_line, end = function->end_line;
	bool has_gaps = !listing->options->all && end - begin >= SHORT_FUNCTION;
	uint32_t left_out = 0;
	size_t next = first, previous_end = first;

	for (uint32_t number = begin; number <= end && !fathom_tool_output_lost(); number++) {
		size_t count = next < last && listing->lines[next].number == number ? count_same(listing, next) : 0;
		bool is_near = number == begin || (next < last && listing->lines[next].number - number <= CONTEXT) ||
			       (previous_end > first &&
				number - listing->lines[previous_end - 1].number <= CONTEXT);

		if (!count && number > text->count) {	/* there is no source: only lines with samples are shown */
			if (next == last)
				break;
			number = listing->lines[next].number - 1;
			continue;
		}
		if (has_gaps && !is_near) {
			left_out++;
			continue;
		}
		if (left_out) {
			print_numbers(listing, NULL);
			printf("%s%*s%s\n", fathom_page_style(listing->page, FATHOM_STYLE_DIM), LINE_NUMBER, "...",
			       fathom_page_style(listing->page, FATHOM_STYLE_PLAIN));
		}
		left_out = 0;
		print_line(listing, &listing->lines[next], count, number, fathom_source_text_line(text, number));
		next += count;
		previous_end = count ? next : previous_end;
	}
}

/* Prints lines outside of the function, as macros of headers have them, and code without lines. */
static void print_elsewhere(const struct listing *listing, const struct function *function)
{
	struct fathom_page *page = listing->page;

	for (size_t i = 0; i < listing->line_count; i++) {
		const struct line *line = &listing->lines[i];
		char text[512];
		int columns;

		if (is_of_function(function, line))
			continue;
		columns = page->width - print_numbers(listing, line) - LINE_NUMBER - 2;
		if (line->inlined) {
			fathom_page_blanks(LINE_NUMBER);
			printf("  %sinlined%s ", fathom_page_style(page, FATHOM_STYLE_DIM),
			       fathom_page_style(page, FATHOM_STYLE_PLAIN));
			fathom_page_name(page, line->inlined, columns - 8);
		} else {
			printf("%*s  %s", LINE_NUMBER, "-", fathom_page_style(page, FATHOM_STYLE_DIM));
			fathom_page_text(page, !line->number && function->begin_line ? "(code without a line)" :
					 fathom_line_text(line->file, line->number, line->offset, text, sizeof(text)),
					 columns);
			fputs(fathom_page_style(page, FATHOM_STYLE_PLAIN), stdout);
		}
		putchar('\n');
	}
}

/* Says why there is no source, or that it may be another one. */
static void explain_source(const struct listing *listing, const struct function *function,
			   const struct fathom_source_text *text)
{
	struct fathom_page *page = listing->page;
	struct stat status;
	char line[1200];

	if (!function->file || !function->begin_line)
		snprintf(line, sizeof(line), "There are no line numbers: compile with -g.");
	else if (!text->path)
		snprintf(line, sizeof(line), "The source is not there: %.1000s, nor its end in the present directory.",
			 function->file);
	else if (stat(listing->places->file.path, &status) == 0 && text->changed > status.st_mtime)
		snprintf(line, sizeof(line), "The source was changed after the run: lines may have moved.");
	else
		return;
	printf("%s", fathom_page_style(page, FATHOM_STYLE_WARN));
	fathom_page_paragraph(page, line, 0);
	printf("%s", fathom_page_style(page, FATHOM_STYLE_PLAIN));
}

static void print_heading(const struct listing *listing, const struct function *function)
{
	struct fathom_page *page = listing->page;
	const struct fathom_sample_event *event = listing->places->event;
	char title[1200], remark[128], percent[FATHOM_NUMBER_BYTES], place[512], name[512];
	double value = 0;

	for (size_t i = 0; i < listing->line_count; i++)
		value += listing->lines[i].inlined ? 0 : listing->lines[i].value;
	snprintf(title, sizeof(title), "Lines of %s",
		 strlen(function->name) > LONGEST_TITLE ? fathom_short_name(function->name, name, sizeof(name)) :
							  function->name);
	if (function->file && function->begin_line)
		snprintf(remark, sizeof(remark), "%.60s, own %.20s %s of all",
			 fathom_line_text(function->file, function->begin_line, 0, place, sizeof(place)), event->name,
			 fathom_number_percent(percent, value, event->total));
	else
		snprintf(remark, sizeof(remark), "own %.20s %s of all", event->name,
			 fathom_number_percent(percent, value, event->total));
	fathom_page_heading(page, title, remark);
	printf("%s%6s %9s %7s ", fathom_page_style(page, FATHOM_STYLE_DIM), "own",
	       fathom_sample_heading(event), "samples");
	if (listing->has_calls)
		printf("%7s ", "calls");
	printf(" %*s%s\n", LINE_NUMBER, "line", fathom_page_style(page, FATHOM_STYLE_PLAIN));
}

static void print_listing(struct listing *listing, struct function *function)
{
	struct fathom_source_text text = { 0 };
	size_t first = 0, last;

	listing->line_count = 0;
	listing->has_calls = false;
	for (size_t i = 0; i < listing->places->count; i++)
		if (listing->places->list[i].function)
			add_place(listing, function, &listing->places->list[i]);
	if (listing->line_count)
		qsort(listing->lines, listing->line_count, sizeof(*listing->lines), by_number);
	if (function->file && function->begin_line)
		fathom_source_text_read(&text, function->file, function->begin_line, function->end_line);
	while (first < listing->line_count && !is_of_function(function, &listing->lines[first]))
		first++;
	for (last = first; last < listing->line_count && is_of_function(function, &listing->lines[last]);)
		last++;
	print_heading(listing, function);
	if (function->begin_line)
		print_function(listing, function, &text, first, last);
	print_elsewhere(listing, function);
	explain_source(listing, function, &text);
	fathom_source_text_fini(&text);
}

int fathom_report_lines(struct fathom_page *page, const struct fathom_report_options *options, const char *result)
{
	struct fathom_sample_places places;
	struct listing listing = { .page = page, .options = options, .places = &places };
	int err = fathom_sample_places_init(&places, result, options->metric);

	if (!err)
		err = find_functions(&listing);
	for (size_t i = 0; !err && i < listing.function_count; i++)
		print_listing(&listing, &listing.functions[i]);
	if (!err) {
		printf("%s", fathom_page_style(page, FATHOM_STYLE_DIM));
		fathom_page_paragraph(page, "own: in the line and in what was inlined there; calls: in functions "
				      "called from it that are not recorded themselves. Both are estimates from "
				      "samples.", 0);
		printf("%s", fathom_page_style(page, FATHOM_STYLE_PLAIN));
		fathom_sample_modules_explain(&places.modules, page);
	}
	for (size_t i = 0; i < listing.function_count; i++)
		free(listing.functions[i].name);
	free(listing.functions);
	free(listing.lines);
	fathom_sample_places_fini(&places);
	return err;
}
