/* `fathom report --threads REGION`: what each thread did in it. Declared in report.h. */
#include "report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool.h"

enum {
	PATHS_DEFAULT = 5,
	THREADS_DEFAULT = 20,	/* with more of them, ... */
	THREADS_ENDS = 5,	/* ... those that took longest and shortest */
	NUMBERS = 31,		/* columns before the name */
};

/* Own (or inclusive) values of a call path for each location. */
static int read_row(struct fathom_report *report, int32_t metric, uint32_t cnode, bool inclusive, double *row)
{
	struct fathom_profile *profile = &report->profile;
	uint32_t count = profile->cube->location_count, end = cnode + 1, c, l;
	double *own;
	int err = 0;

	memset(row, 0, count * sizeof(*row));
	if (metric < 0)
		return 0;
	if (inclusive)
		end = profile->subtree_end[cnode];
	own = fathom_tool_alloc(count, sizeof(*own));
	for (c = cnode; !err && c < end; c++) {
		if (profile->in_tasks[c] != profile->in_tasks[cnode])
			continue;	/* tasks are in it where they ran */
		err = fathom_profile_own_row(profile, (uint32_t)metric, c, own);
		for (l = 0; !err && l < count; l++)
			row[l] += own[l];
	}
	free(own);
	return err;
}

struct fathom_column *fathom_report_columns(struct fathom_report *report, uint32_t cnode, uint32_t *count)
{
	struct fathom_profile *profile = &report->profile;
	uint32_t locations = profile->cube->location_count, l;
	struct fathom_column *columns = fathom_tool_alloc(locations, sizeof(*columns));
	double *rows = fathom_tool_alloc(locations, 4 * sizeof(double));
	double *threads = rows, *visits = rows + locations, *time = visits + locations, *own = time + locations;
	int err = fathom_threads_row(profile, cnode, threads);

	if (!err)
		err = read_row(report, profile->visits, cnode, false, visits);
	if (!err)
		err = read_row(report, profile->time, cnode, true, time);
	if (!err)
		err = read_row(report, profile->time, cnode, false, own);
	*count = 0;
	for (l = profile->first_location; !err && l < profile->location_end; l++)
		if (threads[l] > 0 || own[l] > 0)
			columns[(*count)++] = (struct fathom_column){
				l, threads[l] > 1 ? threads[l] : 1, visits[l], time[l], own[l],
			};
	free(rows);
	if (err) {
		free(columns);
		return NULL;
	}
	return columns;
}

static int by_own(const void *a, const void *b)
{
	const struct fathom_column *x = a, *y = b;
	double left = x->own / x->threads, right = y->own / y->threads;

	if (left != right)
		return left < right ? 1 : -1;
	return x->location < y->location ? -1 : x->location > y->location;
}

static void print_column(struct fathom_report *report, const struct fathom_column *column, double longest)
{
	const struct fathom_cube *cube = report->profile.cube;
	const struct fathom_cube_location location = fathom_cube_location(cube, column->location);
	struct fathom_page *page = &report->page;
	char visits[FATHOM_NUMBER_BYTES], time[FATHOM_NUMBER_BYTES], own[FATHOM_NUMBER_BYTES], name[640], label[512];
	int columns = page->width - NUMBERS - 2, bar = columns / 4;
	double n = column->threads;
	size_t length = 0;

	printf("%8s %9s %9s   ", fathom_number_count(visits, column->visits / n),
	       fathom_number_seconds(time, column->time / n), fathom_number_seconds(own, column->own / n));
	if (report->profile.process_count > 1)
		length = (size_t)snprintf(name, sizeof(name), "rank %lld ",
					  (long long)cube->groups[location.group].rank);
	length += (size_t)snprintf(name + length, sizeof(name) - length, "%s",
				   fathom_threads_label(&location, label, sizeof(label)));
	if (n > 1 && length < sizeof(name))
		snprintf(name + length, sizeof(name) - length, ", average");
	fathom_page_name_left(page, name, columns - bar);
	if (longest > 0 && column->own > 0) {
		printf("  ");
		fathom_page_bar(page, column->own / n / longest, bar);
	}
	putchar('\n');
}

