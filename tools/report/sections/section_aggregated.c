#include "tools/report/sections/section_aggregated.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"
#include "tools/common/number_format.h"
#include "tools/report/region_text.h"
#include "tools/report/report.h"
#include "tools/report/thread_spread.h"

enum { GROUPS_DEFAULT = 15, SPREADS_DEFAULT = 10, KINDS_MOST = 3 };

/* --- groups of threads ----------------------------------------------------------------------- */

/* Chooses the kinds of activity with most time, and lists them in their usual order. */
static unsigned choose_kinds(const struct fathom_activity_times *breakdown, unsigned kinds[KINDS_MOST])
{
	unsigned k, other, rank, count = 0;

	for (k = 0; k < FATHOM_KIND_COUNT && count < KINDS_MOST; k++) {
		for (rank = 0, other = 0; other < FATHOM_KIND_COUNT; other++)
			rank += breakdown->kind_seconds[other] > breakdown->kind_seconds[k];
		if (breakdown->kind_seconds[k] > 0 && rank < KINDS_MOST)
			kinds[count++] = k;
	}
	return count;
}

static void print_group(struct fathom_report *report, uint32_t location, uint32_t unit, const unsigned *kinds,
			unsigned count)
{
	const struct fathom_activity_times *breakdown = &report->breakdown;
	const struct fathom_profile *profile = &report->profile;
	const struct fathom_cube_location its = fathom_cube_location(profile->cube, location);
	double weight = fathom_threads_weight(profile, location);
	char time[FATHOM_NUMBER_BYTES], text[FATHOM_NUMBER_BYTES], label[512];
	unsigned k;

	printf("%7s %9s", fathom_number_count(text, weight),
	       fathom_number_seconds(time, breakdown->unit_total[unit] / weight));
	for (k = 0; k < count; k++)
		printf(" %11s", fathom_number_seconds(text, breakdown->unit_kind[(size_t)unit * FATHOM_KIND_COUNT +
									   kinds[k]] / weight));
	printf("  ");
	fathom_page_name(&report->page, fathom_threads_label(&its, label, sizeof(label)),
			 report->page.width - 19 - 12 * (int)count);
	putchar('\n');
}

/*
 * Prints a line for each column of the file, which stands for one thread or several. The units of the breakdown are the
 * columns of type thread, in their order.
 */
void fathom_report_groups(struct fathom_report *report)
{
	const struct fathom_profile *profile = &report->profile;
	const struct fathom_activity_times *breakdown = &report->breakdown;
	bool is_key = profile->threads.aggregation == FATHOM_AGGREGATION_KEY;
	struct fathom_page *page = &report->page;
	uint32_t l, unit = 0, shown = breakdown->unit_count;
	unsigned kinds[KINDS_MOST], count = choose_kinds(breakdown, kinds), k;

	if (breakdown->unit_count < 2)
		return;
	if (!report->options.all && shown > GROUPS_DEFAULT)
		shown = GROUPS_DEFAULT;
	fathom_page_heading(page, is_key ? "Key threads" : "Groups of threads with the same call paths",
			    "time of each thread, on the average");
	printf("%s%7s %9s", fathom_page_style(page, FATHOM_STYLE_DIM), "threads", "time");
	for (k = 0; k < count; k++)
		printf(" %11s", fathom_activity_table[fathom_activity_kinds[kinds[k]]].title);
	printf("  %s%s\n", is_key ? "which" : "group", fathom_page_style(page, FATHOM_STYLE_PLAIN));
	for (l = profile->first_location; l < profile->location_end && unit < shown; l++) {
		const struct fathom_cube_location location = fathom_cube_location(profile->cube, l);

		if (strcmp(location.type, "thread") == 0 &&
		    fathom_group_is_process(&profile->cube->groups[location.group]))
			print_group(report, l, unit++, kinds, count);
	}
	if (shown < breakdown->unit_count)
		printf("%s%u more groups (--all)%s\n", fathom_page_style(page, FATHOM_STYLE_DIM),
		       breakdown->unit_count - shown, fathom_page_style(page, FATHOM_STYLE_PLAIN));
}

/* --- statistics ---------------------------------------------------------------------------------- */

static void print_spread(struct fathom_report *report, const struct fathom_thread_spread *spread)
{
	const struct fathom_statistics *time = &spread->time, *visits = &spread->visits;
	const struct fathom_cube_region *region = fathom_profile_region(&report->profile, spread->cnode);
	char text[6][FATHOM_NUMBER_BYTES];
	struct fathom_page *page = &report->page;
	double mean = fathom_statistics_mean(time), balance = time->most > 0 ? mean / time->most : 1;

	printf("%s%7s%s %7s %9s %9s %9s %9s  ",
	       fathom_page_style(page, balance < 0.8 ? FATHOM_STYLE_WARN : FATHOM_STYLE_PLAIN),
	       fathom_number_percent(text[0], balance, 1), fathom_page_style(page, FATHOM_STYLE_PLAIN),
	       fathom_number_count(text[1], time->count), fathom_number_seconds(text[2], mean),
	       fathom_number_seconds(text[3], fathom_statistics_deviation(time)),
	       fathom_number_seconds(text[4], time->least), fathom_number_seconds(text[5], time->most));
	fathom_page_name(page, fathom_region_name(region), page->width - 58);
	putchar('\n');
	if (!(visits->count > 0) || visits->least == visits->most)
		return;
	printf("%25s %9s %9s %9s  %svisits%s\n", fathom_number_count(text[0], fathom_statistics_mean(visits)),
	       fathom_number_count(text[1], fathom_statistics_deviation(visits)),
	       fathom_number_count(text[2], visits->least), fathom_number_count(text[3], visits->most),
	       fathom_page_style(page, FATHOM_STYLE_DIM), fathom_page_style(page, FATHOM_STYLE_PLAIN));
}

void fathom_report_spread(struct fathom_report *report)
{
	struct fathom_page *page = &report->page;
	struct fathom_thread_spread *spreads;
	uint32_t count, shown = 0, i;
	char remark[96];

	if (report->profile.threads.aggregation != FATHOM_AGGREGATION_SET)
		return;
	count = fathom_report_spreads(report, &spreads);
	while (shown < count && (report->options.all || (shown < SPREADS_DEFAULT &&
	       (shown == 0 || spreads[shown].time.sum >= 0.005 * report->time.total))))
		shown++;
	if (shown > 0) {
		snprintf(remark, sizeof(remark), "own time in %u of %u call paths", shown, count);
		fathom_page_heading(page, "Spread of work over threads", remark);
		printf("%s%7s %7s %9s %9s %9s %9s  region%s\n", fathom_page_style(page, FATHOM_STYLE_DIM), "balance",
		       "threads", "average", "deviation", "minimum", "maximum",
		       fathom_page_style(page, FATHOM_STYLE_PLAIN));
	}
	for (i = 0; i < shown; i++)
		print_spread(report, &spreads[i]);
	free(spreads);
}
