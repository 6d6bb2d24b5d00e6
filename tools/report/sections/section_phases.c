#include "tools/report/sections/section_phases.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"
#include "tools/common/number_format.h"
#include "tools/report/region_text.h"
#include "tools/report/report.h"

enum { NUMBERS = 55, SLOWEST = 3, CLUSTERS = 8, ROWS = 40, INDENT = 2 };

/* A phase with the values that are shown. */
struct shown {
	const struct fathom_phase *phase;
	struct fathom_phase_values values;
	double *each;		/* by iteration; 0 in place of "never" */
	uint32_t *order;	/* iterations, the largest value first */
};

/* --- properties of a series ------------------------------------------------------------------------- */

static const double *sorted;	/* the values that the comparison below reads; set only while qsort runs */

static int by_value(const void *a, const void *b)
{
	uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;

	if (sorted[i] != sorted[k])
		return sorted[i] < sorted[k] ? 1 : -1;
	return i < k ? -1 : i > k;
}

static int prepare(struct fathom_report *report, const struct fathom_phase *phase, struct shown *shown)
{
	uint32_t metric = (uint32_t)(report->values.metric - report->profile.cube->metrics);
	int err = fathom_phase_read(&report->phases, phase, metric, &shown->values);

	if (err)
		return err;
	shown->phase = phase;
	shown->each = fathom_tool_alloc(phase->count, sizeof(*shown->each));
	shown->order = fathom_tool_alloc(phase->count, sizeof(*shown->order));
	for (uint32_t i = 0; i < phase->count; i++) {
		double value = fathom_phase_value(phase, &shown->values, i);

		shown->each[i] = fathom_value_is_never(value) ? 0 : value;
		shown->order[i] = i;
	}
	sorted = shown->each;
	if (phase->count)
		qsort(shown->order, phase->count, sizeof(*shown->order), by_value);
	sorted = NULL;
	return 0;
}

static void fini(struct shown *shown)
{
	fathom_phase_values_free(&shown->values);
	free(shown->each);
	free(shown->order);
}

static double median(const struct shown *shown)
{
	uint32_t count = shown->phase->count;

	return (shown->each[shown->order[count / 2]] + shown->each[shown->order[(count - 1) / 2]]) / 2;
}

/* Returns the longest run of an iteration divided by the mean one. 0: the iteration had a single run. */
static double imbalance(const struct shown *shown, uint32_t i)
{
	const struct fathom_phase_values *values = &shown->values;

	if (!values->is_time || !(shown->phase->runs[i] > 1) || !(shown->each[i] > 0))
		return 0;
	return values->most[i] / shown->each[i];
}

static double mean_imbalance(const struct shown *shown)
{
	double most = 0, mean = 0;

	for (uint32_t i = 0; i < shown->phase->count; i++)
		if (imbalance(shown, i) > 0) {
			most += shown->values.most[i];
			mean += shown->each[i];
		}
	return mean > 0 ? most / mean : 0;
}

/* --- lines ------------------------------------------------------------------------------------------ */

static const char *ratio_text(char text[FATHOM_NUMBER_BYTES], double ratio)
{
	if (!(ratio > 0))
		return strcpy(text, "-");
	snprintf(text, FATHOM_NUMBER_BYTES, ratio < 99.995 ? "%.2f" : "%.0f", ratio);
	return text;
}

/* Returns the name of a phase: "step", or "step in solve" if several phases have that name. */
static const char *name_of(const struct fathom_report *report, const struct fathom_phase *phase, char *text,
			   size_t bytes)
{
	const struct fathom_cube_cnode *nodes = report->profile.cube->cnodes;
	const char *name = fathom_region_name(fathom_profile_region(&report->profile, phase->cnode));
	uint32_t same = 0;

	for (uint32_t p = 0; p < report->phases.count; p++)
		same += nodes[report->phases.phases[p].cnode].region == nodes[phase->cnode].region;
	if (same < 2 || nodes[phase->cnode].parent < 0)
		return name;
	snprintf(text, bytes, "%s in %s", name,
		 fathom_region_name(fathom_profile_region(&report->profile, (uint32_t)nodes[phase->cnode].parent)));
	return text;
}

/* Prints the name of a phase at the end of a line of the table. */
static void print_name(struct fathom_report *report, const struct fathom_phase *phase)
{
	char text[512];

	fathom_page_name(&report->page, name_of(report, phase, text, sizeof(text)), report->page.width - NUMBERS);
	putchar('\n');
}

