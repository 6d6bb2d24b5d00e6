#include "tools/report/sections/section_threads.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"
#include "tools/common/number_format.h"
#include "tools/report/region_search.h"
#include "tools/report/region_text.h"
#include "tools/report/report.h"
#include "tools/report/thread_columns.h"

enum {
	PATHS_DEFAULT = 5,
	THREADS_DEFAULT = 20,	/* with more threads only some lines are shown: */
	THREADS_ENDS = 5,	/* this many of the longest and of the shortest */
	NUMBERS = 31,		/* columns before the name */
};

static int32_t chosen_metric(const struct fathom_report *report)
{
	return (int32_t)(report->values.metric - report->profile.cube->metrics);
}

/* Returns the value of one thread of a column: a sum is divided by the number of threads, other values are not. */
static double value_of(const struct fathom_report *report, const struct fathom_column *column, double value)
{
	if (!isfinite(value) || fathom_value_is_never(value))
		return 0;
	return report->values.kind == FATHOM_VALUES_SUM ? value / column->threads : value;
}

struct ranked {			/* a column with the value to sort by */
	double value;
	struct fathom_column column;
};

static int by_value(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->value != y->value)
		return x->value < y->value ? 1 : -1;
	return x->column.location < y->column.location ? -1 : x->column.location > y->column.location;
}

/* Sorts columns by inclusive values, the largest first. */
static void sort_columns(const struct fathom_report *report, struct fathom_column *columns, uint32_t count)
{
	struct ranked *ranked = fathom_tool_alloc(count, sizeof(*ranked));
	uint32_t i;

	for (i = 0; i < count; i++)
		ranked[i] = (struct ranked){ value_of(report, &columns[i], columns[i].value), columns[i] };
	qsort(ranked, count, sizeof(*ranked), by_value);
	for (i = 0; i < count; i++)
		columns[i] = ranked[i].column;
	free(ranked);
}

/* Prints a value in its column of numbers; a minimum or maximum of 0 means that there was no visit. */
static void print_value(const struct fathom_report *report, double value)
{
	bool is_extreme = report->values.kind == FATHOM_VALUES_LEAST || report->values.kind == FATHOM_VALUES_MOST;
	char text[FATHOM_NUMBER_BYTES];

	printf(" %9s", (is_extreme && value == 0) || !isfinite(value) || fathom_value_is_never(value) ? "-" :
	       fathom_number_with_unit(text, value, report->values.metric->unit));
}

static void print_column(struct fathom_report *report, const struct fathom_column *column, double largest)
{
	const struct fathom_cube *cube = report->profile.cube;
	const struct fathom_cube_location location = fathom_cube_location(cube, column->location);
	struct fathom_page *page = &report->page;
	char visits[FATHOM_NUMBER_BYTES], name[640], label[512];
	int columns = page->width - NUMBERS - 2, bar = columns / 4;
	double value = value_of(report, column, column->value);
	size_t length = 0;

	printf("%8s", fathom_number_count(visits, column->visits / column->threads));
	if (report->values.kind == FATHOM_VALUES_SUM) {
		print_value(report, value);
		print_value(report, value_of(report, column, column->own_value));
	} else {
		print_value(report, column->value);
		printf(" %9s", "");
	}
	printf("   ");
	if (report->profile.process_count > 1)
		length = (size_t)snprintf(name, sizeof(name), "rank %lld ",
					  (long long)cube->groups[location.group].rank);
	length += (size_t)snprintf(name + length, sizeof(name) - length, "%s",
				   fathom_threads_label(&location, label, sizeof(label)));
	if (column->threads > 1 && length < sizeof(name))
		snprintf(name + length, sizeof(name) - length, ", average");
	fathom_page_text_left(page, name, columns - bar);
	if (largest > 0 && value > 0) {
		printf("  ");
		fathom_page_bar(page, value / largest, bar);
	}
	putchar('\n');
}

static bool shows_time(const struct fathom_report *report)
{
	return chosen_metric(report) == report->profile.time;
}

