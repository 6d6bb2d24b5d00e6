#include "tools/report/sections/section_blame.h"

#include <stdio.h>
#include <stdlib.h>

#include "tools/common/command.h"
#include "tools/common/number_format.h"
#include "tools/report/region_text.h"
#include "tools/report/report.h"

enum { SHOWN = 5, KINDS = 3 };

/* Share of the time of all threads from which the section is printed, and of all blame from which a region is. */
#define WORTH_SHOWING 0.01

/* The metrics with blame, in the order of the columns. */
static const char *const metrics[KINDS] = { "lock_blame", "condition_blame", "p_all_thread_idleness" };

struct blamed {
	const struct fathom_cube_region *region;
	double seconds[KINDS];
	double all;
};

static int by_blame(const void *a, const void *b)
{
	const struct blamed *x = a, *y = b;

	return x->all < y->all ? 1 : x->all > y->all ? -1 : x->region < y->region ? -1 : x->region > y->region;
}

/* Adds the values of a metric to those of the regions. 0, or -errno after an error message. */
static int add_metric(struct fathom_report *report, int kind, struct blamed *regions, double *all)
{
	const struct fathom_cube *cube = report->profile.cube;
	int32_t metric = fathom_cube_metric_by_name(cube, metrics[kind]);
	struct fathom_values values;
	int err;

	if (metric < 0 || !fathom_profile_can_read(&cube->metrics[metric]))
		return 0;
	err = fathom_profile_values(&report->profile, (uint32_t)metric, &values);
	if (err)
		return err;
	for (uint32_t c = 0; c < cube->cnode_count; c++) {
		struct blamed *blamed = &regions[cube->cnodes[c].region];

		/* While fathom itself begins and ends, nobody can improve anything. */
		if (!report->profile.counted[c] || fathom_profile_is_program(&report->profile, c))
			continue;
		blamed->seconds[kind] += values.own[c];
		blamed->all += values.own[c];
		*all += values.own[c];
	}
	fathom_values_free(&values);
	return 0;
}

static void print_seconds(double seconds, int width)
{
	char text[FATHOM_NUMBER_BYTES];

	printf(" %*s", width, seconds > 0 ? fathom_number_seconds(text, seconds) : "-");
}

void fathom_report_blame(struct fathom_report *report)
{
	const struct fathom_cube *cube = report->profile.cube;
	struct fathom_page *page = &report->page;
	char percent[FATHOM_NUMBER_BYTES], seconds[FATHOM_NUMBER_BYTES], remark[96];
	struct blamed *regions = fathom_tool_alloc(cube->region_count, sizeof(*regions));
	double all = 0;
	int err = 0;

	for (uint32_t r = 0; r < cube->region_count; r++)
		regions[r].region = &cube->regions[r];
	for (int kind = 0; kind < KINDS && !err; kind++)
		err = add_metric(report, kind, regions, &all);
	if (err || all < WORTH_SHOWING * report->time.total || all <= 0) {
		free(regions);
		return;
	}
	qsort(regions, cube->region_count, sizeof(*regions), by_blame);
	snprintf(remark, sizeof(remark), "%s of waiting, of all threads", fathom_number_seconds(seconds, all));
	fathom_page_heading(page, "Who makes others wait", remark);
	printf("%s share  for locks conditions      idle  region%s\n", fathom_page_style(page, FATHOM_STYLE_DIM),
	       fathom_page_style(page, FATHOM_STYLE_PLAIN));
	for (uint32_t r = 0; r < cube->region_count && (r < SHOWN || report->options.all); r++) {
		if (regions[r].all < WORTH_SHOWING * all)
			break;
		printf("%6s", fathom_number_percent(percent, regions[r].all, all));
		print_seconds(regions[r].seconds[0], 10);
		print_seconds(regions[r].seconds[1], 10);
		print_seconds(regions[r].seconds[2], 9);
		printf("  ");
		fathom_page_name(page, fathom_region_name(regions[r].region), page->width - 40);
		putchar('\n');
	}
	fathom_page_paragraph(page, "Time in which other threads waited while these regions held a lock, until they "
			      "changed a condition, or (idle) while only these regions worked in a team.", 0);
	free(regions);
}
