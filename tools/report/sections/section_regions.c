#include "tools/report/sections/section_regions.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"
#include "tools/common/number_format.h"
#include "tools/report/region_text.h"
#include "tools/report/report.h"

enum {
	TOP_DEFAULT = 15,
	TOP_LEAST = 5,		/* lines that are shown even if their values are small */
};

/* The value of a metric over the call paths of a region. */
struct region_value {
	double value;
	double above, below;	/* the two parts of a ratio */
};

struct line {
	const struct fathom_cube_region *region;
	struct region_value own;	/* of the chosen metric */
	struct region_value sort;	/* of the metric to sort by */
	struct region_value column;	/* of the metric of --column */
	double measured;	/* the own value without estimates */
	double visits;
	double missing;		/* estimated visits that are missing */
	double all_samples;	/* samples, wherever the region is; the next three where it was sampled, not recorded */
	double samples;		/* samples there */
	double shared;		/* all samples that share the recorded times around */
	double sampled;		/* the part of the own value */
	bool seen;
};

static double sort_key(double value)
{
	return fathom_value_is_never(value) ? -HUGE_VAL : value;
}

static int by_value(const void *a, const void *b)
{
	const struct line *x = a, *y = b;
	double left = sort_key(x->own.value), right = sort_key(y->own.value);

	if (left != right)
		return left < right ? 1 : -1;
	if (x->visits != y->visits)
		return x->visits < y->visits ? 1 : -1;
	return x->region < y->region ? -1 : x->region > y->region;
}

static int by_sort(const void *a, const void *b)
{
	const struct line *x = a, *y = b;
	double left = sort_key(x->sort.value), right = sort_key(y->sort.value);

	return left != right ? (left < right ? 1 : -1) : by_value(a, b);
}

/* Differences: the farthest from 0 first. */
static int by_size(const void *a, const void *b)
{
	double left = fabs(((const struct line *)a)->own.value), right = fabs(((const struct line *)b)->own.value);

	return left != right ? (left < right ? 1 : -1) : by_value(a, b);
}

static int by_name(const void *a, const void *b)
{
	const struct line *x = a, *y = b;
	int order = strcmp(x->region->name, y->region->name);

	return order ? order : by_value(a, b);
}

static bool happened(const struct fathom_report *report, const struct line *line)
{
	if (!line->seen || fathom_value_is_never(line->own.value))
		return false;
	/* A region that this process never entered can have a sum: it was active when the process was forked. */
	if (report->values.kind == FATHOM_VALUES_SUM && line->own.value != 0)
		return true;
	return !report->visits.own || line->visits > 0;
}

/* Returns whether the list shows times, and some of them are estimated because functions were disabled. */
static bool has_estimates(const struct fathom_report *report)
{
	return report->estimate.own && report->values.own == report->time.own;
}

/* Adds a call path to the value of its region: `own`, which is values->own[cnode] or an estimate in its place. */
static void add_value(struct region_value *to, const struct fathom_values *values, uint32_t cnode, double own,
		      bool is_first)
{
	if (values->kind == FATHOM_VALUES_RATIO) {
		to->above += values->above[cnode];
		to->below += values->below[cnode];
		to->value = fathom_ratio_of(values->factor, to->above, to->below);
	} else if (is_first || values->kind == FATHOM_VALUES_SUM) {
		to->value += own;
	} else {
		to->value = values->kind == FATHOM_VALUES_LEAST ? fmin(to->value, own) : fmax(to->value, own);
	}
}

/* Adds the samples of a call path with that value. */
static void add_samples(const struct fathom_sampled_times *sampled, uint32_t cnode, double value, struct line *line)
{
	line->all_samples += sampled->samples.own[cnode];
	if (!sampled->is_sampled[cnode] || sampled->samples.own[cnode] == 0)
		return;
	line->sampled += value;
	line->samples += sampled->samples.own[cnode];
	line->shared += sampled->shared[cnode];
}