static void print_columns(struct fathom_report *report, struct fathom_column *columns, uint32_t count)
{
	struct fathom_page *page = &report->page;
	bool shorten = count > THREADS_DEFAULT && !report->options.all;
	bool is_sum = report->values.kind == FATHOM_VALUES_SUM;
	double largest = 0;
	uint32_t i;

	for (i = 0; i < count; i++)
		largest = fmax(largest, value_of(report, &columns[i], columns[i].value));
	if (shorten)
		sort_columns(report, columns, count);
	printf("%s%8s %9s %9s   thread%s\n", fathom_page_style(page, FATHOM_STYLE_DIM), "visits",
	       shows_time(report) ? "time" : is_sum ? "inclusive" : "value", is_sum ? "own" : "",
	       fathom_page_style(page, FATHOM_STYLE_PLAIN));
	for (i = 0; i < count; i++) {
		if (shorten && i == THREADS_ENDS) {
			i = count - THREADS_ENDS;
			printf("%s%8s %9s %9s   %u more, in order of their %s (--all)%s\n",
			       fathom_page_style(page, FATHOM_STYLE_DIM), "", "", "", count - 2 * THREADS_ENDS,
			       shows_time(report) ? "time" : "values", fathom_page_style(page, FATHOM_STYLE_PLAIN));
		}
		print_column(report, &columns[i], largest);
	}
}

static void print_statistics(const char *title, const struct fathom_statistics *statistics, const char *unit)
{
	char text[6][FATHOM_NUMBER_BYTES];

	if (!(statistics->count > 0))
		return;
	printf("  %-9s %6s %10s %10s %10s %10s %10s\n", title, fathom_number_count(text[4], statistics->count),
	       fathom_number_with_unit(text[0], fathom_statistics_mean(statistics), unit),
	       fathom_number_with_unit(text[1], fathom_statistics_deviation(statistics), unit),
	       fathom_number_with_unit(text[2], statistics->least, unit),
	       fathom_number_with_unit(text[3], statistics->most, unit),
	       fathom_number_with_unit(text[5], statistics->sum, unit));
}

/* Prints a line of statistics of own values from the file; prints nothing if the file does not have them. */
static int print_own_statistics(struct fathom_report *report, int32_t metric, uint32_t cnode, const char *title)
{
	struct fathom_profile *profile = &report->profile;
	struct fathom_statistics statistics;
	int err;

	if (metric < 0 || !fathom_threads_statistics(profile, (uint32_t)metric, cnode, &statistics, &err))
		return metric < 0 ? 0 : err;
	print_statistics(title, &statistics, profile->cube->metrics[metric].unit);
	return 0;
}

/* Prints statistics of inclusive values, for files where each column is one thread. */
static void print_inclusive_statistics(const struct fathom_report *report, const struct fathom_column *columns,
				       uint32_t count, const char *title)
{
	struct fathom_statistics all = { 0 };
	uint32_t i;

	for (i = 0; i < count; i++) {
		double value = columns[i].value;

		all.least = i == 0 || value < all.least ? value : all.least;
		all.most = i == 0 || value > all.most ? value : all.most;
		all.sum += value;
		all.squares += value * value;
		all.count++;
	}
	print_statistics(title, &all, report->values.metric->unit);
}

static int print_all_statistics(struct fathom_report *report, const struct fathom_column *columns, uint32_t count,
				uint32_t cnode)
{
	const struct fathom_profile *profile = &report->profile;
	struct fathom_page *page = &report->page;
	bool is_time = shows_time(report);
	int err;

	printf("%s%18s %10s %10s %10s %10s %10s%s\n", fathom_page_style(page, FATHOM_STYLE_DIM), "threads", "average",
	       "deviation", "minimum", "maximum", "sum", fathom_page_style(page, FATHOM_STYLE_PLAIN));
	err = print_own_statistics(report, profile->visits, cnode, "visits");
	if (err || chosen_metric(report) == profile->visits || report->values.kind != FATHOM_VALUES_SUM)
		return err;
	if (profile->threads.aggregation == FATHOM_AGGREGATION_ALL)
		print_inclusive_statistics(report, columns, count, is_time ? "time" : "inclusive");
	return print_own_statistics(report, chosen_metric(report), cnode, is_time ? "own time" : "own");
}