static void print_columns(struct fathom_report *report, struct fathom_column *columns, uint32_t count)
{
	struct fathom_page *page = &report->page;
	bool shorten = count > THREADS_DEFAULT && !report->options.all;
	double longest = 0;
	uint32_t i;

	for (i = 0; i < count; i++)
		if (columns[i].own / columns[i].threads > longest)
			longest = columns[i].own / columns[i].threads;
	if (shorten)
		qsort(columns, count, sizeof(*columns), by_own);
	printf("%s%8s %9s %9s   thread%s\n", fathom_page_ink(page, FATHOM_INK_DIM), "visits", "time", "own",
	       fathom_page_ink(page, FATHOM_INK_PLAIN));
	for (i = 0; i < count; i++) {
		if (shorten && i == THREADS_ENDS) {
			i = count - THREADS_ENDS;
			printf("%s%8s %9s %9s   %u more, in order of their own time (--all)%s\n",
			       fathom_page_ink(page, FATHOM_INK_DIM), "", "", "", count - 2 * THREADS_ENDS,
			       fathom_page_ink(page, FATHOM_INK_PLAIN));
		}
		print_column(report, &columns[i], longest);
	}
}

/* A line of statistics of a metric; nothing where they are not known. */
static int print_statistics(struct fathom_report *report, int32_t metric, uint32_t cnode, const char *title)
{
	struct fathom_profile *profile = &report->profile;
	struct fathom_statistics statistics;
	char text[6][FATHOM_NUMBER_BYTES];
	const char *unit;
	int err;

	if (metric < 0 || !fathom_threads_statistics(profile, (uint32_t)metric, cnode, &statistics, &err))
		return metric < 0 ? 0 : err;
	unit = profile->cube->metrics[metric].unit;
	if (!(statistics.count > 0))
		return 0;
	printf("  %-8s %7s %10s %10s %10s %10s %10s\n", title, fathom_number_count(text[4], statistics.count),
	       fathom_number_with_unit(text[0], fathom_statistics_mean(&statistics), unit),
	       fathom_number_with_unit(text[1], fathom_statistics_deviation(&statistics), unit),
	       fathom_number_with_unit(text[2], statistics.least, unit),
	       fathom_number_with_unit(text[3], statistics.most, unit),
	       fathom_number_with_unit(text[5], statistics.sum, unit));
	return 0;
}

/* What a call path is called in a row of them. */
static const char *step_name(const struct fathom_report *report, uint32_t cnode)
{
	const struct fathom_profile *profile = &report->profile;
	int32_t parent = profile->cube->cnodes[cnode].parent;

	if (profile->in_tasks[cnode] && (parent < 0 || !profile->in_tasks[parent]))
		return "explicit tasks";
	return fathom_region_name(fathom_profile_region(profile, cnode));
}

/* "main > step > solve": the end of it, as much as fits. */
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
	printf("%s%s", fathom_page_ink(page, FATHOM_INK_BOLD), cnodes[at].parent >= 0 ? "... > " : "");
	for (i = steps; i-- > 0;) {
		for (k = 0, at = (int32_t)cnode; k < i; k++)
			at = cnodes[at].parent;
		fathom_page_name(page, step_name(report, (uint32_t)at), page->width - 6);
		fputs(i > 0 ? " > " : "", stdout);
	}
	printf("%s\n", fathom_page_ink(page, FATHOM_INK_PLAIN));
}

static int print_call_path(struct fathom_report *report, uint32_t cnode)
{
	const struct fathom_profile *profile = &report->profile;
	enum fathom_aggregation aggregation = profile->threads.aggregation;
	struct fathom_page *page = &report->page;
	uint32_t count;
	struct fathom_column *columns = fathom_report_columns(report, cnode, &count);
	int err = 0;

	if (!columns)
		return -EIO;
	print_path(report, cnode);
	if (aggregation != FATHOM_AGGREGATION_SET)
		print_columns(report, columns, count);
	free(columns);
	if (aggregation == FATHOM_AGGREGATION_ALL || aggregation == FATHOM_AGGREGATION_SET) {
		printf("%s%18s %10s %10s %10s %10s %10s%s\n", fathom_page_ink(page, FATHOM_INK_DIM), "threads",
		       "average", "deviation", "minimum", "maximum", "sum", fathom_page_ink(page, FATHOM_INK_PLAIN));
		err = print_statistics(report, profile->visits, cnode, "visits");
		if (!err)
			err = print_statistics(report, profile->time, cnode, "own time");
	}
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
		snprintf(title, sizeof(title), "Threads in %s", report->options.threads);
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