static void print_numbers(struct fathom_report *report, const struct shown *shown)
{
	const char *unit = shown->values.metric->unit;
	uint32_t count = shown->phase->count;
	double trend = fathom_phase_trend(shown->each, count);
	char text[5][FATHOM_NUMBER_BYTES], change[FATHOM_NUMBER_BYTES] = "-";

	if (count >= 3)
		snprintf(change, sizeof(change), fabs(trend) < 9.995 ? "%+.1f%%" : "%+.0f%%", 100 * trend);
	printf("%8s %9s %9s %9s %6s %8s  ", fathom_number_count(text[0], count),
	       fathom_number_with_unit(text[1], shown->each[shown->order[count - 1]], unit),
	       fathom_number_with_unit(text[2], median(shown), unit),
	       fathom_number_with_unit(text[3], shown->each[shown->order[0]], unit),
	       ratio_text(text[4], mean_imbalance(shown)), change);
	print_name(report, shown->phase);
}

/* Prints a mark for each iteration, or for the largest of several, on a scale from 0 to the largest of all. */
static void print_series(const struct fathom_report *report, const struct shown *shown)
{
	static const char *const blocks[] = {
		"\u2581", "\u2582", "\u2583", "\u2584", "\u2585", "\u2586", "\u2587", "\u2588"
	};
	static const char marks[] = "_.-=+*%#";
	uint32_t count = shown->phase->count, columns = (uint32_t)(report->page.width - INDENT), c, i;
	double top = shown->each[shown->order[0]];

	if (count < 2 || !(top > 0))
		return;
	columns = columns < count ? columns : count;
	fathom_page_blanks(INDENT);
	printf("%s", fathom_page_style(&report->page, FATHOM_STYLE_TEAL));
	for (c = 0; c < columns; c++) {
		double most = 0;
		int level;

		for (i = (uint32_t)((uint64_t)c * count / columns); i < (uint64_t)(c + 1) * count / columns; i++)
			most = fmax(most, shown->each[i]);
		level = (int)(most / top * 8);
		level = level > 7 ? 7 : level < 0 ? 0 : level;
		if (report->page.unicode)
			fputs(blocks[level], stdout);
		else
			putchar(marks[level]);
	}
	printf("%s\n", fathom_page_style(&report->page, FATHOM_STYLE_PLAIN));
}

static const char *times_text(char text[FATHOM_NUMBER_BYTES], double times)
{
	if (times >= 999.5)
		return fathom_number_count(text, round(times));
	snprintf(text, FATHOM_NUMBER_BYTES, "%.3g", times);
	return text;
}

static void print_slowest(struct fathom_report *report, const struct shown *shown)
{
	uint32_t count = shown->phase->count < SLOWEST ? shown->phase->count : SLOWEST;
	char text[512], number[FATHOM_NUMBER_BYTES];
	double usual = median(shown);
	size_t length;

	if (shown->phase->count < 4)
		return;
	length = (size_t)snprintf(text, sizeof(text), "%s:", shown->values.is_time ? "slowest" : "largest");
	for (uint32_t k = 0; k < count; k++) {
		uint32_t i = shown->order[k];

		length += (size_t)snprintf(text + length, sizeof(text) - length, "%s %" PRIu64 " (%s", k ? "," : "",
					   shown->phase->numbers[i],
					   fathom_number_with_unit(number, shown->each[i], shown->values.metric->unit));
		if (!k && usual > 0)
			length += (size_t)snprintf(text + length, sizeof(text) - length, ", %s%s the median",
						   times_text(number, shown->each[i] / usual),
						   fathom_page_times(&report->page));
		if (imbalance(shown, i) > 1.2 && report->profile.process_count > 1)
			length += (size_t)snprintf(text + length, sizeof(text) - length, ", longest on rank %" PRId64,
						   shown->values.most_rank[i]);
		length += (size_t)snprintf(text + length, sizeof(text) - length, ")");
	}
	fathom_page_blanks(INDENT);
	fathom_page_paragraph(&report->page, text, INDENT);
}

static int by_runs(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x > y ? -1 : x < y;
}

static void print_clusters(struct fathom_report *report, const struct fathom_phase *phase)
{
	double *runs = fathom_tool_alloc(phase->cluster_count, sizeof(*runs));
	char text[1024], number[FATHOM_NUMBER_BYTES];
	uint32_t count = 0, c;
	size_t length;

	for (c = 0; c < phase->cluster_count; c++)
		if (phase->cluster_runs[c] > 0)
			runs[count++] = phase->cluster_runs[c];
	if (!count)
		goto out;
	qsort(runs, count, sizeof(*runs), by_runs);
	length = (size_t)snprintf(text, sizeof(text), "%u cluster%s, of", count, count == 1 ? "" : "s");
	for (c = 0; c < count && c < CLUSTERS; c++)
		length += (size_t)snprintf(text + length, sizeof(text) - length, "%s %s", c ? "," : "",
					   fathom_number_count(number, runs[c]));
	length += (size_t)snprintf(text + length, sizeof(text) - length, "%s %s", count > CLUSTERS ? ", ..." : "",
				   report->profile.process_count > 1 ? "iterations of ranks" : "iterations");
	if (phase->lost_runs > 0)
		snprintf(text + length, sizeof(text) - length, "; which they are is not in the file for %s of them",
			 fathom_number_count(number, phase->lost_runs));
	fathom_page_blanks(INDENT);
	fathom_page_paragraph(&report->page, text, INDENT);
out:
	free(runs);
}