/* Makes lines for all regions with visits or values. The caller frees *lines. Returns how many. */
static uint32_t collect(const struct fathom_report *report, struct line **lines)
{
	const struct fathom_profile *profile = &report->profile;
	const struct fathom_values *values = &report->values, *sort = &report->sort_values;
	const struct fathom_values *column = &report->column_values;
	struct line *all = fathom_tool_alloc(profile->cube->region_count, sizeof(*all));
	uint32_t c, r, count = 0;

	for (c = 0; c < profile->cube->cnode_count; c++) {
		struct line *line = &all[fathom_phase_region(profile, c)];
		double value = has_estimates(report) ? report->estimate.own[c] : values->own[c];

		if (!profile->counted[c])
			continue;
		add_value(&line->own, values, c, value, !line->seen);
		if (sort->own)
			add_value(&line->sort, sort, c, sort->own[c], !line->seen);
		if (column->own)
			add_value(&line->column, column, c, column->own[c], !line->seen);
		line->seen = true;
		line->measured += values->own[c];
		line->missing += has_estimates(report) ? report->estimate.missing[c] : 0;
		line->visits += report->visits.own ? report->visits.own[c] : 0;
		if (report->sampled.samples.own)
			add_samples(&report->sampled, c, value, line);
	}
	for (r = 0; has_estimates(report) && r < profile->cube->region_count; r++)
		all[r].own.value += report->estimate.elsewhere[r];
	for (r = 0; r < profile->cube->region_count; r++) {
		all[r].region = &profile->cube->regions[r];
		if (happened(report, &all[r]))
			all[count++] = all[r];
	}
	qsort(all, count, sizeof(*all), fathom_report_sorts_by_name(report) ? by_name :
					report->sort_values.own ? by_sort : report->is_difference ? by_size : by_value);
	*lines = all;
	return count;
}

enum {	/* widths, with the blanks between columns */
	BEFORE_NAME = 37,	/* the columns that every list has, before the name of the region */
	MEASURED = 10,		/* only with estimates */
	SAMPLES = 16,		/* only with --samples: two columns */
	CHOSEN = 11,		/* only with --column */
};

static bool shows_samples(const struct fathom_report *report)
{
	return report->options.samples && report->sampled.samples.own;
}

struct columns {
	int name, place, paradigm;
};

static struct columns lay_out(const struct fathom_report *report, const struct line *lines, uint32_t count)
{
	struct columns columns = { .place = 5 };
	int rest = report->page.width - BEFORE_NAME - (has_estimates(report) ? MEASURED : 0) -
		   (shows_samples(report) ? SAMPLES : 0) - (report->column_values.own ? CHOSEN : 0);
	char place[512];
	uint32_t i;

	if (report->page.width >= 110)
		columns.paradigm = 13;
	for (i = 0; i < count; i++) {
		int length = (int)strlen(fathom_region_place(lines[i].region, place, sizeof(place)));

		columns.place = length > columns.place ? length : columns.place;
	}
	/* The place gets at most two fifths of the line, because the name matters more. */
	if (columns.place > rest * 2 / 5)
		columns.place = rest * 2 / 5;
	columns.name = rest - columns.place - 2 - columns.paradigm;
	return columns;
}

/* Marks in a list of times, in addition to FATHOM_SAMPLED_MARK: a time that is mostly own cost, and an estimated time
 * of disabled functions. */
#define BIAS_MARK '!'
#define ESTIMATE_MARK '?'

static bool is_mostly_overhead(const struct fathom_report *report, size_t region)
{
	const bool *is_mostly_cost = report->own_cost.is_mostly_cost;

	return is_mostly_cost && report->values.own == report->time.own && is_mostly_cost[region];
}

/* Returns whether more than a 200th of a time is an estimate by samples. A function with hooks is sampled now and then
 * in its first instructions, where the hook has not recorded it yet. */
static bool is_sampled(const struct fathom_report *report, const struct line *line)
{
	return report->values.own == report->time.own && line->sampled > 0 && line->sampled > line->own.value / 200;
}

static char mark_of(const struct fathom_report *report, const struct line *line)
{
	size_t region = (size_t)(line->region - report->profile.cube->regions);

	if (has_estimates(report) && report->estimate.is_estimated[region])
		return ESTIMATE_MARK;
	if (is_sampled(report, line))
		return FATHOM_SAMPLED_MARK;
	return is_mostly_overhead(report, region) ? BIAS_MARK : ' ';
}

