#include "tools/report/sections/section_counters.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cube/derived.h"
#include "tools/common/command.h"
#include "tools/common/number_format.h"
#include "tools/report/region_text.h"
#include "tools/report/report.h"
#include "tools/report/run_attributes.h"

enum { COLUMN = 13, MOST_COLUMNS = 12, TOP = 10, NAME_LEAST = 20 };

/* A column of the table: a metric, or a formula of two metrics. */
struct column {
	const char *title;
	const char *unit;
	double *own;		/* by region; NULL: a formula */
	double factor;		/* of a formula */
	double *above, *below;
};

struct table {
	struct column columns[MOST_COLUMNS];
	unsigned count;
	unsigned left_out;
};

/* Returns whether a list of names with commas between them contains a name. */
static bool is_listed(const char *list, const char *name)
{
	size_t length = strlen(name);

	for (; list && *list; list += strcspn(list, ","), list += *list == ',')
		if (strncmp(list, name, length) == 0 && (list[length] == ',' || list[length] == '\0'))
			return true;
	return false;
}

/* Reads the own values of a metric by region. NULL after an error message. */
static double *by_region(struct fathom_report *report, uint32_t metric)
{
	struct fathom_profile *profile = &report->profile;
	double *sums = fathom_tool_alloc(profile->cube->region_count, sizeof(*sums));
	struct fathom_values values;
	uint32_t c;

	if (fathom_profile_values(profile, metric, &values)) {
		free(sums);
		return NULL;
	}
	for (c = 0; c < profile->cube->cnode_count; c++)
		if (profile->counted[c])
			sums[fathom_phase_region(profile, c)] += values.own[c];
	fathom_values_free(&values);
	return sums;
}

/* Returns whether the program gave the metric's values at points: then the table shows their mean instead of their
 * sum. */
static bool has_mean(const struct fathom_profile *profile, uint32_t metric, struct fathom_ratio *ratio)
{
	char name[1024];
	int32_t mean;

	snprintf(name, sizeof(name), "%s::mean", profile->cube->metrics[metric].uniq_name);
	mean = fathom_cube_metric_by_name(profile->cube, name);
	return mean >= 0 && fathom_profile_formula(profile, (uint32_t)mean, ratio) && ratio->above == metric;
}

/* Adds as many columns as fit next to the names. */
static int add_columns(struct fathom_report *report, struct table *table, const char *list)
{
	const struct fathom_cube *cube = report->profile.cube;
	unsigned room = (unsigned)(report->page.width - NAME_LEAST) / COLUMN;
	uint32_t m;

	for (m = 0; m < cube->metric_count; m++) {
		const struct fathom_cube_metric *metric = &cube->metrics[m];
		const char *colon = strrchr(metric->disp_name, ':');
		struct column column = { .title = colon ? colon + 1 : metric->disp_name, .unit = metric->unit };
		struct fathom_ratio ratio;
		bool is_formula = metric->type == FATHOM_CUBE_DERIVED && fathom_derived_find(metric->uniq_name) &&
				  fathom_profile_formula(&report->profile, m, &ratio);

		if (!is_formula && (!is_listed(list, metric->disp_name) || !fathom_profile_can_read(metric)))
			continue;
		if (table->count == room || table->count == MOST_COLUMNS) {
			table->left_out++;
			continue;
		}
		if (is_formula)
			column.title = metric->uniq_name;
		if (is_formula || has_mean(&report->profile, m, &ratio)) {
			column.factor = ratio.factor;
			column.above = by_region(report, ratio.above);
			column.below = by_region(report, ratio.below);
		} else {
			column.own = by_region(report, m);
		}
		if (!column.own && (!column.above || !column.below))
			return -1;
		table->columns[table->count++] = column;
	}
	return 0;
}

static void print_cell(struct fathom_page *page, const struct column *column, uint32_t region)
{
	const char *unit = strcmp(column->unit, "1") == 0 ? "" : column->unit;
	char text[FATHOM_NUMBER_BYTES];

	if (column->own)
		fathom_number_with_unit(text, column->own[region], column->unit);
	else if (column->below[region] > 0)
		snprintf(text, sizeof(text), "%.3g%s%s",
			 column->factor * column->above[region] / column->below[region],
			 *unit && *unit != '%' ? " " : "", unit);
	else
		strcpy(text, "-");
	fathom_page_text_right(page, text, COLUMN - 2);
	fathom_page_blanks(2);
}

