#include "tools/report/sections/section_callers.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"
#include "tools/common/number_format.h"
#include "tools/report/region_search.h"
#include "tools/report/region_text.h"
#include "tools/report/report.h"
#include "tools/report/tree_lines.h"

enum {
	DEPTH_DEFAULT = 8,
	NUMBERS = 27,			/* columns before the name */
	MOST_STEPS = 20000000,		/* limit of steps: a few seconds. Recursion of depth n needs n^2 steps */
};

struct place {			/* a call path of the region, and the caller that the search has reached from there */
	uint32_t region;	/* the region of call path at */
	int32_t at;
	uint32_t cnode;
	double value;		/* 0 for a recursive call, whose value the outermost call contains */
};

struct group {			/* places[begin..end) have the same callers so far */
	uint32_t begin, end;
	uint32_t depth;
	double value, visits;
	bool is_last;
	bool is_sampled;	/* a part of the value is an estimate by samples */
};

struct callers {
	struct fathom_report *report;
	struct fathom_tree_lines guide;
	struct place *places;
	struct group *stack;
	uint32_t stacked;
	size_t room;
	uint32_t hidden;	/* groups below the least percentage or beyond the depth */
	uint64_t steps;
	double total;		/* the region's value */
	bool has_estimates;	/* a value was printed that is an estimate by samples */
};

/* --- from callee to caller ---------------------------------------------------------------- */

static int by_region(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->region != y->region)
		return x->region < y->region ? -1 : 1;
	return x->cnode < y->cnode ? -1 : x->cnode > y->cnode;
}

/* Sorts the smallest value first, because the group pushed last is printed first. */
static int by_value(const void *a, const void *b)
{
	const struct group *x = a, *y = b;

	if (x->value != y->value)
		return x->value < y->value ? -1 : 1;
	if (x->visits != y->visits)
		return x->visits < y->visits ? -1 : 1;
	return x->begin < y->begin ? 1 : x->begin > y->begin ? -1 : 0;
}

static void push(struct callers *callers, const struct group *group)
{
	callers->stack = fathom_tool_grow(callers->stack, callers->stacked, &callers->room, sizeof(*callers->stack));
	callers->stack[callers->stacked++] = *group;
}

/* Splits places[begin..end) into groups by the region that they have reached, and pushes the groups on the stack. */
static void split(struct callers *callers, uint32_t begin, uint32_t end, uint32_t depth)
{
	const struct fathom_report *report = callers->report;
	const double *visits = report->visits.own;
	const bool *is_sampled = report->values.own == report->time.own ? report->sampled.is_sampled : NULL;
	double least = report->options.least_percent / 100 * callers->total;
	uint32_t first = callers->stacked, i;
	struct group group = { 0 };

	qsort(callers->places + begin, end - begin, sizeof(*callers->places), by_region);
	for (i = begin; i < end; i++) {
		const struct place *place = &callers->places[i];

		if (i == begin || place->region != callers->places[i - 1].region)
			group = (struct group){ .begin = i, .depth = depth };
		group.end = i + 1;
		group.value += place->value;
		group.visits += visits ? visits[place->cnode] : 0;
		group.is_sampled |= is_sampled && is_sampled[place->cnode];
		if (i + 1 < end && callers->places[i + 1].region == place->region)
			continue;
		if (depth > 0 && !report->options.all && group.value < least)
			callers->hidden++;
		else
			push(callers, &group);
	}
	if (callers->stacked == first)
		return;
	qsort(callers->stack + first, callers->stacked - first, sizeof(*callers->stack), by_value);
	callers->stack[first].is_last = true;
}

/* Moves all places of a group to their callers; removes places that have reached a root. */
static void climb(struct callers *callers, const struct group *group)
{
	const struct fathom_cube *cube = callers->report->profile.cube;
	uint32_t i, kept = group->begin;

	for (i = group->begin; i < group->end; i++) {
		struct place place = callers->places[i];

		place.at = cube->cnodes[place.at].parent;
		if (place.at < 0)
			continue;
		place.region = cube->cnodes[place.at].region;
		callers->places[kept++] = place;
	}
	callers->steps += group->end - group->begin;
	split(callers, group->begin, kept, group->depth + 1);
}

static void print_group(struct callers *callers, const struct group *group)
{
	struct fathom_report *report = callers->report;
	struct fathom_page *page = &report->page;
	const struct fathom_cube_region *region =
		&report->profile.cube->regions[callers->places[group->begin].region];
	char share[FATHOM_NUMBER_BYTES], value[FATHOM_NUMBER_BYTES], visits[FATHOM_NUMBER_BYTES], place[512];
	int columns = page->width - NUMBERS, place_columns = page->width >= 110 ? 28 : 22, used;
	bool has_visits = report->visits.own && (group->visits > 0 || !group->is_sampled);

	callers->has_estimates |= group->is_sampled;
	printf("%s%6s%s %9s%c%8s  ",
	       fathom_page_style(page, fathom_share_style(callers->total > 0 ? group->value / callers->total : 0)),
	       fathom_number_percent(share, group->value, callers->total), fathom_page_style(page, FATHOM_STYLE_PLAIN),
	       fathom_number_with_unit(value, group->value, report->values.metric->unit),
	       group->is_sampled ? FATHOM_SAMPLED_MARK : ' ',
	       has_visits ? fathom_number_count(visits, group->visits) : "-");
	used = fathom_tree_lines_draw(&callers->guide, group->depth, group->is_last);
	fputs(fathom_page_style(page, fathom_region_style(region)), stdout);
	fathom_page_name_left(page, fathom_region_name(region), columns - used - place_columns - 1);
	printf("%s %s", fathom_page_style(page, FATHOM_STYLE_PLAIN), fathom_page_style(page, FATHOM_STYLE_DIM));
	fathom_page_name(page, fathom_region_place(region, place, sizeof(place)), place_columns);
	printf("%s\n", fathom_page_style(page, FATHOM_STYLE_PLAIN));
}