/* Returns the name of a call path in a printed path. */
static const char *step_name(const struct fathom_report *report, uint32_t cnode)
{
	const struct fathom_profile *profile = &report->profile;
	int32_t parent = profile->cube->cnodes[cnode].parent;

	if (profile->in_tasks[cnode] && (parent < 0 || !profile->in_tasks[parent]))
		return "explicit tasks";
	return fathom_region_name(fathom_profile_region(profile, cnode));
}

/* Prints "main > step > solve"; only the end of a path that does not fit. */
static void print_path(struct fathom_report *report, uint32_t cnode)
{
	const struct fathom_cube_cnode *cnodes = report->profile.cube->cnodes;
	struct fathom_page *page = &report->page;
	size_t length = strlen(step_name(report, cnode)), steps = 1, i, k;
	int32_t at = (int32_t)cnode;

	while (cnodes[at].parent >= 0) {
		size_t more = strlen(step_name(report, (uint32_t)cnodes[at].parent)) + 3;

		if (length + more + 6 > (size_t)page->width)
			break;
		length += more;
		at = cnodes[at].parent;
		steps++;
	}
	printf("%s%s", fathom_page_style(page, FATHOM_STYLE_BOLD), cnodes[at].parent >= 0 ? "... > " : "");
	for (i = steps; i-- > 0;) {
		for (k = 0, at = (int32_t)cnode; k < i; k++)
			at = cnodes[at].parent;
		fathom_page_name(page, step_name(report, (uint32_t)at), page->width - 6);
		fputs(i > 0 ? " > " : "", stdout);
	}
	printf("%s\n", fathom_page_style(page, FATHOM_STYLE_PLAIN));
}

static int print_call_path(struct fathom_report *report, uint32_t cnode)
{
	const struct fathom_profile *profile = &report->profile;
	enum fathom_aggregation aggregation = profile->threads.aggregation;
	uint32_t count;
	struct fathom_column *columns = fathom_report_columns(report, cnode, &count);
	int err = 0;

	if (!columns)
		return -EIO;
	print_path(report, cnode);
	if (aggregation != FATHOM_AGGREGATION_SET)
		print_columns(report, columns, count);
	if (aggregation == FATHOM_AGGREGATION_ALL || aggregation == FATHOM_AGGREGATION_SET)
		err = print_all_statistics(report, columns, count, cnode);
	free(columns);
	return err;
}

int fathom_report_threads(struct fathom_report *report)
{
	bool *matches = fathom_tool_alloc(report->profile.cube->region_count, sizeof(bool));
	uint32_t *cnodes = NULL, count = 0, shown, i;
	char title[512], remark[96];
	int err = fathom_report_find_regions(report, report->options.threads, matches);

	if (!err)
		count = fathom_report_places(report, matches, &cnodes);
	shown = report->options.all ? count : PATHS_DEFAULT;
	if (report->options.top >= 0)
		shown = (uint32_t)report->options.top;
	shown = shown < count ? shown : count;
	if (!err) {
		snprintf(title, sizeof(title), "Threads in %.300s%s%s", report->options.threads,
			 shows_time(report) ? "" : " by ", shows_time(report) ? "" : report->values.metric->uniq_name);
		snprintf(remark, sizeof(remark), "%u of %u call path%s", shown, count, count == 1 ? "" : "s");
		fathom_page_heading(&report->page, title, remark);
	}
	for (i = 0; !err && i < shown && !fathom_tool_output_lost(); i++) {
		if (i > 0)
			putchar('\n');
		err = print_call_path(report, cnodes[i]);
	}
	free(cnodes);
	free(matches);
	return err;
}
