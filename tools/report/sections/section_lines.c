#include "tools/report/sections/section_lines.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/common/command.h"
#include "tools/common/number_format.h"
#include "tools/common/text_layout.h"
#include "tools/report/json/json_samples.h"
#include "tools/report/region_text.h"
#include "tools/report/report.h"
#include "tools/report/samples/function_lines.h"
#include "tools/common/samples/source_text.h"

enum {
	NUMBERS = 34,		/* columns before the number of a line */
	LINE_NUMBER = 6,	/* columns of that */
	LONGEST_TITLE = 30,	/* columns of a function's name without shortening it */
	SHORT_FUNCTION = 40,	/* lines of a function that is printed without gaps */
	CONTEXT = 2,		/* lines around those with samples, in longer functions */
};

struct listing {
	struct fathom_page *page;
	const struct fathom_report_options *options;
	const struct fathom_sample_places *places;
	struct fathom_function_lines lines;
};

/* Prints the numbers of a line; line NULL: blanks. Returns the number of columns. */
static int print_numbers(const struct listing *listing, const struct fathom_sampled_line *line)
{
	const struct fathom_sample_event *event = listing->places->event;
	char share[FATHOM_NUMBER_BYTES], value[FATHOM_NUMBER_BYTES] = "", samples[FATHOM_NUMBER_BYTES] = "";
	char calls[FATHOM_NUMBER_BYTES] = "";
	int columns = listing->lines.has_calls ? NUMBERS : NUMBERS - 8;
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
	if (listing->lines.has_calls)
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
static void print_line(const struct listing *listing, const struct fathom_sampled_line *lines, size_t count,
		       uint32_t number, const char *source)
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

static bool is_of_function(const struct fathom_sampled_function *function, const struct fathom_sampled_line *line)
{
	return line->file && function->file && line->number >= function->begin_line &&
	       line->number <= function->end_line && strcmp(line->file, function->file) == 0;
}

/* Prints the source from begin to end, with the samples of lines[first..last). Long functions have gaps. */
static void print_function(const struct listing *listing, const struct fathom_sampled_function *function,
			   const struct fathom_source_text *text, size_t first, size_t last)
{
	uint32_t begin = function->begin_line, end = function->end_line;
	bool has_gaps = !listing->options->all && end - begin >= SHORT_FUNCTION;
	uint32_t left_out = 0;
	size_t next = first, previous_end = first;

	for (uint32_t number = begin; number <= end && !fathom_tool_output_lost(); number++) {
		const struct fathom_sampled_line *line = &listing->lines.list[next];	/* valid below last */
		bool is_sampled = next < last && line->number == number;
		size_t count = is_sampled ? fathom_function_lines_same(&listing->lines, next) : 0;
		bool is_near = number == begin || (next < last && line->number - number <= CONTEXT) ||
			       (previous_end > first &&
				number - listing->lines.list[previous_end - 1].number <= CONTEXT);

		if (!count && number > text->count) {	/* there is no source: only lines with samples are shown */
			if (next == last)
				break;
			number = listing->lines.list[next].number - 1;
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
		print_line(listing, &listing->lines.list[next], count, number, fathom_source_text_line(text, number));
		next += count;
		previous_end = count ? next : previous_end;
	}
}

/* Prints lines outside of the function, as macros of headers have them, and code without lines. */
static void print_elsewhere(const struct listing *listing, const struct fathom_sampled_function *function)
{
	struct fathom_page *page = listing->page;

	for (size_t i = 0; i < listing->lines.count; i++) {
		const struct fathom_sampled_line *line = &listing->lines.list[i];
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
static void explain_source(const struct listing *listing, const struct fathom_sampled_function *function,
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
	else if (stat(listing->places->file.text.path, &status) == 0 && text->changed > status.st_mtime)
		snprintf(line, sizeof(line), "The source was changed after the run: lines may have moved.");
	else
		return;
	printf("%s", fathom_page_style(page, FATHOM_STYLE_WARN));
	fathom_page_paragraph(page, line, 0);
	printf("%s", fathom_page_style(page, FATHOM_STYLE_PLAIN));
}

static void print_heading(const struct listing *listing, const struct fathom_sampled_function *function)
{
	struct fathom_page *page = listing->page;
	const struct fathom_sample_event *event = listing->places->event;
	char title[1200], remark[128], percent[FATHOM_NUMBER_BYTES], place[512], name[512];
	double value = fathom_function_lines_value(&listing->lines);

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
	if (listing->lines.has_calls)
		printf("%7s ", "calls");
	printf(" %*s%s\n", LINE_NUMBER, "line", fathom_page_style(page, FATHOM_STYLE_PLAIN));
}

static void print_listing(struct listing *listing, struct fathom_sampled_function *function)
{
	struct fathom_source_text text = { 0 };
	size_t first = 0, last;

	fathom_function_lines_read(&listing->lines, function);
	if (function->file && function->begin_line)
		fathom_source_text_read(&text, function->file, function->begin_line, function->end_line);
	while (first < listing->lines.count && !is_of_function(function, &listing->lines.list[first]))
		first++;
	for (last = first; last < listing->lines.count && is_of_function(function, &listing->lines.list[last]);)
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
		err = fathom_function_lines_init(&listing.lines, &places, options->lines);
	for (size_t i = 0; !err && !options->json && i < listing.lines.function_count; i++)
		print_listing(&listing, &listing.lines.functions[i]);
	if (!err && options->json) {
		fathom_report_json_lines(&listing.lines);
	} else if (!err) {
		printf("%s", fathom_page_style(page, FATHOM_STYLE_DIM));
		fathom_page_paragraph(page, "own: in the line and in what was inlined there; calls: in functions "
				      "called from it that are not recorded themselves. Both are estimates from "
				      "samples.", 0);
		printf("%s", fathom_page_style(page, FATHOM_STYLE_PLAIN));
		fathom_sample_modules_explain(&places.modules, page);
	}
	fathom_function_lines_fini(&listing.lines);
	fathom_sample_places_fini(&places);
	return err;
}