static const double *sorted;	/* the values that the comparison below reads; set only while qsort runs */

static int by_time(const void *a, const void *b)
{
	double x = sorted[*(const uint32_t *)a], y = sorted[*(const uint32_t *)b];

	return x > y ? -1 : x < y;
}

static void print_table(struct fathom_report *report, const struct table *table, const double *time)
{
	const struct fathom_cube *cube = report->profile.cube;
	struct fathom_page *page = &report->page;
	uint32_t *order = fathom_tool_alloc(cube->region_count, sizeof(*order));
	char remark[96];
	uint32_t r, i;
	unsigned c;

	for (r = 0; r < cube->region_count; r++)
		order[r] = r;
	sorted = time;
	qsort(order, cube->region_count, sizeof(*order), by_time);
	sorted = NULL;
	if (table->left_out)
		snprintf(remark, sizeof(remark), "%u more: --width, --metric", table->left_out);
	else
		snprintf(remark, sizeof(remark), "own values; --metric for one");
	fathom_page_heading(page, "Counters by region", remark);
	printf("%s", fathom_page_style(page, FATHOM_STYLE_DIM));
	for (c = 0; c < table->count; c++) {
		fathom_page_text_right(page, table->columns[c].title, COLUMN - 2);
		fathom_page_blanks(2);
	}
	printf("region%s\n", fathom_page_style(page, FATHOM_STYLE_PLAIN));
	for (i = 0; i < cube->region_count && i < TOP && time[order[i]] > 0; i++) {
		for (c = 0; c < table->count; c++)
			print_cell(page, &table->columns[c], order[i]);
		fathom_page_name(page, fathom_region_name(&cube->regions[order[i]]),
				 page->width - (int)table->count * COLUMN);
		printf("\n");
	}
	free(order);
}

/* Prints the cost of reading counters at begin and end of a visit, as the run measured it. */
static void print_cost(struct fathom_report *report)
{
	const struct fathom_cube *cube = report->profile.cube;
	const char *way = fathom_cube_attribute(cube, "fathom::perf_read_by");
	double visit_ns = fathom_report_number(cube, "fathom::event_cost_ns", -1);
	double reading_ns = fathom_report_number(cube, "fathom::counter_reading_ns", -1);
	double read_ns = fathom_report_number(cube, "fathom::perf_read_ns", -1);
	double rdpmc_ns = fathom_report_number(cube, "fathom::perf_rdpmc_ns", -1);
	bool by_rdpmc = way && !strcmp(way, "rdpmc");
	char visit[FATHOM_NUMBER_BYTES], reading[FATHOM_NUMBER_BYTES], other[FATHOM_NUMBER_BYTES];
	char text[256];
	size_t length;

	/* A profile of fathom merge --holistic has counters of several runs. */
	if (visit_ns < 0 || reading_ns < 0 || fathom_cube_attribute(cube, "fathom::holistic"))
		return;
	length = (size_t)snprintf(text, sizeof(text), "Measuring a visit takes %s with these counters: they are read "
				  "twice, in %s each time", fathom_number_seconds(visit, visit_ns * 1e-9),
				  fathom_number_seconds(reading, reading_ns * 1e-9));
	if (by_rdpmc && read_ns >= 0)
		snprintf(text + length, sizeof(text) - length, " (perf events by rdpmc; by read(): %s)",
			 fathom_number_seconds(other, read_ns * 1e-9));
	else if (way && rdpmc_ns >= 0)
		snprintf(text + length, sizeof(text) - length, " (perf events by read(); by rdpmc: %s)",
			 fathom_number_seconds(other, rdpmc_ns * 1e-9));
	fathom_page_paragraph(&report->page, text, 0);
}

void fathom_report_counters(struct fathom_report *report)
{
	const char *list = fathom_cube_attribute(report->profile.cube, "fathom::metrics");
	struct table table = { .count = 0 };
	double *time;
	unsigned c;

	if (!list || report->profile.time < 0)
		return;
	time = by_region(report, (uint32_t)report->profile.time);
	if (time && !add_columns(report, &table, list) && table.count) {
		print_table(report, &table, time);
		print_cost(report);
	}
	for (c = 0; c < table.count; c++) {
		free(table.columns[c].own);
		free(table.columns[c].above);
		free(table.columns[c].below);
	}
	free(time);
}