static int print_phase(struct fathom_report *report, const struct fathom_phase *phase)
{
	struct shown shown = { .phase = phase };
	int err;

	if (!phase->count) {		/* the file has clusters but no single iterations */
		printf("%8s %9s %9s %9s %6s %8s  ", "-", "-", "-", "-", "-", "-");
		print_name(report, phase);
		print_clusters(report, phase);
		return 0;
	}
	err = prepare(report, phase, &shown);
	if (err)
		return err;
	print_numbers(report, &shown);
	print_series(report, &shown);
	print_slowest(report, &shown);
	print_clusters(report, phase);
	fini(&shown);
	return 0;
}

/* --- iteration by iteration --------------------------------------------------------------------------- */

static int by_place(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

static int print_iterations(struct fathom_report *report, const struct fathom_phase *phase)
{
	struct fathom_page *page = &report->page;
	char title[640], name[512], remark[96], text[4][FATHOM_NUMBER_BYTES];
	struct shown shown = { .phase = phase };
	uint32_t rows = report->options.top >= 0 ? (uint32_t)report->options.top :
			report->options.all	 ? UINT32_MAX : ROWS;
	bool has_ranks = report->profile.process_count > 1;
	int err = prepare(report, phase, &shown);
	double top;
	uint32_t k;

	if (err)
		return err;
	rows = rows < phase->count ? rows : phase->count;
	top = shown.each[shown.order[0]];
	if (rows)
		qsort(shown.order, rows, sizeof(*shown.order), by_place);
	snprintf(title, sizeof(title), "Iterations of %s by %s", name_of(report, phase, name, sizeof(name)),
		 shown.values.metric->uniq_name);
	if (rows < phase->count)
		snprintf(remark, sizeof(remark), "the largest %u of %u: --top, --all", rows, phase->count);
	else
		snprintf(remark, sizeof(remark), "%u iterations", phase->count);
	fathom_page_heading(page, title, remark);
	printf("%s%12s %9s %8s %6s", fathom_page_style(page, FATHOM_STYLE_DIM), "iteration",
	       shown.values.is_time ? "time" : "value", "runs", "uneven");
	printf("%s%s\n", has_ranks ? "  largest on" : "", fathom_page_style(page, FATHOM_STYLE_PLAIN));
	for (k = 0; k < rows && !fathom_tool_output_lost(); k++) {
		uint32_t i = shown.order[k];
		double value = fathom_phase_value(phase, &shown.values, i);

		printf("%12" PRIu64 " %9s %8s %6s", phase->numbers[i],
		       fathom_number_with_unit(text[0], value, shown.values.metric->unit),
		       fathom_number_count(text[1], phase->runs[i]), ratio_text(text[2], imbalance(&shown, i)));
		if (has_ranks && shown.values.most_rank[i] >= 0)
			printf("  rank %-6" PRId64, shown.values.most_rank[i]);
		else
			printf("%s", has_ranks ? "  -          " : "");
		printf("  ");
		fathom_page_bar(page, top > 0 ? shown.each[i] / top : 0, page->width - 54);
		putchar('\n');
	}
	print_clusters(report, phase);
	fini(&shown);
	return 0;
}

/* --- the section -------------------------------------------------------------------------------------- */

int fathom_report_phases(struct fathom_report *report)
{
	const struct fathom_cube_metric *metric = report->values.metric;
	struct fathom_page *page = &report->page;
	char title[256];
	int err = 0;

	if (!report->phases.count || !fathom_phases_has(&report->profile,
							(uint32_t)(metric - report->profile.cube->metrics)))
		return 0;
	snprintf(title, sizeof(title), "Phases by %s of an iteration", metric->uniq_name);
	fathom_page_heading(page, title, report->options.phases ? "" : "--phases: each");
	printf("%s%8s %9s %9s %9s %6s %8s  phase%s\n", fathom_page_style(page, FATHOM_STYLE_DIM), "iter.", "least",
	       "median", "most", "uneven", "trend", fathom_page_style(page, FATHOM_STYLE_PLAIN));
	for (uint32_t p = 0; !err && p < report->phases.count; p++)
		err = print_phase(report, &report->phases.phases[p]);
	fputs(fathom_page_style(page, FATHOM_STYLE_DIM), stdout);
	fathom_page_paragraph(page, strcmp(metric->uniq_name, "time") == 0 ?
			      "uneven: the longest run of an iteration divided by the mean; trend: from the first to "
			      "the last" :
			      "uneven: the largest of a rank divided by the mean; trend: from the first to the last",
			      0);
	fputs(fathom_page_style(page, FATHOM_STYLE_PLAIN), stdout);
	for (uint32_t p = 0; !err && report->options.phases && p < report->phases.count; p++)
		if (report->phases.phases[p].count)
			err = print_iterations(report, &report->phases.phases[p]);
	return err;
}