static void explain_marks(struct fathom_report *report, const struct line *lines, uint32_t count)
{
	bool any = false, any_estimate = false, any_sampled = false, any_without_place = false;
	char place[512];

	for (uint32_t i = 0; i < count; i++) {
		any |= mark_of(report, &lines[i]) == BIAS_MARK;
		any_sampled |= mark_of(report, &lines[i]) == FATHOM_SAMPLED_MARK;
		any_estimate |= mark_of(report, &lines[i]) == ESTIMATE_MARK;
		any_without_place |= fathom_region_place(lines[i].region, place, sizeof(place)) == fathom_no_place;
	}
	printf("%s", fathom_page_style(&report->page, FATHOM_STYLE_DIM));
	if (any)
		printf("%c: more than half of it is the time of measuring, by its estimate\n", BIAS_MARK);
	if (any_estimate)
		printf("%c: estimated: what functions took after they were disabled (see there) was\n"
		       "   measured as time of their callers. What was measured, and visits, are exact\n",
		       ESTIMATE_MARK);
	if (any_sampled)
		fathom_sampled_times_explain(&report->page);
	printf("%s", fathom_page_style(&report->page, FATHOM_STYLE_DIM));
	if (any_without_place)
		fathom_report_explain_places(&report->page);
	printf("%s", fathom_page_style(&report->page, FATHOM_STYLE_PLAIN));
}

/* Prints how many samples a region has, and how sure its time is if a part of that is an estimate. */
static void print_samples(const struct fathom_report *report, const struct line *line)
{
	double error = fathom_sampled_times_error(line->samples, line->shared);
	char count[FATHOM_NUMBER_BYTES], text[16] = "";

	error *= line->own.value > 0 ? line->sampled / line->own.value : 1;
	if (is_sampled(report, line) && error >= 0)
		snprintf(text, sizeof(text), "%.*f%%", error < 0.0995 ? 1 : 0, 100 * error);
	printf("%8s %6s ", fathom_number_count(count, line->all_samples), text);
}

/* Prints the column of --column, if there is one. A file can have 0 for a maximum without a visit. */
static void print_chosen(const struct fathom_report *report, const struct line *line)
{
	const struct fathom_values *values = &report->column_values;
	double value = line->column.value;
	bool is_extreme = values->kind == FATHOM_VALUES_LEAST || values->kind == FATHOM_VALUES_MOST;
	char text[FATHOM_NUMBER_BYTES];

	if (values->own)
		printf(" %*s", CHOSEN - 1, fathom_value_is_never(value) || (is_extreme && value == 0) ? "-" :
		       fathom_number_with_unit(text, value, values->metric->unit));
}

static void print_line(struct fathom_report *report, const struct line *line, const struct columns *columns)
{
	struct fathom_page *page = &report->page;
	const struct fathom_values *values = &report->values;
	char share[FATHOM_NUMBER_BYTES], value[FATHOM_NUMBER_BYTES], visits[FATHOM_NUMBER_BYTES];
	char each[FATHOM_NUMBER_BYTES], place[512], name[2048];
	bool has_visits = report->visits.own && (line->visits > 0 || !is_sampled(report, line));
	const char *where;
	bool is_sum = values->kind == FATHOM_VALUES_SUM;

	printf("%s%6s%s %9s%c ",
	       fathom_page_style(page, fathom_share_style(fathom_report_share(report, line->own.value))),
	       is_sum ? fathom_number_percent(share, line->own.value, report->whole) : "",
	       fathom_page_style(page, FATHOM_STYLE_PLAIN),
	       fathom_number_with_unit(value, line->own.value, values->metric->unit),
	       mark_of(report, line));
	if (has_estimates(report))
		printf("%*s ", MEASURED - 1,
		       fathom_number_with_unit(value, line->measured, values->metric->unit));
	if (shows_samples(report))
		print_samples(report, line);
	printf("%7s %9s", has_visits ? fathom_number_count(visits, line->visits) : "-",
	       is_sum && line->visits > 0 && !is_sampled(report, line) ?
		       fathom_number_with_unit(each, line->own.value / (line->visits + line->missing),
					       values->metric->unit) : "-");
	print_chosen(report, line);
	printf("  %s", fathom_page_style(page, fathom_region_style(line->region)));
	snprintf(name, sizeof(name), "%.*s",
		 fathom_region_name_bytes(line->region),
		 fathom_region_name(line->region));
	fathom_page_name_left(page, name, columns->name);
	printf("%s  %s", fathom_page_style(page, FATHOM_STYLE_PLAIN), fathom_page_style(page, FATHOM_STYLE_DIM));
	where = fathom_region_place(line->region, place, sizeof(place));
	if (columns->paradigm) {
		fathom_page_name_left(page, where == line->region->paradigm ? "" : where, columns->place);
		printf("  ");
		where = line->region->paradigm;
	}
	fathom_page_name(page, where, columns->paradigm ? columns->paradigm - 2 : columns->place);
	printf("%s\n", fathom_page_style(page, FATHOM_STYLE_PLAIN));
}

