#include "tools/report/sections/section_waits.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"
#include "tools/common/number_format.h"
#include "tools/report/findings/finding_list.h"
#include "tools/report/findings/rank_values.h"
#include "tools/report/report.h"
#include "tools/report/run_attributes.h"
#include "tools/report/sections/section_grid.h"
#include "tools/report/sections/section_imbalance.h"

enum { PLACES = 3, PLACES_ALL = 1000, CRITICAL_DEFAULT = 15 };

/* A share of the largest value of a rank from which a rank is listed. */
#define RANK_FROM 0.25

static int32_t metric_of(const struct fathom_profile *profile, const char *name)
{
	uint32_t m;

	for (m = 0; m < profile->cube->metric_count; m++)
		if (strcmp(profile->cube->metrics[m].uniq_name, name) == 0 && fathom_profile_has_values(profile, m))
			return (int32_t)m;
	return -1;
}

static int say_none(const struct fathom_report *report)
{
	fathom_tool_error("%s: has no wait states (of a trace, fathom analyze finds them)", report->profile.path);
	return -ENODATA;
}

/* --- places ------------------------------------------------------------------------------------------ */

struct place {
	uint32_t cnode;
	double value;
};

static int by_value(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->value != y->value)
		return x->value < y->value ? 1 : -1;
	return x->cnode < y->cnode ? -1 : x->cnode > y->cnode;
}

/* Returns the call paths with a value, the largest first, and their number. The caller frees them. */
static struct place *sort_places(const struct fathom_profile *profile, const double *own, uint32_t *count)
{
	struct place *places = fathom_tool_alloc(profile->cube->cnode_count + 1, sizeof(*places));
	uint32_t c;

	*count = 0;
	for (c = 0; c < profile->cube->cnode_count; c++)
		if (profile->counted[c] && own[c] > 0)
			places[(*count)++] = (struct place){ c, own[c] };
	if (*count)
		qsort(places, *count, sizeof(*places), by_value);
	return places;
}

/* Prints share, seconds and blanks up to a name. */
static void print_numbers(struct fathom_report *report, double seconds, int indent)
{
	struct fathom_page *page = &report->page;
	char number[FATHOM_NUMBER_BYTES];

	fathom_page_text_right(page, fathom_number_percent(number, seconds, report->time.total), 6);
	fathom_page_text_right(page, fathom_number_seconds(number, seconds), 10);
	fathom_page_blanks(2 + indent);
}

static int print_place(struct fathom_report *report, uint32_t metric, const struct place *place, int indent,
		       const char *word)
{
	struct fathom_page *page = &report->page;
	struct fathom_rank_values values;
	char name[400], ranks[64], text[600];
	uint32_t count;
	int err = fathom_rank_values_read(&values, &report->profile, metric, place->cnode);

	if (err)
		return err;
	count = fathom_rank_values_list(&values, RANK_FROM * values.most, ranks, sizeof(ranks));
	fathom_finding_name(report, place->cnode, name, sizeof(name));
	snprintf(text, sizeof(text), "%s %s%s%s", word, name,
		 values.count < 2 ? "" : count == 1 ? ", rank " : ", ranks ", values.count < 2 ? "" : ranks);
	fathom_rank_values_fini(&values);
	print_numbers(report, place->value, indent);
	printf("%s", fathom_page_style(page, FATHOM_STYLE_DIM));
	fathom_page_text(page, text, page->width - 18 - indent);
	printf("%s\n", fathom_page_style(page, FATHOM_STYLE_PLAIN));
	return 0;
}

/* --- the tree of a metric ---------------------------------------------------------------------------- */

static bool has_children(const struct fathom_cube *cube, uint32_t metric)
{
	uint32_t m;

	for (m = metric + 1; m < cube->metric_count; m++)
		if (cube->metrics[m].parent == (int32_t)metric)
			return true;
	return false;
}

/* Prints a metric with the call paths that have most of it, and the metrics within it. */
static int print_metric(struct fathom_report *report, uint32_t metric, int indent, const char *word)
{
	struct fathom_profile *profile = &report->profile;
	const struct fathom_cube *cube = profile->cube;
	struct fathom_values values;
	struct place *places;
	uint32_t count, limit = report->options.all ? PLACES_ALL : PLACES, i, m;
	int err = fathom_profile_values(profile, metric, &values);

	if (err)
		return err;
	if (values.total * 100 < report->options.least_percent * report->time.total || values.total <= 0) {
		fathom_values_free(&values);
		return 0;
	}
	print_numbers(report, values.total, indent);
	printf("%s\n", cube->metrics[metric].disp_name);
	places = sort_places(profile, values.own, &count);
	for (i = 0; !err && !has_children(cube, metric) && i < count && i < limit; i++)
		err = print_place(report, metric, &places[i], indent + 2, word);
	free(places);
	fathom_values_free(&values);
	for (m = metric + 1; !err && m < cube->metric_count; m++)
		if (cube->metrics[m].parent == (int32_t)metric)
			err = print_metric(report, m, indent + 2, word);
	return err;
}