/* Lists the region's call paths with their values. Returns how many. */
static uint32_t list_places(struct callers *callers, const bool *matches)
{
	const struct fathom_profile *profile = &callers->report->profile;
	const struct fathom_cube *cube = profile->cube;
	bool *within = fathom_tool_alloc(cube->cnode_count, sizeof(bool));
	uint32_t c, count = 0;

	for (c = 0; c < cube->cnode_count; c++) {
		int32_t parent = cube->cnodes[c].parent;

		within[c] = parent >= 0 && (within[parent] || matches[cube->cnodes[parent].region]);
		if (!matches[cube->cnodes[c].region] || !profile->counted[c])
			continue;
		callers->places[count] = (struct place){ cube->cnodes[c].region, (int32_t)c, c, 0 };
		if (!within[c])
			callers->places[count].value = callers->report->values.inclusive[c];
		callers->total += callers->places[count++].value;
	}
	free(within);
	return count;
}

static void print_callers(struct callers *callers, uint32_t count)
{
	struct fathom_report *report = callers->report;
	struct fathom_page *page = &report->page;
	uint32_t limit = report->options.depth >= 0 ? (uint32_t)report->options.depth :
			 report->options.all	    ? UINT32_MAX : DEPTH_DEFAULT;
	bool is_cut = false;
	char text[192];

	split(callers, 0, count, 0);
	while (callers->stacked > 0 && !fathom_tool_output_lost()) {
		struct group group = callers->stack[--callers->stacked];

		print_group(callers, &group);
		if (group.depth < limit && callers->steps < MOST_STEPS)
			climb(callers, &group);
		else if (report->profile.cube->cnodes[callers->places[group.begin].at].parent >= 0)
			is_cut = true;
	}
	if (callers->has_estimates)
		fathom_sampled_times_explain(page);
	if (callers->hidden) {
		snprintf(text, sizeof(text), "Callers of less than %2$g%% are not shown (--min): %1$u.",
			 callers->hidden, report->options.least_percent);
		fathom_page_paragraph(page, text, 0);
	}
	if (is_cut) {
		snprintf(text, sizeof(text), "Callers of callers end here, at %s.",
			 callers->steps < MOST_STEPS ? "the depth chosen (--depth)" : "a sensible number of them");
		fathom_page_paragraph(page, text, 0);
	}
}

int fathom_report_callers(struct fathom_report *report)
{
	const struct fathom_cube *cube = report->profile.cube;
	const char *wanted = report->options.callers;
	struct fathom_page *page = &report->page;
	struct callers callers = { .report = report };
	bool *matches;
	char title[512], remark[96], share[FATHOM_NUMBER_BYTES];
	uint32_t count;

	if (report->values.kind != FATHOM_VALUES_SUM) {
		fathom_tool_error("--metric %s: %s cannot be divided among callers (choose a metric that adds up)",
				  report->values.metric->uniq_name, report->values.kind == FATHOM_VALUES_RATIO ?
				  "a ratio" : "minima and maxima");
		return -EINVAL;
	}
	matches = fathom_tool_alloc(cube->region_count, sizeof(bool));
	if (fathom_report_find_regions(report, wanted, matches)) {
		free(matches);
		return -EINVAL;
	}
	callers.places = fathom_tool_alloc(cube->cnode_count, sizeof(*callers.places));
	fathom_tree_lines_init(&callers.guide, page, page->width - NUMBERS - 22);
	count = list_places(&callers, matches);
	snprintf(title, sizeof(title), "Callers of %s", wanted);
	snprintf(remark, sizeof(remark), "inclusive %s, %s of all", report->values.metric->uniq_name,
		 fathom_number_percent(share, callers.total, report->values.total));
	fathom_page_heading(page, title, remark);
	printf("%s%6s %9s %8s  called by%s\n", fathom_page_style(page, FATHOM_STYLE_DIM), "share",
	       strcmp(report->values.metric->uniq_name, "time") == 0 ? "time" : "value", "visits",
	       fathom_page_style(page, FATHOM_STYLE_PLAIN));
	print_callers(&callers, count);
	fathom_tree_lines_fini(&callers.guide);
	free(callers.stack);
	free(callers.places);
	free(matches);
	return 0;
}