/* Returns how many of the sorted lines are worth showing. */
static uint32_t worth_showing(const struct fathom_report *report, const struct line *lines, uint32_t count)
{
	const struct fathom_values *values = &report->values;
	uint32_t shown = 0;

	if (values->kind != FATHOM_VALUES_SUM || report->options.sort)
		return count < TOP_DEFAULT ? count : TOP_DEFAULT;
	while (shown < count && shown < TOP_DEFAULT && fathom_report_size(report, lines[shown].own.value) > 0 &&
	       (shown < TOP_LEAST || fathom_report_size(report, lines[shown].own.value) >= 0.0005 * report->whole))
		shown++;
	return shown;
}

/* Returns the head of the column of the chosen metric, which is short. */
static const char *short_name(const struct fathom_cube_metric *metric)
{
	if (strcmp(metric->uniq_name, "time") == 0)
		return "time";
	if (strcmp(metric->unit, "bytes") == 0)
		return "bytes";
	return strcmp(metric->unit, "sec") == 0 ? "seconds" : "value";
}

void fathom_report_regions(struct fathom_report *report)
{
	struct fathom_page *page = &report->page;
	const struct fathom_values *values = &report->values;
	bool everything = report->options.flat || report->options.all;
	struct line *lines;
	struct columns columns;
	uint32_t count = collect(report, &lines), shown = count, i;
	char title[256], remark[128], percent[FATHOM_NUMBER_BYTES];
	double sum = 0;

	if (report->options.top >= 0 && shown > report->options.top)
		shown = (uint32_t)report->options.top;
	if (report->options.top < 0 && !everything)
		shown = worth_showing(report, lines, count);
	for (i = 0; i < shown; i++)
		sum += fathom_report_size(report, lines[i].own.value);
	snprintf(title, sizeof(title), "Regions by %s%s%s%s",
		 values->kind == FATHOM_VALUES_SUM || values->kind == FATHOM_VALUES_RATIO ? "their own " : "",
		 values->metric->uniq_name, report->options.sort ? ", sorted by " : "",
		 report->options.sort ? report->options.sort : "");
	if (values->kind == FATHOM_VALUES_SUM && shown < count)
		snprintf(remark, sizeof(remark), "%u of %u regions, %s of all", shown, count,
			 fathom_number_percent(percent, sum, report->whole));
	else
		snprintf(remark, sizeof(remark), "%u of %u regions", shown, count);
	fathom_page_heading(page, title, remark);
	columns = lay_out(report, lines, shown);
	printf("%s%6s %9s ", fathom_page_style(page, FATHOM_STYLE_DIM),
	       values->kind == FATHOM_VALUES_SUM ? "own" : "", short_name(values->metric));
	if (has_estimates(report))
		printf("%*s ", MEASURED, "measured");
	if (shows_samples(report))
		printf(" samples  +-95%% ");
	printf("%*s %9s", has_estimates(report) ? 7 : 8, "visits", "per visit");
	if (report->column_values.own) {
		printf(" ");
		fathom_page_text_right(page, report->column_values.metric->uniq_name, CHOSEN - 1);
	}
	printf("  ");
	fathom_page_name_left(page, "region", columns.name);
	printf("  ");
	if (columns.paradigm) {
		fathom_page_name_left(page, "place", columns.place);
		printf("  kind");
	} else {
		printf("place");
	}
	printf("%s\n", fathom_page_style(page, FATHOM_STYLE_PLAIN));
	for (i = 0; i < shown && !fathom_tool_output_lost(); i++)
		print_line(report, &lines[i], &columns);
	explain_marks(report, lines, shown);
	free(lines);
}