/* Prints how much of the waiting the delay costs explain, if the file has these sums. */
static void say_explained(struct fathom_report *report)
{
	const struct fathom_cube *cube = report->profile.cube;
	double searched = fathom_report_number(cube, "fathom::wait_with_cause", 0);
	double delays = fathom_report_number(cube, "fathom::wait_delays", 0);
	char seconds[FATHOM_NUMBER_BYTES], percent[FATHOM_NUMBER_BYTES], text[200];

	if (searched <= 0 || report->options.rank >= 0)
		return;
	snprintf(text, sizeof(text), "The causes of %s of waiting were searched; unequal work before it explains %s of "
		 "this.", fathom_number_seconds(seconds, searched), fathom_number_percent(percent, delays, searched));
	fathom_page_paragraph(&report->page, text, 0);
}

int fathom_report_waits(struct fathom_report *report)
{
	int32_t waits = metric_of(&report->profile, "wait_states"), delay = metric_of(&report->profile, "delay");
	int32_t grid = metric_of(&report->profile, "grid_latesender");
	int err;

	if (waits < 0 || !report->time.own)
		return say_none(report);
	fathom_page_heading(&report->page, "Wait states", "by kind, and where the ranks wait");
	err = print_metric(report, (uint32_t)waits, 0, "in");
	if (!err && delay >= 0) {
		fathom_page_heading(&report->page, "Causes", "what made ranks late, with the waiting that it caused");
		err = print_metric(report, (uint32_t)delay, 0, "by");
		if (!err)
			say_explained(report);
	}
	if (!err && grid >= 0) {
		fathom_page_heading(&report->page, "Late senders in a grid", "by the direction of the messages");
		err = print_metric(report, (uint32_t)grid, 0, "in");
	}
	if (!err)
		err = fathom_report_grid_waits(report, (uint32_t)waits);
	return err ? err : fathom_report_imbalance(report);
}

/* --- the critical path --------------------------------------------------------------------------------- */

int fathom_report_critical_path(struct fathom_report *report)
{
	struct fathom_profile *profile = &report->profile;
	int32_t path = metric_of(profile, "critical_path"), uneven = metric_of(profile, "critical_path_imbalance");
	struct fathom_values values, imbalance = { 0 };
	struct place *places;
	char number[FATHOM_NUMBER_BYTES], remark[80], name[400];
	uint32_t count, i, limit = report->options.all ? UINT32_MAX : report->options.top >= 0 ?
				   (uint32_t)report->options.top : CRITICAL_DEFAULT;
	int err;

	if (path < 0 || !report->time.own)
		return say_none(report);
	err = fathom_profile_values(profile, (uint32_t)path, &values);
	if (!err && uneven >= 0 && fathom_profile_values(profile, (uint32_t)uneven, &imbalance))
		imbalance.own = NULL;
	if (err)
		return err;
	places = sort_places(profile, values.own, &count);
	snprintf(remark, sizeof(remark), "%s: only what is on it makes the run longer",
		 fathom_number_seconds(number, values.total));
	fathom_page_heading(&report->page, "Critical path", remark);
	printf(" share      time    uneven  call path\n");
	for (i = 0; i < count && i < limit; i++) {
		fathom_page_text_right(&report->page, fathom_number_percent(number, places[i].value, values.total), 6);
		fathom_page_text_right(&report->page, fathom_number_seconds(number, places[i].value), 10);
		fathom_page_text_right(&report->page, imbalance.own ?
				       fathom_number_seconds(number, imbalance.own[places[i].cnode]) : "-", 10);
		fathom_page_blanks(2);
		fathom_page_text(&report->page, fathom_finding_name(report, places[i].cnode, name, sizeof(name)),
				 report->page.width - 28);
		printf("\n");
	}
	printf("%suneven: the part that equal work of all ranks would save%s\n",
	       fathom_page_style(&report->page, FATHOM_STYLE_DIM),
	       fathom_page_style(&report->page, FATHOM_STYLE_PLAIN));
	free(places);
	fathom_values_free(&values);
	if (imbalance.own)
		fathom_values_free(&imbalance);
	return 0;
}
